package acceptance

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// refusal is an apply that must be refused.
type refusal struct {
	name string
	// estate is the provider's estate: one of the case's own where it is empty, none at all where it is "-".
	estate string
	// provider are further lines of the provider block; config is the configuration.
	provider []string
	config   string
	// setup makes what is there before, and returns the ids that the message must name. Optional.
	setup func(t *testing.T, w *Workspace, estate string) []string
	// fault harms the calls. Optional.
	fault func(p *faultproxy.Proxy) *faultproxy.Rule
	// summary is that of the error; says are phrases of it: the attribute or object at fault, and the way out.
	summary string
	says    []string
}

// TestRefusals shows that bad input is an error that names the culprit and the way out, and that nothing is changed.
func TestRefusals(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "refusals", "")
		for i, r := range refusals {
			if r.estate == "" {
				r.estate = fmt.Sprintf("refusal-%d", i)
			}
			t.Run(strings.ReplaceAll(r.name, " ", "_"), func(t *testing.T) { r.try(t, w) })
		}
	})
}

func (r refusal) try(t *testing.T, w *Workspace) {
	t.Cleanup(func() { must(t, w.ForgetState()) })
	says := r.says
	if r.setup != nil {
		must(t, w.Write("provider.tf", ProviderBlock(r.estate)))
		says = append(says[:len(says):len(says)], r.setup(t, w, r.estate)...)
	}
	block := ProviderBlock(r.estate, append([]string{"max_retries = 1"}, r.provider...)...)
	if r.estate == "-" {
		block = strings.Replace(block, `estate = "-"`, "", 1)
	}
	must(t, w.Write("provider.tf", block))
	must(t, w.Write("main.tf", r.config))

	held := ids(t, w)
	before, err := w.AWS.Objects(t.Context())
	must(t, err)
	var rule *faultproxy.Rule
	if r.fault != nil {
		rule = r.fault(w.Proxy)
		defer rule.Remove()
	}
	mark := w.Proxy.Mark()
	r.mustRefuse(t, w.Apply(t.Context()), says)

	if rule != nil && rule.Hits() == 0 {
		t.Errorf("the fault met no call:\n%s", faultproxy.Format(w.Proxy.Since(mark)))
	}
	w.MustCall(t, mark, "write and reach AWS", 0, func(c faultproxy.Call) bool { return c.Write && c.Fault == "" })
	if now := ids(t, w); !maps.Equal(now, held) {
		t.Errorf("the state held %v and holds %v", held, now)
	}
	after, err := w.AWS.Objects(t.Context())
	must(t, err)
	if !reflect.DeepEqual(before, after) {
		t.Errorf("the objects were %v and are %v", before, after)
	}
}

// mustRefuse fails the test unless the command failed with errors of the one summary, one of which says all phrases.
func (r refusal) mustRefuse(t *testing.T, result Result, says []string) {
	t.Helper()
	result.MustFail(t, append([]string{r.summary}, says...)...)
	whole := false
	for _, d := range result.Errors() {
		if d.Summary != r.summary {
			t.Errorf("there is another error: %s", d)
			continue
		}
		missing := 0
		for _, phrase := range says {
			if !strings.Contains(strings.Join(strings.Fields(d.Detail), " "), strings.Join(strings.Fields(phrase), " ")) {
				missing++
			}
		}
		whole = whole || missing == 0
	}
	if !whole {
		t.Errorf("no single error says all of %q\n%s", says, result.explain())
	}
}
