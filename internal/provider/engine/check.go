package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Check implements Type: every rule that a descriptor must keep, so that one test finds all slips of all types.
func (k *kind) Check() error {
	problems := k.checkWords()
	problems = append(problems, k.checkTier()...)
	problems = append(problems, k.checkPaths()...)
	problems = append(problems, k.checkHistory()...)
	problems = append(problems, k.checkData()...)
	if err := k.modelCheck(); err != nil {
		problems = append(problems, err.Error())
	}
	if d := k.schema.ValidateImplementation(context.Background()); d.HasError() {
		problems = append(problems, d.Errors()[0].Summary()+": "+d.Errors()[0].Detail())
	}
	if d := k.data.ValidateImplementation(context.Background()); d.HasError() {
		problems = append(problems, "data source: "+d.Errors()[0].Summary()+": "+d.Errors()[0].Detail())
	}
	errs := make([]error, 0, len(problems))
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("%s: %s", k.fullName(), p))
	}
	return errors.Join(errs...)
}

func (k *kind) checkWords() (problems []string) {
	if k.name == "" || k.service == "" || !strings.HasSuffix(k.doc, ".") {
		problems = append(problems, "Name, Service and a Doc that ends in a full stop are needed")
	}
	for _, p := range k.paths() {
		if p.attribute && !strings.HasSuffix(p.description, ".") {
			problems = append(problems, fmt.Sprintf("the description of %s does not end in a full stop: %q", p.path, p.description))
		}
	}
	for _, name := range append(sortedKeys(k.attrs), sortedKeys(k.blocks)...) {
		if engineAttribute(name) {
			problems = append(problems, name+" is the engine's own attribute")
		}
	}
	return problems
}

func engineAttribute(name string) bool {
	return strings.HasPrefix(name, "tofu_") || slices.Contains([]string{
		attrID, attrRegion, attrTags, attrTagsAll, attrTimeouts, attrOnExisting, attrAdoptUnmarked, attrRestore,
	}, name)
}

func (k *kind) checkTier() (problems []string) {
	need := func(ok bool, what string) {
		if !ok {
			problems = append(problems, what)
		}
	}
	need(k.tier >= Marked && k.tier <= Setting, "Tier is needed")
	need(k.get != nil && k.create != nil && k.delete != nil, "Get, Create and Delete are needed")
	need(k.tagged() == (k.tier == Marked || k.tier == Named), "Marked and Named types have a Tagger, others have none")
	need(!k.tagged() || k.list != nil, "types with tags need List")
	need(k.natural == nil || k.tier == Marked, "Natural is for Marked types")
	need(len(k.alike) == 0 || k.tier == Marked, "Alike is for Marked types")
	for _, name := range k.alike {
		_, ok := k.attrs[name]
		need(ok, "Alike names "+name+", which is no attribute")
	}
	need((k.parents != nil) == (k.tier == Composed || k.tier == Setting), "Composed and Setting types have Parents, others have none")
	need(!k.tagsAfterCreate || k.tagged(), "TagsAfterCreate is for types with tags")
	problems = append(problems, k.checkNames()...)
	problems = append(problems, k.checkSays()...)
	need(!k.clearsFailed || k.tagged(), "ClearsFailed is for types with tags")
	need(k.listUnder == nil || k.tier == Composed && k.list == nil, "ListUnder is for Composed types without List")
	if k.tier == Marked {
		need(len(k.identity) == 1 && k.identity[0].Attr == attrID, "the key of a Marked type is its id")
		return problems
	}
	for _, p := range k.identity {
		a, ok := k.attrs[p.Attr]
		need(ok, "the key part "+p.Attr+" is no attribute")
		if !ok {
			continue
		}
		_, mutable := k.updateOf(p.Attr)
		need(!mutable, "the key part "+p.Attr+" has an Update")
		need(p.Optional || a.IsRequired() || p.Prefix != "", "the key part "+p.Attr+" is neither required, optional nor generated")
		if p.Prefix != "" {
			need(len(k.identity) == 1 || !k.tagged(), "a type with tags and several key parts cannot generate names")
		}
	}
	return problems
}

// checkSays holds the Settings that say in v6's words what an argument of the engine says.
func (k *kind) checkSays() (problems []string) {
	for _, says := range []struct{ field, setting string }{{"Overwrites", k.overwrites}, {"Keeps", k.keeps}} {
		_, isBool := k.attrs[says.setting].(schema.BoolAttribute)
		if says.setting != "" && (!isBool || !slices.Contains(k.settings, says.setting)) {
			problems = append(problems, says.field+" names no bool among the Settings")
		}
	}
	return problems
}

