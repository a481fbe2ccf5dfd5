package command

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/rewrite"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// ourPrefix is that of the provider's types, awsPrefix that of hashicorp/aws.
const (
	ourPrefix = "estate_"
	awsPrefix = "aws_"
)

// moduleVariable is the variable by which a module learns its own path.
const moduleVariable = "tofu_module"

// view is one of the two ways to look at a configuration.
type view int

const (
	// asIs takes what the calls give for a module's path.
	asIs view = iota
	// asMeant takes the true path in its place, which the calls will give.
	asMeant
)

// stamper works out what to change.
type stamper struct {
	*call
	options     *stampOptions
	evaluations [2]*configuration.Evaluation
	groups      map[string]*group
	// disagreements are what the tree says of the variable, where calls and modules do not fit together.
	disagreements hcl.Diagnostics
	// lacking are the folders of modules that do not declare the variable.
	lacking map[string]bool
}

// group is a folder, which is a module in one or several places of the tree. What is written in it has to be right in all.
type group struct {
	dir  string
	root bool
	// own says that the folder is the user's, and was not fetched by init.
	own bool
	// lacks says that it does not declare the variable.
	lacks bool
	// demanded says that it needs the variable, with the true path in it.
	demanded bool
	// instances are those of the module, wherever it is called, in both views.
	instances [2][]*configuration.Instance
	// callers are the calls of it from elsewhere.
	callers []caller
	files   []*rewrite.File
}

// caller is a call in a folder.
type caller struct {
	from *group
	call *configuration.Call
}

// supplement declares the variable wherever it is missing, so that the evaluations need not fail for it.
func (s *stamper) supplement() {
	s.lacking = map[string]bool{}
	s.tree.Root.Walk(func(m *configuration.Module) {
		if m.Variables[moduleVariable] != nil {
			return
		}
		s.lacking[m.Dir] = true
		m.Variables[moduleVariable] = &configuration.Variable{Name: moduleVariable, Type: cty.String, Nullable: true}
		if len(m.Path) == 0 {
			m.Variables[moduleVariable].Default = cty.StringVal("")
		}
	})
}

// settle lets calls and modules fit together also where no address depends on it. A call of a fetched module that does not know the
// variable is the user's to mend.
func (s *stamper) settle() {
	for _, g := range s.groups {
		for _, c := range g.callers {
			given := c.call.Args[moduleVariable]
			switch v := g.module().Variables[moduleVariable]; {
			case g.lacks && given != nil && !g.own:
				for _, d := range s.disagreements {
					if d.Subject != nil && *d.Subject == given.NameRange && !s.said(d) {
						s.diags = append(s.diags, d)
					}
				}
			case g.lacks && given != nil, !g.lacks && given == nil && v.Default == cty.NilVal:
				g.demanded = true
			}
		}
	}
}

// values are those of the command line. A module that stands for the root has the empty path, where nobody says another.
func (s *stamper) values() []configuration.Given {
	if v := s.tree.Root.Variables[moduleVariable]; v.Default == cty.NilVal {
		return append([]configuration.Given{{Name: moduleVariable}}, s.line...)
	}
	return s.line
}

// markedTypes are the types whose objects carry a marker, by their full names.
var markedTypes = func() map[string]bool {
	out := map[string]bool{}
	for _, t := range provider.Types() {
		if t.Tagged() {
			out[ourPrefix+t.Name()] = true
		}
	}
	return out
}()

// survey finds the folders and their instances.
func (s *stamper) survey() error {
	for v, e := range s.evaluations {
		s.visit(view(v), e.Root(), nil, nil, true)
	}
	for _, dir := range s.dirs() {
		g := s.groups[dir]
		var plain, overrides []*rewrite.File
		for _, name := range slices.Sorted(maps.Keys(s.tree.Files)) {
			if filepath.Dir(name) != dir || !configuration.IsConfiguration(name) {
				continue
			}
			f, err := rewrite.Open(name, s.tree.Files[name].Bytes)
			if err != nil {
				return err
			}
			if configuration.IsOverride(name) {
				overrides = append(overrides, f)
			} else {
				plain = append(plain, f)
			}
		}
		g.files = slices.Concat(plain, overrides)
	}
	return nil
}

func (s *stamper) visit(v view, i *configuration.Instance, from *group, by *configuration.Call, own bool) {
	dir := filepath.Clean(i.Module.Dir)
	g := s.groups[dir]
	if g == nil {
		g = &group{dir: dir, root: from == nil, lacks: s.lacking[i.Module.Dir]}
		s.groups[dir] = g
	}
	g.own = g.own || own
	if by != nil && !slices.ContainsFunc(g.callers, func(c caller) bool { return c.from == from && c.call.Name == by.Name }) {
		g.callers = append(g.callers, caller{from, by})
	}
	g.instances[v] = append(g.instances[v], i)
	for _, name := range slices.Sorted(maps.Keys(i.Module.Calls)) {
		c := i.Module.Calls[name]
		for _, instance := range i.Called(c) {
			s.visit(v, instance, g, c, own && c.IsLocal())
		}
	}
}

// dirs are the folders, in their order.
func (s *stamper) dirs() []string { return slices.Sorted(maps.Keys(s.groups)) }

func (s *stamper) files() []*rewrite.File {
	var out []*rewrite.File
	for _, dir := range s.dirs() {
		out = append(out, s.groups[dir].files...)
	}
	return out
}

// view is how the folder's arguments are judged: by what is there, unless the calls will change it.
func (g *group) view() view {
	if g.demanded || g.root {
		return asMeant
	}
	return asIs
}

// module is the module that the folder holds, one of those where it is called in several places.
func (g *group) module() *configuration.Module { return g.instances[asIs][0].Module }

// resources are the references of the managed resources, in their order.
func (g *group) resources() []string {
	var out []string
	for _, reference := range slices.Sorted(maps.Keys(g.module().Resources)) {
		if g.module().Resources[reference].Mode == configuration.Managed {
			out = append(out, reference)
		}
	}
	return out
}

// block is the one that holds an argument of a resource or call: the last that gives it, and the first of all where none does.
func (g *group) block(argument, kind string, labels ...string) (*rewrite.Block, error) {
	var first, last *rewrite.Block
	for _, b := range g.blocks(kind, labels...) {
		if first == nil {
			first = b
		}
		if b.Has(argument) {
			last = b
		}
	}
	switch {
	case last != nil:
		return last, nil
	case first != nil:
		return first, nil
	}
	return nil, fmt.Errorf("no block %s %v in %s", kind, labels, g.dir)
}

// blocks are all of that name, those of override files last.
func (g *group) blocks(kind string, labels ...string) []*rewrite.Block {
	var out []*rewrite.Block
	for _, f := range g.files {
		out = append(out, f.Blocks(kind, labels...)...)
	}
	return out
}

// prefix is what addresses begin with in the folder.
func (g *group) prefix() string {
	if g.root && (g.lacks && !g.demanded || !g.rootPathIsEmpty()) {
		return ""
	}
	return "${var." + moduleVariable + "}"
}

// rootPathIsEmpty tells whether the root's variable holds what it should.
func (g *group) rootPathIsEmpty() bool {
	expr, diags := hclsyntax.ParseExpression([]byte("var."+moduleVariable), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	text, state := textOf(g.instances[asMeant][0].Value(expr, configuration.Repetition{}))
	return state == known && text == ""
}
