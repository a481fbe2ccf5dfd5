package engine

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// Type is a resource type as the provider serves it; Of makes one from a descriptor.
type Type interface {
	// Name is the type's name without the provider's prefix.
	Name() string
	// Service is the group of the type in the documentation, such as "VPC".
	Service() string
	// Tagged tells whether objects of the type carry tags, and so markers.
	Tagged() bool
	// Under is the name, without prefix, of the type that objects of a type without tags belong to; "" where no listing asks for it.
	Under() string
	// Resource returns a fresh framework resource.
	Resource() resource.Resource
	// DataSource returns a fresh framework data source.
	DataSource() datasource.DataSource
	// Check returns what is wrong with the descriptor, nil when nothing is.
	Check() error
}

// Of makes a Type of a descriptor. It does not check it: Check does, for all types in one test.
func Of[M any](d ResourceType[M]) Type {
	k := &kind{
		name: d.Name, service: d.Service, doc: d.Doc, tier: d.Tier, identity: d.Identity,
		separator: d.Separator, attrs: d.Attrs, blocks: d.Blocks, settings: d.Settings, tags: d.Tags, global: d.Global,
		listsAll: d.ListsAll, derives: d.Generates, overwrites: d.Overwrites, keeps: d.Keeps, tagsAfterCreate: d.TagsAfterCreate,
		takesToken: d.TakesToken, clearsFailed: d.ClearsFailed, timeouts: d.Timeouts, parents: d.Parents,
		restore: d.Restore, exists: d.Exists, busy: d.Busy, tooFresh: d.TooFresh, delete: nil, canonical: d.Canonical, under: d.Under, alike: d.Alike, movesFrom: d.MovesFrom, upgrades: d.Upgrades,
	}
	if k.separator == "" {
		k.separator = ":"
	}
	if len(k.identity) == 0 {
		k.identity = []Part{{Attr: "id"}}
	}
	k.own = schema.Schema{Attributes: d.Attrs, Blocks: d.Blocks}
	k.schema = k.wholeSchema()
	k.modelCheck = func() error { return checkModel[M](k) }
	adaptReads(k, d)
	adaptWrites(k, d)
	k.data = k.dataSchema()
	for _, u := range d.Updates {
		k.updates = append(k.updates, adaptUpdate(k, u))
	}
	return k
}

// kind is a ResourceType with its model erased: everything below works on raw values of the type's own attributes.
type kind struct {
	name, service, doc, separator string
	under                         string
	tier                          Tier
	identity                      []Part
	attrs                         map[string]schema.Attribute
	blocks                        map[string]schema.Block
	settings, alike               []string
	movesFrom                     []string
	upgrades                      []Upgrade
	tags                          Tagger
	global, listsAll              bool
	clearsFailed, takesToken      bool
	tagsAfterCreate               bool
	derives                       *Part
	overwrites, keeps             string
	timeouts                      Timeouts
	updates                       []update

	// own is the schema of the type's own attributes, schema the whole one with the engine's, data the data source's.
	own, schema schema.Schema
	data        data.Schema

	get        func(ctx context.Context, s *cloud.Session, k Key) (*live, error)
	list       func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[*live, error]
	search     func(ctx context.Context, s *cloud.Session, filters []Filter) iter.Seq2[*live, error]
	fill       func(ctx context.Context, s *cloud.Session, lives []*live) error
	fillOne    func(ctx context.Context, s *cloud.Session, l *live) error
	listUnder  func(ctx context.Context, s *cloud.Session, key Key) iter.Seq2[*live, error]
	canonical  func(s *cloud.Session, key Key) Key
	create     func(ctx context.Context, s *cloud.Session, plan tftypes.Value, t markers.Tags, token Token) (Key, error)
	replaces   func(prior, plan tftypes.Value) ([]string, error)
	delete     func(ctx context.Context, s *cloud.Session, k Key, prior tftypes.Value) error
	natural    func(ctx context.Context, s *cloud.Session, plan tftypes.Value) (Key, error)
	finish     func(ctx context.Context, s *cloud.Session, k Key, plan tftypes.Value) error
	parents    func(ctx context.Context, s *cloud.Session, k Key) ([]Parent, error)
	restore    func(ctx context.Context, s *cloud.Session, k Key) error
	dependants func(l *live) []string
	exists     func(error) bool
	busy       func(error) bool
	tooFresh   func(error) bool
	modelCheck func() error
}

