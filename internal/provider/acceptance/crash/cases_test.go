package main

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// calls are those of an operation: a read, a write, a read and a write.
func calls() []faultproxy.Call {
	return []faultproxy.Call{
		{Service: "ec2", Action: "DescribeVpcs"}, {Service: "ec2", Action: "CreateVpc", Write: true},
		{Service: "ec2", Action: "DescribeVpcs"}, {Service: "ec2", Action: "DeleteVpc", Write: true},
	}
}

func TestCases(t *testing.T) {
	sub := &subject{typ: "estate_vpc", tier: marked}
	all := cases(sub, replaceBeside, calls())
	reads, writes := 0, 0
	for _, f := range faults {
		writes += 2
		if !f.writesOnly {
			reads += 2
		}
	}
	if want := 2*reads + 2*writes; len(all) != want {
		t.Errorf("%d cases, want %d", len(all), want)
	}
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.String()] {
			t.Errorf("two cases are called %s", c)
		}
		if seen[c.String()] = true; c.parting != 3 {
			t.Errorf("the old object of a replacement with the new one first goes by call %d", c.parting)
		}
	}
	if first := cases(sub, replace, calls())[0].parting; first != 1 {
		t.Errorf("the old object of a replacement goes by call %d", first)
	}
}

// TestSkips shows which cases are not run: those alone in which the state knew what nothing else does.
func TestSkips(t *testing.T) {
	before, after := fault{attempts: 1}, fault{attempts: 1, done: true}
	for name, c := range map[string]struct {
		t    trial
		skip bool
	}{
		"state kept":                     {trial{sub: &subject{tier: marked}, op: rename, fault: before}, false},
		"marker not rewritten":           {trial{sub: &subject{tier: marked}, op: rename, fault: before, lost: true}, true},
		"marker rewritten":               {trial{sub: &subject{tier: marked}, op: rename, fault: after, lost: true}, false},
		"renamed, found by its name":     {trial{sub: &subject{tier: named}, op: rename, fault: before, lost: true}, false},
		"replaced, found by its marker":  {trial{sub: &subject{tier: marked}, op: replace, fault: before, lost: true}, false},
		"replaced under the same name":   {trial{sub: &subject{tier: named}, op: replace, fault: before, lost: true}, false},
		"replaced under another name":    {trial{sub: &subject{tier: named, keyed: []operation{replace}}, op: replace, fault: before, lost: true}, true},
		"replaced under another key":     {trial{sub: &subject{tier: composed, keyed: []operation{replace}}, op: replace, fault: before, lost: true}, true},
		"the old one is deleted already": {trial{sub: &subject{tier: named, keyed: []operation{replace}}, op: replace, at: 1, fault: before, lost: true}, false},
	} {
		if got := skipReason(c.t); (got != "") != c.skip {
			t.Errorf("%s: skipped for %q, want %v", name, got, c.skip)
		}
	}
}

func TestChoose(t *testing.T) {
	all := cases(&subject{typ: "estate_vpc", tier: marked}, create, calls())
	o := options{match: regexp.MustCompile("/denied/"), fast: true}
	for _, c := range o.choose(all) {
		if c.fault.name != "denied" {
			t.Errorf("chosen: %s", c)
		}
	}
	o = options{match: regexp.MustCompile(""), sample: 5, seed: 3, fast: true}
	names := func() string {
		var out []string
		for _, c := range o.choose(cases(&subject{typ: "estate_vpc", tier: marked}, create, calls())) {
			if c.slow() {
				t.Errorf("a slow case: %s", c)
			}
			out = append(out, c.String())
		}
		return strings.Join(out, "\n")
	}
	first := names()
	if again := names(); strings.Count(first, "\n") != 4 || again != first {
		t.Errorf("a sample of five is\n%s\nand then\n%s", first, again)
	}
	if o.seed = 4; names() == first {
		t.Error("another seed gives the same sample")
	}
}

// TestOperations shows that the small samples of all types cover every operation together.
func TestOperations(t *testing.T) {
	seen := map[operation]bool{}
	for n, sub := range subjects {
		few := options{sample: sampleSize, seed: sampleSeed}.operations(n, sub)
		for _, op := range few {
			if seen[op] = true; !sub.has(op) {
				t.Errorf("%s has no %s", sub.typ, op)
			}
		}
		if len(few) != learnedOperations || len(options{}.operations(n, sub)) <= learnedOperations {
			t.Errorf("%s: a small sample learns %v, the matrix %v", sub.typ, few, options{}.operations(n, sub))
		}
	}
	if len(seen) != len(operations) {
		t.Errorf("the sample has %v", seen)
	}
}

func TestReport(t *testing.T) {
	vpc := subjects[order("estate_vpc")]
	r := &report{}
	one := func(at int, fault int) trial { return trial{sub: vpc, op: create, at: at, fault: faults[fault]} }
	r.add(outcome{trial: one(0, 0)})
	r.add(outcome{trial: one(0, 1), ways: []string{"import", "import"}})
	r.add(outcome{trial: one(1, 0), skipped: "no reason"})
	r.add(outcome{trial: one(1, 1), err: errors.New("lost")})
	want := []string{"estate_vpc", "create", "2", "1", "2", "0", "0", "0", "0", "0", "0", "4", "3", "1", "1", "1"}
	if got := r.cells()[0]; strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("line %v, want %v", got, want)
	}
	if sum := r.cells()[1]; strings.Join(sum[2:], " ") != strings.Join(want[2:], " ") {
		t.Errorf("sum %v", sum)
	}
	var out bytes.Buffer
	must(t, r.print(&out))
	for _, text := range []string{out.String(), r.markdown()} {
		if !strings.Contains(text, "no reason") || !strings.Contains(text, "import") || !strings.Contains(text, "estate_vpc") {
			t.Errorf("table:\n%s", text)
		}
	}
	if err := r.enough(); err == nil || !strings.Contains(err.Error(), "estate_vpc: 3 cases were run, and 150 are the least") {
		t.Errorf("enough: %v", err)
	}
}

func TestBroken(t *testing.T) {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.List{ElementType: tftypes.String}}}
	list := func(e ...any) tftypes.Value {
		var out []tftypes.Value
		for _, v := range e {
			out = append(out, tftypes.NewValue(tftypes.String, v))
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, out)
	}
	value := func(a any, b tftypes.Value) tftypes.Value {
		return tftypes.NewValue(object, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.String, a), "b": b})
	}
	for name, c := range map[string]struct {
		promised, actual tftypes.Value
		broken           bool
	}{
		"equal":             {value("x", list("y")), value("x", list("y")), false},
		"unknown is filled": {value(tftypes.UnknownValue, list("y", tftypes.UnknownValue)), value("x", list("y", "z")), false},
		"another text":      {value("x", list()), value("y", list()), true},
		"null is filled":    {value(nil, list()), value("y", list()), true},
		"another element":   {value(tftypes.UnknownValue, list("y")), value("x", list("z")), true},
		"one too many":      {value(tftypes.UnknownValue, list(tftypes.UnknownValue)), value("x", list("y", "z")), true},
	} {
		if got := broken("", c.promised, c.actual); (got != "") != c.broken {
			t.Errorf("%s: %q", name, got)
		}
	}
}
