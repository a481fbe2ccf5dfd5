package acceptance

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// longModule is a path that makes an address longer than one tag value is.
var longModule = `module.m["` + strings.Repeat("long-", 60) + `"].`

// TestBehaviour12RenameIsATagWrite shows that a new address is a change of tags in place, and of nothing else.
//
// Given objects of each type with tags. When their blocks are renamed by moved, to an address that needs several tags or from one
// that did, a count becomes a for_each, or a module gets another name. Then the plan is one update in place for each, the apply
// writes tags alone, and the objects carry all parts of the new address and none of the old. When the provider is killed before or
// after any of these writes. Then the next apply completes them. Where another live object carries the new address, the plan is
// refused. (Types of hashicorp/aws move in likewise: TestMovedFromAWS.)
func TestBehaviour12RenameIsATagWrite(t *testing.T) {
	t.Run("each type, killed", func(t *testing.T) { eachCLI(t, renamedAndKilled) })
	t.Run("count, module, taken", func(t *testing.T) { eachCLI(t, otherRenames) })
}

// renaming is one step of renamedAndKilled.
type renaming struct {
	// name is that of the blocks, and module what stands before the address.
	name, module string
	// kill makes the rule that ends the provider at a tag write; arrive is called for each object.
	kill func(w *Workspace, m faultproxy.Match, arrive func())
}

// killAfterWrite strikes when AWS has done the work, killBeforeWrite when the call comes.
func killAfterWrite(w *Workspace, m faultproxy.Match, arrive func()) {
	w.Proxy.On(m, faultproxy.Run(func(faultproxy.Call) { arrive() })).Times(1)
}

func killBeforeWrite(w *Workspace, m faultproxy.Match, arrive func()) {
	w.Proxy.On(func(c faultproxy.Call) bool {
		if !m(c) {
			return false
		}
		go arrive()
		return true
	}, faultproxy.Hang()).Times(1)
}

func renamedAndKilled(t *testing.T, w *Workspace) {
	ctx := t.Context()
	config := tagged(t, w, 1, adoptions)
	start(t, w, "renamed", config)
	w.Apply(ctx).Must(t)
	was, name := ids(t, w), "a"
	p := follow(w)
	for i, r := range []renaming{
		{"b", longModule, killAfterWrite},
		{"c", "", killAfterWrite}, // the first of two writes takes the old parts off
		{"d", longModule, killBeforeWrite},
	} {
		must(t, w.Write("main.tf", r.of(config)+r.moved(name)))
		all := map[string]string{}
		arrive := gather(len(adoptions), p.kill)
		for address, id := range was {
			resourceType, _, _ := strings.Cut(address, ".")
			all[strings.Replace(address, resourceType+"."+name+"[", resourceType+"."+r.name+"[", 1)] = id
			m := faultproxy.And(TagWrites(), Mentioning(id), serviceOf(resourceType))
			if resourceType == "estate_cloudwatch_log_group" {
				arn, err := w.AWS.logGroupARN(ctx, id)
				must(t, err)
				m = faultproxy.And(TagWrites(), Mentioning(arn))
			}
			r.kill(w, m, arrive)
		}
		w.Plan(ctx, "-parallelism=20").MustOnly(t, Update, keysOf(all)...)
		mark := w.Proxy.Mark()
		p.mustHaveDied(t, w.Run(ctx, "apply", "-json", "-parallelism=20", planFile), i+1)
		w.Proxy.ClearRules()
		w.Apply(ctx).Must(t)
		w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
		if now := ids(t, w); !maps.Equal(now, all) {
			t.Fatalf("the state holds %v, want %v", now, all)
		}
		mustAgree(t, w, "renamed")
		for _, o := range w.AWS.MustEstate(ctx, t, "renamed") {
			if _, parts := o.Tags[tagAddress2]; parts != (r.module != "") {
				t.Errorf("%s: the address has a second part: %t", o, parts)
			}
		}
		w.Plan(ctx).MustBeEmpty(t)
		was, name = all, r.name
	}
}

