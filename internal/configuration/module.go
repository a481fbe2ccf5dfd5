package configuration

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Module is one module as its files declare it. Nothing in it is evaluated but what has to be literal.
type Module struct {
	// Dir is the module's folder, relative to the working directory or absolute, as the root's was given.
	Dir string
	// from is the folder as seen from the root's, without links on the way: the path.module of the tools.
	from string
	// Path holds the names of the calls that lead to it; empty for the root.
	Path []string

	Variables map[string]*Variable
	Locals    map[string]*Local
	Outputs   map[string]*Output
	Calls     map[string]*Call
	// Resources holds the managed resources, data sources and ephemeral ones by their reference, such as "data.aws_ami.x".
	Resources map[string]*Resource
	Moves     []*Move
	Removals  []*Removal
	Imports   []*Import
	// Checks are the check blocks by name.
	Checks map[string]*Check
	// Providers are the sources of the providers that required_providers names, by local name.
	Providers map[string]string
	// Backend is where the state is kept; nil where nothing is said of it.
	Backend *Backend
	// Children are the called modules, by the name of the call.
	Children map[string]*Module

	// asked holds every attribute name that an expression of the module asks for.
	asked map[string]bool
}

// Backend is a backend or cloud block.
type Backend struct {
	// Type is its label, "cloud" for a cloud block.
	Type string
	// Settings are the arguments that are plain texts.
	Settings map[string]string
	Range    hcl.Range
}

// Variable is an input variable.
type Variable struct {
	Name string
	// Type is cty.DynamicPseudoType where none is declared.
	Type     cty.Type
	defaults *typeexpr.Defaults
	// written says that a text from outside, such as one of the command line, is an expression, and not the value itself.
	written bool
	// Default is cty.NilVal where the variable is required.
	Default              cty.Value
	Nullable             bool
	Sensitive, Ephemeral bool
	Validations          []Condition
	Range                hcl.Range

	nullableSet, sensitiveSet, ephemeralSet bool
}

// Condition is a validation, precondition or postcondition.
type Condition struct {
	Condition, Message hcl.Expression
	Range              hcl.Range
}

// Check is a check block.
type Check struct {
	Conditions []Condition
	Range      hcl.Range
}

// Local is a local value.
type Local struct {
	Name  string
	Expr  hcl.Expression
	Range hcl.Range
}

// Output is an output value.
type Output struct {
	Name                 string
	Expr                 hcl.Expression
	Sensitive, Ephemeral bool
	Preconditions        []Condition
	DependsOn            []hcl.Traversal
	Range                hcl.Range
}

// Repeat is what makes several instances of a resource or module call, or none.
type Repeat struct {
	// Count, ForEach and Enabled are the arguments; nil where they are not written.
	Count, ForEach, Enabled hcl.Expression
}

// Call is a module block.
type Call struct {
	Repeat
	Name   string
	Source string
	// Args are the values of variables.
	Args map[string]*hcl.Attribute
	// Providers are the configurations of providers that it hands down, by their names in the module.
	Providers map[string]hcl.Expression
	DependsOn []hcl.Traversal
	Range     hcl.Range
}

// Mode tells what kind of resource a block declares.
type Mode string

// Modes, as the first part of a reference.
const (
	Managed   Mode = ""
	Data      Mode = "data"
	Ephemeral Mode = "ephemeral"
)

// Resource is a resource, data or ephemeral block.
type Resource struct {
	Repeat
	Mode       Mode
	Type, Name string
	// Args are the arguments; in JSON nested blocks are among them.
	Args map[string]*hcl.Attribute
	// Blocks are the nested blocks of HCL.
	Blocks []*hclsyntax.Block
	// Actions are its provisioners and connections.
	Actions   []*hclsyntax.Block
	DependsOn []hcl.Traversal
	// Conditions are the pre- and postconditions.
	Preconditions, Postconditions []Condition
	// ProviderExpr is the provider's configuration that it names; nil where it names none.
	ProviderExpr hcl.Expression
	// Kept says that instances are forgotten where they would be destroyed: OpenTofu's destroy = false.
	Kept  bool
	Range hcl.Range
}

// Reference is how expressions of the module name the resource, such as "aws_vpc.main" or "data.aws_ami.x".
func (r *Resource) Reference() string { return reference(r.Mode, r.Type, r.Name) }

func reference(mode Mode, typ, name string) string {
	if mode == Managed {
		return typ + "." + name
	}
	return string(mode) + "." + typ + "." + name
}

// Move is a moved block.
type Move struct {
	From, To hcl.Traversal
	Range    hcl.Range
}

// Types are the resource types between which the block moves, "" where it moves a module.
func (m *Move) Types() (from, to string) { return typeIn(m.From), typeIn(m.To) }

// typeIn is the resource type that an address names.
func typeIn(t hcl.Traversal) string {
	var names []string
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, s.Name)
		case hcl.TraverseAttr:
			names = append(names, s.Name)
		}
	}
	for len(names) >= 2 && names[0] == "module" {
		names = names[2:]
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// Removal is a removed block.
type Removal struct {
	From hcl.Traversal
	// Destroy tells whether what the block names is destroyed, and not only forgotten. Where the block does not say so itself, as
	// DestroySet tells, OpenTofu forgets and Terraform destroys.
	Destroy, DestroySet bool
	Range               hcl.Range
}

// Import is an import block.
type Import struct {
	// To is the address, in which a key may be an expression of each; ForEach is nil where the block stands for one object.
	To, ForEach hcl.Expression
	// ID is its id or identity.
	ID    hcl.Expression
	Range hcl.Range
}

func newModule(dir string, path []string) *Module {
	return &Module{
		Dir: dir, Path: path,
		Variables: map[string]*Variable{}, Locals: map[string]*Local{}, Outputs: map[string]*Output{},
		Calls: map[string]*Call{}, Resources: map[string]*Resource{}, Providers: map[string]string{},
		Children: map[string]*Module{}, Checks: map[string]*Check{}, asked: map[string]bool{},
	}
}
