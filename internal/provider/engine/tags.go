package engine

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// This file splits an object's tags into the marker's, the user's, the provider's defaults and everybody else's. The
// provider changes and removes only keys that the configuration or its own prior state holds.

var tagMapType = tftypes.Map{ElementType: tftypes.String}

// planTagsAll merges default_tags and tags; a part that is unknown makes its element, or the whole, unknown. Null
// values are left out.
func planTagsAll(tags tftypes.Value, defaults types.Map) tftypes.Value {
	d, err := defaults.ToTerraformValue(context.Background())
	if err != nil || !tags.IsKnown() || defaults.IsUnknown() {
		return tftypes.NewValue(tagMapType, tftypes.UnknownValue)
	}
	all := object{}
	for _, source := range []tftypes.Value{d, tags} {
		for key, v := range objectOf(source) {
			if v.IsKnown() && v.IsNull() {
				continue
			}
			all[key] = v
		}
	}
	return all.value(tagMapType)
}

// knownTags returns the known entries of a raw map.
func knownTags(v tftypes.Value) map[string]string {
	out := map[string]string{}
	for key, e := range objectOf(v) {
		if e.IsKnown() && !e.IsNull() {
			out[key] = text(e)
		}
	}
	return out
}

// rawTags makes a raw map; nil becomes null.
func rawTags(tags map[string]string) tftypes.Value {
	if tags == nil {
		return tftypes.NewValue(tagMapType, nil)
	}
	out := object{}
	for key, v := range tags {
		out[key] = tftypes.NewValue(tftypes.String, v)
	}
	return out.value(tagMapType)
}

// lookUpTag finds a tag by key, without case where the service folds it.
func (k *kind) lookUpTag(tags map[string]string, key string) (actual, value string, ok bool) {
	if v, ok := tags[key]; ok {
		return key, v, true
	}
	if k.foldsCase() {
		for _, have := range sortedKeys(tags) {
			if strings.EqualFold(have, key) {
				return have, tags[have], true
			}
		}
	}
	return "", "", false
}

// userTags returns the tags that are nobody's but a user's: not the marker's, AWS's own or ignored ones.
func (k *kind) userTags(w *Walk, tags map[string]string) map[string]string {
	out := markers.Strip(tags, k.foldsCase())
	for key := range out {
		if strings.HasPrefix(key, "aws:") || w.ignores(key) {
			delete(out, key)
		}
	}
	return out
}

// ignores tells whether ignore_tags names the key.
func (w *Walk) ignores(key string) bool {
	if contains(w.IgnoreKeys, key) {
		return true
	}
	for _, prefix := range w.IgnorePrefixes {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// readTags returns tags and tags_all as a refresh shows them: the keys that the prior state holds, with the values
// now on the object. An import, which has no prior tags_all, takes all user tags; those that a default says
// already stay out of tags.
func (k *kind) readTags(w *Walk, prior object, live map[string]string) (tags, all tftypes.Value) {
	if prior[attrTagsAll].IsNull() {
		user := k.userTags(w, live)
		own := map[string]string{}
		defaults := map[string]string{}
		if d, err := w.DefaultTags.ToTerraformValue(context.Background()); err == nil {
			defaults = knownTags(d)
		}
		for key, v := range user {
			if d, ok := defaults[key]; !ok || d != v {
				own[key] = v
			}
		}
		if len(own) == 0 {
			own = nil
		}
		return rawTags(own), rawTags(user)
	}
	return k.observedTags(prior[attrTags], live), k.observedTags(prior[attrTagsAll], live)
}

// observedTags returns the entries of a prior map as the object shows them now.
func (k *kind) observedTags(prior tftypes.Value, live map[string]string) tftypes.Value {
	if prior.IsNull() || !prior.IsKnown() {
		return prior
	}
	out := object{}
	for key, v := range objectOf(prior) {
		if v.IsNull() {
			out[key] = v
			continue
		}
		if _, now, ok := k.lookUpTag(live, key); ok {
			out[key] = tftypes.NewValue(tftypes.String, now)
		}
	}
	return out.value(tagMapType)
}

// tagWrites returns what turns the tags on an object into the planned ones: wanted is the planned tags_all, prior the
// state's.
func (k *kind) tagWrites(wanted, prior, live map[string]string) (set markers.Tags, remove []string) {
	set = markers.Tags{}
	for key, v := range wanted {
		if _, now, ok := k.lookUpTag(live, key); !ok || now != v {
			set[key] = v
		}
	}
	for _, key := range sortedKeys(prior) {
		if markers.IsKey(key, k.foldsCase()) {
			continue
		}
		actual, _, ok := k.lookUpTag(live, key)
		if _, _, kept := k.lookUpTag(wanted, key); ok && !kept {
			remove = append(remove, actual)
		}
	}
	return set, remove
}

// tagCount is the number of tags that an object would carry. AWS does not count its own.
func (k *kind) tagCount(live map[string]string, set markers.Tags, remove []string) int {
	n := 0
	for key := range live {
		if !strings.HasPrefix(key, "aws:") {
			n++
		}
	}
	for key := range set {
		if _, _, there := k.lookUpTag(live, key); !there {
			n++
		}
	}
	for _, key := range remove {
		if _, _, there := k.lookUpTag(live, key); there {
			n--
		}
	}
	return n
}
