package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// core is a miniature of OpenTofu's and Terraform's: it holds a configuration and a state, plans and applies through
// the protocol server, and checks what a core checks. A fault that core itself would report fails the test; a
// provider's errors are in the plan and run values, for the test to ask.
//
//	w := newWorld(t)
//	c := newCore(t, w)
//	c.set("estate_widget.a", conf{"size": 1})
//	c.mustApply()                       // plan and apply
//	c.plan().want("estate_widget.a", noop)
//
// tofu_address and tofu_key follow the address unless the configuration says them.
type core struct {
	t     testing.TB
	world *world
	types []Type
	// provider is the configuration of every walk from now on.
	provider Configuration
	// config holds the instances by address, entries the state.
	config  map[string]conf
	entries map[string]*entry
	// cbd are the instances with create_before_destroy, force those that -replace names, imports ids by address.
	cbd, force map[string]bool
	imports    map[string]string

	// order is the order of instances in every walk, those that it leaves out after it by address; backwards turns
	// the order around. readsFirst makes all reads of a plan walk before its plans.
	order                 []string
	backwards, readsFirst bool
	// refresh is false for -refresh=false.
	refresh bool
	// parallel walks the instances of plans and applies at once.
	parallel bool
	// noIdentity is a core that knows no resource identity.
	noIdentity bool
	// killed are instances whose answer of Apply never comes back: the provider was killed.
	killed map[string]bool
	// pace scales the pauses of waiting; 0 waits hardly at all, so that no limit leaves room for a second try.
	pace float64
	// last is the newest walk, session the newest session.
	last    *Walk
	session *session

	mu sync.Mutex
	// What every provider server says alike is asked once.
	levels     map[string]coreLevel
	valueTypes map[string]tftypes.Type
	versions   map[string]int64
	identities map[string]tftypes.Type
	dataLevels map[string]coreLevel
	dataTypes  map[string]tftypes.Type
}

// entry is the state of one instance.
type entry struct {
	current *stored
	deposed []*stored
}

// stored is one object in a state.
type stored struct {
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool
	// older is the entry as an older version of the type wrote it, nil once it was upgraded.
	older *olderState
}

// olderState is the JSON of a state, and the type's version that wrote it.
type olderState struct {
	version int64
	json    string
}

func newCore(t testing.TB, w *world, kinds ...Type) *core {
	if len(kinds) == 0 {
		kinds = []Type{
			Of(widgetType(w)), Of(gadgetType(w)), Of(jointType(w)), Of(knobType(w)), Of(finisherType(w)), Of(nestType(w)),
		}
	}
	return &core{
		t: t, world: w, types: kinds, refresh: true,
		provider: Configuration{
			Session: cloud.New(aws.Config{}, testAccount, testRegion), Estate: types.StringValue(testEstate),
			DefaultTags: types.MapNull(types.StringType),
		},
		config: map[string]conf{}, entries: map[string]*entry{}, cbd: map[string]bool{}, force: map[string]bool{},
		imports: map[string]string{}, killed: map[string]bool{},
	}
}

// set declares an instance, or changes what its block says.
func (c *core) set(address string, says conf) { c.config[address] = says }

// remove takes an instance out of the configuration.
func (c *core) remove(address string) { delete(c.config, address) }

// region makes the provider work in another region.
func (c *core) region(name string) { c.provider.Session = cloud.New(aws.Config{}, testAccount, name) }

// account makes the provider work in another account.
func (c *core) account(id string) {
	c.provider.Session = cloud.New(aws.Config{}, id, c.provider.Session.Region)
}

// fakeProvider serves the types; each Configure makes a walk.
type fakeProvider struct {
	c    *core
	walk *Walk
}

func (*fakeProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "estate"
}

func (*fakeProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{}
}

func (p *fakeProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	p.walk = NewWalk(p.c.provider)
	p.walk.pace = cmp.Or(p.c.pace, 1e-6)
	resp.ResourceData, resp.DataSourceData = p.walk, p.walk
}

func (p *fakeProvider) Resources(context.Context) []func() resource.Resource {
	var out []func() resource.Resource
	for _, t := range p.c.types {
		out = append(out, t.Resource)
	}
	return out
}

func (p *fakeProvider) DataSources(context.Context) []func() datasource.DataSource {
	var out []func() datasource.DataSource
	for _, t := range p.c.types {
		out = append(out, t.DataSource)
	}
	return out
}

// session is one walk of core: a provider process of its own.
type session struct {
	c      *core
	server tfprotov6.ProviderServer
	walk   *Walk // nil in an unconfigured walk
	levels map[string]coreLevel
}

