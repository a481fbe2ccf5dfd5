package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// operation is what a case is doing when the fault strikes.
type operation string

const (
	create        operation = "create"
	adopt         operation = "adopt"
	update        operation = "update"
	rename        operation = "rename"
	replace       operation = "replace"
	replaceBeside operation = "replace, new first"
	destroy       operation = "delete"
)

// operations are all of them, in the order of the table.
var operations = []operation{create, adopt, update, rename, replace, replaceBeside, destroy}

// trial is one case of the matrix: a fault that strikes one call of an operation, and what becomes of the state.
type trial struct {
	sub *subject
	op  operation
	// at is the number of the call in the operation, call that call as it was learned.
	at   int
	call faultproxy.Call
	// nth counts the calls of its name before it.
	nth   int
	fault fault
	// parting is the number of the call by which the old object of a replacement goes.
	parting int
	// lost says that the state is gone after the fault.
	lost bool
}

// String names the case, for a pattern that chooses cases and for failures.
func (t trial) String() string {
	state := "state kept"
	if t.lost {
		state = "state lost"
	}
	return fmt.Sprintf("%s/%s/%d %s/%s/%s", t.sub.typ, t.op, t.at, short(t.call), t.fault.name, state)
}

// slow tells whether the case takes longer than a second: the SDK pauses, or the engine looks for the object of a create call
// that can be made once only and was not answered.
func (t trial) slow() bool {
	unanswered := t.fault.waits && t.sub.tier == marked && acceptance.Creates()(t.call)
	return t.fault.slow || unanswered
}

// has tells whether the type has the operation.
func (s *subject) has(op operation) bool {
	_, absent := s.absent[op]
	return !absent
}

// goal is what the operation is to reach.
func (t trial) goal(vars map[string]string) target {
	s := t.sub
	switch t.op {
	case update:
		return target{config: s.config(s.changed, vars, s.address())}
	case rename:
		return target{config: s.config(s.first, vars, s.renamed())}
	case replace:
		return target{config: s.config(s.replaced, vars, s.address())}
	case replaceBeside:
		return target{config: s.config(s.beside, vars, s.address()), cbd: true}
	case destroy:
		return target{}
	}
	return t.start(vars)
}

// start is what is there before the operation, except before a create.
func (t trial) start(vars map[string]string) target {
	return target{config: t.sub.config(t.sub.first, vars, t.sub.address())}
}

// prepare brings a new instance to where the operation begins.
func (t trial) prepare(ctx context.Context, s *site) (*instance, error) {
	s.open()
	i := s.instance(t.sub)
	if t.op == create {
		return i, nil
	}
	if err := i.run(ctx, t.start(s.vars)); err != nil {
		return i, fmt.Errorf("preparing: %w", err)
	}
	if t.op == adopt {
		i.forget()
	}
	return i, nil
}

// learn runs the operation without a fault and returns its calls.
func (t trial) learn(ctx context.Context, s *site) ([]faultproxy.Call, error) {
	before, err := s.live(ctx, t.sub)
	if err != nil {
		return nil, err
	}
	i, err := t.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	mark := s.proxy.Mark()
	if err := i.run(ctx, t.goal(s.vars)); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, faultproxy.Format(s.proxy.Since(mark)))
	}
	calls := faultproxy.Select(s.proxy.Since(mark), counts)
	r := &recovery{trial: t, site: s, instance: i, before: before}
	return calls, r.judge(ctx, t.goal(s.vars))
}

// What takes longer than these hangs; a slow case may meet all of the SDK's pauses.
const (
	limit     = 2 * time.Minute
	slowLimit = 5 * time.Minute
)

