package main

import (
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

func TestStruck(t *testing.T) {
	calls := []faultproxy.Call{
		{Service: "sts", Action: "GetCallerIdentity", Write: false}, {Service: "ec2", Action: "DescribeVpcs"},
		{Service: "ec2", Action: "CreateVpc", Write: true}, {Service: "ec2", Action: "DescribeVpcs"},
		{Service: "iam", Action: "CreateRole", Write: true}, {Service: "ec2", Action: "CreateVpc", Write: true},
	}
	for name, c := range map[string]struct {
		blow blow
		want []int
		hit  string
	}{
		"first call alone":                  {blow{fault: fault{calls: 1}}, []int{1}, "ec2:DescribeVpcs"},
		"first call, and all that follow":   {blow{fault: fault{calls: 3}}, []int{1, 2, 3, 4, 5}, "ec2:DescribeVpcs"},
		"first call, and those of its name": {blow{fault: fault{same: true, calls: everyCall}}, []int{1, 3}, "ec2:DescribeVpcs"},
		"first write":                       {blow{writes: true, fault: fault{same: true, calls: everyCall}}, []int{2, 5}, "ec2:CreateVpc"},
		"second write":                      {blow{writes: true, nth: 1, fault: fault{same: true, calls: everyCall}}, []int{4}, "iam:CreateRole"},
		"more than there are":               {blow{nth: 9}, nil, ""},
	} {
		s := &striker{blow: &c.blow}
		var got []int
		for n, call := range calls {
			if s.struck(call) {
				got = append(got, n)
			}
		}
		if len(got) != len(c.want) || s.call() != c.hit {
			t.Errorf("%s: struck %v (%s), want %v (%s)", name, got, s.call(), c.want, c.hit)
		}
	}
}

// TestBlows shows that every fault is drawn, at writes and at other calls, and within what is there.
func TestBlows(t *testing.T) {
	r := chance(1, 1, 1)
	seen := map[string]int{}
	for range 500 {
		b := someBlow(r, 5, 9)
		seen[b.name]++
		if most := map[bool]int{true: 5, false: 9}[b.writes]; b.nth >= most {
			t.Fatalf("%s of %d", b, most)
		}
	}
	if len(seen) != len(faults) {
		t.Errorf("drawn: %v", seen)
	}
}

func TestStateRm(t *testing.T) {
	for text, want := range map[string]string{
		"Drop it:\n  tofu state rm 'module.a.estate_vpc.x[\"k\"]'\n  tofu apply": `module.a.estate_vpc.x["k"]`,
		"too many:\n  tofu state rm ADDRESS\nA leftover":                         "",
	} {
		if got := stateRm.FindStringSubmatch(text); got == nil || got[1] != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if stateRm.MatchString("tofu apply") {
		t.Error("no state rm there")
	}
}

func TestMarkdown(t *testing.T) {
	a, b := newTally(acceptance.CLI{Name: acceptance.OpenTofu, Version: "1"}), newTally(acceptance.CLI{Name: acceptance.Terraform, Version: "2"})
	a.faults["provider killed before the call"], a.faults["denied"], b.faults["CLI killed after the call"] = 3, 4, 5
	a.ways["untaint"] = 6
	got := markdown(9, []*tally{a, b})
	for _, want := range []string{
		"| seed 9 | OpenTofu 1 | Terraform 2 |\n|---|---|---|\n", "| kills | 3 | 5 |", "| fault: denied | 4 | 0 |", "| way out: untaint | 6 | 0 |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
