package configuration

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// This file reads what has instances, resources and module calls, and what repeats them.

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
