package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/rewrite"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// stamp notes all changes in the files.
func (s *stamper) stamp() error {
	if err := s.survey(); err != nil {
		return err
	}
	s.settle()
	s.demand()
	for _, dir := range s.dirs() {
		g := s.groups[dir]
		if !g.own {
			s.warnFetched(g)
			continue
		}
		if err := s.stampGroup(g); err != nil {
			return err
		}
	}
	for _, d := range s.evaluations[asMeant].Diagnostics() {
		if d.Severity == hcl.DiagError {
			s.diags = append(s.diags, d)
		}
	}
	return nil
}

// said tells whether the same has been reported.
func (s *stamper) said(d *hcl.Diagnostic) bool {
	return slices.ContainsFunc(s.diags, func(e *hcl.Diagnostic) bool {
		return e.Summary == d.Summary && e.Detail == d.Detail && (e.Subject == d.Subject || e.Subject != nil && d.Subject != nil && *e.Subject == *d.Subject)
	})
}

func (s *stamper) stampGroup(g *group) error {
	if g.lacks && g.demanded {
		g.declare()
	}
	for _, reference := range g.resources() {
		r := g.module().Resources[reference]
		v := s.judge(g, g.view(), reference)
		if v.unknown {
			s.warn(r.Range, "Address is not known here", "What %s says of its address depends on what only an apply can tell, or on a function that is not computed here. It is left as it is.", reference)
		}
		if !v.wrong {
			s.checkKeys(g, r)
			continue
		}
		var err error
		if markedTypes[r.Type] {
			err = g.stampBlock(r, v)
		} else {
			err = s.stampTags(g, r)
		}
		if err != nil {
			return err
		}
		s.checkKeys(g, r)
	}
	return s.stampCalls(g)
}

// index is what follows a name in the text of an address, in a template.
func index(r configuration.Repeat) string {
	switch {
	case r.Count != nil:
		return "[${count.index}]"
	case r.ForEach != nil:
		return `[\"${each.key}\"]`
	}
	return ""
}

// stampBlock writes the address of one of our blocks.
func (g *group) stampBlock(r *configuration.Resource, v verdict) error {
	var missing []rewrite.Argument
	want := []rewrite.Argument{{Name: argAddress, Expr: `"` + g.prefix() + r.Type + "." + r.Name + `"`}}
	switch {
	case r.Count != nil:
		want = append(want, rewrite.Argument{Name: argKey, Expr: "count.index"})
	case r.ForEach != nil:
		want = append(want, rewrite.Argument{Name: argKey, Expr: "each.key"})
	case v.key:
		for _, b := range g.blocks("resource", r.Type, r.Name) {
			if b.Has(argKey) {
				b.Remove(argKey)
			}
		}
	}
	for _, a := range want {
		if a.Name == argAddress && !v.address || a.Name == argKey && !v.key {
			continue
		}
		if r.Args[a.Name] == nil {
			missing = append(missing, a)
			continue
		}
		b, err := g.block(a.Name, "resource", r.Type, r.Name)
		if err != nil {
			return err
		}
		b.Replace(a.Name, a.Expr)
	}
	if len(missing) == 0 {
		return nil
	}
	at := rewrite.Place{Before: argKey, After: []string{"count", "for_each"}, Ends: true}
	beside := argKey
	if missing[0].Name == argKey {
		at, beside = rewrite.Place{After: []string{argAddress}}, argAddress
	}
	b, err := g.block(beside, "resource", r.Type, r.Name)
	if err != nil {
		return err
	}
	b.Insert(missing, at)
	return nil
}

// stampCalls writes the paths in the calls of modules that need them.
func (s *stamper) stampCalls(g *group) error {
	for _, dir := range s.dirs() {
		to := s.groups[dir]
		for _, c := range to.callers {
			if c.from != g || !to.demanded || to.lacks && !to.own {
				continue
			}
			v := g.judgeCall(g.view(), c.call.Name)
			if v.unknown {
				s.warn(c.call.Range, "Path is not known here", "What the call of the module %q gives as %s depends on what only an apply can tell, or on a function that is not computed here. It is left as it is.", c.call.Name, moduleVariable)
			}
			if !v.wrong {
				continue
			}
			b, err := g.block(moduleVariable, "module", c.call.Name)
			if err != nil {
				return err
			}
			if b.Has(moduleVariable) {
				b.Replace(moduleVariable, g.path(c.call))
				continue
			}
			b.Insert([]rewrite.Argument{{Name: moduleVariable, Expr: g.path(c.call)}},
				rewrite.Place{After: []string{"source", "version", "count", "for_each"}, Apart: true, Ends: true})
		}
	}
	return nil
}

// path is what a call hands down.
func (g *group) path(c *configuration.Call) string {
	return `"` + g.prefix() + "module." + c.Name + index(c.Repeat) + `."`
}

// declare adds the variable, where the module's other variables are.
func (g *group) declare() {
	var into *rewrite.File
	for _, f := range g.files {
		if !configuration.IsOverride(f.Name) && (into == nil || rank(f) > rank(into)) {
			into = f
		}
	}
	var text *string
	if g.root {
		text = new(string)
	}
	into.Declare(moduleVariable, text)
}

// rank says how well a declaration of a variable stands in a file.
func rank(f *rewrite.File) int {
	if f.DeclaresVariables() {
		return 2
	}
	if strings.HasPrefix(f.Base(), "main.") {
		return 1
	}
	return 0
}

// checkKeys warns of instances whose address no marker can carry, however it is written.
func (s *stamper) checkKeys(g *group, r *configuration.Resource) {
	if !markedTypes[r.Type] {
		return
	}
	for _, i := range g.instances[asMeant] {
		for _, rep := range i.Expand(i.Module.Resources[r.Reference()]).Instances {
			own := truth(i, r, rep).String()
			if _, err := markers.Parse(own); err != nil {
				s.warn(r.Range, "Address cannot be written on an object", "%s: %s.", own, err)
				return
			}
		}
	}
}

func (s *stamper) warn(at hcl.Range, summary, format string, args ...any) {
	d := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at}
	if !s.said(d) {
		s.diags = append(s.diags, d)
	}
}

// warnFetched names what would have to change in a module that init has fetched.
func (s *stamper) warnFetched(g *group) {
	var wrong []string
	for _, reference := range g.resources() {
		if v := s.judge(g, g.view(), reference); v.wrong {
			wrong = append(wrong, reference)
		}
	}
	for _, dir := range s.dirs() {
		for _, c := range s.groups[dir].callers {
			if c.from == g && s.groups[dir].demanded && g.judgeCall(g.view(), c.call.Name).wrong {
				wrong = append(wrong, "module."+c.call.Name)
			}
		}
	}
	if len(wrong) == 0 && !(g.demanded && g.lacks) {
		return
	}
	slices.SortFunc(g.callers, func(a, b caller) int { return cmp.Compare(a.call.Range.String(), b.call.Range.String()) })
	needs := map[string]bool{}
	for _, c := range g.callers {
		needs[fmt.Sprintf("  module %q: %s = %s", c.call.Name, moduleVariable, c.from.path(c.call))] = true
	}
	text := "It declares no variable " + moduleVariable + "."
	if len(wrong) > 0 {
		text = "These in it do not say their addresses: " + strings.Join(wrong, ", ") + "."
	}
	s.warn(g.callers[0].call.Range, "Module is not stamped",
		"The module in %s was fetched by init, which would undo a change. %s Once its source has them, with a variable %q, it needs:\n%s",
		g.dir, text, moduleVariable, strings.Join(slices.Sorted(maps.Keys(needs)), "\n"))
}