// start makes a provider server, configured unless this is a validate walk.
func (c *core) start(configure bool) *session {
	c.t.Helper()
	ctx := c.t.Context()
	p := &fakeProvider{c: c}
	s := &session{c: c, server: providerserver.NewProtocol6(p)()}
	c.session = s
	if c.levels == nil {
		c.learn(s.server)
	}
	s.levels = c.levels
	if configure {
		empty := tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{})
		resp, err := s.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: c.dynamic(empty)})
		c.must("ConfigureProvider", err, resp.Diagnostics)
		s.walk, c.last = p.walk, p.walk
	}
	return s
}

// learn asks for the schemas.
func (c *core) learn(server tfprotov6.ProviderServer) {
	c.t.Helper()
	schemas, err := server.GetProviderSchema(c.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	c.must("GetProviderSchema", err, schemas.Diagnostics)
	ids, err := server.GetResourceIdentitySchemas(c.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	c.must("GetResourceIdentitySchemas", err, ids.Diagnostics)
	c.levels, c.valueTypes, c.identities = map[string]coreLevel{}, map[string]tftypes.Type{}, map[string]tftypes.Type{}
	c.versions = map[string]int64{}
	for name, sc := range schemas.ResourceSchemas {
		c.levels[name], c.valueTypes[name] = levelOfBlock(sc.Block), sc.ValueType()
		c.identities[name] = ids.IdentitySchemas[name].ValueType()
		c.versions[name] = sc.Version
	}
	c.dataLevels, c.dataTypes = map[string]coreLevel{}, map[string]tftypes.Type{}
	for name, sc := range schemas.DataSourceSchemas {
		c.dataLevels[name], c.dataTypes[name] = levelOfBlock(sc.Block), sc.ValueType()
	}
}

func (c *core) must(what string, err error, diags []*tfprotov6.Diagnostic) {
	c.t.Helper()
	if err != nil {
		c.t.Fatalf("%s: %v", what, err)
	}
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			c.t.Fatalf("%s: %s: %s", what, d.Summary, d.Detail)
		}
	}
}

func (c *core) dynamic(v tftypes.Value) *tfprotov6.DynamicValue {
	c.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		c.t.Fatal(err)
	}
	return &d
}

// typeOf is the type of the instance at an address.
func (c *core) typeOf(address string) string {
	c.t.Helper()
	a, err := markers.Parse(address)
	if err != nil {
		c.t.Fatalf("%s: %v", address, err)
	}
	return a.Type
}

// valueType is the type of a resource's values.
func (s *session) valueType(kind string) tftypes.Type {
	s.c.t.Helper()
	typ, ok := s.c.valueTypes[kind]
	if !ok {
		s.c.t.Fatalf("there is no type %s", kind)
	}
	return typ
}

func (s *session) decode(kind string, d *tfprotov6.DynamicValue) tftypes.Value {
	s.c.t.Helper()
	if d == nil {
		return tftypes.NewValue(s.valueType(kind), nil)
	}
	v, err := d.Unmarshal(s.valueType(kind))
	if err != nil {
		s.c.t.Fatal(err)
	}
	return v
}

func (s *session) null(kind string) tftypes.Value { return tftypes.NewValue(s.valueType(kind), nil) }

// configOf is the configuration of an instance as the protocol carries it; null where there is none.
func (s *session) configOf(address string) tftypes.Value {
	kind := s.c.typeOf(address)
	says, ok := s.c.config[address]
	if !ok {
		return s.null(kind)
	}
	says = cloneConf(says)
	if _, tagged := s.levels[kind][attrAddress]; tagged {
		a, err := markers.Parse(address)
		if err != nil {
			s.c.t.Fatal(err)
		}
		if _, said := says[attrAddress]; !said {
			says[attrAddress] = a.Block().String()
			if _, said := says[attrKey]; !said && a.Index.Kind != markers.NoIndex {
				says[attrKey] = indexText(a.Index)
			}
		}
	}
	return configured(s.c.t, s.levels[kind], s.valueType(kind), says)
}

func cloneConf(in conf) conf {
	out := conf{}
	for k, v := range in {
		out[k] = v
	}
	return out
}

// addresses are all instances of configuration and state, in the order of walks.
func (c *core) addresses() []string {
	all := map[string]bool{}
	for a := range c.config {
		all[a] = true
	}
	for a := range c.entries {
		all[a] = true
	}
	var out []string
	for _, a := range c.order {
		if all[a] {
			out = append(out, a)
			delete(all, a)
		}
	}
	out = append(out, sortedKeys(all)...)
	if c.backwards {
		slices.Reverse(out)
	}
	return out
}

