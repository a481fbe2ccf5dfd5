package configuration

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// likeness is what one instance of a resource is configured to be: each argument and nested block as a text that does not depend on
// where it is written. Two objects of one type with the same likeness are the same to a provider.
type likeness struct {
	parts map[string]string
	// vague says that something refers to an object of which it is not yet known what it has become.
	vague bool
}

// text is the whole as one text.
func (l likeness) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.parts)) {
		fmt.Fprintf(&b, "%s = %s\n", name, l.parts[name])
	}
	return b.String()
}

// differences are the arguments in which two differ.
func (l likeness) differences(other likeness) []string {
	var out []string
	names := maps.Clone(l.parts)
	maps.Copy(names, other.parts)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if l.parts[name] != other.parts[name] {
			out = append(out, name)
		}
	}
	return out
}

// markerPrefix starts the arguments that say where an object is declared. They change with its address.
const markerPrefix = "tofu_"

// unsaid stands for an object in a likeness of which nobody knows yet what it has become.
const unsaid = "?"

// portrayer makes likenesses. Values that the configuration knows are compared as such. Of any other the expression is followed to
// where it comes from, through variables, locals and outputs, so that it does not matter in which module it is written.
type portrayer struct {
	// identity names the objects that references lead to, alike before and after a refactoring.
	identity map[string]string
	vague    bool
	depth    int
}

// scene is where an expression is written.
type scene struct {
	*Instance
	rep Repetition
	// each is the for_each of the block around it.
	each hcl.Expression
}

// maxDepth ends what is followed, for the sake of cycles.
const maxDepth = 50

func portray(r ResourceInstance, identity map[string]string) likeness {
	p := &portrayer{identity: identity}
	out := likeness{parts: map[string]string{}}
	s := scene{r.Module, r.Repetition, r.Resource.ForEach}
	for name := range r.Resource.Args {
		if strings.HasPrefix(name, markerPrefix) {
			continue
		}
		value, _ := r.Module.Argument(r.Resource, r.Repetition, name)
		if value.IsKnown() && value.IsNull() {
			continue // as if it were not there
		}
		if text, ok := known(value); ok {
			out.parts[name] = text
		} else {
			out.parts[name] = p.expression(r.Resource.Args[name].Expr, s)
		}
	}
	for n, b := range r.Resource.Blocks {
		out.parts[fmt.Sprintf("%s block %d", b.Type, n)] = p.nested(b, s)
	}
	if name := p.provider(r); name != "" {
		out.parts["provider"] = name
	}
	out.vague = p.vague
	return out
}

// known is the text of a value that is wholly known.
func known(v cty.Value) (string, bool) {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return "", false
	}
	text, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return "", false
	}
	if !strings.Contains(string(text), `"`+markers.AddressKeys[0]+`"`) {
		return string(text), true
	}
	var plain any
	if json.Unmarshal(text, &plain) != nil {
		return "", false
	}
	if text, err = json.Marshal(unmarked(plain)); err != nil {
		return "", false
	}
	return string(text), true
}

// unmarked is a value without the tags that say where an object is declared, as they change with its address.
func unmarked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if key == markers.SlotKey || slices.Contains(markers.AddressKeys[:], key) {
				delete(v, key)
			} else {
				v[key] = unmarked(inner)
			}
		}
	case []any:
		for n := range v {
			v[n] = unmarked(v[n])
		}
	}
	return v
}

// nested is a nested block.
func (p *portrayer) nested(b *hclsyntax.Block, s scene) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b.Body.Attributes)) {
		parts = append(parts, name+" = "+p.expression(b.Body.Attributes[name].Expr, s))
	}
	for _, inner := range b.Body.Blocks {
		parts = append(parts, p.nested(inner, s))
	}
	return b.Type + " " + strings.Join(b.Labels, " ") + "{" + strings.Join(parts, "; ") + "}"
}

