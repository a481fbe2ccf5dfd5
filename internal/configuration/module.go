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
	// Providers are the sources of the providers that required_providers names, by local name.
	Providers map[string]string
	// Children are the called modules, by the name of the call.
	Children map[string]*Module

	// asked holds every attribute name that an expression of the module asks for.
	asked map[string]bool
}

// Variable is an input variable.
type Variable struct {
	Name string
	// Type is cty.DynamicPseudoType where none is declared.
	Type     cty.Type
	defaults *typeexpr.Defaults
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
	Args      map[string]*hcl.Attribute
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
	Blocks    []*hclsyntax.Block
	DependsOn []hcl.Traversal
	// Conditions are the pre- and postconditions.
	Preconditions, Postconditions []Condition
	Provider                      hcl.Traversal
	Range                         hcl.Range
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

// Removal is a removed block.
type Removal struct {
	From hcl.Traversal
	// Destroy tells whether what the block names is destroyed, and not only forgotten.
	Destroy bool
	Range   hcl.Range
}

func newModule(dir string, path []string) *Module {
	return &Module{
		Dir: dir, Path: path,
		Variables: map[string]*Variable{}, Locals: map[string]*Local{}, Outputs: map[string]*Output{},
		Calls: map[string]*Call{}, Resources: map[string]*Resource{}, Providers: map[string]string{},
		Children: map[string]*Module{}, asked: map[string]bool{},
	}
}
