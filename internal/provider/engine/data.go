package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// reader is the framework data source of a kind: the engine looking at one object. It writes nothing, neither in AWS nor
// in the registers of the walk: what a data source shows is held by nobody for it.
type reader struct {
	*kind
	walk *Walk
}

var (
	_ datasource.DataSourceWithConfigure      = (*reader)(nil)
	_ datasource.DataSourceWithValidateConfig = (*reader)(nil)
)

// DataSource implements Type.
func (k *kind) DataSource() datasource.DataSource { return &reader{kind: k} }

// Metadata implements datasource.DataSource.
func (r *reader) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

// Schema implements datasource.DataSource.
func (r *reader) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = r.data
}

// Configure implements datasource.DataSourceWithConfigure.
func (r *reader) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	if req.ProviderData == nil {
		return // the validate walk
	}
	walk, ok := req.ProviderData.(*Walk)
	if !ok {
		err := fmt.Errorf("unexpected provider data %T", req.ProviderData)
		resp.Diagnostics.Append(internalError("configuring data."+r.fullName(), err))
		return
	}
	r.walk = walk
}

// ValidateConfig implements datasource.DataSourceWithValidateConfig.
func (r *reader) ValidateConfig(
	_ context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse,
) {
	if _, d := r.ask(objectOf(req.Config.Raw)); d != nil {
		resp.Diagnostics.Append(d)
	}
}

// Read implements datasource.DataSource. Core calls it once every argument is known; the provider's own may not be.
func (r *reader) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := objectOf(req.Config.Raw)
	about := r.about()
	q, d := r.ask(config)
	switch {
	case d != nil:
	case r.walk == nil:
		d = internalError("using the provider", fmt.Errorf("it is not configured"))
	case r.walk.Session == nil || q.needsEstate && r.walk.Estate.IsUnknown():
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &datasource.Deferred{Reason: datasource.DeferredReasonProviderConfigUnknown}
			resp.State.Raw = r.untold(config, resp.State.Raw.Type())
			return
		}
		d = configurationUnknown(about, r.walk.Unknown)
	}
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	s := r.walk.Session.In(r.regionIn(config))
	l, d := r.find(logContext(ctx, about), s, q)
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	resp.State.Raw = r.shown(config, s, l).value(resp.State.Raw.Type())
}

// about is how messages call the data source; core adds where the block stands.
func (r *reader) about() subject { return subject{kind: "data." + r.fullName()} }

// managed lends the reader what a resource of the type knows of markers.
func (r *reader) managed() *managed { return &managed{kind: r.kind, walk: r.walk} }

// untold is the answer of a read that waits: everything that the configuration leaves out is unknown.
func (r *reader) untold(config object, t tftypes.Type) tftypes.Value {
	for name, v := range config {
		if _, isBlock := r.data.Blocks[name]; v.IsNull() && !isBlock {
			config[name] = unknown(v)
		}
	}
	return config.value(t)
}

// shown is the object as the data source shows it.
func (r *reader) shown(config object, s *cloud.Session, l *live) object {
	next, own := object{}, objectOf(l.own)
	for name, v := range config {
		next[name] = v
		if is, ok := own[name]; ok {
			next[name] = project(is, v.Type())
		}
	}
	next[attrID] = str(r.idOf(l.key))
	if !r.global {
		next[attrRegion] = str(s.Region)
	}
	if r.tagged() {
		r.managed().showMarker(config, next, l)
		next[attrBinding] = str(markers.Observe(l.tags, r.foldsCase()).Binding)
		next[attrTags] = rawTags(r.userTags(r.walk, l.tags))
	}
	return next
}

// inquiry is which object a data source asks for, in one way.
type inquiry struct {
	// key is its key, address its address, tags and filters what it must match; exactly one of the three is given.
	key     Key
	address markers.Address
	tags    map[string]string
	filters []Filter
	// estate is whose object it is, "" for the provider's estate with an address, and for anybody's else.
	estate string
	// needsEstate says that the provider's own estate is asked for.
	needsEstate bool
}

