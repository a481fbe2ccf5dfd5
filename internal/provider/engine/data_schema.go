package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file derives the schema of a data source from the one of its resource type.

// attrFilter is the block by which types with Search are looked up.
const attrFilter = "filter"

// dataSchema is the schema of the type's data source: what AWS shows of the object, computed, and the arguments that
// say which one is meant. What only steers a resource, and what AWS never shows, is left out.
func (k *kind) dataSchema() data.Schema {
	s := data.Schema{MarkdownDescription: k.dataDoc(), Attributes: map[string]data.Attribute{}, Blocks: map[string]data.Block{}}
	for name, a := range dataAttributes(k.attrs, k.blocks) {
		if !k.isSetting(name) {
			s.Attributes[name] = a
		}
	}
	s.Attributes[attrID] = data.StringAttribute{Computed: true, MarkdownDescription: "Identifier of the object."}
	for _, p := range k.identity {
		s.Attributes[p.Attr] = k.keyAttribute(p, s.Attributes[p.Attr])
	}
	if !k.global {
		s.Attributes[attrRegion] = lookUpText("Region of the object; the provider's when unset.")
	}
	if k.tagged() {
		k.dataMarker(s.Attributes)
	}
	if k.search != nil {
		s.Blocks[attrFilter] = filterBlock()
	}
	return s
}

// dataMarker adds what types with tags have.
func (k *kind) dataMarker(to map[string]data.Attribute) {
	to[attrAddress] = lookUpText("Address that the object's marker names, such as `" + k.fullName() + ".main`. " +
		"Given, it looks the object up.")
	to[attrKey] = lookUpText("Instance key of the block under `tofu_address`, where that has `for_each` or `count`.")
	to[attrEstate] = lookUpText("Estate that the object's marker names. The provider's when `tofu_address` is given without it; " +
		"beside `tags`" + k.orFilter() + " any when unset.")
	to[attrBinding] = data.StringAttribute{
		Computed: true, MarkdownDescription: "Binding that the object carries: a new one with each create and adoption.",
	}
	to[attrSlot] = data.Int64Attribute{Computed: true, MarkdownDescription: "Stable number of a `count` member."}
	to[attrTags] = data.MapAttribute{
		Optional: true, Computed: true, ElementType: types.StringType,
		MarkdownDescription: "Tags of the object, without the marker and without what the provider's `ignore_tags` names. " +
			"Given, they look the object up: it has all of them.",
	}
}

// keyAttribute is a part of the key, which looks the object up.
func (k *kind) keyAttribute(p Part, shown data.Attribute) data.Attribute {
	a, ok := shown.(data.StringAttribute)
	if !ok {
		return shown // Check says so
	}
	a.Validators = []validator.String{stringvalidator.LengthAtLeast(1)}
	a.Required, a.Optional = !k.tagged() && !p.Optional, k.tagged() || p.Optional
	a.Computed = !a.Required
	if k.tagged() {
		a.MarkdownDescription += " Given, it looks the object up."
	}
	return a
}

// lookUpText is a text that may be given to look an object up, and is shown in any case.
func lookUpText(doc string) data.StringAttribute {
	return data.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: doc, Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
	}
}

// filterBlock has the form that hashicorp/aws gave it.
func filterBlock() data.Block {
	return data.SetNestedBlock{
		MarkdownDescription: "Filter of the service's own listing. Several are joined by and.",
		NestedObject: data.NestedBlockObject{Attributes: map[string]data.Attribute{
			"name": data.StringAttribute{Required: true, MarkdownDescription: "Name of the filter, as the service's API has it."},
			"values": data.SetAttribute{
				Required: true, ElementType: types.StringType, MarkdownDescription: "Values, of which one has to match.",
			},
		}},
	}
}

// dataDoc is the documentation: the first paragraph of the resource's, and how the object is found.
func (k *kind) dataDoc() string {
	what, _, _ := strings.Cut(k.doc, "\n\n")
	if !k.tagged() {
		return what + "\n\nThe object is read by its key. Nothing is written."
	}
	return fmt.Sprintf("%s\n\nThe object is found in exactly one way: by the address that its marker names (`tofu_address`), "+
		"by its key (`%s`), or by `tags`%s. That one object fits is part of it: none and several are errors. Nothing is written, and "+
		"the object may be another estate's, whose state is not needed.", what, strings.Join(k.keyNames(), "`, `"), k.orFilter())
}

// orFilter continues "by tags" where the type has filters too.
func (k *kind) orFilter() string {
	if k.search == nil {
		return ""
	}
	return " and `filter`"
}

// keyNames are the attributes that form the key.
func (k *kind) keyNames() []string {
	names := make([]string, 0, len(k.identity))
	for _, p := range k.identity {
		names = append(names, p.Attr)
	}
	return names
}

// dataAttributes are attributes and blocks of one level, computed.
func dataAttributes(attrs map[string]schema.Attribute, blocks map[string]schema.Block) map[string]data.Attribute {
	out := map[string]data.Attribute{}
	for name, a := range attrs {
		if shown := dataAttribute(a); shown != nil && !a.IsWriteOnly() {
			out[name] = shown
		}
	}
	for name, b := range blocks {
		out[name] = dataOfBlock(b)
	}
	return out
}

