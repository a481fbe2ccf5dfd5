package acceptance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// leastDenied is how many calls must follow the binding write of an adoption for the test to prove something.
const leastDenied = 3

// mostDenied bounds the objects of one apply.
const mostDenied = 20

// adoptions has one entry for each type with tags, in a file for each service.
var adoptions = slices.Concat(ec2Adoptions, iamAdoptions, logsAdoptions, route53Adoptions, s3Adoptions)

// adoption is a type whose objects are made to differ from the configuration, so that an adoption has work to do.
type adoption struct {
	resourceType string
	// creates is the call that makes an object.
	creates string
	// onlyBinds says that an adoption changes nothing but the tags, for want of anything that AWS could be told: then the
	// write of the binding is denied instead of what follows it.
	onlyBinds bool
	// around matches calls that the provider makes in another way where it may not make them: a denial of those alone fails
	// nothing. AWS lacks them here, so that the other way is denied. Optional.
	around faultproxy.Match
	// config is a resource "a" for each key in a set expression.
	config func(keys string) string
	// prepare makes what n instances need beside them, and returns settings of the environment. Optional.
	prepare func(ctx context.Context, a *AWS, n int) ([]string, error)
	// differ changes an object past the provider, and returns its further names in calls.
	differ func(ctx context.Context, a *AWS, id string) ([]string, error)
	// moves are calls of the change itself whose names sound like deletions. Optional.
	moves faultproxy.Match
}

// TestAdoptionsAreComplete holds adoptions to the provider: one entry for each type with tags.
func TestAdoptionsAreComplete(t *testing.T) {
	answer, err := provider.Server("test")().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	must(t, err)
	var tagged, have []string
	for name, schema := range answer.ResourceSchemas {
		if slices.ContainsFunc(schema.Block.Attributes, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == "tags" }) {
			tagged = append(tagged, name)
		}
	}
	for _, a := range adoptions {
		have = append(have, a.resourceType)
	}
	slices.Sort(tagged)
	slices.Sort(have)
	if len(tagged) == 0 || !slices.Equal(have, tagged) {
		t.Errorf("adoptions has entries for %q, and the types with tags are %q", have, tagged)
	}
}

// deny denies every call that follows the binding write of an adoption, one at a time, or that write where it is the last.
// Whichever it is, the object is not lost and not destroyed: the next apply takes it over.
//
// One adoption shows which calls there are. Then as many objects as calls are adopted in one apply, and each of
// them is denied another one: they have nothing in common but the apply.
func (a adoption) deny(t *testing.T, w *Workspace) {
	ctx := t.Context()
	if a.prepare != nil {
		env, err := a.prepare(ctx, w.AWS, mostDenied)
		must(t, err)
		w.Env = append(w.Env, env...)
	}
	must(t, w.Write("provider.tf", ProviderBlock("denied", "max_retries = 1")))
	must(t, w.Write("main.tf", a.config(fmt.Sprintf("[%q]", key(0)))))
	w.Init(ctx).Must(t)
	w.Apply(ctx).Must(t)
	objects := a.lose(t, w)
	if a.around == nil {
		a.around = faultproxy.Not(faultproxy.Any())
	}
	w.Proxy.On(a.around, faultproxy.Answer(http.StatusMethodNotAllowed, "MethodNotAllowed", "AWS lacks this here"))
	first := &afterBinding{names: objects[a.address(0)], included: a.onlyBinds, except: a.around}
	mark := w.Proxy.Mark()
	w.Apply(ctx).Must(t)
	calls := faultproxy.Select(w.Proxy.Since(mark), first.match)
	t.Logf("calls after the binding write:\n%s", faultproxy.Format(calls))
	least := leastDenied
	if a.onlyBinds {
		least = 1
	}
	if len(calls) < least || len(calls) > mostDenied {
		t.Fatalf("%d calls follow the binding write, want %d to %d", len(calls), least, mostDenied)
	}

	keys := make([]string, len(calls))
	for i := range keys {
		keys[i] = fmt.Sprintf("%q", key(i))
	}
	must(t, w.Write("main.tf", a.config("["+strings.Join(keys, ", ")+"]")))
	w.Apply(ctx).Must(t)
	before := ids(t, w)
	objects = a.lose(t, w)
	rules := map[string]*faultproxy.Rule{}
	for i := range calls {
		nth := &afterBinding{names: objects[a.address(i)], included: a.onlyBinds, except: a.around, nth: i + 1}
		rules[a.address(i)] = w.Proxy.On(nth.match, faultproxy.Deny())
	}
	mark = w.Proxy.Mark()
	failed := w.Apply(ctx).MustFail(t)
	a.mustHaveFailed(t, w, failed, calls, before, rules, mark)

	w.Proxy.ClearRules()
	w.Apply(ctx).Must(t)
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Errorf("the state held %v and holds %v", before, after)
	}
	w.MustCall(t, mark, "create", 0, faultproxy.Action(a.creates))
	deletes := Deletes()
	if a.moves != nil {
		deletes = faultproxy.And(deletes, faultproxy.Not(a.moves))
	}
	for address, id := range before {
		w.MustCall(t, mark, "delete "+address, 0, faultproxy.And(deletes, Mentioning(id)))
	}
	mustAgree(t, w, "denied")
	w.Plan(ctx).MustBeEmpty(t)
}

