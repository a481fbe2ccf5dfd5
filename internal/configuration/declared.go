package configuration

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// declared is what a configuration declares, by address.
type declared struct {
	// modules are the instances of each module, by the names of the calls.
	modules map[string][][]markers.Step
	// things are the places of all that can be moved: instances of modules and resources by their address, whole ones as
	// endpoint.key says.
	things map[string]hcl.Range
	// instances are those of resources.
	instances map[string]ResourceInstance
	// resources are the blocks in each instance of their module, also those without an instance.
	resources map[string]*Resource
	unsettled []unsettledBlock
}

// unsettledBlock is a resource or a call of which only an apply can tell the instances.
type unsettledBlock struct {
	Unsettled
	path []markers.Step
	// call is the name of the call; block is the resource where it is empty.
	call  string
	block block
}

// covers tells whether the address is that of an instance that the block may have.
func (u unsettledBlock) covers(mode Mode, a markers.Address) bool {
	if u.call != "" {
		n := len(u.path)
		return len(a.Module) > n && slices.Equal(a.Module[:n], u.path) && a.Module[n].Name == u.call
	}
	return slices.Equal(a.Module, u.path) && u.block == block{mode, a.Type, a.Name}
}

// declare expands the whole tree.
func (e *Evaluation) declare() *declared {
	d := &declared{modules: map[string][][]markers.Step{}, things: map[string]hcl.Range{}, instances: map[string]ResourceInstance{}, resources: map[string]*Resource{}}
	d.module(e.root)
	return d
}

func (d *declared) module(i *Instance) {
	names := strings.Join(i.Module.Path, ".")
	d.modules[names] = append(d.modules[names], i.Path)
	for _, reference := range slices.Sorted(maps.Keys(i.Module.Resources)) {
		r := i.Module.Resources[reference]
		whole := ModulePath(i.Path) + reference
		d.things["all "+whole] = r.Range
		d.resources[whole] = r
		x := i.Expand(r)
		if x.Unknown != nil {
			d.unsettled = append(d.unsettled, unsettledBlock{
				Unsettled: Unsettled{Block: whole, Expansion: x}, path: i.Path, block: block{r.Mode, r.Type, r.Name},
			})
			continue
		}
		for _, rep := range x.Instances {
			a := markers.Address{Module: i.Path, Type: r.Type, Name: r.Name, Index: rep.Index}
			key := addressText(r.Mode, a)
			d.instances[key] = ResourceInstance{Mode: r.Mode, Address: a, Resource: r, Module: i, Repetition: rep}
			d.things[key] = r.blame(r.Range)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(i.Module.Calls)) {
		c := i.Module.Calls[name]
		whole := ModulePath(i.Path) + "module." + name
		d.things["all "+whole] = c.Range
		called := i.called(c)
		if called.expansion.Unknown != nil {
			d.unsettled = append(d.unsettled, unsettledBlock{Unsettled: Unsettled{Block: whole, Expansion: called.expansion}, path: i.Path, call: name})
			continue
		}
		for _, instance := range called.instances {
			d.things[strings.TrimSuffix(ModulePath(instance.Path), ".")] = c.blame(c.Range)
			d.module(instance)
		}
	}
}

// blame is the place that decides which instances there are.
func (r Repeat) blame(at hcl.Range) hcl.Range {
	switch {
	case r.ForEach != nil:
		return r.ForEach.Range()
	case r.Count != nil:
		return r.Count.Range()
	}
	return at
}