// update is an Update with its model erased.
type update struct {
	attrs, recomputes []string
	settle            bool
	apply             func(ctx context.Context, s *cloud.Session, k Key, prior, plan tftypes.Value) error
}

// live is a Live with its model as a raw value of the type's own attributes.
type live struct {
	key       Key
	owner     string
	tags      map[string]string
	state     State
	reason    string
	token     Token
	created   time.Time
	partial   bool
	madeByAWS bool
	own       tftypes.Value
	// typed is the *Live[M], which fill completes; again makes a new live of it. A live itself never changes, so
	// that it can be read without a lock.
	typed any
	again func() (*live, error)
}

// Name implements Type.
func (k *kind) Name() string { return k.name }

// Service implements Type.
func (k *kind) Service() string { return k.service }

// Tagged implements Type.
func (k *kind) Tagged() bool { return k.tagged() }

// Under implements Type.
func (k *kind) Under() string { return k.under }

// fullName is the type's name as configurations write it.
func (k *kind) fullName() string { return "estate_" + k.name }

// tagged tells whether objects of the type carry markers.
func (k *kind) tagged() bool { return k.tags != nil }

// foldsCase tells whether the service compares tag keys without case.
func (k *kind) foldsCase() bool { return k.tags != nil && k.tags.FoldsCase() }

// ownType is the attr.Type of the own attributes.
func (k *kind) ownType() attr.Type { return k.own.Type() }

// ownPart projects the own attributes out of a whole raw value.
func (k *kind) ownPart(whole object) tftypes.Value {
	out := object{}
	for name := range k.own.GetAttributes() {
		out[name] = whole[name]
	}
	for name := range k.own.GetBlocks() {
		out[name] = whole[name]
	}
	return out.value(k.ownType().TerraformType(context.Background()))
}

// put writes own attributes back into a whole raw value.
func (o object) put(own tftypes.Value) {
	for name, v := range objectOf(own) {
		o[name] = v
	}
}

// isSetting tells whether the attribute at path is never read from AWS.
func (k *kind) isSetting(path string) bool {
	return slices.Contains(k.settings, path) || k.isWriteOnly(path)
}

// isWriteOnly tells whether the attribute is write-only: never in state, never compared.
func (k *kind) isWriteOnly(path string) bool {
	a, ok := k.attrs[path]
	return ok && a.IsWriteOnly()
}

// updateOf returns the Update that changes the attribute at path.
func (k *kind) updateOf(path string) (update, bool) {
	for _, u := range k.updates {
		for _, a := range u.attrs {
			if a == path || isBelow(path, a) || isBelow(a, path) && k.blockUpdatable(path) {
				return u, true
			}
		}
	}
	return update{}, false
}

// blockUpdatable tells whether every configurable attribute below path can be updated in place: then a block can
// come and go in place too.
func (k *kind) blockUpdatable(path string) bool {
	for _, leaf := range k.leavesBelow(path) {
		if _, ok := k.exactUpdate(leaf); !ok {
			return false
		}
	}
	return true
}

func (k *kind) exactUpdate(path string) (update, bool) {
	for _, u := range k.updates {
		for _, a := range u.attrs {
			if a == path || isBelow(path, a) {
				return u, true
			}
		}
	}
	return update{}, false
}

// leavesBelow lists the configurable attribute paths below a nested attribute or block.
func (k *kind) leavesBelow(path string) []string {
	var out []string
	for _, p := range k.paths() {
		if isBelow(p.path, path) && p.configurable && p.leaf {
			out = append(out, p.path)
		}
	}
	return out
}

func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && path[len(above)] == '.'
}

// decode converts raw own attributes into the model; unknown values become null first.
func decode[M any](k *kind, own tftypes.Value) (*M, error) {
	var m M
	p := tfsdk.Plan{Schema: k.own, Raw: withoutUnknown(own)}
	if err := problems(p.Get(context.Background(), &m)); err != nil {
		return nil, fmt.Errorf("reading the model of %s: %w", k.fullName(), err)
	}
	return &m, nil
}

