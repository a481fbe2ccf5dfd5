package engine

import (
	"cmp"
	"maps"
	"slices"
)

// sortedKeys returns a map's keys in order: everything that walks a map for output does it in a repeatable way.
func sortedKeys[M ~map[K]V, K cmp.Ordered, V any](m M) []K { return slices.Sorted(maps.Keys(m)) }
