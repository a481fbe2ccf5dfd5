package configuration

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
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

func (r *reader) variable(b *hcl.Block) {
	v := &Variable{Name: b.Labels[0], Type: cty.DynamicPseudoType, Nullable: true, Range: b.DefRange}
	if !r.name(b, 0) {
		return
	}
	if reservedVariable[v.Name] {
		r.fail(b.LabelRanges[0], "Invalid variable name", "The variable name %q is reserved: module blocks have a meta-argument of that name.", v.Name)
		return
	}
	content, diags := b.Body.Content(variableSchema)
	r.add(diags)
	typed := false
	if a, ok := content.Attributes["type"]; ok {
		typ, defaults, diags := constraint(a.Expr)
		r.add(diags)
		if !diags.HasErrors() {
			v.Type, v.defaults, typed = typ, defaults, true
			// So "any" is told from no type at all.
			v.written = !typ.IsPrimitiveType()
		}
	}
	v.nullableSet = r.flag(content.Attributes, "nullable", &v.Nullable)
	v.sensitiveSet = r.flag(content.Attributes, "sensitive", &v.Sensitive)
	v.ephemeralSet = r.flag(content.Attributes, "ephemeral", &v.Ephemeral)
	if a, ok := content.Attributes["default"]; ok {
		v.Default = r.defaultValue(v, a.Expr)
	}
	for _, b := range content.Blocks {
		c := r.condition(b)
		if c.Condition != nil && len(c.Condition.Variables()) > 0 && !names(c.Condition, v.Name) {
			r.fail(c.Condition.Range(), "Invalid variable validation condition", "The condition of the variable %q has to refer to var.%s.", v.Name, v.Name)
		}
		v.Validations = append(v.Validations, c)
	}
	old := r.m.Variables[v.Name]
	if old == nil {
		if !r.again("variable", v.Name, nil, v.Range) {
			r.m.Variables[v.Name] = v
		}
		return
	}
	if !r.again("variable", v.Name, &old.Range, v.Range) {
		r.overrideVariable(old, v, typed)
	}
}

// names tells whether an expression refers to a variable.
func names(e hcl.Expression, variable string) bool {
	return slices.ContainsFunc(e.Variables(), func(t hcl.Traversal) bool {
		if t.RootName() != "var" || len(t) < 2 {
			return false
		}
		name, _ := nameOf(t[1])
		return name == variable
	})
}

// constraint reads a type. A list or map that does not say of what is one of anything.
func constraint(e hcl.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	switch hcl.ExprAsKeyword(e) {
	case "list":
		return cty.List(cty.DynamicPseudoType), nil, nil
	case "map":
		return cty.Map(cty.DynamicPseudoType), nil, nil
	}
	return typeexpr.TypeConstraintWithDefaults(e)
}

// defaultValue converts a default to the variable's type.
func (r *reader) defaultValue(v *Variable, expr hcl.Expression) cty.Value {
	value, diags := expr.Value(nil)
	r.add(diags)
	if diags.HasErrors() {
		return cty.DynamicVal
	}
	out, err := v.convert(value)
	if err != nil {
		r.fail(expr.Range(), "Invalid default value for variable", "This default is not compatible with the variable's type: %s.", err)
		return cty.DynamicVal
	}
	if !v.Nullable && out.IsNull() && !r.override {
		r.fail(expr.Range(), "Invalid default value for variable", "A null default is not valid when nullable = false.")
	}
	return out
}

// hasDefault tells whether a value need not be given.
func (v *Variable) hasDefault() bool { return v.Default != cty.NilVal }

// convert converts a value to the variable's type, with the defaults of its optional attributes.
func (v *Variable) convert(value cty.Value) (cty.Value, error) {
	if v.defaults != nil && !value.IsNull() {
		value = v.defaults.Apply(value)
	}
	return convert.Convert(value, v.Type)
}

