package engine

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file holds what messages are made of: their subject, their parts, and values as a reader wants them.

// subject is what a message is about: an instance and its object.
type subject struct{ kind, address, id string }

// String names the instance by address, and the object by id where there is one.
func (s subject) String() string {
	name := s.address
	if name == "" {
		name = s.kind
	}
	if s.id == "" {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, s.id)
}

// target is the instance as a command line wants it. The address is the one of the configuration's own text, which is the
// block's unless the text is wrong.
func (s subject) target() string {
	if s.address == "" {
		return "ADDRESS"
	}
	return "'" + s.address + "'"
}

// accountWords names an object's owner.
func accountWords(owner string) string {
	if owner == OtherAccount {
		return OtherAccount
	}
	return "the account " + owner
}

func detail(parts ...string) string {
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}

func failure(summary string, parts ...string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, detail(parts...))
}

func warning(summary string, parts ...string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary, detail(parts...))
}

func joinWords(words []string) string { return strings.Join(words, ", ") }

func bullets(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("  - " + l)
	}
	return b.String()
}

func differenceLines(ds []difference) string {
	lines := make([]string, 0, len(ds))
	for _, d := range ds {
		lines = append(lines, fmt.Sprintf("%s: %s is %s, the configuration says %s", d.id, d.attr, d.live, d.want))
	}
	return bullets(lines)
}

// show renders the value at a dotted path for a message. What holds anything that the schema
// calls sensitive is not shown.
func (k *kind) show(own tftypes.Value, at string) string {
	root := rootOf(at)
	for _, p := range k.paths() {
		if p.sensitive && rootOf(p.path) == root {
			return "(sensitive)"
		}
	}
	v := objectOf(own)[root]
	for _, name := range strings.Split(at, ".")[1:] {
		next, ok := objectOf(v)[name]
		if !ok || !v.Type().Is(tftypes.Object{}) {
			break
		}
		v = next
	}
	return showValue(v)
}

func showValue(v tftypes.Value) string {
	switch {
	case v.Type() == nil || v.IsNull():
		return "not set"
	case !v.IsKnown():
		return "not known yet"
	case v.Type().Is(tftypes.String):
		return fmt.Sprintf("%q", text(v))
	case v.Type().Is(tftypes.Bool):
		return fmt.Sprint(flag(v))
	case v.Type().Is(tftypes.Number):
		return numberText(v)
	}
	var parts []string
	if v.Type().Is(tftypes.Map{}) || v.Type().Is(tftypes.Object{}) {
		o := objectOf(v)
		for _, name := range sortedKeys(o) {
			parts = append(parts, name+" = "+showValue(o[name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	for _, e := range elements(v) {
		parts = append(parts, showValue(e))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// forcing says how a replacement under create_before_destroy comes about all the same.
func forcing(fixed bool) string {
	if fixed {
		return "a fixed name can be used again only without create_before_destroy."
	}
	return "for that, in its block for one apply:\n  on_existing = \"create\""
}

// proof says why an existing object is taken for the wanted one.
func (k *kind) proof() string {
	if k.tagged() {
		return "and carries this address"
	}
	return "and no marker says whose it is"
}

// listed is a heading with lines under it; "" without lines.
func listed(heading string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return heading + "\n" + bullets(lines)
}

// reason renders AWS's code, message and request id.
func reason(err error) string {
	code := cloud.Code(err)
	if code == "" {
		return fmt.Sprintf("Reason: %s.", cloud.Message(err))
	}
	line := fmt.Sprintf("AWS says: %s: %s", code, cloud.Message(err))
	if id := cloud.RequestID(err); id != "" {
		line += " (request " + id + ")"
	}
	return line + missing(err)
}

// missing names the permission that a denied call lacked, on lines of its own; "" for any other error. Where AWS does not name
// it, the operation's own stands first.
func missing(err error) string {
	action := cloud.DeniedAction(err)
	if action == "" {
		return ""
	}
	line := "\nMissing permission: " + action
	if further := cloud.DeniedFurther(err); len(further) > 0 {
		line += ", or " + strings.Join(further, ", ") + ", which such calls may need too"
	}
	if cloud.IsEncoded(err) {
		line += "\nAWS has encoded which it is. Where sts:DecodeAuthorizationMessage is allowed, this tells:\n" +
			"  aws sts decode-authorization-message --encoded-message MESSAGE"
	}
	return line
}
