package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

var checkCommand = command{
	name: "check", arguments: "[DIR]", summary: "finds what validate and plan would refuse, and wrong markers",
	usage: `Reads the configuration in DIR and returns 1 where it finds something:

- what the tools' validate, or a plan of an empty state, would refuse;
- an estate_ block that does not say its own address, in tofu_address and tofu_key, for each of its instances;
- an aws_ block whose tags have the marker of another address, by marker_tags;
- moved blocks that no plan takes, or that lead to a type of this provider from one that it does not take over;
- an address that no tags can carry, or that two objects would have;
- blocks and addresses that only an apply can settle: what they make cannot be found again while the state is lost.

  terraform-provider-estate check
  terraform-provider-estate check -json -var-file=prod.tfvars infra
`,
	run: runCheck,
}

func runCheck(k *call) (int, error) {
	e, ok := k.evaluate()
	if !ok {
		return Findings, nil
	}
	e.Validate()
	listing := e.List()
	k.add(e.Diagnostics())
	k.add(e.CheckMoves())
	c := checker{said: map[string]configuration.ResourceInstance{}, seen: map[string]bool{}, broken: k.diags.HasErrors()}
	if !c.broken {
		for _, u := range listing.Unsettled {
			c.diags = append(c.diags, u.Diagnostics()...)
		}
	}
	for _, r := range listing.Instances {
		c.instance(r)
	}
	c.moves(k.tree.Root)
	slices.SortStableFunc(c.diags, byPlace)
	k.add(c.diags)
	k.result = map[string]int{"instances": len(listing.Instances), "marked": c.marked}
	if k.status() == Fine {
		k.print("%d instances, %d of them with a marker of their own: nothing is wrong.", len(listing.Instances), c.marked)
	}
	return k.status(), nil
}

// The arguments by which a block says its address.
const (
	addressArgument = "tofu_address"
	keyArgument     = "tofu_key"
	tagsArgument    = "tags"
)

// ours and theirs are the prefixes of this provider's types and of those of hashicorp/aws.
const (
	ours   = "estate_"
	theirs = "aws_"
)

// carriesTags tells whether objects of a type of this provider carry tags, and so markers.
var carriesTags = func() map[string]bool {
	out := map[string]bool{}
	for _, t := range provider.Types() {
		out[ours+t.Name()] = t.Tagged()
	}
	return out
}()

// checker holds instances to their markers.
type checker struct {
	// said are the instances by the address that their objects will carry.
	said   map[string]configuration.ResourceInstance
	marked int
	diags  hcl.Diagnostics
	// broken says that errors were found before: what is unknown then may be so for them.
	broken bool
	// seen keeps a block with many instances from saying one thing many times.
	seen map[string]bool
}

// find reports a finding about a block once.
func (c *checker) find(at hcl.Range, summary, format string, args ...any) {
	if key := summary + at.String(); !c.seen[key] {
		c.seen[key] = true
		c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
	}
}

func (c *checker) instance(r configuration.ResourceInstance) {
	if r.Mode != configuration.Managed {
		return
	}
	switch {
	case carriesTags[r.Resource.Type]:
		c.own(r)
	case strings.HasPrefix(r.Resource.Type, theirs) && callsMarkerTags(r.Resource.Args[tagsArgument]):
		c.tags(r)
	}
}

// own checks what a block of this provider says of itself.
func (c *checker) own(r configuration.ResourceInstance) {
	a := r.Resource.Args[addressArgument]
	if a == nil {
		c.find(r.Resource.Range, "Address is missing", "%s does not say its address. Write into the block: %s = %q, or run: terraform-provider-estate stamp -write",
			r, addressArgument, r.Resource.Type+"."+r.Resource.Name)
		return
	}
	said, ok := c.saidAddress(r, a)
	if !ok {
		return
	}
	c.claim(r, said, a.Expr.Range())
}

// saidAddress works out the address that an instance says; false where it cannot be, which is reported.
func (c *checker) saidAddress(r configuration.ResourceInstance, a *hcl.Attribute) (markers.Address, bool) {
	value, _ := r.Module.Argument(r.Resource, r.Repetition, addressArgument)
	text, ok := c.text(r, a, value)
	if !ok {
		return markers.Address{}, false
	}
	said, err := markers.Parse(text)
	if err != nil {
		c.find(a.Expr.Range(), "Address is none", "%s says %q, which is no address: %s.", r, text, err)
		return said, false
	}
	key := r.Resource.Args[keyArgument]
	if key == nil {
		return said, true
	}
	value, _ = r.Module.Argument(r.Resource, r.Repetition, keyArgument)
	if value.IsKnown() && value.IsNull() {
		return said, true
	}
	if text, ok = c.text(r, key, value); !ok {
		return said, false
	}
	if said, err = said.WithKey(text); err != nil {
		c.find(key.Expr.Range(), "Key cannot be written", "The %s of %s: %s.", keyArgument, r, err)
		return said, false
	}
	return said, true
}

