package engine

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Read implements resource.Resource. It shows what the object shows and believes none of it: what is expected of the
// object stays as it was written.
func (r *managed) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	prior := objectOf(req.State.Raw)
	about := r.subject(prior, "")
	if r.walk == nil || r.walk.Session == nil {
		if r.walk != nil {
			resp.Diagnostics.Append(notRefreshed(r.walk.Unknown))
		}
		r.keepIdentity(ctx, req, resp, prior)
		return
	}
	ctx = logContext(ctx, about)
	e, d := r.expected(ctx, req.Private, about)
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	s := r.session(r.regionIn(prior))
	key, ok := r.keyIn(prior)
	if !ok {
		resp.Diagnostics.Append(stateIncomplete(about))
		return
	}
	imported := r.imported(prior)
	if resp.Identity != nil && (imported || resp.Identity.Raw.IsNull() || identityEmpty(resp.Identity.Raw)) {
		r.setIdentity(resp.Identity, s.Region, key)
	}
	l, err := r.walk.index(r.kind, s).read(ctx, key)
	switch {
	case isGone(err) && !r.global && prior[attrRegion].IsNull():
		about.id = r.idOf(key)
		resp.Diagnostics.Append(movedElsewhere(about, s.Region))
		return
	case isGone(err) || err == nil && (l.state == Gone || l.state == Scheduled):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(callFailed(about, "reading (the state is unchanged)", err))
		return
	case foreign(l, s):
		resp.Diagnostics.Append(foreignAccount(about, l.owner, s.Account))
		return
	}
	r.walk.observe(r.objectID(s, key), observation{tags: l.tags, recreated: r.recreated(e, l)})
	next := object{}
	for name, v := range prior {
		next[name] = v
	}
	next.put(r.observedOwn(ctx, r.ownPart(prior), l, imported))
	next[attrID] = str(r.idOf(l.key))
	if !r.global {
		next[attrRegion] = str(s.Region)
	}
	if r.tagged() {
		r.showMarker(prior, next, l)
		next[attrTags], next[attrTagsAll] = r.readTags(r.walk, prior, l.tags)
		verdict, class := r.judge(r.believed(e, prior), markers.Address{}, l.tags)
		resp.Diagnostics.Append(readWarnings(about, verdict, class, r.believed(e, prior))...)
	}
	resp.State.Raw = next.value(req.State.Raw.Type())
}

// keepIdentity fills the identity from the state, where the client keeps none and AWS cannot be asked.
func (r *managed) keepIdentity(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse, prior object) {
	key, ok := r.keyIn(prior)
	if resp.Identity == nil || !ok || !resp.Identity.Raw.IsNull() && !identityEmpty(resp.Identity.Raw) {
		return
	}
	account := ""
	if e, err := readExpectation(ctx, req.Private); err == nil && e != nil {
		account = e.Account
	}
	resp.Identity.Raw = r.identityValue(account, r.regionIn(prior), key)
}

// imported tells whether a state is what ImportState left: it has nothing but its key.
func (r *managed) imported(prior object) bool {
	if r.tagged() {
		return prior[attrTagsAll].IsNull()
	}
	for _, p := range r.paths() {
		if p.required && !isPart(r.identity, p.path) && prior[p.path].Type() != nil && prior[p.path].IsNull() {
			return true
		}
	}
	return false
}

func isPart(parts []Part, name string) bool {
	for _, p := range parts {
		if p.Attr == name {
			return true
		}
	}
	return false
}

// observedOwn is the own part as the object shows it, in the state's spelling where both mean the same. What AWS never
// returns keeps the state's value; after an import it takes its schema default.
func (r *managed) observedOwn(ctx context.Context, prior tftypes.Value, l *live, imported bool) tftypes.Value {
	is, was := objectOf(l.own), objectOf(prior)
	for _, name := range r.settings {
		is[name] = was[name]
		if imported {
			is[name] = r.settingDefault(ctx, name, is[name])
		}
	}
	return keepText(ctx, r.ownType(), prior, is.value(l.own.Type()))
}

// showMarker puts the observed marker into the tofu_ attributes. The address keeps the configuration's text while the
// object matches it by any escaping. tofu_binding is not refreshed, ever.
func (r *managed) showMarker(prior, next object, l *live) {
	o := markers.Observe(l.tags, r.foldsCase())
	next[attrEstate] = str(o.Estate)
	next[attrSlot] = rawSlot(o.Slot)
	if o.Status != markers.StatusUnmarked && o.Value != "" && markers.Matches(o.Value, r.stateAddress(prior)) != markers.NoMatch {
		return
	}
	next[attrAddress], next[attrKey] = str(""), str("")
	switch {
	case o.Status == markers.StatusUnmarked:
	case !o.Decoded:
		next[attrAddress] = str(o.Value)
	default:
		next[attrAddress] = str(o.Address.String())
		if prior[attrKey].IsNull() || o.Address.Index.Kind == markers.NoIndex {
			return
		}
		next[attrAddress] = str(o.Address.Block().String())
		next[attrKey] = str(indexText(o.Address.Index))
	}
}

// indexText is an index as tofu_key says it.
func indexText(i markers.Index) string {
	if i.Kind == markers.CountIndex {
		return new(big.Int).SetUint64(i.Number).String()
	}
	return i.Key
}

// identityEmpty tells whether an identity holds nothing.
func identityEmpty(v tftypes.Value) bool {
	for _, part := range objectOf(v) {
		if !part.IsNull() {
			return false
		}
	}
	return true
}
