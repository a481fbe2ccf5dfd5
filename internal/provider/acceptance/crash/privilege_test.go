package main

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"sync"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// relearn makes the test write the list of actions anew, as `make permissions` asks; the guide is made from that list.
var relearn = flag.Bool("relearn", false, "write what the provider calls to internal/permissions/types.json")

// everything allows all.
var everything = policyOf([]string{"*"})

// TestBehaviour25LeastPrivilege shows that the permissions in the guide are enough, and that each of them is needed.
//
// Given an emulator that carries out IAM policies, and credentials with no permission but those that the list gives to a type.
// When the type goes through its whole life. Then every call is allowed, and the calls are what the list has to hold. When one
// action is taken away, each in turn. Then what needs it fails with an error that names the action and the instance, or does
// without where a reason says so.
func TestBehaviour25LeastPrivilege(t *testing.T) {
	if harness == nil {
		t.Skip("needs the emulator that make test prepares")
	}
	must(t, environment())
	h, err := harness.Enforcing(t.Context(), len(subjects))
	must(t, err)
	t.Cleanup(func() { must(t, h.StopEmulator()) })
	all, err := askSchemas(t.Context(), provider.Server("crash")())
	must(t, err)
	var mu sync.Mutex
	found := map[string][]permissions.Use{}
	t.Run("types", func(t *testing.T) {
		for n, sub := range subjects {
			t.Run(sub.typ, func(t *testing.T) {
				t.Parallel()
				p := &privileges{sub: sub, seen: map[string]*need{}}
				p.open(t, h, all)
				p.learn(t)
				mu.Lock()
				found[sub.typ] = p.uses()
				mu.Unlock()
				if !*relearn && !t.Failed() {
					p.mustBeListed(t)
					p.onlyPlan(t)
					p.takeAway(t)
					p.throughCLI(t, h.CLIs[n%len(h.CLIs)])
				}
			})
		}
	})
	if *relearn && !t.Failed() {
		must(t, write(h.Root, found))
	}
}

// privileges is what one type needs.
type privileges struct {
	sub  *subject
	site *site
	// seen are the actions that calls needed.
	seen map[string]*need
}

// need is what asks for an action.
type need struct {
	// calls are the API operations, and options the arguments behind them.
	calls, options map[string]bool
	// own are the scenes, in order, with a call whose own action it is; beside those with one that needs it beside its own.
	own, beside []scene
	// always says that objects without any of those arguments need it too.
	always bool
}

// open makes a site with what the type's scenes need.
func (p *privileges) open(t *testing.T, h *acceptance.Harness, all *schemas) {
	t.Helper()
	if p.sub.mend == nil && strings.HasPrefix(p.sub.typ, "estate_route53") {
		own := *p.sub
		own.mend = arriveLater
		p.sub = &own
	}
	var err error
	p.site, err = newSite(t.Context(), h, all, p.sub)
	must(t, err)
	t.Cleanup(p.site.close)
	if more := setups[p.sub.typ]; more != nil {
		must(t, more(t.Context(), p.site.AWS, p.site.vars))
	}
}

// arriveLater makes Route 53's answers say of each change that it is on its way, as AWS says; the emulator's changes have
// arrived at once.
func arriveLater(_ context.Context, s *acceptance.Sandbox) {
	s.Proxy.On(faultproxy.And(faultproxy.Writes(), faultproxy.Action("route53:*")), faultproxy.Edit(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte("INSYNC"), []byte("PENDING"))
	}))
}

// learn plays all scenes with the policy that the guide has for the type, and notes the actions that their calls need.
func (p *privileges) learn(t *testing.T) {
	t.Helper()
	policy := everything
	if !*relearn {
		policy = p.published(t)
	}
	for _, sc := range lifetime(p.sub) {
		calls, err := p.play(t, sc, policy, nil)
		if err != nil {
			t.Fatalf("%s, with the permissions of the type: %v\n%s", sc.name, err, faultproxy.Format(calls))
		}
		for _, c := range calls {
			for _, action := range c.Permissions() {
				n := p.seen[action]
				if n == nil {
					n = &need{calls: map[string]bool{}, options: map[string]bool{}}
					p.seen[action] = n
				}
				n.calls[c.Name()] = true
				if action == c.Permission() {
					n.own = append(n.own, sc)
				} else {
					n.beside = append(n.beside, sc)
				}
				if option := p.optionOf(sc, action); option == "" {
					n.always = true
				} else {
					for name := range strings.SplitSeq(option, ", ") {
						n.options[name] = true
					}
				}
			}
		}
	}
}

// optionOf is the argument that asks for an action in a scene, "" where every object needs it.
func (p *privileges) optionOf(sc scene, action string) string {
	if option := askedFor[p.sub.typ+" "+action]; option != "" {
		return option
	}
	return sc.option
}

// play prepares a scene with all permissions and plays it with the policy's, and with a rule in the proxy where one is given.
// It returns the scene's calls, and leaves nothing behind.
func (p *privileges) play(t *testing.T, sc scene, policy string, rule func() *faultproxy.Rule) ([]faultproxy.Call, error) {
	t.Helper()
	ctx := t.Context()
	before, err := p.site.live(ctx, p.sub)
	must(t, err)
	must(t, p.site.Allow(ctx, everything))
	l := &life{sub: p.sub}
	if err := sc.prepare(ctx, p.site, l); err != nil {
		t.Fatalf("%s: preparing: %v", sc.name, err)
	}
	must(t, p.site.Allow(ctx, policy))
	mark := p.site.proxy.Mark()
	var denial *faultproxy.Rule
	if rule != nil {
		denial = rule()
	}
	played := sc.act(ctx, l)
	calls := faultproxy.Select(p.site.proxy.Since(mark), counts)
	if denial != nil {
		denial.Remove()
	}
	must(t, p.site.Allow(ctx, everything))
	p.clear(t, sc, l, before)
	return calls, played
}

// clear destroys what a scene left: what the state holds, and what a scene that failed made and did not get into its state.
func (p *privileges) clear(t *testing.T, sc scene, l *life, before map[string]acceptance.Object) {
	t.Helper()
	ctx := t.Context()
	if err := l.run(ctx, target{}); err != nil {
		t.Fatalf("%s: destroying: %v", sc.name, err)
	}
	left, err := p.site.added(ctx, p.sub, before)
	must(t, err)
	if len(left) == 0 {
		return
	}
	l.forget()
	if err := sc.act(ctx, l); err != nil { // adopts it
		t.Fatalf("%s again, after it failed: %v", sc.name, err)
	}
	if err := l.run(ctx, target{}); err != nil {
		t.Fatalf("%s: destroying: %v", sc.name, err)
	}
	left, err = p.site.added(ctx, p.sub, before)
	must(t, err)
	if len(left) > 0 {
		t.Fatalf("%s left %v", sc.name, left)
	}
}
