package configuration

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// fileSchema is what may stand at the top of a file. Blocks that say nothing about instances are accepted and not read.
var fileSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "terraform"}, {Type: "required_providers"}, {Type: "language"},
	{Type: "provider", LabelNames: []string{"name"}},
	{Type: "variable", LabelNames: []string{"name"}},
	{Type: "locals"},
	{Type: "output", LabelNames: []string{"name"}},
	{Type: "module", LabelNames: []string{"name"}},
	{Type: "resource", LabelNames: []string{"type", "name"}},
	{Type: "data", LabelNames: []string{"type", "name"}},
	{Type: "ephemeral", LabelNames: []string{"type", "name"}},
	{Type: "moved"}, {Type: "removed"}, {Type: "import"},
	{Type: "check", LabelNames: []string{"name"}},
}}

func attributes(names ...string) []hcl.AttributeSchema {
	out := make([]hcl.AttributeSchema, len(names))
	for i, name := range names {
		out[i] = hcl.AttributeSchema{Name: name}
	}
	return out
}

var (
	terraformSchema  = &hcl.BodySchema{Attributes: attributes("required_version", "experiments", "language"), Blocks: []hcl.BlockHeaderSchema{{Type: "required_providers"}, {Type: "backend", LabelNames: []string{"type"}}, {Type: "cloud"}, {Type: "encryption"}, {Type: "provider_meta", LabelNames: []string{"provider"}}}}
	checkSchema      = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "data", LabelNames: []string{"type", "name"}}, {Type: "assert"}}}
	conditionSchema  = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "condition", Required: true}, {Name: "error_message", Required: true}}}
	variableSchema   = &hcl.BodySchema{Attributes: attributes("type", "default", "description", "nullable", "sensitive", "ephemeral", "deprecated", "const"), Blocks: []hcl.BlockHeaderSchema{{Type: "validation"}}}
	outputSchema     = &hcl.BodySchema{Attributes: append(attributes("description", "sensitive", "ephemeral", "depends_on", "deprecated"), hcl.AttributeSchema{Name: "value"}), Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}}}
	callSchema       = &hcl.BodySchema{Attributes: attributes("source", "version", "count", "for_each", "providers", "depends_on"), Blocks: []hcl.BlockHeaderSchema{{Type: "lifecycle"}}}
	resourceSchema   = &hcl.BodySchema{Attributes: attributes("count", "for_each", "provider", "depends_on"), Blocks: []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "provisioner", LabelNames: []string{"type"}}, {Type: "connection"}}}
	lifecycleSchema  = &hcl.BodySchema{Attributes: attributes("create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by", "enabled", "destroy"), Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}, {Type: "postcondition"}}}
	callLifecycle    = &hcl.BodySchema{Attributes: attributes("enabled")}
	movedSchema      = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}, {Name: "to", Required: true}}}
	removedSchema    = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "from", Required: true}}, Blocks: []hcl.BlockHeaderSchema{{Type: "lifecycle"}, {Type: "provisioner", LabelNames: []string{"type"}}, {Type: "connection"}}}
	reservedVariable = map[string]bool{"source": true, "version": true, "providers": true, "count": true, "for_each": true, "lifecycle": true, "depends_on": true, "locals": true}
)

// reader decodes the files of one module.
type reader struct {
	m *Module
	// override says that the file changes what others have declared.
	override bool
	// single are the blocks that there can be one of.
	single map[string]hcl.Range
	diags  hcl.Diagnostics
}

func (r *reader) add(diags hcl.Diagnostics) { r.diags = append(r.diags, diags...) }

func (r *reader) fail(subject hcl.Range, summary, format string, args ...any) {
	r.diags = append(r.diags, failure(summary, fmt.Sprintf(format, args...), &subject))
}

