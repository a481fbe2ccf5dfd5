// Package tagging writes tags, one Tagger per shape of API.
//
// A Tagger is what the engine marks, re-marks and releases objects with. Each removes before it sets, so that an
// address that needs fewer tags than the one before is never read together with a left-over part of that one.
//
// It lacks reading: an object's tags come with the object, from the service package. Only the tags of S3 buckets, which may
// have to be written as a whole, are read here too.
package tagging

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// absent adds engine.ErrNotFound to errors by which a service says that the object to be tagged does not exist. Right after a
// create that passes, and the engine knows when to wait for it.
func absent(err error, codes ...string) error {
	if cloud.HasCode(err, codes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// each turns tags into what a service's SDK takes, in the order of their keys.
func each[T any](tags markers.Tags, one func(key, value string) T) []T {
	out := make([]T, 0, len(tags))
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		out = append(out, one(key, tags[key]))
	}
	return out
}
