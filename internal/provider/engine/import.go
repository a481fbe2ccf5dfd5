package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// regionSuffix is the region of an import id: vpc-1@eu-west-1, or of another partition, vpc-1@eusc-de-east-1.
var regionSuffix = regexp.MustCompile(`@([a-z]{2,4}(?:-[a-z]+)+-\d+)$`)

// ImportState implements resource.ResourceWithImportState. An address of the block's own type is tried first; id=… forces
// the key. It leaves tofu_binding null, so that the plan shows the take-over as one update.
func (r *managed) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	about := subject{kind: r.fullName(), id: req.ID}
	if d := r.needSession(about); d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	ctx = logContext(ctx, about)
	l, s, d := r.findImport(ctx, req, about)
	if d == nil {
		about.id = r.idOf(l.key)
		d = r.checkImport(l, s, about)
	}
	if d != nil {
		resp.Diagnostics.Append(d)
		return
	}
	r.walk.index(r.kind, s).put(l)
	state := object{}
	for name, t := range objectTypes(resp.State.Raw) {
		state[name] = tftypes.NewValue(t, nil)
	}
	for i, p := range r.identity {
		state[p.Attr] = str(l.key[i])
	}
	state[attrID] = str(r.idOf(l.key))
	if !r.global {
		state[attrRegion] = str(s.Region)
	}
	for name := range r.schema.GetBlocks() {
		state[name] = emptyBlock(state[name].Type())
	}
	resp.State.Raw = state.value(resp.State.Raw.Type())
	r.setIdentity(resp.Identity, s.Region, l.key)
}

// findImport finds the object that an import names.
func (r *managed) findImport(ctx context.Context, req resource.ImportStateRequest, about subject) (*live, *cloud.Session, diag.Diagnostic) {
	if req.ID == "" {
		key, region, d := r.keyOfIdentity(req, about)
		if d != nil {
			return nil, nil, d
		}
		about.id = r.idOf(key)
		return r.importKey(ctx, key, r.session(region), about)
	}
	id, region := req.ID, ""
	if m := regionSuffix.FindStringSubmatchIndex(id); m != nil && !r.global {
		region, id = id[m[2]:m[3]], id[:m[0]]
	}
	s := r.session(region)
	if forced, ok := strings.CutPrefix(id, "id="); ok {
		id = forced
	} else if a, err := markers.Parse(id); err == nil && r.tagged() && a.Type == r.fullName() {
		return r.importAddress(ctx, a, s, about)
	}
	key, err := r.parseKey(id)
	if err != nil {
		return nil, nil, badImportID(about, r.keyForm(), err)
	}
	return r.importKey(ctx, key, s, about)
}

// keyOfIdentity reads the key of an import by identity.
func (r *managed) keyOfIdentity(req resource.ImportStateRequest, about subject) (Key, string, diag.Diagnostic) {
	if req.Identity == nil {
		return nil, "", badImportID(about, r.keyForm(), fmt.Errorf("it is empty"))
	}
	o := objectOf(req.Identity.Raw)
	if account := text(o[attrAccountID]); account != "" && r.account() != "" && account != r.account() {
		return nil, "", otherAccount(about, account, r.account())
	}
	var key Key
	for _, p := range r.identity {
		if text(o[p.Attr]) == "" && !p.Optional {
			return nil, "", badImportID(about, r.keyForm(), fmt.Errorf("the identity has no %s", p.Attr))
		}
		key = append(key, text(o[p.Attr]))
	}
	return key, r.regionIn(o), nil
}

// parseKey splits an import id into the key's parts.
func (r *managed) parseKey(id string) (Key, error) {
	required := 0
	for _, p := range r.identity {
		if !p.Optional {
			required++
		}
	}
	parts := r.cut(id)
	if len(parts) < required {
		return nil, fmt.Errorf("it has %d of %d parts", len(parts), required)
	}
	key := make(Key, len(r.identity))
	copy(key, parts)
	for i, p := range r.identity {
		if key[i] == "" && !p.Optional {
			return nil, fmt.Errorf("the part %s is empty", p.Attr)
		}
	}
	return key, nil
}

// cut splits an import id at the separators, and where a part has known values, around the first of them.
func (k *kind) cut(id string) []string {
	known := slices.IndexFunc(k.identity, func(p Part) bool { return len(p.Values) > 0 })
	if known < 0 {
		return strings.SplitN(id, k.separator, len(k.identity))
	}
	words := strings.Split(id, k.separator)
	for at := known; at < len(words); at++ {
		if !slices.Contains(k.identity[known].Values, words[at]) {
			continue
		}
		parts := append(strings.SplitN(strings.Join(words[:at], k.separator), k.separator, known), words[at])
		if rest := words[at+1:]; len(rest) > 0 {
			parts = append(parts, strings.SplitN(strings.Join(rest, k.separator), k.separator, len(k.identity)-known-1)...)
		}
		return parts
	}
	return nil
}

// keyForm is an import id as messages describe it.
func (r *managed) keyForm() string {
	var parts []string
	for _, p := range r.identity {
		parts = append(parts, strings.ToUpper(p.Attr))
	}
	form := strings.Join(parts, r.separator)
	if !r.global {
		form += "[@REGION]"
	}
	return form
}

// importKey reads the object with a key.
func (r *managed) importKey(ctx context.Context, key Key, s *cloud.Session, about subject) (*live, *cloud.Session, diag.Diagnostic) {
	l, err := r.get(ctx, s, key)
	switch {
	case isGone(err):
		return nil, nil, importMissing(about, s.Region, r.keyForm())
	case err != nil:
		return nil, nil, callFailed(about, "reading the object to import", err)
	}
	return l, s, nil
}

// importAddress finds the one live object that carries an address.
func (r *managed) importAddress(ctx context.Context, a markers.Address, s *cloud.Session, about subject) (*live, *cloud.Session, diag.Diagnostic) {
	lives, err := r.walk.index(r.kind, s).all(ctx)
	if err != nil {
		return nil, nil, callFailed(about, "looking for the object to import", err)
	}
	var found []match
	for _, l := range lives {
		if !r.isDead(l) && !foreign(l, s) && markers.Classify(l.tags, r.question(a)).Kind == markers.Ours {
			found = append(found, match{live: l})
		}
	}
	switch len(found) {
	case 0:
		return nil, nil, importAddressMissing(about, r.walk.Estate.ValueString(), s.Region)
	case 1:
		return found[0].live, s, nil
	}
	about.address = a.String()
	return nil, nil, collision(about, r.describe(r.regionOf(s), found), "")
}

// checkImport refuses what may not be taken into a state.
func (r *managed) checkImport(l *live, s *cloud.Session, about subject) diag.Diagnostic {
	switch {
	case r.isDead(l):
		return importDead(about, l.reason)
	case foreign(l, s):
		return foreignAccount(about, l.owner, s.Account)
	case !r.tagged():
		return nil
	}
	verdict, class := r.judge(markers.Expectation{}, markers.Address{}, l.tags)
	if verdict.OnImport() == markers.Fail {
		return importRefused(about, class)
	}
	return nil
}

// objectTypes returns the attribute types of an object value.
func objectTypes(v tftypes.Value) map[string]tftypes.Type {
	o, _ := v.Type().(tftypes.Object)
	return o.AttributeTypes
}

// emptyBlock is what a block that nobody wrote is: an empty collection, or null.
func emptyBlock(t tftypes.Type) tftypes.Value {
	switch t.(type) {
	case tftypes.List, tftypes.Set:
		return tftypes.NewValue(t, []tftypes.Value{})
	}
	return tftypes.NewValue(t, nil)
}
