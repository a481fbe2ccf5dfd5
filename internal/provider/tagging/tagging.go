// Package tagging writes tags, one Tagger per shape of API.
//
// A Tagger is what the engine marks, re-marks and releases objects with. Each removes before it sets, so that an
// address that needs fewer tags than the one before is never read together with a left-over part of that one.
//
// It lacks reading: an object's tags come with the object, from the service package. Only the tags of S3 buckets, which are
// written as a whole, are read here too.
package tagging

import (
	"maps"
	"slices"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// each turns tags into what a service's SDK takes, in the order of their keys.
func each[T any](tags markers.Tags, one func(key, value string) T) []T {
	out := make([]T, 0, len(tags))
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		out = append(out, one(key, tags[key]))
	}
	return out
}
