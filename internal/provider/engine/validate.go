package engine

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// ValidateConfig implements resource.ResourceWithValidateConfig. Core calls it once for each block before the provider is
// configured, with unknown values, and once for each instance in a configured walk, which is where one address on
// two instances shows.
func (r *managed) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	config := objectOf(req.Config.Raw)
	about := r.subject(config, "")
	if !r.tagged() {
		return
	}
	for _, key := range sortedKeys(objectOf(config[attrTags])) {
		switch {
		case markers.IsKey(key, r.foldsCase()):
			resp.Diagnostics.Append(markerKeyInTags(about, key))
		case strings.HasPrefix(key, "aws:"):
			resp.Diagnostics.Append(awsKeyInTags(about, key))
		case r.walk != nil && r.walk.ignores(key):
			resp.Diagnostics.Append(ignoredKeyInTags(about, key))
		}
	}
	a, unknown, err := r.resolve(config)
	switch {
	case err != nil:
		resp.Diagnostics.Append(badAttribute(about, err))
	case unknown != "" && r.walk != nil:
		resp.Diagnostics.Append(unknownAddress(about, unknown))
	case unknown == "" && r.walk != nil && !a.IsZero() && !r.walk.declare(r.fullName(), a):
		resp.Diagnostics.Append(declaredTwice(about))
	}
}
