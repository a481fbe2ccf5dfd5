package provider

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// The environment variables that the provider itself reads. OpenTofu has TOFU_ variables of its own; there are no
// others of ours.
const (
	estateVariable     = "TOFU_ESTATE"
	onExistingVariable = "TOFU_ON_EXISTING"
)

// estate returns the estate's name and where it stands. The configuration wins, also when its value is unknown: the
// estate decides which objects are ours, and a forgotten variable of a shell must not change that.
func (b block) estate() (name types.String, source string) {
	if b.Estate.IsNull() {
		if v := os.Getenv(estateVariable); v != "" {
			return types.StringValue(v), estateVariable
		}
	}
	return b.Estate, "estate"
}

// onExisting returns the rule for existing objects and where it stands. The environment wins, for it is set for
// one run.
func (b block) onExisting() (rule engine.OnExisting, source string) {
	if v := os.Getenv(onExistingVariable); v != "" {
		return engine.OnExisting(v), onExistingVariable
	}
	return engine.OnExisting(b.OnExisting.ValueString()), "on_existing"
}

// check finds what is wrong with the settings that are not about AWS access, as far as values are known. It does
// not ask for an estate: validate runs where the variable may not be set.
func (b block) check() diag.Diagnostics {
	var diags diag.Diagnostics
	b.checkEstates(&diags)
	rule, source := b.onExisting()
	if rules := []engine.OnExisting{"", engine.Adopt, engine.Refuse, engine.Beside}; !slices.Contains(rules, rule) {
		badOnExisting(&diags, string(rule), source)
	}
	b.checkTags(&diags)
	return diags
}

func (b block) checkEstates(diags *diag.Diagnostics) {
	estate, source := b.estate()
	if !estate.IsNull() && !estate.IsUnknown() {
		if err := markers.CheckEstate(estate.ValueString()); err != nil {
			badEstate(diags, path.Root("estate"), source, err)
		}
	}
	for _, previous := range known(b.PreviousEstates) {
		if err := markers.CheckEstate(previous); err != nil {
			badEstate(diags, path.Root("previous_estates"), "previous_estates", err)
		} else if previous == estate.ValueString() {
			presentEstate(diags, previous)
		}
	}
}

// checkTags compares tag keys without case: default_tags and ignore_tags hold for IAM too, which folds it.
func (b block) checkTags(diags *diag.Diagnostics) {
	keys, prefixes := b.ignored()
	for _, key := range slices.Sorted(maps.Keys(b.defaultTags().Elements())) {
		if markers.IsKey(key, true) {
			markerInDefaultTags(diags, key, b.tagSource(key))
		}
		if how := ignores(keys, prefixes, key); how != "" {
			defaultTagIgnored(diags, key, how)
		}
	}
	for _, key := range keys {
		if markers.IsKey(key, true) {
			markerIgnored(diags, fmt.Sprintf("keys holds %q", key), key)
		}
	}
	for _, prefix := range prefixes {
		if key := markerWith(prefix); key != "" {
			markerIgnored(diags, fmt.Sprintf("key_prefixes holds %q", prefix), key)
		}
	}
}

// ignores says what of ignore_tags matches the key, "" when nothing does.
func ignores(keys, prefixes []string, key string) string {
	if slices.Contains(keys, key) {
		return fmt.Sprintf("keys holds %q", key)
	}
	for _, prefix := range prefixes {
		if strings.HasPrefix(key, prefix) {
			return fmt.Sprintf("key_prefixes holds %q", prefix)
		}
	}
	return ""
}

// markerWith returns the first marker key that the prefix matches, "" when there is none.
func markerWith(prefix string) string {
	all := append([]string{markers.EstateKey, markers.SlotKey, markers.BindingKey, markers.PendingKey}, markers.AddressKeys[:]...)
	for _, key := range all {
		if strings.HasPrefix(key, strings.ToLower(prefix)) {
			return key
		}
	}
	return ""
}