// mustHaveFailed fails the test unless each adoption was denied its own call, said so, and left no state.
func (a adoption) mustHaveFailed(t *testing.T, w *Workspace, r Result, calls []faultproxy.Call, before map[string]string, rules map[string]*faultproxy.Rule, mark int) {
	t.Helper()
	held := ids(t, w)
	for i, call := range calls {
		address := a.address(i)
		if n := rules[address].Hits(); n != 1 {
			t.Errorf("%d calls were denied to %s, want 1", n, address)
		}
		if id, ok := held[address]; ok {
			t.Errorf("the state holds %s as %s, though %s was denied", id, address, call.Name())
		}
		said := slices.ContainsFunc(r.Errors(), func(d Diagnostic) bool {
			return d.Summary == "Adoption not finished" && strings.Contains(d.Detail, address) &&
				strings.Contains(d.Detail, before[address]) && strings.Contains(d.Detail, "Missing permission: "+call.Permission())
		})
		if !said {
			t.Errorf("no error says that %s (%s) lacks %s", address, before[address], call.Permission())
		}
	}
	denied := faultproxy.Select(w.Proxy.Since(mark), func(c faultproxy.Call) bool { return c.Fault != "" && !a.around(c) })
	if got, want := names(denied), names(calls); !slices.Equal(got, want) {
		t.Errorf("denied were %q, want %q", got, want)
	}
	if t.Failed() {
		t.Fatalf("the apply said:\n%s", r.explain())
	}
}

// names are the names of calls, sorted.
func names(calls []faultproxy.Call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name())
	}
	slices.Sort(out)
	return out
}

func (a adoption) address(i int) string { return fmt.Sprintf("%s.a[%q]", a.resourceType, key(i)) }

// key is the for_each key of an instance; a bare number would be a count index.
func key(i int) string { return fmt.Sprintf("k%d", i) }

// lose makes every object differ and forgets the state; it returns the names of the objects in calls by address.
func (a adoption) lose(t *testing.T, w *Workspace) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for address, id := range ids(t, w) {
		more, err := a.differ(t.Context(), w.AWS, id)
		must(t, err)
		out[address] = append(more, id)
	}
	must(t, w.ForgetState())
	return out
}

// afterBinding matches the calls about one object that follow a write of its tags, that write included where it says so:
// the nth of them, or all. The excepted ones count as none.
type afterBinding struct {
	names    []string
	included bool
	except   faultproxy.Match
	nth      int

	mu    sync.Mutex
	bound bool
	seen  int
}

func (b *afterBinding) match(c faultproxy.Call) bool {
	if b.except(c) || !slices.ContainsFunc(b.names, func(name string) bool { return Mentioning(name)(c) }) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.bound {
		if b.bound = TagWrites()(c); !b.bound || !b.included {
			return false
		}
	}
	b.seen++
	return b.nth == 0 || b.seen == b.nth
}
