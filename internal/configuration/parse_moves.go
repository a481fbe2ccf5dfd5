package configuration

import (
	"github.com/hashicorp/hcl/v2"
)

// This file reads what is said about a state: moved, import and removed blocks.

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
