package acceptance

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestBehaviour07IdIntoStateFirst shows that whatever fails after a create call, the state has the object.
//
// Given an apply that creates objects of each type, and of the calls that follow each create one that is denied, or not answered
// until the user interrupts: another one for each object of a type. When the apply fails. Then the state holds the id of every
// object, tainted, and the message shows the untaint command. When the cause is gone and the user applies again. Then an
// entry that was untainted keeps its object, which is finished; a tainted one has a new object and the old one is gone. Nothing
// is there twice, and the next plan is empty.
func TestBehaviour07IdIntoStateFirst(t *testing.T) {
	t.Run("denied", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			failAfterCreates(t, w, mostFailing, faultproxy.Deny(), func(int) func() { return func() {} })
		})
	})
	t.Run("not answered", func(t *testing.T) {
		eachCLI(t, func(t *testing.T, w *Workspace) {
			p := follow(w)
			failAfterCreates(t, w, 1, faultproxy.Hang(), func(n int) func() { return gather(n, p.interrupt) })
		})
	})
}

// mostFailing is how many of the calls that follow a create fail, spread over all of them. The crash matrix strikes each.
const mostFailing = 4

// born follows the objects that create calls make, so that the calls about them can be told.
type born struct {
	account string

	mu sync.Mutex
	// of is the address of each object, by the service and the names that calls have for it.
	of map[string]string
	// calls counts the calls about each address since its create, struck has those of which one was failed.
	calls  map[string]int
	struck map[string]bool
}

// watchBirths starts to follow.
func watchBirths(w *Workspace) *born {
	b := &born{account: w.Account, of: map[string]string{}, calls: map[string]int{}, struck: map[string]bool{}}
	w.Proxy.Watch(b.note)
	return b
}

// Patterns of what create calls say of an object: its key, and the id that AWS answers.
var (
	keyOfCreate = regexp.MustCompile(`k(\d+)`)
	idOfAnswer  = map[string]*regexp.Regexp{
		"estate_vpc":              regexp.MustCompile(`<vpcId>(vpc-[0-9a-f]+)`),
		"estate_subnet":           regexp.MustCompile(`subnet-[0-9a-f]+`),
		"estate_security_group":   regexp.MustCompile(`sg-[0-9a-f]+`),
		"estate_internet_gateway": regexp.MustCompile(`igw-[0-9a-f]+`),
		"estate_eip":              regexp.MustCompile(`eipalloc-[0-9a-f]+`),
		"estate_route53_zone":     regexp.MustCompile(`<Id>/hostedzone/([0-9A-Z]+)</Id>`),
	}
)

// note learns the object of a create call that succeeded.
func (b *born) note(c faultproxy.Call) {
	for _, a := range adoptions {
		if c.Name() != a.creates || c.Status >= 300 || c.Status == 0 {
			continue
		}
		var said string // what names the instance: its address, or the object's own name
		values := []string{strings.Trim(c.Path, "/")}
		for _, vs := range c.Params {
			values = append(values, vs...)
		}
		for _, v := range values {
			named := idOfAnswer[a.resourceType] == nil && strings.HasPrefix(v, "denied-") || strings.HasSuffix(v, ".example.com")
			if named || idOfAnswer[a.resourceType] != nil && strings.HasPrefix(v, a.resourceType+".a") {
				said = v
			}
		}
		names := []string{said, "arn:aws:logs:" + Region + ":" + b.account + ":log-group:" + said}
		if id := idOfAnswer[a.resourceType]; id != nil {
			m := id.FindStringSubmatch(string(c.ResponseBody))
			if m == nil {
				continue // the test misses the object then
			}
			names = m[len(m)-1:]
		}
		m := keyOfCreate.FindStringSubmatch(strings.TrimPrefix(said, a.resourceType+".a"))
		if m == nil {
			continue
		}
		b.mu.Lock()
		for _, name := range names {
			b.of[c.Service+" "+name] = fmt.Sprintf(`%s.a["k%s"]`, a.resourceType, m[1])
		}
		b.mu.Unlock()
	}
}

