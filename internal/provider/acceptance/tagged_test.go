package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// taggedEstate is one instance "a" of each type with tags for each key of a list expression, none of which refers to another:
// what is refused to one is said of all. Subnets and groups are in a VPC of nobody's. The lines are further arguments of
// each. Names that AWS wants are numbers: keys need not be good for names.
func taggedEstate(w *Workspace, vpc, keys string, lines ...string) string {
	arguments := map[string][]string{
		"estate_vpc":                  {`cidr_block = "10.0.0.0/16"`},
		"estate_subnet":               {`cidr_block = cidrsubnet("10.200.0.0/16", 8, each.value)`, fmt.Sprintf("vpc_id = %q", vpc)},
		"estate_security_group":       {`name = "tagged-${each.value}"`, fmt.Sprintf("vpc_id = %q", vpc)},
		"estate_internet_gateway":     {},
		"estate_eip":                  {`domain = "vpc"`},
		"estate_iam_role":             {`name = "tagged-${each.value}"`, "assume_role_policy = <<EOT\n" + trustPolicy + "\nEOT"},
		"estate_route53_zone":         {`name = "n${each.value}.tagged.test"`},
		"estate_cloudwatch_log_group": {`name = "tagged/${each.value}"`},
		"estate_s3_bucket":            {fmt.Sprintf(`bucket = "tagged-%s-${each.value}"`, w.Account)},
	}
	out := "locals {\n  keys = { for i, k in " + keys + " : k => i }\n}\n"
	for _, kind := range slices.Sorted(maps.Keys(arguments)) {
		all := slices.Concat([]string{
			"for_each = local.keys", fmt.Sprintf("tofu_address = %q", kind+".a"), "tofu_key = each.key",
		}, arguments[kind], lines)
		out += block(kind, "a", nil, all...)
	}
	return out
}

// startTagged applies such an estate, and fails the test if a type with tags is missing. It returns the VPC of nobody's.
func startTagged(t *testing.T, w *Workspace, estate, keys string, lines ...string) (vpc string) {
	t.Helper()
	vpc, err := makeVpc(t.Context(), w.AWS, "", nil)
	must(t, err)
	start(t, w, estate, taggedEstate(w, vpc, keys, lines...))
	w.Apply(t.Context()).Must(t)
	held := w.MustState(t)
	for _, kind := range Kinds {
		there := slices.ContainsFunc(slices.Collect(maps.Keys(held)), func(address string) bool {
			return strings.HasPrefix(address, kind.Type+".a[")
		})
		if kind.List != nil && !there {
			t.Fatalf("the tagged estate has no %s", kind.Type)
		}
	}
	mustAgree(t, w, estate)
	return vpc
}

// tagsOf returns the tags of each object in the state by address.
func tagsOf(t *testing.T, w *Workspace) map[string]map[string]string {
	t.Helper()
	all, err := w.AWS.Objects(t.Context())
	must(t, err)
	out := map[string]map[string]string{}
	for address, i := range w.MustState(t) {
		for _, o := range all {
			if o.Type == i.Type && o.ID == i.ID() {
				out[address] = o.Tags
			}
		}
	}
	return out
}

// retag takes tags off an object of the state and then sets others, past the provider.
func retag(t *testing.T, w *Workspace, i Instance, remove []string, set map[string]string) {
	t.Helper()
	kind, err := KindOf(i.Type)
	must(t, err)
	if len(remove) > 0 {
		must(t, kind.Untag(t.Context(), w.AWS, i.ID(), remove...))
	}
	if len(set) > 0 {
		must(t, kind.Tag(t.Context(), w.AWS, i.ID(), set))
	}
}
