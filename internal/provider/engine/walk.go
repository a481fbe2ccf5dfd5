package engine

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// OnExisting says what Create does when the object it is to make exists already.
type OnExisting string

const (
	// Adopt takes the object over when it is ours; the default.
	Adopt OnExisting = "adopt"
	// Refuse is "error": a create that finds anything of ours stops.
	Refuse OnExisting = "error"
	// Beside is "create": always a new object beside the existing one.
	Beside OnExisting = "create"
)

// Configuration is what Configure hands to the resources.
type Configuration struct {
	// Session is AWS access; nil while settings that it needs are unknown at plan.
	Session *cloud.Session
	// Unknown names the provider arguments whose values are not known yet, for messages.
	Unknown []string
	// Estate is the estate's name; unknown at plan when the argument is.
	Estate types.String
	// PreviousEstates are names that count as ours.
	PreviousEstates []string
	// OnExisting is the provider's on_existing or TOFU_ON_EXISTING, "" when neither was given.
	OnExisting OnExisting
	// DefaultTags may be null, unknown, or hold unknown values.
	DefaultTags types.Map
	// IgnoreKeys and IgnorePrefixes are ignore_tags: tags that are neither shown nor removed.
	IgnoreKeys, IgnorePrefixes []string
}
