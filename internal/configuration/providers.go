package configuration

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// providerName is the text of a reference to a provider's configuration, and the key of one that stands for several, if any.
func providerName(e hcl.Expression) (name string, key hcl.Expression) {
	if index, ok := e.(*hclsyntax.IndexExpr); ok {
		e, key = index.Collection, index.Key
	}
	t, diags := hcl.AbsTraversalForExpr(e)
	if diags.HasErrors() {
		return literal(e), key
	}
	var names []string
	for _, step := range t {
		if text, ok := nameOf(step); ok {
			names = append(names, text)
		} else if index, ok := step.(hcl.TraverseIndex); ok {
			key = hcl.StaticExpr(index.Key, index.SrcRange)
		}
	}
	return strings.Join(names, "."), key
}

// providerNames reads the providers that a call hands down, by their names in the module.
func providerNames(e hcl.Expression) map[string]hcl.Expression {
	out := map[string]hcl.Expression{}
	pairs, _ := hcl.ExprMap(e) // what is wrong with it is for the tools to say
	for _, pair := range pairs {
		if name, _ := providerName(pair.Key); name != "" {
			out[name] = pair.Value
		}
	}
	return out
}

// provider names the provider's configuration that an instance of a resource uses, as the root has it; "" for the one without an
// alias that the type's name implies.
func (p *portrayer) provider(r ResourceInstance) string {
	implied, _, _ := strings.Cut(r.Resource.Type, "_")
	name, keyed := implied, ""
	s := scene{r.Module, r.Repetition, r.Resource.ForEach}
	read := func(e hcl.Expression) {
		var key hcl.Expression
		if name, key = providerName(e); key != nil {
			keyed = "[" + p.expression(key, s) + "]"
		}
	}
	if e := r.Resource.ProviderExpr; e != nil {
		read(e)
	}
	for i := r.Module; i.parent != nil; i = i.parent {
		s = scene{i.parent, i.rep, i.call.ForEach}
		if e := i.call.Providers[name]; e != nil {
			read(e)
		}
	}
	if name == implied {
		return keyed
	}
	return name + keyed
}
