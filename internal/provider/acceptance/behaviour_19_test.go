package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sameAddress are pairs of instances that say one address, how a message names it, and the same with an address for each.
var sameAddress = []struct{ address, wrong, right string }{
	{
		"estate_vpc.copied", aVpc("copied") + aVpc("copy", `tofu_address = "estate_vpc.copied"`),
		aVpc("copied") + aVpc("copy"),
	},
	{"estate_vpc.counted", aVpc("counted", "count = 2"), aVpc("counted", "count = 2", "tofu_key = count.index")},
	{
		"estate_vpc.keyed", aVpc("keyed", `for_each = toset(["x", "y"])`),
		aVpc("keyed", `for_each = toset(["x", "y"])`, "tofu_key = each.key"),
	},
	{ // a tag would say the same for both
		"estate_vpc.number[", aVpc("number", `tofu_address = "estate_vpc.number[0]"`) + aVpc("text", `tofu_address = "estate_vpc.number[\"0\"]"`),
		aVpc("number", `tofu_address = "estate_vpc.number[0]"`) + aVpc("text", `tofu_address = "estate_vpc.number[\"a\"]"`),
	},
	{
		"module.called.estate_vpc.a", aNetwork("called", "module.called.") + aNetwork("again", "module.called."),
		aNetwork("called", "module.called.") + aNetwork("again", "module.again."),
	},
	{
		"module.counted.estate_vpc.a", aNetwork("counted", "module.counted.", "count = 2"),
		aNetwork("counted", "module.counted[${count.index}].", "count = 2"),
	},
	{"estate_vpc.a", aVpc("a") + aNetwork("inner", ""), aVpc("a") + aNetwork("inner", "module.inner.")},
}

// aNetwork calls the module of networkModule, whose VPC's address begins with the prefix.
func aNetwork(name, prefix string, lines ...string) string {
	return fmt.Sprintf("module %q {\n  source = \"./network\"\n  prefix = %q\n  %s\n}\n", name, prefix, strings.Join(lines, "\n  "))
}

// networkModule is a module that holds a VPC.
var networkModule = `
terraform {
  required_providers {
    estate = {
      source = "tofu-estate/estate"
    }
  }
}

variable "prefix" {
  type = string
}
` + aVpc("a", `tofu_address = "${var.prefix}estate_vpc.a"`)

// TestBehaviour19SameAddressTwice: one address is one object's.
//
// Given two instances that say the same address, because a block was copied, or an index or a module's path was left out,
// when a plan or an apply is made, then it is an error that names the address, and nothing is created. With the address that
// it asks for, each instance gets an object of its own. A plan that -target narrows to one of the two cannot know of the other:
// what happens then is in TestTargetHidesTheOtherEntry of the engine.
func TestBehaviour19SameAddressTwice(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		var wrong, right strings.Builder
		for _, c := range sameAddress {
			wrong.WriteString(c.wrong)
			right.WriteString(c.right)
		}
		must(t, w.Write("network/main.tf", networkModule))
		start(t, w, "twice", wrong.String())
		mark := w.Proxy.Mark()
		refused := w.Plan(ctx).MustFail(t, "Duplicate address", "tofu_key = each.key", "start the address with ${var.tofu_module}")
		for _, c := range sameAddress {
			if !slices.ContainsFunc(refused.Errors(), func(d Diagnostic) bool {
				return strings.Contains(d.Detail, "Two instances say the address "+c.address)
			}) {
				t.Errorf("no error says that %s is said twice\n%s", c.address, refused.explain())
			}
		}
		w.Apply(ctx, "-parallelism=1").MustFail(t, "Duplicate address")
		w.MustNotWrite(t, mark)

		must(t, w.Write("main.tf", right.String()))
		w.Apply(ctx).Must(t)
		w.AWS.MustHold(ctx, t, "twice", "estate_vpc", 2*len(sameAddress))
		mustAgree(t, w, "twice")

		// Where one of the two has its object already, the plan is refused too, and the object stays the first one's.
		must(t, w.Write("main.tf", right.String()+aVpc("late", `tofu_address = "estate_vpc.copied"`)))
		mark = w.Proxy.Mark()
		w.Apply(ctx).MustFail(t, "Duplicate address", "estate_vpc.copied")
		w.MustNotWrite(t, mark)
		mustAgree(t, w, "twice")
	})
}