// file decodes one file into the module.
func (r *reader) file(body hcl.Body) {
	content, diags := body.Content(fileSchema)
	r.add(diags)
	for _, b := range content.Blocks {
		switch b.Type {
		case "terraform":
			r.terraform(b)
		case "variable":
			r.variable(b)
		case "locals":
			r.locals(b)
		case "output":
			r.output(b)
		case "module":
			r.call(b)
		case "resource":
			r.resource(b, Managed)
		case "data":
			r.resource(b, Data)
		case "ephemeral":
			r.resource(b, Ephemeral)
		case "moved":
			r.moved(b)
		case "removed":
			r.removed(b)
		case "import":
			r.imported(b)
		case "check":
			r.check(b)
		case "provider":
			r.provider(b)
		}
	}
}

func (r *reader) name(b *hcl.Block, label int) bool {
	if hclsyntax.ValidIdentifier(b.Labels[label]) {
		return true
	}
	r.fail(b.LabelRanges[label], "Invalid name", "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.")
	return false
}

// check reads a check block. Its conditions decide nothing; only what they refer to has to be there.
func (r *reader) check(b *hcl.Block) {
	if r.override {
		r.fail(b.DefRange, "Cannot override check blocks", "Override files cannot change check blocks.")
		return
	}
	if !r.name(b, 0) {
		return
	}
	content, diags := b.Body.Content(checkSchema)
	r.add(diags)
	var conditions []Condition
	for _, b := range content.Blocks {
		switch b.Type {
		case "assert":
			conditions = append(conditions, r.condition(b))
		case "data":
			r.resource(b, Data)
		}
	}
	if len(conditions) == 0 {
		r.fail(b.DefRange, "Zero assert blocks", "A check block needs an assert block.")
	}
	if first, ok := r.m.Checks[b.Labels[0]]; ok {
		r.fail(b.DefRange, "Duplicate check", "The check %q was declared before, at %s.", b.Labels[0], first.Range)
		return
	}
	r.m.Checks[b.Labels[0]] = &Check{Conditions: conditions, Range: b.DefRange}
}

// provider notes a provider block, of which there is one for each name and alias.
func (r *reader) provider(b *hcl.Block) {
	attrs, _ := b.Body.JustAttributes()
	kind := fmt.Sprintf("provider configuration of %q", b.Labels[0])
	if a := attrs["alias"]; a != nil {
		kind += fmt.Sprintf(" with the alias %q", literal(a.Expr))
	}
	r.once(kind, b)
}

// again reports a second declaration, and tells whether there is one that is not meant to change the first.
func (r *reader) again(kind, name string, first *hcl.Range, second hcl.Range) bool {
	switch {
	case first == nil && r.override:
		r.fail(second, "Missing base "+kind+" to override", "There is no %s named %q. An override file can only change what another file declares.", kind, name)
		return true
	case first != nil && !r.override:
		r.fail(second, "Duplicate "+kind, "The %s %q was declared before, at %s. A name is declared once in a module.", kind, name, *first)
		return true
	}
	return false
}

func (r *reader) terraform(b *hcl.Block) {
	content, diags := b.Body.Content(terraformSchema)
	r.add(diags)
	for _, b := range content.Blocks {
		switch b.Type {
		case "required_providers":
			r.once("required providers configuration", b)
		case "backend", "cloud":
			r.once("backend configuration", b)
			r.backend(b)
			continue
		default:
			continue
		}
		attrs, diags := b.Body.JustAttributes()
		r.add(diags)
		for name, a := range attrs {
			source, diags := hcl.ExprMap(a.Expr)
			if diags.HasErrors() { // the form of version 0.12: a version alone
				r.m.Providers[name] = "hashicorp/" + name
				continue
			}
			for _, pair := range source {
				if key := hcl.ExprAsKeyword(pair.Key); key == "source" || literal(pair.Key) == "source" {
					r.m.Providers[name] = literal(pair.Value)
				}
			}
		}
	}
}