// checkNames holds generated names, of a key or not, to what the engine needs of them.
func (k *kind) checkNames() (problems []string) {
	need := func(ok bool, what string) {
		if !ok {
			problems = append(problems, what)
		}
	}
	named := slices.DeleteFunc(slices.Clone(k.identity), func(p Part) bool { return p.Prefix == "" })
	if k.derives != nil {
		named = append(named, *k.derives)
		_, mutable := k.updateOf(k.derives.Attr)
		need(k.tier == Marked && k.exists != nil && k.natural != nil && !k.takesToken && !mutable,
			"Generates is for Marked types with Exists and Natural, without a token, and for attributes without an Update")
	}
	for _, p := range named {
		a, ok := k.attrs[p.Attr]
		need(ok && a.IsOptional() && a.IsComputed(), "the generated name "+p.Attr+" is not optional and computed")
		prefix, ok := k.attrs[p.Prefix]
		need(ok && prefix.IsOptional() && prefix.IsComputed(), "the prefix "+p.Prefix+" is not optional and computed")
		need(p.MaxLength > generatedLength, "the generated name "+p.Attr+" needs a MaxLength")
	}
	return problems
}

func (k *kind) checkPaths() (problems []string) {
	known := map[string]schemaPath{}
	for _, p := range k.paths() {
		known[p.path] = p
	}
	for _, u := range k.updates {
		if len(u.attrs) == 0 {
			problems = append(problems, "an Update needs Attrs")
		}
		if u.apply == nil && slices.ContainsFunc(u.attrs, func(a string) bool { return !k.isSetting(a) }) {
			problems = append(problems, "an Update without Apply is for Settings alone")
		}
		for _, a := range u.attrs {
			if p, ok := known[a]; !ok || !p.configurable {
				problems = append(problems, "the Update of "+a+" names no configurable attribute")
			}
		}
		for _, a := range u.recomputes {
			if p, ok := known[a]; !ok || !p.computed || strings.Contains(a, ".") {
				problems = append(problems, "Recomputes "+a+" names no computed top-level attribute")
			}
		}
	}
	for _, name := range k.settings {
		if p, ok := known[name]; !ok || !p.configurable || strings.Contains(name, ".") {
			problems = append(problems, "the Setting "+name+" is no configurable top-level attribute")
		}
	}
	return problems
}

// checkModel verifies that the model and the schema hold the same names and types, by a round trip of nulls and one of
// values: what is nested shows in the second alone.
func checkModel[M any](k *kind) error {
	whole := k.ownType().TerraformType(context.Background())
	raw := object{}
	for name, t := range objectTypes(tftypes.NewValue(whole, nil)) {
		raw[name] = tftypes.NewValue(t, nil)
		if _, isBlock := k.blocks[name]; isBlock {
			raw[name] = emptyBlock(t)
		}
	}
	for _, v := range []tftypes.Value{raw.value(whole), sample(k.ownType())} {
		m, err := decode[M](k, v)
		if err != nil {
			return err
		}
		back, err := encode(k, m)
		if err != nil {
			return err
		}
		if !back.Equal(v) {
			return fmt.Errorf("the model of %s loses values", k.fullName())
		}
	}
	return nil
}

// sample is a value with one element in every collection. Texts of a grammar stay null: nobody knows one here.
func sample(t attr.Type) tftypes.Value {
	whole := t.TerraformType(context.Background())
	switch shapeOf(t) {
	case objectShape:
		o := object{}
		for name := range objectTypes(tftypes.NewValue(whole, nil)) {
			o[name] = sample(childType(t, name))
		}
		return o.value(whole)
	case mapShape:
		if element := sample(childType(t, "")); !element.IsNull() {
			return object{"key": element}.value(whole)
		}
		return object{}.value(whole)
	case listShape, setShape:
		if element := sample(childType(t, "")); !element.IsNull() {
			return tftypes.NewValue(whole, []tftypes.Value{element})
		}
		return tftypes.NewValue(whole, []tftypes.Value{})
	}
	switch {
	case t.Equal(basetypes.StringType{}):
		return tftypes.NewValue(whole, "sample")
	case whole.Is(tftypes.Number):
		return tftypes.NewValue(whole, 1)
	case whole.Is(tftypes.Bool):
		return tftypes.NewValue(whole, true)
	}
	return tftypes.NewValue(whole, nil)
}
