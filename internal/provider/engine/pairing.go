package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file matches the elements of sets, which have no name: by what is known of them, never by hash.

// pairing gives each of n elements an own one of m where may allows it, for as many as possible: an element that may
// have several leaves the others theirs. -1 stands for none.
func pairing(n, m int, may func(i, j int) bool) []int {
	asked := make([]map[int]bool, n) // may walks whole values, so each answer is kept
	allowed := func(i, j int) bool {
		if asked[i] == nil {
			asked[i] = map[int]bool{}
		}
		answer, ok := asked[i][j]
		if !ok {
			answer = may(i, j)
			asked[i][j] = answer
		}
		return answer
	}
	holder := make([]int, m)
	for j := range holder {
		holder[j] = -1
	}
	var place func(i int, seen []bool) bool
	place = func(i int, seen []bool) bool {
		for j := range m {
			if seen[j] || !allowed(i, j) {
				continue
			}
			seen[j] = true
			if holder[j] < 0 || place(holder[j], seen) {
				holder[j] = i
				return true
			}
		}
		return false
	}
	out := make([]int, n)
	for i := range n {
		out[i] = -1
		place(i, make([]bool, m))
	}
	for j, i := range holder {
		if i >= 0 {
			out[i] = j
		}
	}
	return out
}

// pair matches each of wanted with an own element of have that agrees in every known part.
func pair(ctx context.Context, t attr.Type, wanted, have []tftypes.Value) []int {
	return pairing(len(wanted), len(have), func(i, j int) bool { return agrees(ctx, t, wanted[i], have[j]) })
}

// agrees tells whether every known part of wanted holds for have.
func agrees(ctx context.Context, t attr.Type, wanted, have tftypes.Value) bool {
	unsaid := tftypes.NewValue(wanted.Type(), nil)
	return fits(ctx, t, unsaid, wanted, have)
}

// pairFitting matches each planned element of a set with an own old one that it fits. It also returns what the
// configuration says of each: computed parts may have changed the order, so that the place there is looked up.
func pairFitting(ctx context.Context, t attr.Type, config tftypes.Value, plan, old []tftypes.Value) (pairs []int, said []tftypes.Value) {
	said = make([]tftypes.Value, len(plan))
	conf := elements(config)
	for i, j := range pairing(len(plan), len(conf), func(i, j int) bool { return covers(t, conf[j], plan[i]) }) {
		switch {
		case j >= 0:
			said[i] = conf[j]
		case config.IsNull():
			said[i] = none(plan[i])
		default:
			said[i] = plan[i]
		}
	}
	return pairing(len(plan), len(old), func(i, j int) bool { return fits(ctx, t, said[i], plan[i], old[j]) }), said
}

// covers tells whether plan is what the configuration says, with anything in the parts that it leaves out.
func covers(t attr.Type, config, plan tftypes.Value) bool {
	if !config.IsKnown() || !plan.IsKnown() {
		return config.IsKnown() == plan.IsKnown() || config.IsKnown() && config.IsNull()
	}
	if config.IsNull() {
		return true
	}
	if shapeOf(t) != objectShape {
		return config.Equal(plan)
	}
	is := objectOf(plan)
	for name, c := range objectOf(config) {
		if p, ok := is[name]; ok && !covers(childType(t, name), c, p) {
			return false
		}
	}
	return true
}