// of is the configuration with the new name and address.
func (r renaming) of(config string) string {
	for _, a := range adoptions {
		config = strings.ReplaceAll(config, fmt.Sprintf("resource %q \"a\"", a.resourceType), fmt.Sprintf("resource %q %q", a.resourceType, r.name))
		config = strings.ReplaceAll(config, fmt.Sprintf("%q\n", a.resourceType+".a"), fmt.Sprintf("%q\n", r.module+a.resourceType+"."+r.name))
	}
	return config
}

// moved says that the blocks had another name.
func (r renaming) moved(from string) string {
	var out strings.Builder
	for _, a := range adoptions {
		fmt.Fprintf(&out, "moved {\n  from = %[1]s.%[2]s\n  to   = %[1]s.%[3]s\n}\n", a.resourceType, from, r.name)
	}
	return out.String()
}

// serviceOf matches the calls of a type's service: names of different types may be the same.
func serviceOf(resourceType string) faultproxy.Match {
	for _, a := range adoptions {
		if a.resourceType == resourceType {
			service, _, _ := strings.Cut(a.creates, ":")
			return faultproxy.Action(service + ":*")
		}
	}
	return faultproxy.Not(faultproxy.Any())
}

func keysOf(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// netModule is a module with one VPC.
const netModule = `
variable "tofu_module" {
  type = string
}

terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

resource "estate_vpc" "main" {
  tofu_address = "${var.tofu_module}estate_vpc.main"
  cidr_block   = "10.3.0.0/16"
}
`

// callNet calls the module by a name.
func callNet(name string) string {
	return fmt.Sprintf("module %[1]q {\n  source      = \"./net\"\n  tofu_module = \"module.%[1]s.\"\n}\n", name)
}

// otherRenames makes a count a for_each and renames a module in one apply, and is refused an address that is taken.
func otherRenames(t *testing.T, w *Workspace) {
	ctx := t.Context()
	must(t, w.Write("net/main.tf", netModule))
	start(t, w, "renamed", callNet("old")+block("estate_eip", "e", map[string]string{
		"count": "2", "tofu_address": `"estate_eip.e"`, "tofu_key": "count.index",
	}))
	w.Apply(ctx).Must(t)
	was := ids(t, w)
	must(t, w.Write("main.tf", callNet("new")+block("estate_eip", "e", map[string]string{
		"for_each": `toset(["x", "y"])`, "tofu_address": `"estate_eip.e"`, "tofu_key": "each.key",
	})+`
moved {
  from = module.old
  to   = module.new
}
moved {
  from = estate_eip.e[0]
  to   = estate_eip.e["x"]
}
moved {
  from = estate_eip.e[1]
  to   = estate_eip.e["y"]
}
`))
	w.Run(ctx, "get").Must(t)
	want := map[string]string{
		"module.new.estate_vpc.main": was["module.old.estate_vpc.main"],
		`estate_eip.e["x"]`:          was["estate_eip.e[0]"], `estate_eip.e["y"]`: was["estate_eip.e[1]"],
	}
	w.Plan(ctx).MustOnly(t, Update, keysOf(want)...)
	mark := w.Proxy.Mark()
	w.ApplyPlan(ctx).Must(t)
	w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
	if now := ids(t, w); !maps.Equal(now, want) {
		t.Fatalf("the state holds %v, want %v", now, want)
	}
	mustAgree(t, w, "renamed")
	for _, o := range w.AWS.MustEstate(ctx, t, "renamed") {
		if slot, has := o.Tags[TagSlot]; has {
			t.Errorf("%s keeps the slot %s, and is no member of a count any more", o, slot)
		}
	}
	w.Plan(ctx).MustBeEmpty(t)

	taken := exists("estate_vpc", "", marked("module.newest.estate_vpc.main"))(t, w, "renamed")[0]
	must(t, w.Write("main.tf", callNet("newest")+"moved {\n  from = module.new\n  to   = module.newest\n}\n"+block("estate_eip", "e", map[string]string{
		"for_each": `toset(["x", "y"])`, "tofu_address": `"estate_eip.e"`, "tofu_key": "each.key",
	})))
	w.Run(ctx, "get").Must(t)
	mark = w.Proxy.Mark()
	w.Plan(ctx).MustFail(t, "Address in use", taken)
	w.MustNotWrite(t, mark)
}
