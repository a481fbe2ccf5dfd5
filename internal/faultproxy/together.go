package faultproxy

import (
	"context"
	"strings"
)

// Together is one fault made of several, for a rule that does more than one thing: HideNewest and DropAnswer leave an
// object behind that its maker neither hears of nor finds. The first fault to answer in AWS's place does, bodies pass
// through the faults in order, and the connection is cut if one of them cuts it.
func Together(faults ...Fault) Fault {
	var names []string
	var all Fault
	for _, f := range faults {
		names = append(names, f.name)
		all = Fault{
			before:   firstAnswer(all.before, f.before),
			request:  inTurn(all.request, f.request),
			response: inTurn(all.response, f.response),
			around:   nested(all.around, f.around),
			after:    bothAfter(all.after, f.after),
		}
	}
	all.name = strings.Join(names, " + ")
	return all
}

type beforeFunc = func(context.Context, Call) (*answer, error)

func firstAnswer(f, g beforeFunc) beforeFunc {
	if f == nil || g == nil {
		return either(f, g, f == nil)
	}
	return func(ctx context.Context, c Call) (*answer, error) {
		if a, err := f(ctx, c); a != nil || err != nil {
			return a, err
		}
		return g(ctx, c)
	}
}

func inTurn(f, g func([]byte) []byte) func([]byte) []byte {
	if f == nil || g == nil {
		return either(f, g, f == nil)
	}
	return func(body []byte) []byte { return g(f(body)) }
}

func nested(outer, inner func(exchange) (*answer, error)) func(exchange) (*answer, error) {
	if outer == nil || inner == nil {
		return either(outer, inner, outer == nil)
	}
	return func(x exchange) (*answer, error) {
		within := x
		within.forward = func() (*answer, error) { return inner(x) }
		return outer(within)
	}
}

func bothAfter(f, g func(Call) error) func(Call) error {
	if f == nil || g == nil {
		return either(f, g, f == nil)
	}
	return func(c Call) error {
		err := f(c)
		if next := g(c); err == nil {
			err = next
		}
		return err
	}
}

// either returns g if f is missing.
func either[T any](f, g T, missing bool) T {
	if missing {
		return g
	}
	return f
}