// ask reads the arguments. While one of them is unknown, only what is certainly wrong is an error.
func (r *reader) ask(config object) (q inquiry, d diag.Diagnostic) {
	about := r.about()
	if q, d = r.askMarker(config, about); d != nil {
		return q, d
	}
	ways := [][]string{r.keyNames()}
	if r.tagged() {
		ways = append(ways, []string{attrAddress}, []string{attrTags, attrFilter})
	}
	var given []string
	for _, way := range ways {
		said := slices.DeleteFunc(way, func(name string) bool { return !isGiven(config[name]) })
		if len(said) > 0 {
			given = append(given, strings.Join(said, " and "))
		}
	}
	switch {
	case len(given) > 1:
		return q, askedTwice(about, given)
	case slices.ContainsFunc(sortedKeys(config), func(name string) bool { return !config[name].IsFullyKnown() }):
		return q, nil
	case len(given) == 0 && r.tagged():
		return q, notAsked(about, r.kind)
	}
	return r.askOne(config, q, about)
}

// askOne reads the one way that is given.
func (r *reader) askOne(config object, q inquiry, about subject) (inquiry, diag.Diagnostic) {
	key, whole := r.keyIn(config)
	switch {
	case r.tagged() && !q.address.IsZero():
		q.needsEstate = q.estate == ""
	case r.tagged() && (isGiven(config[attrTags]) || isGiven(config[attrFilter])):
		q.tags = knownTags(config[attrTags])
		for _, block := range elements(config[attrFilter]) {
			o := objectOf(block)
			f := Filter{Name: text(o["name"])}
			for _, v := range elements(o["values"]) {
				f.Values = append(f.Values, text(v))
			}
			q.filters = append(q.filters, f)
		}
	case !whole:
		return q, keyIncomplete(about, r.keyNames())
	default:
		q.key = key
	}
	if r.tagged() && q.address.IsZero() && isGiven(config[attrKey]) {
		return q, goesWithAddress(about, attrKey)
	}
	if q.key != nil && q.estate != "" {
		return q, goesWithAddress(about, attrEstate)
	}
	return q, nil
}

// askMarker reads what the arguments say of the marker.
func (r *reader) askMarker(config object, about subject) (q inquiry, d diag.Diagnostic) {
	if !r.tagged() {
		return q, nil
	}
	for _, key := range sortedKeys(objectOf(config[attrTags])) {
		if markers.IsKey(key, r.foldsCase()) {
			return q, markerKeyAsked(about, key)
		}
	}
	if q.estate = text(config[attrEstate]); q.estate != "" {
		if err := markers.CheckEstate(q.estate); err != nil {
			return q, badQuestion(about, r.kind, attrEstate, err)
		}
	}
	a, unknown, err := r.managed().resolve(r.ownPrefix(config))
	if err != nil {
		name := attrAddress
		if bad := (*attributeError)(nil); errors.As(err, &bad) {
			name, err = bad.name, bad.err
		}
		return q, badQuestion(about, r.kind, name, err)
	}
	if unknown == "" {
		q.address = a
	}
	return q, nil
}

// ownPrefix reads aws_T as estate_T: an estate that hashicorp/aws still manages says so, and the marker contract takes
// the two for one type.
func (r *reader) ownPrefix(config object) object {
	a, err := markers.Parse(text(config[attrAddress]))
	if err != nil || a.Type != "aws_"+r.name {
		return config
	}
	a.Type = r.fullName()
	return object{attrAddress: str(a.String()), attrKey: config[attrKey]}
}

// isGiven tells whether the configuration says something here that names an object: an empty collection does not.
func isGiven(v tftypes.Value) bool {
	if v.Type() == nil || !v.IsKnown() || v.IsNull() {
		return false
	}
	switch {
	case v.Type().Is(tftypes.Map{}):
		return len(objectOf(v)) > 0
	case v.Type().Is(tftypes.Set{}):
		return len(elements(v)) > 0
	}
	return true
}
