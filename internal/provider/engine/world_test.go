package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/smithy-go"
)

// world is an AWS in memory: objects by type, region and key, a journal of calls, and ways to disturb them.
type world struct {
	t testing.TB

	mu      sync.Mutex
	serial  int
	clock   time.Time
	things  map[string]*thing
	journal []call
	before  map[string][]func(call) error
	after   map[string][]func(call) error
}

// call is one API call: op is such as "widget.Create", "widget.Get", "widget.List", "widget.Find" (by address), "widget.Color", "tags.Write".
type call struct{ op, region, id string }

// thing is one object. model is a pointer to the type's model.
type thing struct {
	kind, region, id string
	model            any
	tags             map[string]string
	owner            string
	state            State
	reason           string
	created          time.Time
	token            Token
	secret           string // what AWS was told last and never shows
	// hidden is the number of reads and listings that do not show it yet, pending that of reads that show it Pending.
	hidden, pending int
}

const (
	testAccount = "111111111111"
	testRegion  = "eu-west-1"
	otherPlace  = "us-east-1"
	testEstate  = "prod"
)

func newWorld(t testing.TB) *world {
	return &world{
		t: t, things: map[string]*thing{}, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		before: map[string][]func(call) error{}, after: map[string][]func(call) error{},
	}
}

func thingKey(kind, region, id string) string { return kind + " " + region + " " + id }

// call journals a call and runs work between the hooks. An error of a hook before it keeps the work undone, one after
// it is an answer that got lost. "*" hooks every call.
func (w *world) call(op, region, id string, work func() error) error {
	c := call{op, region, id}
	w.mu.Lock()
	w.journal = append(w.journal, c)
	before, after := w.hooks(w.before, op), w.hooks(w.after, op)
	w.mu.Unlock()
	for _, hook := range before {
		if err := hook(c); err != nil {
			return err
		}
	}
	w.mu.Lock()
	err := work()
	w.mu.Unlock()
	if err != nil {
		return err
	}
	for _, hook := range after {
		if err := hook(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) hooks(of map[string][]func(call) error, op string) []func(call) error {
	return slices.Concat(of[op], of["*"])
}

// on runs hook before each call of op.
func (w *world) on(op string, hook func(call) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before[op] = append(w.before[op], hook)
}

// then runs hook after each successful call of op.
func (w *world) then(op string, hook func(call) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after[op] = append(w.after[op], hook)
}

// calm takes all hooks away.
func (w *world) calm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.before)
	clear(w.after)
}

// fail makes the next n calls of op fail before they do anything.
func (w *world) fail(op string, n int, err error) { w.on(op, times(n, err)) }

// drop makes the next n calls of op do their work and lose the answer.
func (w *world) drop(op string, n int, err error) { w.then(op, times(n, err)) }

// deny refuses every call of op.
func (w *world) deny(op string) {
	w.on(op, func(call) error {
		return &smithy.GenericAPIError{Code: "AccessDenied", Message: "no " + op + " for you"}
	})
}

func times(n int, err error) func(call) error {
	var mu sync.Mutex
	return func(call) error {
		mu.Lock()
		defer mu.Unlock()
		if n == 0 {
			return nil
		}
		n--
		return err
	}
}

var (
	errBroken = errors.New("connection reset by peer")
	errExists = &smithy.GenericAPIError{Code: "AlreadyExists", Message: "it exists"}
	errBusy   = &smithy.GenericAPIError{Code: "DependencyViolation", Message: "it is in use"}
)

func alreadyExists(err error) bool { return hasCode(err, "AlreadyExists") }
func isBusy(err error) bool        { return hasCode(err, "DependencyViolation") }

func hasCode(err error, code string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == code
}

// add puts an object into the world, made by nobody's call. It returns its id.
func (w *world) add(th thing) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.addLocked(&th)
}

func (w *world) addLocked(th *thing) string {
	w.serial++
	if th.id == "" {
		th.id = fmt.Sprintf("%s-%d", th.kind, w.serial)
	}
	if th.tags == nil {
		th.tags = map[string]string{}
	}
	if th.owner == "" {
		th.owner = testAccount
	}
	th.created = w.clock.Add(time.Duration(w.serial) * time.Minute)
	w.things[thingKey(th.kind, th.region, th.id)] = th
	return th.id
}

// find returns an object that exists and shows; it counts hidden and pending down where asked.
func (w *world) findLocked(kind, region, id string, reading bool) (*thing, error) {
	th, ok := w.things[thingKey(kind, region, id)]
	if !ok {
		return nil, ErrNotFound
	}
	if reading && th.hidden > 0 {
		th.hidden--
		return nil, ErrNotFound
	}
	return th, nil
}

// shown is an object's state as a read sees it.
func (th *thing) shown() (State, string) {
	if th.pending > 0 {
		th.pending--
		return Pending, "on its way"
	}
	return th.state, th.reason
}

// listLocked returns the objects of a kind in a region that show, oldest first.
func (w *world) listLocked(kind, region string) []*thing {
	var out []*thing
	for _, th := range w.things {
		if th.kind != kind || th.region != region {
			continue
		}
		if th.hidden > 0 {
			th.hidden--
			continue
		}
		out = append(out, th)
	}
	slices.SortFunc(out, func(a, b *thing) int { return a.created.Compare(b.created) })
	return out
}

// thing returns a copy of the object with this id, whatever its region; nil where there is none.
func (w *world) thing(kind, id string) *thing {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, th := range w.things {
		if th.kind == kind && th.id == id {
			c := *th
			c.tags = maps.Clone(th.tags)
			return &c
		}
	}
	return nil
}

// edit changes an object behind the provider's back.
func (w *world) edit(kind, id string, change func(*thing)) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, th := range w.things {
		if th.kind == kind && th.id == id {
			change(th)
			return
		}
	}
	w.t.Fatalf("there is no %s %s", kind, id)
}

// erase makes an object vanish.
func (w *world) erase(kind, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.things, func(_ string, th *thing) bool { return th.kind == kind && th.id == id })
}

// ids returns the ids of the living objects of a kind, oldest first.
func (w *world) ids(kind string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []*thing
	for _, th := range w.things {
		if th.kind == kind && th.state != Gone {
			found = append(found, th)
		}
	}
	slices.SortFunc(found, func(a, b *thing) int { return a.created.Compare(b.created) })
	out := make([]string, len(found))
	for i, th := range found {
		out[i] = th.id
	}
	return out
}

// count returns how often op was called; an op that ends in "." counts every call of that type.
func (w *world) count(op string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, c := range w.journal {
		if c.op == op || strings.HasSuffix(op, ".") && strings.HasPrefix(c.op, op) {
			n++
		}
	}
	return n
}

// writes returns the calls that changed something, in order.
func (w *world) writes() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, c := range w.journal {
		_, verb, _ := strings.Cut(c.op, ".")
		if !slices.Contains([]string{"Get", "List", "Find", "Search", "Fill", "FillOne", "Natural", "Parents"}, verb) {
			out = append(out, c.op)
		}
	}
	return out
}

// forget empties the journal.
func (w *world) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.journal = nil
}