// text is a value as the provider will read it.
func (c *checker) text(r configuration.ResourceInstance, a *hcl.Attribute, value cty.Value) (string, bool) {
	plain, _ := value.Unmark()
	text, err := convert.Convert(plain, cty.String)
	switch {
	case err != nil || text.IsKnown() && text.IsNull():
		c.find(a.Expr.Range(), "Address is none", "The %s of %s is no text.", a.Name, r)
	case !text.IsKnown() && c.broken:
	case !text.IsKnown():
		c.find(a.Expr.Range(), "Address is not known before apply", "The %s of %s depends on a value that only an apply can tell. "+
			"While the state is lost, nothing can find the object by it. Say the block's own address, with the module's path from a variable and %s = each.key or count.index.", a.Name, r, keyArgument)
	default:
		return text.AsString(), true
	}
	return "", false
}

// claim holds an address that was said to the instance's own, and to those that others have said.
func (c *checker) claim(r configuration.ResourceInstance, said markers.Address, at hcl.Range) {
	if _, err := (markers.Marker{Estate: "check", Address: r.Address}).Tags(); err != nil {
		c.find(at, "Address cannot be written", "No tags can carry the address of %s: %s.", r, err)
		return
	}
	// A key of digits and a number look alike on an object, and are one to the provider.
	if said.Escaped() != r.Address.Escaped() {
		c.find(at, "Address is another's", "%s says that it is %s. Write its own address, or run: terraform-provider-estate stamp -write", r, said)
		return
	}
	c.marked++
	key := asOurs(said).Escaped()
	if other, ok := c.said[key]; ok {
		c.find(at, "Two objects of one address", "The objects of %s and %s would carry one address: what differs between the two does not show in tags. Rename one of the blocks.", r, other)
		return
	}
	c.said[key] = r
}

// byPlace is the order of files and lines.
func byPlace(a, b *hcl.Diagnostic) int {
	return cmp.Or(strings.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte))
}

// asOurs is the address with this provider's prefix: readers of markers take aws_x and estate_x for one.
func asOurs(a markers.Address) markers.Address {
	if name, ok := strings.CutPrefix(a.Type, theirs); ok {
		a.Type = ours + name
	}
	return a
}

// tags checks the marker in the tags of a block of hashicorp/aws.
func (c *checker) tags(r configuration.ResourceInstance) {
	a := r.Resource.Args[tagsArgument]
	value, _ := r.Module.Argument(r.Resource, r.Repetition, tagsArgument)
	observed := markers.Observe(knownTags(value), false)
	switch {
	case observed.Status == markers.StatusUnmarked && c.broken:
	case observed.Status == markers.StatusUnmarked:
		c.find(a.Expr.Range(), "Address is not known before apply", "The tags of %s depend on a value that only an apply can tell, and so does its marker.", r)
	case !observed.Decoded:
		c.find(a.Expr.Range(), "Address is none", "The marker in the tags of %s cannot be read: %s.", r, observed.Problem)
	default:
		c.claim(r, observed.Address, a.Expr.Range())
	}
}

// moves finds moved blocks that this provider refuses: an object comes from its own type, or from that of hashicorp/aws.
func (c *checker) moves(m *configuration.Module) {
	for _, move := range m.Moves {
		from, to := move.Types()
		name, isOurs := strings.CutPrefix(to, ours)
		if !isOurs || from == "" || from == to || from == theirs+name {
			continue
		}
		c.find(move.Range, "Type cannot be moved", "%s takes objects over from %s alone, not from %s. Import the object instead, and let the old block go with a removed block.", to, theirs+name, from)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Children)) {
		c.moves(m.Children[name])
	}
}

// knownTags are the tags that are known.
func knownTags(value cty.Value) map[string]string {
	out := map[string]string{}
	plain, _ := value.UnmarkDeep()
	if !plain.IsKnown() || plain.IsNull() || !plain.CanIterateElements() {
		return out
	}
	for it := plain.ElementIterator(); it.Next(); {
		key, element := it.Element()
		if text, err := convert.Convert(element, cty.String); err == nil && text.IsKnown() && !text.IsNull() && key.Type() == cty.String {
			out[key.AsString()] = text.AsString()
		}
	}
	return out
}

// markerTags is the function that makes markers, in whatever name the configuration gives to the provider.
const markerTags = "::marker_tags"

// callsMarkerTags tells whether an argument calls it.
func callsMarkerTags(a *hcl.Attribute) bool {
	return a != nil && slices.ContainsFunc(slices.Collect(maps.Keys(configuration.FunctionCalls(a.Expr))), func(name string) bool { return strings.HasSuffix(name, markerTags) })
}