// value evaluates an expression, if its names are those of the module: iterators of dynamic blocks are not.
func (s scene) value(e hcl.Expression) (cty.Value, bool) {
	for _, t := range e.Variables() {
		if _, d := s.Module.resolve(t, place{each: s.rep.Each(), count: s.rep.Counted()}); d != nil {
			return cty.NilVal, false
		}
	}
	return s.eval(e, s.rep), true
}

func (p *portrayer) expression(e hcl.Expression, s scene) string {
	if p.depth++; p.depth > maxDepth {
		p.vague = true
		p.depth--
		return unsaid
	}
	defer func() { p.depth-- }()
	if value, ok := s.value(e); ok {
		if text, ok := known(value); ok {
			return text
		}
	}
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return p.expression(e.Expression, s)
	case *hclsyntax.TemplateWrapExpr:
		return p.expression(e.Wrapped, s)
	case *hclsyntax.ScopeTraversalExpr:
		return p.reference(e.Traversal, s)
	case *hclsyntax.RelativeTraversalExpr:
		return p.expression(e.Source, s) + steps(e.Traversal)
	case *hclsyntax.IndexExpr:
		if t := indexed(e, s); t != nil {
			return p.reference(t, s)
		}
	case *hclsyntax.TupleConsExpr:
		var parts []string
		for _, x := range e.Exprs {
			parts = append(parts, p.expression(x, s))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case *hclsyntax.ObjectConsExpr:
		var parts []string
		for _, item := range e.Items {
			parts = append(parts, p.expression(item.KeyExpr, s)+":"+p.expression(item.ValueExpr, s))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return p.rewritten(e, s)
}

// indexed is the traversal that an expression such as x.y[each.key] comes to; nil where the key is not known.
func indexed(e *hclsyntax.IndexExpr, s scene) hcl.Traversal {
	collection, ok := e.Collection.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return nil
	}
	value, ok := s.value(e.Key)
	if !ok {
		return nil
	}
	if value, _ = value.UnmarkDeep(); !value.IsWhollyKnown() || value.IsNull() || !value.Type().IsPrimitiveType() {
		return nil
	}
	return append(slices.Clone(collection.Traversal), hcl.TraverseIndex{Key: value, SrcRange: e.SrcRange})
}

// rewritten is the source of an expression with its references replaced by what they lead to.
func (p *portrayer) rewritten(e hcl.Expression, s scene) string {
	whole := e.Range()
	source := s.e.tree.Files[whole.Filename]
	if source == nil || whole.End.Byte > len(source.Bytes) {
		p.vague = true
		return unsaid
	}
	traversals := slices.Clone(e.Variables())
	slices.SortFunc(traversals, func(a, b hcl.Traversal) int { return a.SourceRange().Start.Byte - b.SourceRange().Start.Byte })
	var b strings.Builder
	at := whole.Start.Byte
	for _, t := range traversals {
		from := t.SourceRange()
		if from.Start.Byte < at || from.End.Byte > whole.End.Byte {
			continue // one within another
		}
		b.Write(source.Bytes[at:from.Start.Byte])
		b.WriteString(p.expression(&hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: from}, s))
		at = from.End.Byte
	}
	b.Write(source.Bytes[at:whole.End.Byte])
	return strings.Join(strings.Fields(b.String()), " ")
}

// reference is what a reference comes to.
func (p *portrayer) reference(t hcl.Traversal, s scene) string {
	r, d := s.Module.resolve(t, place{each: true, count: true, self: true})
	if d != nil {
		return steps(t) // the iterator of a dynamic block
	}
	switch r.kind {
	case "var":
		if s.parent == nil {
			break
		}
		if a := s.call.Args[r.name]; a != nil {
			return p.follow(a.Expr, scene{s.parent, s.Instance.rep, s.call.ForEach}, r.rest)
		}
	case "local":
		return p.follow(s.Module.Locals[r.name].Expr, scene{Instance: s.Instance}, r.rest)
	case "each":
		if r.name == "value" {
			if e := element(s); e != nil {
				return p.follow(e, scene{Instance: s.Instance}, r.rest)
			}
		}
	case "module":
		if text, ok := p.outputOf(r, s); ok {
			return text
		}
	case "resource":
		return p.object(r, s)
	}
	return steps(t)
}

