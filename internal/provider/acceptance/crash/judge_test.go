package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// TestJudge shows what the judgement of a case must not let pass, for on it depends whether the matrix means anything.
func TestJudge(t *testing.T) {
	_, sub, s := begin(t, "estate_eip")
	kind, err := acceptance.KindOf(sub.typ)
	must(t, err)
	ctx := t.Context()
	again := func(tags map[string]string) {
		_, err := kind.Make(ctx, s.AWS, "", tags)
		must(t, err)
	}
	for name, c := range map[string]struct {
		spoil func(*recovery)
		want  string
	}{
		"nothing": {func(*recovery) {}, ""},
		"a second object": {func(*recovery) {
			again(map[string]string{acceptance.TagEstate: s.estate, acceptance.TagAddress: sub.address()})
		}, "2 live objects"},
		"an orphan without a marker": {func(*recovery) { again(nil) }, "2 live objects"},
		"a lost state":               {func(r *recovery) { r.instance.forget() }, `the state holds ""`},
		"another binding": {func(r *recovery) {
			must(t, kind.Tag(ctx, s.AWS, r.instance.id(), map[string]string{acceptance.TagBinding: "other"}))
		}, "is to carry"},
		"a change outside": {func(r *recovery) {
			must(t, kind.Tag(ctx, s.AWS, r.instance.id(), map[string]string{"Name": "other"}))
		}, "next plan is not empty"},
		"a deposed object": {func(r *recovery) {
			r.instance.deposed = append(r.instance.deposed, r.instance.current)
		}, "deposed"},
	} {
		t.Run(name, func(t *testing.T) {
			c1 := trial{sub: sub, op: create}
			before, err := s.live(ctx, sub)
			must(t, err)
			i, err := c1.prepare(ctx, s)
			must(t, err)
			must(t, i.run(ctx, c1.goal(s.vars)))
			r := &recovery{trial: c1, site: s, instance: i, before: before}
			c.spoil(r)
			err = r.judge(ctx, c1.goal(s.vars))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("judged %v, want %q", err, c.want)
			}
		})
	}
}

// TestDestroyLeavesSomething shows that what a destroy leaves behind is seen.
func TestDestroyLeavesSomething(t *testing.T) {
	_, sub, s := begin(t, "estate_eip")
	before, err := s.live(t.Context(), sub)
	must(t, err)
	gone := trial{sub: sub, op: destroy}
	i, err := gone.prepare(t.Context(), s)
	must(t, err)
	i.forget()
	r := &recovery{trial: gone, site: s, instance: i, before: before}
	if err := r.judge(t.Context(), target{}); err == nil || !strings.Contains(err.Error(), "left after the destroy") {
		t.Errorf("judged %v", err)
	}
}

// TestKilledProvider shows that a killed provider has no answer and changes no state.
func TestKilledProvider(t *testing.T) {
	for name, c := range map[string]struct {
		strike func(*site, int, faultproxy.Call) *faultproxy.Rule
		made   int
	}{"before": {killBefore, 0}, "after": {killAfter, 1}} {
		t.Run(name, func(t *testing.T) {
			_, sub, s := begin(t, "estate_eip")
			ctx := t.Context()
			c1 := trial{sub: sub, op: create}
			calls, err := c1.learn(ctx, s)
			must(t, err)
			i, err := c1.prepare(ctx, s)
			must(t, err)
			at := -1
			for n, call := range calls {
				if call.Name() == "ec2:AllocateAddress" {
					at = n
				}
			}
			rule := c.strike(s, at, faultproxy.Call{})
			err = i.run(ctx, c1.goal(s.vars))
			if !errors.Is(err, errKilled) {
				t.Errorf("the run ended with %v", err)
			}
			if !wasHit(rule, err) || i.current != nil {
				t.Errorf("%d hits, state %v", rule.Hits(), i.current)
			}
			s.AWS.MustHold(ctx, t, s.estate, sub.typ, c.made)
		})
	}
}

// TestDeadCallsReachNobody shows that a process that goes on after its death is kept from AWS.
func TestDeadCallsReachNobody(t *testing.T) {
	_, sub, s := begin(t, "estate_eip")
	s.open()
	i := s.instance(sub)
	p, err := newProcess(t.Context(), s, 1)
	must(t, err)
	p.kill()
	undead := &process{key: p.key, server: p.server, ctx: t.Context(), killed: make(chan struct{})}
	mark := s.proxy.Mark()
	if _, err := i.planFor(undead, nil, trial{sub: sub, op: create}.goal(s.vars)); err == nil {
		t.Error("a dead provider plans")
	}
	made := s.proxy.Since(mark)
	if answered := faultproxy.Select(made, func(c faultproxy.Call) bool { return c.Status != 0 }); len(made) == 0 || len(answered) > 0 {
		t.Errorf("calls of a dead provider:\n%s", faultproxy.Format(made))
	}
}
