package command

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/rewrite"
	"github.com/tofu-estate/terraform-provider-estate/internal/imports"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// tagsFunction is the last part of the name by which a configuration calls the function for markers.
const tagsFunction = "::marker_tags"

// wants tells whether marker_tags is to be added to a resource: one of hashicorp/aws that has tags.
func (s *stamper) wants(r *configuration.Resource) bool {
	return s.options.tags && strings.HasPrefix(r.Type, awsPrefix) && (r.Args[argTags] != nil || imports.Known(r.Type))
}

// tagsOf is the expression of a resource's tags, with the calls for markers in it.
type tagsOf struct {
	block *rewrite.Block
	// text is "" where the resource has no tags, and expr nil where they cannot be read.
	text  string
	expr  hclsyntax.Expression
	calls []*hclsyntax.FunctionCallExpr
}

func (g *group) tags(r *configuration.Resource) (tagsOf, error) {
	b, err := g.block(argTags, "resource", r.Type, r.Name)
	if err != nil || !b.Has(argTags) {
		return tagsOf{block: b}, err
	}
	out := tagsOf{block: b}
	text, ok := b.Text(argTags)
	if !ok {
		return out, nil
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), r.Range.Filename, hcl.InitialPos)
	if diags.HasErrors() {
		return out, nil
	}
	out.text, out.expr = text, expr
	// The visitor returns no diagnostics, so that there are none.
	_ = hclsyntax.VisitAll(expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && isMarkerTags(call) {
			out.calls = append(out.calls, call)
		}
		return nil
	})
	slices.SortFunc(out.calls, func(a, b *hclsyntax.FunctionCallExpr) int { return a.NameRange.Start.Byte - b.NameRange.Start.Byte })
	return out, nil
}

func isMarkerTags(call *hclsyntax.FunctionCallExpr) bool {
	return strings.HasPrefix(call.Name, "provider::") && strings.HasSuffix(call.Name, tagsFunction) && len(call.Args) > 1 && !call.ExpandFinal
}

// judgeTags judges the addresses that the calls in a resource's tags give. An error is the stamping's to report.
func (s *stamper) judgeTags(g *group, v view, r *configuration.Resource) verdict {
	t, err := g.tags(r)
	if err != nil || len(t.calls) == 0 {
		return verdict{wrong: s.wants(r)}
	}
	var out verdict
	for _, call := range t.calls {
		out = out.and(g.judgeTagsCall(v, r, call))
	}
	return out
}

func (g *group) judgeTagsCall(v view, r *configuration.Resource, call *hclsyntax.FunctionCallExpr) verdict {
	return g.each(v, r.Reference(), func(i *configuration.Instance, r *configuration.Resource, rep configuration.Repetition) verdict {
		text, state := textOf(i.Value(call.Args[1], rep))
		match := markers.NoMatch
		if state == known {
			match = markers.Matches(text, truth(i, r, rep).String())
		}
		return verdict{unknown: state == unknown, wrong: state == absent || state == known && match != markers.Current && match != markers.OtherPrefix}
	})
}

// stampTags mends the calls in a resource's tags, or adds one.
func (s *stamper) stampTags(g *group, r *configuration.Resource) error {
	t, err := g.tags(r)
	if err != nil {
		return err
	}
	address := `"` + g.prefix() + r.Type + "." + r.Name + index(r.Repeat) + `"`
	if len(t.calls) > 0 {
		text := t.text
		for _, call := range slices.Backward(t.calls) {
			if g.judgeTagsCall(g.view(), r, call).wrong {
				from, to := call.Args[1].Range().Start.Byte, call.Args[1].Range().End.Byte
				if r.Count == nil && len(call.Args) > 2 {
					to = call.Args[2].Range().End.Byte // a slot is a count's
				}
				text = text[:from] + address + text[to:]
			}
		}
		t.block.Replace(argTags, text)
		return nil
	}
	name, declared := localName(g.module())
	if !declared {
		s.warn(r.Range, "Provider is not required", "The tags of %s call a function of a provider that the module does not require. Add it to required_providers: %s = { source = %q }",
			r.Reference(), name, providerSource)
	}
	call := "provider::" + name + tagsFunction + `("` + s.options.estate + `", ` + address
	if r.Count != nil {
		call += ", count.index"
	}
	call += ")"
	switch {
	case !t.block.Has(argTags):
		var others []string
		for other := range r.Args {
			others = append(others, other)
		}
		t.block.Insert([]rewrite.Argument{{Name: argTags, Expr: call}}, rewrite.Place{After: append(others, "count", "for_each", "provider"), Apart: true, Ends: true})
	case t.expr == nil:
		s.warn(r.Range, "Tags are not stamped", "The tags of %s hold what cannot be handed to a function from JSON. Merge this into them: %s", r.Reference(), call)
	default:
		t.block.Replace(argTags, merged(t, call))
	}
	return nil
}

// localName is what the module calls the provider.
func localName(m *configuration.Module) (string, bool) {
	for name, from := range m.Providers {
		if from == providerSource || strings.HasSuffix(from, "/"+providerSource) {
			return name, true
		}
	}
	return "estate", false
}

// merged adds a map to an expression of tags.
func merged(t tagsOf, call string) string {
	merge, ok := t.expr.(*hclsyntax.FunctionCallExpr)
	if !ok || merge.Name != "merge" || merge.ExpandFinal || len(merge.Args) == 0 {
		return "merge(" + t.text + ", " + call + ")"
	}
	last := merge.Args[len(merge.Args)-1].Range()
	separator := ", "
	if line := t.text[:last.Start.Byte]; last.Start.Line > merge.OpenParenRange.Start.Line && strings.TrimSpace(line[strings.LastIndex(line, "\n")+1:]) == "" {
		separator = "," + line[strings.LastIndex(line, "\n"):] // each argument on its line
	}
	return t.text[:last.End.Byte] + separator + call + t.text[last.End.Byte:]
}