// about is the address of the object that a call is about, and the number of the call since the create, from 0. Calls that the
// provider makes in another way where they are refused do not count.
func (b *born) about(c faultproxy.Call) (address string, nth int) {
	for _, a := range adoptions {
		if a.around != nil && a.around(c) {
			return "", 0
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, of := range b.of {
		if service, id, _ := strings.Cut(name, " "); service == c.Service && Mentioning(id)(c) {
			b.calls[of]++
			return of, b.calls[of] - 1
		}
	}
	return "", 0
}

// strike notes that a call about an address failed.
func (b *born) strike(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.struck[address] = true
}

// failAfterCreates learns which calls follow the creates, and then makes objects of which another one of them fails each.
// all is told how many fail, and returns what each of them runs when it does.
func failAfterCreates(t *testing.T, w *Workspace, limit int, fault faultproxy.Fault, all func(n int) (each func())) {
	ctx := t.Context()
	b := watchBirths(w)
	learned := tagged(t, w, limit, adoptions)
	start(t, w, "first", strings.ReplaceAll(learned, keySet(limit), keySet(1)))
	must(t, w.Write("provider.tf", ProviderBlock("first", "max_retries = 1")))
	rule := w.Proxy.On(func(c faultproxy.Call) bool {
		b.about(c)
		return false
	}, faultproxy.Deny())
	w.Apply(ctx).Must(t)
	rule.Remove()
	w.Destroy(ctx).Must(t)

	most, failing := 0, map[string]int{}
	for _, a := range adoptions {
		n := b.calls[a.address(0)]
		if n == 0 {
			t.Fatalf("no call follows the create of %s: %v", a.resourceType, b.calls)
		}
		few := min(n, limit)
		for i := range few {
			failing[a.address(i)] = i * n / few
		}
		most = max(most, few)
	}
	t.Logf("%d calls in all follow the creates", len(failing))
	b.mu.Lock()
	b.of, b.calls = map[string]string{}, map[string]int{}
	b.mu.Unlock()
	must(t, w.Write("main.tf", strings.ReplaceAll(learned, keySet(limit), keySet(most))))
	each := all(len(failing))
	w.Proxy.On(func(c faultproxy.Call) bool {
		address, nth := b.about(c)
		n, fails := failing[address]
		if fails = fails && n == nth; fails {
			b.strike(address)
			go each()
		}
		return fails
	}, fault)
	r := w.Apply(ctx, "-parallelism=100").MustFail(t)
	mustHaveEach(t, w, r, b, failing)
	w.Proxy.ClearRules()

	before := ids(t, w)
	var untainted []string
	for address := range failing {
		if strings.HasSuffix(address, `"k0"]`) {
			w.Run(ctx, "untaint", address).Must(t)
			untainted = append(untainted, address)
		}
	}
	w.Apply(ctx, "-parallelism=100").Must(t)
	after := ids(t, w)
	for _, address := range untainted {
		if after[address] != before[address] {
			t.Errorf("%s was untainted, held %s and holds %s", address, before[address], after[address])
		}
	}
	mustHoldEach(t, w, "first", most, adoptions)
	mustAgree(t, w, "first")
	w.Plan(ctx).MustBeEmpty(t)
}

// mustHaveEach fails the test unless the state holds each object that was made, tainted where a call failed, and the messages
// say so.
func mustHaveEach(t *testing.T, w *Workspace, r Result, b *born, failing map[string]int) {
	t.Helper()
	state := w.MustState(t)
	if len(b.struck) < len(adoptions) {
		t.Errorf("calls about %d objects failed, want one of each type at least", len(b.struck))
	}
	for name, address := range b.of {
		_, name, _ := strings.Cut(name, " ")
		if strings.HasPrefix(name, "arn:") {
			continue
		}
		held, ok := state[address]
		failed := b.struck[address]
		switch {
		case !ok:
			t.Errorf("%s was made for %s, and is not in the state", name, address)
		case held.ID() != name:
			t.Errorf("%s was made for %s, and the state holds %s", name, address, held.ID())
		case held.Tainted != failed:
			t.Errorf("%s is tainted: %t, want %t (call %d)", address, held.Tainted, failed, failing[address])
		case failed:
			mustSayOf(t, r.Errors(), address, regexp.MustCompile(`(?s)Create not finished.*its id is in the state.*tofu untaint '`+regexp.QuoteMeta(address)+`'`))
		}
	}
}