// encode converts the model into raw own attributes.
func encode[M any](k *kind, m *M) (tftypes.Value, error) {
	s := tfsdk.State{Schema: k.own, Raw: tftypes.NewValue(k.ownType().TerraformType(context.Background()), nil)}
	if err := problems(s.Set(context.Background(), m)); err != nil {
		return tftypes.Value{}, fmt.Errorf("writing the model of %s: %w", k.fullName(), err)
	}
	return s.Raw, nil
}

// problems makes one error of the framework's.
func problems(diags diag.Diagnostics) error {
	if !diags.HasError() {
		return nil
	}
	d := diags.Errors()[0]
	return fmt.Errorf("%s: %s", d.Summary(), d.Detail())
}

// erase wraps a Live.
func erase[M any](k *kind, l *Live[M]) (*live, error) {
	own, err := encode(k, &l.Model)
	if err != nil {
		return nil, err
	}
	return &live{
		key: l.Key, owner: l.Owner, tags: l.Tags, state: l.State, reason: l.Reason, token: l.Token, created: l.Created, partial: l.Partial, madeByAWS: l.MadeByAWS,
		own: own, typed: l, again: func() (*live, error) { return erase(k, l) },
	}, nil
}

// eraseAll wraps what a listing yields; it ends with the first error.
func eraseAll[M any](k *kind, lives iter.Seq2[Live[M], error]) iter.Seq2[*live, error] {
	return func(yield func(*live, error) bool) {
		for l, err := range lives {
			if err != nil {
				yield(nil, err)
				return
			}
			if e, err := erase(k, &l); !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// adaptReads erases the functions that read.
func adaptReads[M any](k *kind, d ResourceType[M]) {
	typed := func(l *live) *Live[M] {
		t, _ := l.typed.(*Live[M])
		return t
	}
	if d.Get != nil {
		k.get = func(ctx context.Context, s *cloud.Session, key Key) (*live, error) {
			l, err := d.Get(ctx, s, key)
			if err != nil {
				return nil, err
			}
			return erase(k, &l)
		}
	}
	if d.List != nil {
		k.list = func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[*live, error] {
			return eraseAll(k, d.List(ctx, s, f))
		}
	}
	if d.ListUnder != nil {
		k.listUnder = func(ctx context.Context, s *cloud.Session, key Key) iter.Seq2[*live, error] {
			return eraseAll(k, d.ListUnder(ctx, s, key))
		}
	}
	if d.Search != nil {
		k.search = func(ctx context.Context, s *cloud.Session, filters []Filter) iter.Seq2[*live, error] {
			return eraseAll(k, d.Search(ctx, s, filters))
		}
	}
	if d.Fill != nil {
		k.fill = func(ctx context.Context, s *cloud.Session, lives []*live) error {
			all := make([]*Live[M], len(lives))
			for i, l := range lives {
				all[i] = typed(l)
			}
			return d.Fill(ctx, s, all)
		}
	}
	if d.FillOne != nil {
		k.fillOne = func(ctx context.Context, s *cloud.Session, l *live) error { return d.FillOne(ctx, s, typed(l)) }
	}
	if d.Dependants != nil {
		k.dependants = func(l *live) []string { return d.Dependants(typed(l)) }
	}
}

// adaptWrites erases the functions that change AWS.
func adaptWrites[M any](k *kind, d ResourceType[M]) {
	if d.Create != nil {
		k.create = func(ctx context.Context, s *cloud.Session, plan tftypes.Value, t markers.Tags, token Token) (Key, error) {
			m, err := decode[M](k, plan)
			if err != nil {
				return nil, err
			}
			return d.Create(ctx, s, m, t, token)
		}
	}
	if d.Delete != nil {
		k.delete = func(ctx context.Context, s *cloud.Session, key Key, prior tftypes.Value) error {
			m, err := decode[M](k, prior)
			if err != nil {
				return err
			}
			return d.Delete(ctx, s, key, m)
		}
	}
	if d.Natural != nil {
		k.natural = func(ctx context.Context, s *cloud.Session, plan tftypes.Value) (Key, error) {
			m, err := decode[M](k, plan)
			if err != nil {
				return nil, err
			}
			return d.Natural(ctx, s, m)
		}
	}
	if d.Finish != nil {
		k.finish = func(ctx context.Context, s *cloud.Session, key Key, plan tftypes.Value) error {
			m, err := decode[M](k, plan)
			if err != nil {
				return err
			}
			return d.Finish(ctx, s, key, m)
		}
	}
	if d.Replaces != nil {
		k.replaces = func(prior, plan tftypes.Value) ([]string, error) {
			was, err := decode[M](k, prior)
			if err != nil {
				return nil, err
			}
			is, err := decode[M](k, plan)
			if err != nil {
				return nil, err
			}
			return d.Replaces(was, is), nil
		}
	}
}

func adaptUpdate[M any](k *kind, u Update[M]) update {
	if u.Apply == nil {
		return update{attrs: u.Attrs, recomputes: u.Recomputes}
	}
	return update{
		attrs: u.Attrs, recomputes: u.Recomputes, settle: u.Settle,
		apply: func(ctx context.Context, s *cloud.Session, key Key, prior, plan tftypes.Value) error {
			was, err := decode[M](k, prior)
			if err != nil {
				return err
			}
			is, err := decode[M](k, plan)
			if err != nil {
				return err
			}
			return u.Apply(ctx, s, key, was, is)
		},
	}
}

// schemaPath is one attribute or block of the own schema.
type schemaPath struct {
	path, description                                 string
	attribute, configurable, computed, required, leaf bool
	// sensitive says that the value must not be shown; write-only values never may.
	sensitive bool
}

// paths lists the own schema's attributes and blocks, nested ones with dots.
func (k *kind) paths() []schemaPath {
	var out []schemaPath
	var walkAttrs func(prefix string, attrs map[string]schema.Attribute)
	walkAttrs = func(prefix string, attrs map[string]schema.Attribute) {
		for _, name := range sortedKeys(attrs) {
			a := attrs[name]
			nested := nestedAttributes(a)
			out = append(out, schemaPath{
				path: prefix + name, description: a.GetMarkdownDescription(), attribute: true, sensitive: a.IsSensitive() || a.IsWriteOnly(), configurable: a.IsRequired() || a.IsOptional(), computed: a.IsComputed(),
				required: a.IsRequired(), leaf: nested == nil,
			})
			walkAttrs(prefix+name+".", nested)
		}
	}
	var walkBlocks func(prefix string, blocks map[string]schema.Block)
	walkBlocks = func(prefix string, blocks map[string]schema.Block) {
		for _, name := range sortedKeys(blocks) {
			attrs, nested := blockContent(blocks[name])
			out = append(out, schemaPath{path: prefix + name, configurable: true})
			walkAttrs(prefix+name+".", attrs)
			walkBlocks(prefix+name+".", nested)
		}
	}
	walkAttrs("", k.attrs)
	walkBlocks("", k.blocks)
	return out
}

// nestedAttributes returns what a nested attribute holds, nil for a plain one.
func nestedAttributes(a schema.Attribute) map[string]schema.Attribute {
	switch a := a.(type) {
	case schema.SingleNestedAttribute:
		return a.Attributes
	case schema.ListNestedAttribute:
		return a.NestedObject.Attributes
	case schema.SetNestedAttribute:
		return a.NestedObject.Attributes
	case schema.MapNestedAttribute:
		return a.NestedObject.Attributes
	}
	return nil
}

// blockContent returns what a block holds.
func blockContent(b schema.Block) (map[string]schema.Attribute, map[string]schema.Block) {
	switch b := b.(type) {
	case schema.SingleNestedBlock:
		return b.Attributes, b.Blocks
	case schema.ListNestedBlock:
		return b.NestedObject.Attributes, b.NestedObject.Blocks
	case schema.SetNestedBlock:
		return b.NestedObject.Attributes, b.NestedObject.Blocks
	}
	return nil, nil
}

// text reads a string attribute; "" for null and unknown.
func text(v tftypes.Value) string {
	var s string
	if v.Type() != nil && v.IsKnown() && !v.IsNull() {
		_ = v.As(&s) // a value of another type reads as ""
	}
	return s
}

// str makes a raw string; "" becomes null.
func str(s string) tftypes.Value {
	if s == "" {
		return tftypes.NewValue(tftypes.String, nil)
	}
	return tftypes.NewValue(tftypes.String, s)
}