// once reports a block of a kind that a module can have once, beside what override files say.
func (r *reader) once(kind string, b *hcl.Block) {
	if first, ok := r.single[kind]; ok && !r.override {
		r.fail(b.DefRange, "Duplicate "+kind, "There is one before, at %s.", first)
		return
	}
	if r.single == nil {
		r.single = map[string]hcl.Range{}
	}
	r.single[kind] = b.DefRange
}

// backend notes where the state is kept. What is wrong with the block is not for this package to say.
func (r *reader) backend(b *hcl.Block) {
	r.m.Backend = &Backend{Type: b.Type, Range: b.DefRange, Settings: map[string]string{}}
	if len(b.Labels) > 0 {
		r.m.Backend.Type = b.Labels[0]
	}
	attrs, _ := b.Body.JustAttributes()
	for name, a := range attrs {
		if text := literal(a.Expr); text != "" {
			r.m.Backend.Settings[name] = text
		}
	}
}

// literal is the value of an expression that is a text without references, "" for any other.
func literal(e hcl.Expression) string {
	v, diags := e.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

func (r *reader) flag(attrs hcl.Attributes, name string, into *bool) bool {
	a, ok := attrs[name]
	if !ok {
		return false
	}
	r.add(gohcl.DecodeExpression(a.Expr, nil, into))
	return true
}

func (r *reader) condition(b *hcl.Block) Condition {
	content, diags := b.Body.Content(conditionSchema)
	r.add(diags)
	c := Condition{Range: b.DefRange}
	if a, ok := content.Attributes["condition"]; ok {
		c.Condition = a.Expr
		if len(a.Expr.Variables()) == 0 {
			r.fail(a.Expr.Range(), "Invalid condition", "A condition has to refer to something of the configuration, or there is nothing that it checks.")
		}
	}
	if a, ok := content.Attributes["error_message"]; ok {
		c.Message = a.Expr
	}
	return c
}

func (r *reader) locals(b *hcl.Block) {
	attrs, diags := b.Body.JustAttributes()
	r.add(diags)
	for name, a := range attrs {
		if !hclsyntax.ValidIdentifier(name) {
			r.fail(a.NameRange, "Invalid local value name", "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.")
			continue
		}
		var first *hcl.Range
		if old := r.m.Locals[name]; old != nil {
			first = &old.Range
		}
		if !r.again("local value", name, first, a.NameRange) {
			r.m.Locals[name] = &Local{Name: name, Expr: a.Expr, Range: a.NameRange}
		}
	}
}

func (r *reader) output(b *hcl.Block) {
	if !r.name(b, 0) {
		return
	}
	content, diags := b.Body.Content(outputSchema)
	r.add(diags)
	o := &Output{Name: b.Labels[0], Range: b.DefRange}
	if a, ok := content.Attributes["value"]; ok {
		o.Expr = a.Expr
	}
	o.DependsOn = r.dependsOn(content.Attributes)
	old := r.m.Outputs[o.Name]
	if old != nil && r.override {
		o.Sensitive, o.Ephemeral = old.Sensitive, old.Ephemeral
	}
	r.flag(content.Attributes, "sensitive", &o.Sensitive)
	r.flag(content.Attributes, "ephemeral", &o.Ephemeral)
	for _, b := range content.Blocks {
		o.Preconditions = append(o.Preconditions, r.condition(b))
	}
	var first *hcl.Range
	if old != nil {
		first = &old.Range
	}
	if r.again("output", o.Name, first, o.Range) {
		return
	}
	if old != nil {
		if o.Expr == nil {
			o.Expr = old.Expr
		}
		if len(o.Preconditions) == 0 {
			o.Preconditions = old.Preconditions
		}
		o.Range = old.Range
	} else if o.Expr == nil {
		r.fail(b.Body.MissingItemRange(), "Missing required argument", "The argument \"value\" is required, but no definition was found.")
		return
	}
	r.m.Outputs[o.Name] = o
}
