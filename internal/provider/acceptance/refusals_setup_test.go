package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// This file makes the configurations, the existing objects and the faults of the refusals.

// block is a resource with the lines given, and those that it always has where they are not given.
func block(kind, name string, always map[string]string, lines ...string) string {
	for _, argument := range slices.Sorted(maps.Keys(always)) {
		given := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, argument+" ") })
		if !given {
			lines = append(lines, argument+" = "+always[argument])
		}
	}
	return fmt.Sprintf("resource %q %q {\n  %s\n}\n", kind, name, strings.Join(lines, "\n  "))
}

// aVpc and aRole are minimal resources.
func aVpc(name string, lines ...string) string {
	return block("estate_vpc", name, map[string]string{
		"tofu_address": `"estate_vpc.` + name + `"`, "cidr_block": `"10.200.0.0/16"`,
	}, lines...)
}

func aRole(name string, lines ...string) string {
	return block("estate_iam_role", "a", map[string]string{
		"tofu_address": `"estate_iam_role.a"`, "name": `"` + name + `"`, "assume_role_policy": "<<EOT\n" + trustPolicy + "\nEOT",
	}, lines...)
}

// exists makes objects of a type without the provider, one for each set of tags.
func exists(resourceType, name string, tags ...func(estate string) map[string]string) func(*testing.T, *Workspace, string) []string {
	return func(t *testing.T, w *Workspace, estate string) []string {
		kind, err := KindOf(resourceType)
		must(t, err)
		var made []string
		for _, these := range tags {
			id, err := kind.Make(t.Context(), w.AWS, name, these(estate))
			must(t, err)
			made = append(made, id)
		}
		return made
	}
}

// applied applies a configuration first, without saying any id.
func applied(config string) func(*testing.T, *Workspace, string) []string {
	return func(t *testing.T, w *Workspace, _ string) []string {
		must(t, w.Write("main.tf", config))
		w.Apply(t.Context()).Must(t)
		return nil
	}
}

// forgotten applies a configuration first, and loses the state.
func forgotten(config string) func(*testing.T, *Workspace, string) []string {
	return func(t *testing.T, w *Workspace, estate string) []string {
		applied(config)(t, w, estate)
		must(t, w.ForgetState())
		return nil
	}
}

// Tags of existing objects.

func unmarked(string) map[string]string { return nil }

func marked(address string) func(string) map[string]string {
	return func(estate string) map[string]string {
		return map[string]string{TagEstate: estate, TagAddress: address}
	}
}

func foreignMarked(string) map[string]string {
	return map[string]string{TagEstate: "somebody-elses", TagAddress: "estate_iam_role.a"}
}

func without(key string, tags func(string) map[string]string) func(string) map[string]string {
	return func(estate string) map[string]string {
		out := tags(estate)
		delete(out, key)
		return out
	}
}

func with(key, value string, tags func(string) map[string]string) func(string) map[string]string {
	return func(estate string) map[string]string {
		out := tags(estate)
		out[key] = value
		return out
	}
}

func denying(action string) func(*faultproxy.Proxy) *faultproxy.Rule {
	return func(p *faultproxy.Proxy) *faultproxy.Rule { return p.On(faultproxy.Action(action), faultproxy.Deny()) }
}

func expiring(action string) func(*faultproxy.Proxy) *faultproxy.Rule {
	return func(p *faultproxy.Proxy) *faultproxy.Rule {
		return p.On(faultproxy.Action(action), faultproxy.ExpireToken())
	}
}

// manyTags is a tags argument with n entries.
func manyTags(n int) string {
	var out strings.Builder
	out.WriteString("tags = {\n")
	for i := range n {
		fmt.Fprintf(&out, "    k%02d = \"v\"\n", i)
	}
	return out.String() + "  }"
}

// deadEndpoint is an address at which nothing listens: port 1 is reserved, and no test binds it.
const deadEndpoint = "http://127.0.0.1:1"

// remarked applies a configuration first, and then sets tags of the VPC past the provider.
func remarked(tags map[string]string) func(*testing.T, *Workspace, string) []string {
	return func(t *testing.T, w *Workspace, estate string) []string {
		applied(aVpc("a"))(t, w, estate)
		id := w.MustState(t)["estate_vpc.a"].ID()
		must(t, tagEC2(t.Context(), w.AWS, id, tags))
		return []string{id}
	}
}
