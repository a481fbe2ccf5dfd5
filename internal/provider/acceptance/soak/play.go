package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
)

// step draws a step and plays it until its goal is reached.
func (s *soak) step(ctx context.Context, r *rand.Rand) error {
	var had []string
	for _, m := range s.model.members() {
		had = append(had, m.address())
	}
	st := s.model.draw(r, s.objects)
	s.tally.steps[string(st.kind)]++
	for _, k := range st.edits {
		s.tally.edits[string(k)]++
	}
	s.say("%s", strings.Join(append([]string{strings.ToUpper(string(st.kind))}, st.did...), ", "))
	var err error
	if s.before, err = s.StateText(); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	for _, address := range st.taint {
		if err := said(s.Taint(ctx, address)); err != nil {
			return err
		}
	}
	if st.kind == dropping {
		if err := s.loseNow(ctx, st, had, r); err != nil {
			return err
		}
	}
	clean := true
	for n, b := range st.blows {
		args := st.args
		if n > 0 {
			args = nil
		}
		reached, err := s.struck(ctx, b, args)
		if err != nil {
			return err
		}
		if reached {
			break
		}
		clean = false
		if n == 0 && st.kind != dropping && st.loss != kept {
			if err := s.loseNow(ctx, st, had, r); err != nil {
				return err
			}
		}
	}
	return s.finish(ctx, st, clean)
}

// finish comes to the step's goal. What nothing struck has to be there at once; an older state, or an apply that failed, may need
// what messages say, also where a later apply succeeds.
func (s *soak) finish(ctx context.Context, st *step, clean bool) error {
	switch {
	case st.loss == older, !clean:
		if err := s.mend(ctx, st); err != nil {
			return err
		}
	case len(st.blows) == 0:
		if err := s.apply(ctx, st.args...); err != nil {
			return fmt.Errorf("nothing struck this apply: %w", err)
		}
	}
	if st.twice {
		return s.apply(ctx)
	}
	return nil
}

// loseNow loses the state and says so.
func (s *soak) loseNow(ctx context.Context, st *step, had []string, r *rand.Rand) error {
	what, err := s.lose(ctx, st.loss, had, r)
	s.say("%s", what)
	s.tally.losses[string(st.loss)]++
	return err
}

// apply applies without a fault.
func (s *soak) apply(ctx context.Context, args ...string) error {
	s.tally.applies++
	return said(s.Apply(ctx, args...))
}

// struck applies while a blow strikes, and tells whether that succeeded all the same.
func (s *soak) struck(ctx context.Context, b *blow, args []string) (bool, error) {
	before, err := s.StateText()
	if err != nil {
		return false, err
	}
	s.tally.applies++
	one := &striker{blow: b, pid: &s.pid}
	rule := one.set(s.proxy)
	got := s.Apply(ctx, args...)
	rule.Remove()
	if err := s.untear(before); err != nil {
		return false, err
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	switch {
	case one.hit == "" && got.Err != nil:
		// A state that was lost may need what a message says, as an error does that an earlier blow has left.
		s.say("%s: not reached", b)
		return false, nil
	case one.hit == "":
		s.say("%s: not reached", b)
		return true, nil
	}
	s.say("%s: %s", b, one.hit)
	s.tally.faults[b.name]++
	return got.Err == nil, one.err
}

// check judges the estate: nothing is to be done, and AWS and the state are what the configuration says.
func (s *soak) check(ctx context.Context) error {
	s.tally.checks++
	p := s.Plan(ctx)
	if p.Err != nil {
		return said(p.Result)
	}
	if !p.Empty() {
		return fmt.Errorf("the plan is not empty: %s\n%s", p.Summary(), p.Text())
	}
	if err := s.judgeNow(ctx); err != nil {
		return err
	}
	s.say("%d objects in %d groups", len(s.model.members()), len(s.model.groups))
	s.tally.most = max(s.tally.most, len(s.model.members()))
	s.model.checked()
	text, err := s.StateText()
	s.past = append(s.past, text)
	s.past = s.past[max(0, len(s.past)-remembered):]
	return err
}

// end destroys the estate, struck once, and judges that nothing is left.
func (s *soak) end(ctx context.Context) error {
	before, err := s.StateText()
	if err != nil {
		return err
	}
	one := &striker{blow: someBlow(chance(s.seed, 0, 0), s.objects, s.objects), pid: &s.pid}
	rule := one.set(s.proxy)
	got := s.Destroy(ctx)
	rule.Remove()
	s.say("destroy; %s: %s", one.blow, one.call())
	if one.call() != "" {
		s.tally.faults[one.name]++
	}
	if err := s.untear(before); err != nil {
		return err
	}
	for n := 0; got.Err != nil && n < tries; n++ {
		got = s.Destroy(ctx)
	}
	if got.Err != nil {
		return said(got)
	}
	s.model.groups = nil
	return s.judgeNow(ctx)
}

// judgeNow looks at AWS and the state, and judges both.
func (s *soak) judgeNow(ctx context.Context) error {
	now, err := look(ctx, s.AWS)
	if err != nil {
		return err
	}
	state, err := s.State()
	if err != nil {
		return err
	}
	return s.model.judge(s.others, now, state)
}
