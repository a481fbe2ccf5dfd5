package acceptance

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
)

// TestBehaviour03ForeignObjectsAreNeverTaken shows that a name or range that is taken is refused, unless its holder is ours.
//
// Given an object that holds the name or range of a resource, and that carries no marker, another estate's, another instance's,
// or one that cannot be read. When the user plans or applies. Then both fail with the object's id and the reason, and the object
// and its tags are as before. One without a marker is taken over where the resource says so itself. Buckets are refused alike
// in the region in which a create call of somebody's bucket would succeed, and where the object appears after the plan.
func TestBehaviour03ForeignObjectsAreNeverTaken(t *testing.T) {
	t.Run("names", func(t *testing.T) { eachCLI(t, takenByOthers) })
	bucketRegionsAlike(t)
}

// strangers are the ways in which an object is not ours, with what the refusal says of one that is a T.other or belongs to
// another estate. T stands for its type.
var strangers = []struct {
	name string
	tags func(resourceType string) func(estate string) map[string]string
	says string
}{
	{"unmarked", func(string) func(string) map[string]string { return unmarked }, "Unmarked object in the way.*tofu import 'T.unmarked' ID.*adopt_unmarked = true"},
	{"foreign", func(string) func(string) map[string]string { return foreignMarked }, `Object of another owner.*"somebody-elses".*have its owner let go of it`},
	{
		"neighbour", func(resourceType string) func(string) map[string]string { return marked(resourceType + ".other") },
		`Object of another owner.*T\.other.*have its owner let go of it`,
	},
	{
		"malformed", func(string) func(string) map[string]string { return marked("estate_internet_gateway.a") },
		`Malformed marker in the way.*estate_internet_gateway.*tofu-address = T\.malformed.*take its tofu-estate tag off`,
	},
}

// named are the types whose names others may hold; buckets have a test of their own.
var named = map[string]func(name string) string{
	"estate_iam_role": func(name string) string {
		return "name = \"" + name + "\"\n  assume_role_policy = <<EOT\n" + trustPolicy + "\nEOT"
	},
	"estate_cloudwatch_log_group": func(name string) string { return "name = \"" + name + "\"" },
	"estate_security_group":       func(name string) string { return "name = \"" + name + "\"" },
}

func takenByOthers(t *testing.T, w *Workspace) {
	ctx := t.Context()
	const estate = "taken"
	blocks, found := map[string]string{}, map[string]string{}
	for resourceType, arguments := range named {
		for _, s := range strangers {
			if resourceType == "estate_security_group" && s.name == "malformed" {
				continue // it may be any group of the estate, so that it would stand in the way of the others too
			}
			name := "taken-" + s.name
			found[resourceType+"."+s.name] = exists(resourceType, name, s.tags(resourceType))(t, w, estate)[0]
			blocks[resourceType+"."+s.name] = block(resourceType, s.name,
				map[string]string{"tofu_address": fmt.Sprintf("%q", resourceType+"."+s.name)}, arguments(name))
		}
	}
	var all, ours strings.Builder
	for address, text := range blocks {
		all.WriteString(text)
		if strings.HasSuffix(address, ".unmarked") {
			ours.WriteString(strings.Replace(text, "{\n", "{\n  adopt_unmarked = true\n", 1))
		}
	}
	start(t, w, estate, all.String())
	before := w.AWS.MustObjects(ctx, t)
	mark := w.Proxy.Mark()
	for _, r := range []Result{w.Plan(ctx).Result, w.Apply(ctx)} {
		r.MustFail(t)
		for resourceType := range named {
			for _, s := range strangers {
				address := resourceType + "." + s.name
				if _, made := found[address]; !made {
					continue
				}
				says := strings.NewReplacer("T", resourceType, "ID", regexp.QuoteMeta(found[address])).Replace(s.says)
				mustBlame(t, r, []string{address}, regexp.MustCompile("(?s)"+strings.Replace(says, ".*", ".*"+regexp.QuoteMeta(found[address])+".*", 1)))
			}
		}
	}
	w.MustNotWrite(t, mark)
	if after := w.AWS.MustObjects(ctx, t); after != before {
		t.Errorf("the objects were\n%s\nand are\n%s", before, after)
	}

	must(t, w.Write("main.tf", ours.String()))
	mark = w.Proxy.Mark()
	w.Apply(ctx).Must(t)
	w.MustCall(t, mark, "make an object", 0, createCalls(adoptions))
	var others []string
	for address, id := range found {
		if !strings.HasSuffix(address, ".unmarked") {
			others = append(others, id)
			delete(found, address)
		}
	}
	mustAgree(t, w, estate, others...)
	held := ids(t, w)
	if !maps.Equal(held, found) {
		t.Errorf("the state holds %v, want %v", held, found)
	}
	w.Plan(ctx).MustBeEmpty(t)
}