// each runs do for every address, at once where the core is parallel.
func (c *core) each(addresses []string, do func(address string)) {
	if !c.parallel {
		for _, a := range addresses {
			do(a)
		}
		return
	}
	var wg sync.WaitGroup
	for _, a := range addresses {
		wg.Go(func() { do(a) })
	}
	wg.Wait()
}

// messages collects diagnostics.
type messages struct {
	mu   sync.Mutex
	list []message
}

type message struct {
	address         string
	err             bool
	summary, detail string
}

func (m message) String() string {
	return fmt.Sprintf("%s: error=%t: %s\n%s", m.address, m.err, m.summary, m.detail)
}

// take keeps diagnostics and tells whether one is an error.
func (m *messages) take(address string, diags []*tfprotov6.Diagnostic) (failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range diags {
		isErr := d.Severity == tfprotov6.DiagnosticSeverityError
		failed = failed || isErr
		m.list = append(m.list, message{address, isErr, d.Summary, d.Detail})
	}
	return failed
}

func (m *messages) errors() []message   { return m.of(true) }
func (m *messages) warnings() []message { return m.of(false) }

func (m *messages) of(isErr bool) []message {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []message
	for _, one := range m.list {
		if one.err == isErr {
			out = append(out, one)
		}
	}
	return out
}

// has tells whether some message holds all words, in summary, detail or address.
func has(list []message, words ...string) bool {
	return slices.ContainsFunc(list, func(m message) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(m.String(), w) })
	})
}

// wantError fails the test unless there is an error that holds the words.
func (m *messages) wantError(t testing.TB, words ...string) {
	t.Helper()
	if !has(m.errors(), words...) {
		t.Fatalf("no error with %q in %v", words, m.list)
	}
}

// wantWarning fails the test unless there is a warning that holds the words.
func (m *messages) wantWarning(t testing.TB, words ...string) {
	t.Helper()
	if !has(m.warnings(), words...) {
		t.Fatalf("no warning with %q in %v", words, m.list)
	}
}

// wantNone fails the test if there is an error.
func (m *messages) wantNone(t testing.TB) {
	t.Helper()
	if errs := m.errors(); len(errs) > 0 {
		t.Fatalf("errors: %v", errs)
	}
}

// upgrade sends a state entry through UpgradeResourceState as every walk does, and tells the walk like the real server.
func (s *session) upgrade(kind string, st *stored) tftypes.Value {
	s.c.t.Helper()
	version := s.c.versions[kind]
	raw, err := json.Marshal(jsonOf(s.c.t, st.value))
	if err != nil {
		s.c.t.Fatal(err)
	}
	if st.older != nil {
		version, raw = st.older.version, []byte(st.older.json)
	}
	var seen struct{ ID, Region string }
	if json.Unmarshal(raw, &seen) == nil && seen.ID != "" && s.walk != nil {
		s.walk.SeenInState(kind, seen.ID, seen.Region)
	}
	resp, err := s.server.UpgradeResourceState(s.c.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: kind, Version: version, RawState: &tfprotov6.RawState{JSON: raw},
	})
	s.c.must("UpgradeResourceState", err, resp.Diagnostics)
	return s.decode(kind, resp.UpgradedState)
}

// fault reports what core itself would call a bug of the provider.
func (c *core) fault(address, what string, faults []string) {
	c.t.Helper()
	if len(faults) > 0 {
		c.t.Errorf("%s: %s:\n  %s", address, what, strings.Join(faults, "\n  "))
	}
}

// wantIdentity fails the test where an operation returns no identity, or one without the key.
func (s *session) wantIdentity(address string, id *tfprotov6.ResourceIdentityData) {
	s.c.t.Helper()
	if id == nil || id.IdentityData == nil {
		s.c.t.Errorf("%s: no identity was returned", address)
		return
	}
	if parts := s.identityParts(address, id); !slices.ContainsFunc(sortedKeys(parts), func(name string) bool {
		return name != attrAccountID && name != attrRegion && text(parts[name]) != ""
	}) {
		s.c.t.Errorf("%s: the identity %v holds no key", address, parts)
	}
}

func (s *session) identityParts(address string, id *tfprotov6.ResourceIdentityData) object {
	s.c.t.Helper()
	typ := s.identityType(s.c.typeOf(address))
	v, err := id.IdentityData.Unmarshal(typ)
	if err != nil {
		s.c.t.Fatal(err)
	}
	return objectOf(v)
}

func (s *session) identityType(kind string) tftypes.Type { return s.c.identities[kind] }

// known is the identity as this core sends it.
func (c *core) known(id *tfprotov6.ResourceIdentityData) *tfprotov6.ResourceIdentityData {
	if c.noIdentity {
		return nil
	}
	return id
}