func (r *reader) overrideVariable(old, v *Variable, typed bool) {
	if typed {
		old.Type, old.defaults, old.written = v.Type, v.defaults, v.written
	}
	if v.nullableSet {
		old.Nullable = v.Nullable
	}
	if v.sensitiveSet {
		old.Sensitive = v.Sensitive
	}
	if v.ephemeralSet {
		old.Ephemeral = v.Ephemeral
	}
	if v.Default != cty.NilVal {
		old.Default = v.Default
	}
	if old.Default != cty.NilVal {
		// Only together do type and default have to fit.
		value, err := old.convert(old.Default)
		if err != nil {
			r.fail(v.Range, "Invalid default value for variable", "After this override the default is not compatible with the variable's type: %s.", err)
			return
		}
		if !old.Nullable && value.IsNull() {
			r.fail(v.Range, "Invalid default value for variable", "After this override the default is null, which is not valid when nullable = false.")
		}
		old.Default = value
	}
	if len(v.Validations) > 0 {
		r.fail(v.Validations[0].Range, "Cannot override validation blocks", "An override file cannot change validation blocks.")
	}
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

func (r *reader) dependsOn(attrs hcl.Attributes) []hcl.Traversal {
	a, ok := attrs["depends_on"]
	if !ok {
		return nil
	}
	exprs, diags := hcl.ExprList(a.Expr)
	r.add(diags)
	if r.override && len(exprs) > 0 {
		r.fail(exprs[0].Range(), "Unsupported override", "Override files cannot change depends_on.")
		return nil
	}
	var out []hcl.Traversal
	for _, e := range exprs {
		t, diags := hcl.AbsTraversalForExpr(e)
		if text := literal(e); text != "" && diags.HasErrors() { // the form of version 0.11: in quotes
			at := e.Range()
			t, diags = hclsyntax.ParseTraversalAbs([]byte(text), at.Filename, at.Start)
		}
		r.add(diags)
		if !diags.HasErrors() {
			out = append(out, t)
		}
	}
	return out
}

// repeat reads count and for_each, and OpenTofu's enabled.
func (r *reader) repeat(attrs hcl.Attributes, lifecycle []*hcl.Block, schema *hcl.BodySchema) (Repeat, []Condition, []Condition) {
	var out Repeat
	var pre, post []Condition
	if a, ok := attrs["count"]; ok {
		out.Count = a.Expr
	}
	if a, ok := attrs["for_each"]; ok {
		out.ForEach = a.Expr
		if out.Count != nil {
			r.fail(a.NameRange, `Invalid combination of "count" and "for_each"`, `The "count" and "for_each" meta-arguments exclude each other.`)
		}
	}
	for n, b := range lifecycle {
		if n > 0 {
			r.fail(b.DefRange, "Duplicate lifecycle block", "There is one before, at %s.", lifecycle[0].DefRange)
		}
		content, diags := b.Body.Content(schema)
		r.add(diags)
		r.flag(content.Attributes, "create_before_destroy", new(bool))
		if a := content.Attributes["ignore_changes"]; a != nil && hcl.ExprAsKeyword(a.Expr) != "all" {
			_, diags := hcl.ExprList(a.Expr)
			r.add(diags)
		}
		for _, b := range content.Blocks {
			if r.override {
				r.fail(b.DefRange, "Cannot override "+b.Type+" blocks", "Override files cannot change %s blocks.", b.Type)
			}
		}
		if a, ok := content.Attributes["enabled"]; ok {
			out.Enabled = a.Expr
			for _, other := range []string{"count", "for_each"} {
				if attrs[other] == nil {
					continue
				}
				r.fail(attrs[other].NameRange, `Invalid combination of "enabled" with "count" or "for_each"`, `The "enabled" argument excludes "count" and "for_each".`)
			}
		}
		for _, b := range content.Blocks {
			if b.Type == "precondition" {
				pre = append(pre, r.condition(b))
			} else {
				post = append(post, r.condition(b))
			}
		}
	}
	return out, pre, post
}

// rest are the attributes that a schema left over, and the nested blocks where the body is HCL's own syntax.
func rest(remain hcl.Body, known *hcl.BodySchema) (hcl.Attributes, []*hclsyntax.Block, hcl.Diagnostics) {
	native, ok := remain.(*hclsyntax.Body)
	if !ok {
		attrs, diags := remain.JustAttributes()
		return attrs, nil, diags
	}
	// What stands beside blocks is returned with an error about them.
	attrs, _ := remain.JustAttributes()
	var blocks []*hclsyntax.Block
	for _, b := range native.Blocks {
		isKnown := false
		for _, k := range known.Blocks {
			isKnown = isKnown || k.Type == b.Type
		}
		if !isKnown {
			blocks = append(blocks, b)
		}
	}
	return attrs, blocks, nil
}

func (r *reader) call(b *hcl.Block) {
	if !r.name(b, 0) {
		return
	}
	content, remain, diags := b.Body.PartialContent(callSchema)
	r.add(diags)
	c := &Call{Name: b.Labels[0], Range: b.DefRange}
	if a, ok := content.Attributes["source"]; ok {
		c.Source = literal(a.Expr)
	}
	c.Repeat, _, _ = r.repeat(content.Attributes, content.Blocks, callLifecycle)
	c.DependsOn = r.dependsOn(content.Attributes)
	if a, ok := content.Attributes["providers"]; ok {
		c.Providers = providerNames(a.Expr)
	}
	var blocks []*hclsyntax.Block
	c.Args, blocks, diags = rest(remain, callSchema)
	r.add(diags)
	for _, extra := range blocks {
		r.fail(extra.DefRange(), "Unsupported block type", "Blocks of type %q are not expected here.", extra.Type)
	}
	var first *hcl.Range
	old := r.m.Calls[c.Name]
	if old != nil {
		first = &old.Range
	}
	switch {
	case r.again("module call", c.Name, first, c.Range):
	case old != nil:
		overrideRepeat(&old.Repeat, c.Repeat)
		if c.Source != "" {
			old.Source = c.Source
		}
		if c.Providers != nil {
			old.Providers = c.Providers
		}
		for name, a := range c.Args {
			old.Args[name] = a
		}
	default:
		if _, ok := content.Attributes["source"]; !ok {
			r.fail(b.Body.MissingItemRange(), "Missing required argument", "The argument \"source\" is required, but no definition was found.")
			return
		}
		r.m.Calls[c.Name] = c
	}
}

func overrideRepeat(old *Repeat, by Repeat) {
	if by.Count != nil {
		old.Count = by.Count
	}
	// Beside a count this changes nothing: the tools then go by count.
	if by.ForEach != nil {
		old.ForEach = by.ForEach
	}
	if by.Enabled != nil {
		old.Enabled = by.Enabled
	}
}

func (r *reader) resource(b *hcl.Block, mode Mode) {
	if !r.name(b, 0) || !r.name(b, 1) {
		return
	}
	content, remain, diags := b.Body.PartialContent(resourceSchema)
	r.add(diags)
	res := &Resource{Mode: mode, Type: b.Labels[0], Name: b.Labels[1], Range: b.DefRange}
	var lifecycle []*hcl.Block
	for _, b := range content.Blocks {
		if b.Type == "lifecycle" {
			lifecycle = append(lifecycle, b)
		}
	}
	res.Repeat, res.Preconditions, res.Postconditions = r.repeat(content.Attributes, lifecycle, lifecycleSchema)
	res.DependsOn = r.dependsOn(content.Attributes)
	keptSet := r.kept(lifecycle, &res.Kept)
	if a, ok := content.Attributes["provider"]; ok {
		res.ProviderExpr = a.Expr
	}
	res.Args, res.Blocks, diags = rest(remain, resourceSchema)
	r.add(diags)
	if native, ok := b.Body.(*hclsyntax.Body); ok {
		for _, b := range native.Blocks {
			if b.Type == "provisioner" || b.Type == "connection" {
				res.Actions = append(res.Actions, b)
			}
		}
	}
	var first *hcl.Range
	old := r.m.Resources[res.Reference()]
	if old != nil {
		first = &old.Range
	}
	switch {
	case r.again("resource", res.Reference(), first, res.Range):
	case old != nil:
		overrideRepeat(&old.Repeat, res.Repeat)
		if keptSet {
			old.Kept = res.Kept
		}
		for name, a := range res.Args {
			old.Args[name] = a
		}
		if res.ProviderExpr != nil {
			old.ProviderExpr = res.ProviderExpr
		}
		old.Blocks = overrideBlocks(old.Blocks, res.Blocks)
		old.Actions = overrideBlocks(old.Actions, res.Actions)
	default:
		r.m.Resources[res.Reference()] = res
	}
}

// kept reads destroy of a resource's lifecycle, and tells whether it is there. What is wrong with the block is reported elsewhere.
func (r *reader) kept(lifecycle []*hcl.Block, into *bool) bool {
	set := false
	for _, b := range lifecycle {
		content, _, _ := b.Body.PartialContent(lifecycleSchema)
		destroy := true
		if r.flag(content.Attributes, "destroy", &destroy) {
			*into, set = !destroy, true
		}
	}
	return set
}

// overrideBlocks replaces all nested blocks of the types that the override has.
func overrideBlocks(old, by []*hclsyntax.Block) []*hclsyntax.Block {
	replaced := map[string]bool{}
	for _, b := range by {
		replaced[b.Type] = true
	}
	var out []*hclsyntax.Block
	for _, b := range old {
		if !replaced[b.Type] {
			out = append(out, b)
		}
	}
	return append(out, by...)
}

func (r *reader) moved(b *hcl.Block) {
	if r.override {
		r.fail(b.DefRange, "Cannot override 'moved' blocks", "Moved blocks can appear only in normal files, not in override files.")
		return
	}
	content, diags := b.Body.Content(movedSchema)
	r.add(diags)
	from, fromOK := r.address(content.Attributes, "from")
	to, toOK := r.address(content.Attributes, "to")
	if fromOK && toOK {
		r.m.Moves = append(r.m.Moves, &Move{From: from, To: to, Range: b.DefRange})
	}
}

// imported notes what an import block is about. What is wrong with the block is for the tools to say.
func (r *reader) imported(b *hcl.Block) {
	if r.override {
		r.fail(b.DefRange, "Cannot override 'import' blocks", "Import blocks can appear only in normal files, not in override files.")
		return
	}
	attrs, _ := b.Body.JustAttributes()
	if _, ok := attrs["to"]; !ok {
		r.fail(b.Body.MissingItemRange(), "Missing required argument", "The argument \"to\" is required, but no definition was found.")
	}
	if attrs["id"] == nil && attrs["identity"] == nil {
		r.fail(b.DefRange, "Missing required argument", "An import block needs the argument \"id\" or \"identity\".")
	}
	if to, ok := attrs["to"]; ok {
		i := &Import{To: to.Expr, Range: b.DefRange}
		if each, ok := attrs["for_each"]; ok {
			i.ForEach = each.Expr
		}
		for _, name := range []string{"id", "identity"} {
			if a := attrs[name]; a != nil {
				i.ID = a.Expr
			}
		}
		r.m.Imports = append(r.m.Imports, i)
	}
}

// address reads an argument that is an address and no expression.
func (r *reader) address(attrs hcl.Attributes, name string) (hcl.Traversal, bool) {
	a, ok := attrs[name]
	if !ok {
		return nil, false
	}
	t, diags := hcl.AbsTraversalForExpr(a.Expr)
	r.add(diags)
	return t, !diags.HasErrors()
}

func (r *reader) removed(b *hcl.Block) {
	content, diags := b.Body.Content(removedSchema)
	r.add(diags)
	from, ok := r.address(content.Attributes, "from")
	if !ok {
		return
	}
	removal := &Removal{From: from, Range: b.DefRange}
	for _, b := range content.Blocks {
		if b.Type != "lifecycle" {
			continue
		}
		content, diags := b.Body.Content(lifecycleSchema)
		r.add(diags)
		removal.DestroySet = r.flag(content.Attributes, "destroy", &removal.Destroy)
	}
	r.m.Removals = append(r.m.Removals, removal)
}