// follow is what the steps lead to from the value of an expression: into objects as they are written, and on through references.
func (p *portrayer) follow(e hcl.Expression, s scene, rest hcl.Traversal) string {
	if len(rest) == 0 {
		return p.expression(e, s)
	}
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return p.follow(e.Expression, s, rest)
	case *hclsyntax.ScopeTraversalExpr:
		joined := slices.Concat(e.Traversal, rest)
		return p.expression(&hclsyntax.ScopeTraversalExpr{Traversal: joined, SrcRange: e.SrcRange}, s)
	case *hclsyntax.ObjectConsExpr:
		index, below := firstIndex(rest)
		name, ok := nameOf(rest[0])
		if ok {
			below = rest[1:]
		} else {
			name = index.Key
		}
		for _, item := range e.Items {
			if key, diags := item.KeyExpr.Value(nil); !diags.HasErrors() && key.IsKnown() && !key.IsNull() && key.Type() == cty.String && key.AsString() == name {
				return p.follow(item.ValueExpr, s, below)
			}
		}
	}
	return p.expression(e, s) + steps(rest)
}

// element is the expression of each.value, where for_each is written as a map.
func element(s scene) hcl.Expression {
	object, ok := s.each.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return nil
	}
	for _, item := range object.Items {
		if key, diags := item.KeyExpr.Value(nil); !diags.HasErrors() && key.Type() == cty.String && key.IsKnown() && !key.IsNull() && key.AsString() == s.rep.Index.Key {
			return item.ValueExpr
		}
	}
	return nil
}

// outputOf follows an output of one instance of a module.
func (p *portrayer) outputOf(r ref, s scene) (string, bool) {
	index, rest := firstIndex(r.rest)
	if len(rest) == 0 {
		return "", false
	}
	name, ok := nameOf(rest[0])
	if !ok {
		return "", false
	}
	for _, child := range s.called(s.Module.Calls[r.name]).instances {
		if o := child.Module.Outputs[name]; o != nil && child.rep.Index == index {
			return p.follow(o.Expr, scene{Instance: child}, rest[1:]), true
		}
	}
	return "", false
}

// firstIndex takes the key off the start of what follows a name.
func firstIndex(rest hcl.Traversal) (markers.Index, hcl.Traversal) {
	if len(rest) > 0 {
		if step, ok := rest[0].(hcl.TraverseIndex); ok {
			if index, ok := keyOf(step); ok {
				return index, rest[1:]
			}
		}
	}
	return markers.Index{}, rest
}

// object names the object to which a reference leads, with what is asked of it.
func (p *portrayer) object(r ref, s scene) string {
	res := s.Module.Resources[r.name]
	if res.Mode != Managed {
		return string(res.Mode) + " " + res.Type + steps(r.rest)
	}
	index, rest := firstIndex(r.rest)
	address := markers.Address{Module: s.Path, Type: res.Type, Name: res.Name, Index: index}
	key := address.String()
	if index == noKey && (res.Count != nil || res.ForEach != nil) {
		key = wholeOf(address)
	}
	name := p.identity[key]
	if name == "" {
		name, p.vague = unsaid, true
	}
	return res.Type + " <" + name + ">" + steps(rest)
}

// steps is the text of a traversal.
func steps(t hcl.Traversal) string {
	var b strings.Builder
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			if text, ok := known(s.Key); ok {
				b.WriteString("[" + text + "]")
			}
		case hcl.TraverseSplat:
			b.WriteString("[*]")
		}
	}
	return b.String()
}