// run makes the case and returns the ways out that the provider's messages told and that were taken.
func (t trial) run(ctx context.Context, s *site) ([]string, error) {
	longest := limit
	if t.slow() {
		longest = slowLimit
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	before, err := s.live(ctx, t.sub)
	if err != nil {
		return nil, err
	}
	i, err := t.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	goal := t.goal(s.vars)
	i.attempts = t.fault.attempts
	rule := t.fault.strike(s, t.at, t.call)
	first := i.run(ctx, goal)
	hit := wasHit(rule, first)
	if t.fault.runs == 0 {
		rule.Remove()
	}
	defer rule.Remove()
	switch {
	case !hit:
		return nil, fmt.Errorf("the call was not made: %w", errOr(first))
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the run that the fault struck was not over after %s: %w", longest, errOr(first))
	case errors.Is(first, errInconsistent):
		return nil, first
	}
	r := &recovery{trial: t, site: s, instance: i, before: before}
	if t.lost {
		i.forget()
	}
	if t.lost && t.op == destroy {
		goal = t.start(s.vars) // without a state a destroy knows of nothing: the object has to be found first
	}
	if err := r.reach(ctx, goal); err != nil {
		return r.ways, err
	}
	return r.ways, r.judge(ctx, goal)
}

// wasHit tells whether a rule has struck. A run ends at the very moment when its provider is killed, so that the rule may not
// have got hold of the call yet: removed then, it would let the call pass.
func wasHit(rule *faultproxy.Rule, ended error) bool {
	for end := time.Now().Add(time.Second); errors.Is(ended, errKilled) && rule.Hits() == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return rule.Hits() > 0
}

// errOr is the error, or one that says that there was none.
func errOr(err error) error {
	if err == nil {
		return errors.New("the run succeeded")
	}
	return err
}

// recovery is what follows a fault: the runs that a user makes from what is left.
type recovery struct {
	trial
	site     *site
	instance *instance
	// before are the objects of the account that are none of the case's.
	before map[string]acceptance.Object
	ways   []string
}

// tries is how many runs a user needs at most.
const tries = 3

// reach runs until the goal is reached, and takes a way out where a message tells one.
func (r *recovery) reach(ctx context.Context, goal target) error {
	var last error
	for range tries + r.fault.runs {
		if err := r.heedPlan(ctx, goal); err != nil {
			last = err
			continue
		}
		if last = r.instance.run(ctx, goal); last == nil {
			return nil
		}
		if errors.Is(last, errInconsistent) {
			return last
		}
		if err := r.wayOut(ctx, last); err != nil {
			return fmt.Errorf("taking the way out of %w: %w", last, err)
		}
	}
	return fmt.Errorf("not reached in %d runs: %w", tries+r.fault.runs, last)
}

// heedPlan reads the plan, as a user who has lost the state does before an apply. Where it names an object that is to be
// replaced, the configuration says for one apply what that object is.
func (r *recovery) heedPlan(ctx context.Context, goal target) error {
	if !r.lost || r.instance.current != nil || goal.config == nil {
		return nil
	}
	if _, err := r.instance.plan(ctx, goal); err == nil && r.instance.warned("change the configuration to what it is") {
		r.ways = append(r.ways, oldOnce)
		return r.instance.run(ctx, r.start(r.site.vars))
	}
	return nil // an error comes again in the run
}

// oldOnce is the way out that most messages tell.
const oldOnce = "old configuration for one apply"

func (r *recovery) importOne(ctx context.Context) error {
	added, err := r.site.added(ctx, r.sub, r.before)
	if err != nil {
		return err
	}
	if len(added) != 1 {
		return fmt.Errorf("one object to import, not %v", added)
	}
	r.ways = append(r.ways, "import")
	return r.instance.take(ctx, added[0].ID)
}

// wayOut does what the message of an error says.
func (r *recovery) wayOut(ctx context.Context, refused error) error {
	said := refused.Error()
	switch {
	case strings.Contains(said, "write its old address for one apply"):
		r.ways = append(r.ways, "old address for one apply")
		return r.instance.run(ctx, r.start(r.site.vars))
	case strings.Contains(said, "Change the configuration to what the object is"):
		r.ways = append(r.ways, oldOnce)
		return r.instance.run(ctx, r.start(r.site.vars))
	case strings.Contains(said, "Make the configuration equal, or import it"):
		return r.importOne(ctx)
	case strings.Contains(said, "tofu state rm "):
		r.ways = append(r.ways, "state rm")
		r.instance.forget()
	}
	return nil
}