// dataAttribute is the computed attribute that shows what an attribute of a resource holds.
func dataAttribute(a schema.Attribute) data.Attribute {
	doc, secret := shownDoc(a), a.IsSensitive()
	switch a := a.(type) {
	case schema.BoolAttribute:
		return data.BoolAttribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.Float32Attribute:
		return data.Float32Attribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.Float64Attribute:
		return data.Float64Attribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.Int32Attribute:
		return data.Int32Attribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.Int64Attribute:
		return data.Int64Attribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.NumberAttribute:
		return data.NumberAttribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.StringAttribute:
		return data.StringAttribute{Computed: true, CustomType: a.CustomType, MarkdownDescription: doc, Sensitive: secret}
	case schema.ListAttribute:
		return data.ListAttribute{
			Computed: true, CustomType: a.CustomType, ElementType: a.ElementType, MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.MapAttribute:
		return data.MapAttribute{
			Computed: true, CustomType: a.CustomType, ElementType: a.ElementType, MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.SetAttribute:
		return data.SetAttribute{
			Computed: true, CustomType: a.CustomType, ElementType: a.ElementType, MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.ObjectAttribute:
		return data.ObjectAttribute{
			Computed: true, CustomType: a.CustomType, AttributeTypes: a.AttributeTypes, MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.ListNestedAttribute:
		return data.ListNestedAttribute{
			Computed: true, NestedObject: dataObject(a.NestedObject.Attributes, nil), MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.MapNestedAttribute:
		return data.MapNestedAttribute{
			Computed: true, NestedObject: dataObject(a.NestedObject.Attributes, nil), MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.SetNestedAttribute:
		return data.SetNestedAttribute{
			Computed: true, NestedObject: dataObject(a.NestedObject.Attributes, nil), MarkdownDescription: doc, Sensitive: secret,
		}
	case schema.SingleNestedAttribute:
		return data.SingleNestedAttribute{
			Computed: true, Attributes: dataAttributes(a.Attributes, nil), MarkdownDescription: doc, Sensitive: secret,
		}
	}
	return nil // Check says so
}

// dataOfBlock is the computed attribute that shows what a block holds: nobody writes one into a data source.
func dataOfBlock(b schema.Block) data.Attribute {
	switch b := b.(type) {
	case schema.ListNestedBlock:
		return data.ListNestedAttribute{
			Computed: true, MarkdownDescription: b.MarkdownDescription,
			NestedObject: dataObject(b.NestedObject.Attributes, b.NestedObject.Blocks),
		}
	case schema.SetNestedBlock:
		return data.SetNestedAttribute{
			Computed: true, MarkdownDescription: b.MarkdownDescription,
			NestedObject: dataObject(b.NestedObject.Attributes, b.NestedObject.Blocks),
		}
	case schema.SingleNestedBlock:
		return data.SingleNestedAttribute{
			Computed: true, Attributes: dataAttributes(b.Attributes, b.Blocks), MarkdownDescription: b.MarkdownDescription,
		}
	}
	return nil // Check says so
}

func dataObject(attrs map[string]schema.Attribute, blocks map[string]schema.Block) data.NestedAttributeObject {
	return data.NestedAttributeObject{Attributes: dataAttributes(attrs, blocks)}
}

// shownDoc is what a description says of the value. The first sentence says what an attribute is; limits and defaults,
// which are for who writes one, follow.
func shownDoc(a schema.Attribute) string {
	doc := a.GetMarkdownDescription()
	if !a.IsRequired() && !a.IsOptional() {
		return doc
	}
	for at := 0; ; {
		i := strings.Index(doc[at:], ". ")
		if i < 0 {
			return doc
		}
		at += i + 2
		if next, _ := utf8.DecodeRuneInString(doc[at:]); !unicode.IsLower(next) { // else an abbreviation, such as e.g.
			return doc[:at-1]
		}
	}
}

// project returns a resource's value as the data source's type has it: objects without the attributes that only a
// resource has.
func project(v tftypes.Value, t tftypes.Type) tftypes.Value {
	if v.Type() == nil || v.IsNull() || !v.IsKnown() {
		return tftypes.NewValue(t, nil)
	}
	switch t := t.(type) {
	case tftypes.Object:
		is, out := objectOf(v), object{}
		for name, inner := range t.AttributeTypes {
			out[name] = project(is[name], inner)
		}
		return out.value(t)
	case tftypes.Map:
		out := object{}
		for key, e := range objectOf(v) {
			out[key] = project(e, t.ElementType)
		}
		return out.value(t)
	case tftypes.List:
		return tftypes.NewValue(t, projectAll(v, t.ElementType))
	case tftypes.Set:
		return tftypes.NewValue(t, projectAll(v, t.ElementType))
	}
	return v
}

func projectAll(v tftypes.Value, t tftypes.Type) []tftypes.Value {
	out := elements(v)
	for i, e := range out {
		out[i] = project(e, t)
	}
	if out == nil {
		out = []tftypes.Value{}
	}
	return out
}

// checkData verifies that the data source can show what the resource holds.
func (k *kind) checkData() (problems []string) {
	for name, a := range k.data.Attributes {
		if a == nil {
			problems = append(problems, "the attribute or block "+name+" is of a kind that a data source cannot show")
		}
	}
	for name, a := range k.attrs {
		if _, ok := k.data.Attributes[name]; !ok && !k.isSetting(name) && !a.IsWriteOnly() {
			problems = append(problems, "the attribute "+name+" is of a kind that a data source cannot show")
		}
	}
	for _, p := range k.identity {
		if _, ok := k.data.Attributes[p.Attr].(data.StringAttribute); !ok {
			problems = append(problems, "the key part "+p.Attr+" is no text, so that a data source cannot look it up")
		}
	}
	if _, taken := k.data.Attributes[attrFilter]; taken && k.search != nil {
		problems = append(problems, "Search needs the name filter for its own block")
	}
	if k.search != nil && !k.tagged() {
		problems = append(problems, "Search is for types with tags")
	}
	return problems
}
