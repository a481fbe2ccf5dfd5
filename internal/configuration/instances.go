package configuration

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// ResourceInstance is one entry of the flat list.
type ResourceInstance struct {
	Mode Mode
	// Address is where the state will hold it; for data sources and ephemeral resources without their mode.
	Address  markers.Address
	Resource *Resource
	// Module is the instance of the module that holds the block.
	Module *Instance
	Repetition
}

// String is the address as a state list shows it.
func (r ResourceInstance) String() string {
	if r.Mode == Managed {
		return r.Address.String()
	}
	own := markers.Address{Type: r.Address.Type, Name: r.Address.Name, Index: r.Address.Index}
	return ModulePath(r.Address.Module) + string(r.Mode) + "." + own.String()
}

// Listing is the flat list of a configuration.
type Listing struct {
	Instances []ResourceInstance
	// Unsettled are the blocks of which only an apply can tell what instances they have: nothing of them is among Instances.
	Unsettled []Unsettled
}

// Unsettled is a block whose expansion is not known.
type Unsettled struct {
	// Block is its address without a key, of a resource or a module.
	Block string
	Expansion
}

// List expands the whole tree. What is wrong with an expansion is among the evaluation's diagnostics.
func (e *Evaluation) List() Listing {
	var out Listing
	e.root.list(&out)
	slices.SortFunc(out.Instances, compare)
	return out
}

func (i *Instance) list(out *Listing) {
	for _, reference := range slices.Sorted(maps.Keys(i.Module.Resources)) {
		r := i.Module.Resources[reference]
		x := i.Expand(r)
		if x.Unknown != nil {
			out.Unsettled = append(out.Unsettled, Unsettled{Block: ModulePath(i.Path) + reference, Expansion: x})
			continue
		}
		for _, rep := range x.Instances {
			out.Instances = append(out.Instances, ResourceInstance{
				Mode: r.Mode, Resource: r, Module: i, Repetition: rep,
				Address: markers.Address{Module: i.Path, Type: r.Type, Name: r.Name, Index: rep.Index},
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(i.Module.Calls)) {
		called := i.called(i.Module.Calls[name])
		if called.expansion.Unknown != nil {
			out.Unsettled = append(out.Unsettled, Unsettled{Block: ModulePath(i.Path) + "module." + name, Expansion: called.expansion})
			continue
		}
		for _, instance := range called.instances {
			instance.list(out)
		}
	}
}

// compare is the order of a state list: shorter module paths first, then by each part; data sources before resources.
func compare(a, b ResourceInstance) int {
	return cmp.Or(
		comparePaths(a.Address.Module, b.Address.Module),
		compareModes(a.Mode, b.Mode),
		strings.Compare(a.Address.Type, b.Address.Type),
		strings.Compare(a.Address.Name, b.Address.Name),
		compareKeys(a.Address.Index, b.Address.Index),
	)
}

func compareModes(a, b Mode) int {
	order := []Mode{Data, Managed, Ephemeral}
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}

func comparePaths(a, b []markers.Step) int {
	if len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	for n := range a {
		if c := cmp.Or(strings.Compare(a[n].Name, b[n].Name), compareKeys(a[n].Index, b[n].Index)); c != 0 {
			return c
		}
	}
	return 0
}

// compareKeys puts no key before numbers and numbers before texts.
func compareKeys(a, b markers.Index) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Number, b.Number), strings.Compare(a.Key, b.Key))
}

// Diagnostics name the block whose instances only an apply can tell, and the ways out.
func (u Unsettled) Diagnostics() hcl.Diagnostics {
	at := u.Unknown.Range()
	return hcl.Diagnostics{failure("Instances are not known before apply", fmt.Sprintf(
		"What instances %s has depends on a value that only an apply can tell, so that nothing says their addresses beforehand, and a plan of an empty state stops here. "+
			"Give it a value that the configuration knows, such as keys of a local map, and keep what AWS assigns for the arguments inside the block.", u.Block), &at)}
}
