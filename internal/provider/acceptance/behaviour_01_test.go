package acceptance

import (
	"slices"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// crashes are the ways in which a run loses the answers to its create calls after AWS has done their work.
var crashes = []struct {
	name string
	run  func(t *testing.T, w *Workspace)
}{
	{"answers lost", answersLost},
	{"killed, same machine", func(t *testing.T, w *Workspace) { killed(t, w, func() {}) }},
	{"killed, fresh checkout", func(t *testing.T, w *Workspace) { killed(t, w, func() { must(t, w.ForgetState()) }) }},
	{"killed, stale listings", killedStale},
}

// TestBehaviour01CrashSafeCreate shows that no create is lost and none is done twice.
//
// Given an empty state, and an apply whose create calls reach AWS, one of each type with tags, while none of their answers comes
// back, because the connection is cut or the provider is killed at that moment. When the user applies again, in the same folder
// or in a fresh checkout without a state. Then no create call is made again, each object is there once, the state holds it, and
// the next plan is empty.
//
// Where only answers are lost, the same apply goes on by itself. Where the listings do not show the new objects yet, a create
// call is made again if AWS makes no second object of it, for its name, range or token; an apply may then have to be repeated.
func TestBehaviour01CrashSafeCreate(t *testing.T) {
	for _, c := range crashes {
		t.Run(c.name, func(t *testing.T) { eachCLI(t, func(t *testing.T, w *Workspace) { c.run(t, w) }) })
	}
}

// admitsOne tells whether AWS makes one object alone of two create calls, for its name, its range or its token.
func admitsOne(a adoption) bool {
	return !slices.Contains([]string{"estate_vpc", "estate_eip", "estate_internet_gateway"}, a.resourceType)
}

// repeated tells whether a create call whose answer was lost is made again: where the name is the key, or there is a token.
func repeated(a adoption) bool {
	return admitsOne(a) && !slices.Contains([]string{"estate_subnet", "estate_security_group"}, a.resourceType)
}

// answersLost goes on within the apply.
func answersLost(t *testing.T, w *Workspace) {
	start(t, w, "crash", tagged(t, w, 1, adoptions))
	w.Proxy.AsAWS()
	loseAnswers(t, w, adoptions, func() {})
	w.Apply(t.Context()).Must(t)
	for _, a := range adoptions {
		made := map[bool]int{true: 2, false: 1}[repeated(a)]
		w.MustCall(t, 0, "make "+a.resourceType, made, faultproxy.Action(a.creates))
	}
	mustHaveRecovered(t, w, adoptions)
}

// killed applies again after the provider was killed.
func killed(t *testing.T, w *Workspace, between func()) {
	start(t, w, "crash", tagged(t, w, 1, adoptions))
	w.Proxy.AsAWS()
	killAfterCreates(t, w, adoptions)
	between()
	mark := w.Proxy.Mark()
	w.Apply(t.Context()).Must(t)
	w.MustCall(t, mark, "make an object again", 0, createCalls(adoptions))
	mustHaveRecovered(t, w, adoptions)
}

// staleReads is how many reads do not show a new object, staleRuns how many applies it may then take to find all of them.
const (
	staleReads = 5
	staleRuns  = 3
)

// killedStale applies in another checkout, whose reads do not show the new objects at first.
func killedStale(t *testing.T, w *Workspace) {
	var types []adoption
	for _, a := range adoptions {
		if admitsOne(a) {
			types = append(types, a)
		}
	}
	start(t, w, "crash", tagged(t, w, 1, types))
	w.Proxy.AsAWS()
	killAfterCreates(t, w, types, faultproxy.HideNewest(staleReads))
	must(t, w.ForgetState())
	var r Result
	for range staleRuns {
		if r = w.Apply(t.Context()); r.Err == nil {
			break
		}
		mustHoldEach(t, w, "crash", 1, types)
	}
	r.Must(t)
	for _, a := range types { // else a read would have shown the object before
		w.MustCall(t, 0, "make "+a.resourceType+", once in vain", 2, faultproxy.Action(a.creates))
	}
	mustHaveRecovered(t, w, types)
}

// loseAnswers has the answer to one create call of each type lost after AWS has done the work: all at the same moment, when act
// has run. Further faults strike the calls too.
func loseAnswers(t *testing.T, w *Workspace, types []adoption, act func(), more ...faultproxy.Fault) {
	t.Helper()
	arrive := gather(len(types), act)
	for _, a := range types {
		lost := faultproxy.Run(func(c faultproxy.Call) {
			if err := w.AWS.KeepBucketTags(t.Context(), c); err != nil {
				t.Error(err)
			}
			arrive()
		})
		w.Proxy.On(faultproxy.Action(a.creates), faultproxy.Together(append(more, lost)...)).Times(1)
	}
}

// killAfterCreates applies, and kills the provider when AWS has made an object of each type and has answered none.
func killAfterCreates(t *testing.T, w *Workspace, types []adoption, more ...faultproxy.Fault) {
	t.Helper()
	p := follow(w)
	loseAnswers(t, w, types, p.kill, more...)
	p.mustHaveDied(t, w.Apply(t.Context()), 1)
	for _, a := range types {
		w.MustCall(t, 0, "make "+a.resourceType, 1, faultproxy.Action(a.creates))
	}
	if held := w.MustState(t); len(held) > 0 {
		t.Fatalf("the state holds %v: the kill came too late to show anything", held)
	}
}

// mustHaveRecovered fails the test unless there is one object of each type, held by the state, and nothing left to do.
func mustHaveRecovered(t *testing.T, w *Workspace, types []adoption) {
	t.Helper()
	mustHoldEach(t, w, "crash", 1, types)
	mustAgree(t, w, "crash")
	w.Plan(t.Context()).MustBeEmpty(t)
}
