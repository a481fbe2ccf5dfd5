package faultproxy

import (
	"strings"
	"testing"
)

// add puts rules in JSON before a fake API.
func add(t *testing.T, rules string) (*Proxy, *fake) {
	t.Helper()
	p, f := before(t, everything())
	if err := p.AddRules(strings.NewReader(rules)); err != nil {
		t.Fatal(err)
	}
	return p, f
}

func TestAddRules(t *testing.T) {
	p, f := add(t, `{"as_aws": true, "rules": [
		{"actions": ["ec2:Create*", "ec2:Delete*"], "faults": ["drop", {"hide": 1}], "after": 1, "times": 1},
		{"contains": "/app", "writes": true, "faults": ["throttle"]},
		{"actions": ["s3:*"], "faults": [{"answer": {"status": 503, "code": "Odd", "message": "no", "header": {"Retry-After": "9"}}}]}
	]}`)
	for i, want := range []string{"", "lost", ""} {
		if err := one["ec2"](t.Context(), p); lost(err) != (want == "lost") {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if n, err := listings["ec2"](t.Context(), p); n != 1 || err != nil {
		t.Errorf("the lost VPC shows: %d, %v", n, err)
	}
	if _, code := refused(one["logs"](t.Context(), p)); code != "ThrottlingException" {
		t.Errorf("a write that contains the text: %s", code)
	}
	if n, err := listings["logs"](t.Context(), p); n != 2 || err != nil {
		t.Errorf("a read that contains the text: %d, %v", n, err)
	}
	if status, code := refused(one["s3"](t.Context(), p)); status != 503 || code != "Odd" {
		t.Errorf("answer: %d %s", status, code)
	}
	_ = one["route53"](t.Context(), p)
	_, code := refused(one["route53"](t.Context(), p))
	if code != "HostedZoneAlreadyExists" || f.count("route53:CreateHostedZone") != 1 {
		t.Errorf("not as AWS: %s", code)
	}
}

func TestFaultsByName(t *testing.T) {
	for written, want := range map[string]string{
		`"cut"`: "1 ec2:CreateVpc 0 [cut]", `"drop"`: "1 ec2:CreateVpc 200 [drop]",
		`"kill-before"`:   "1 ec2:CreateVpc 0 [kill before]",
		`"kill-after"`:    "1 ec2:CreateVpc 200 [kill after dead]",
		`"deny"`:          "1 ec2:CreateVpc 403 UnauthorizedOperation [deny]",
		`"expire"`:        "1 ec2:CreateVpc 400 RequestExpired [expire]",
		`"throttle"`:      "1 ec2:CreateVpc 503 RequestLimitExceeded [throttle]",
		`"prior-request"`: "1 ec2:CreateVpc 400 PriorRequestNotComplete [answer 400 PriorRequestNotComplete]",
		`"empty-page"`:    "1 ec2:CreateVpc 200 [empty page (no listing known)]", `{"delay": "1ms"}`: "1 ec2:CreateVpc 200 [delay]",
		`{"hide": 2}`: "1 ec2:CreateVpc 200 [hide]", `{"pending": 2}`: "1 ec2:CreateVpc 200 [pending]",
		`{"pending": {"reads": 1, "states": ["state=x"]}}`: "1 ec2:CreateVpc 200 [pending]",
		`{"paginate": 2}`:                       "1 ec2:CreateVpc 200 [paginate (no listing known)]",
		`{"edit": {"old": "a", "new": "b"}}`:    "1 ec2:CreateVpc 200 [edit]",
		`{"edit-request": {"old": "10.0.0.0"}}`: "1 ec2:CreateVpc 200 [edit request]",
	} {
		p, _ := add(t, `{"rules": [{"faults": [`+written+`]}]}`)
		_ = one["ec2"](t.Context(), p)
		if got := p.Journal()[0].String(); got != want {
			t.Errorf("%s: %s", written, got)
		}
	}
	p, _ := add(t, `{"rules": [{"faults": [
		{"pending": {"reads": 1, "states": ["state=x"]}}, {"edit": {"old": "vpc-1", "new": "vpc-2"}}]}]}`)
	_ = one["ec2"](t.Context(), p)
	if got := string(p.Journal()[0].ResponseBody); !strings.Contains(got, "<vpcId>vpc-2</vpcId><state>x</state>") {
		t.Errorf("answer: %s", got)
	}
	hang, _ := add(t, `{"rules": [{"faults": ["hang"]}]}`)
	r := form(t, hang, "Action=CreateVpc")
	go func() { _, _ = send(r) }()
	eventually(t, func() bool { return hang.Count(func(c Call) bool { return c.Fault == "hang" }) == 1 })
}

func TestAddRulesRefuses(t *testing.T) {
	for _, tt := range []struct{ rules, says string }{
		{``, "EOF"},
		{`{"rules": []} x`, "more than one"},
		{`{"rule": []}`, `unknown field "rule"`},
		{`{"rules": [{"faults": ["deny"]}, {"actions": ["ec2"], "faults": ["deny"]}]}`, `rule 2: action "ec2"`},
		{`{"rules": [{"actions": ["ec2:*"]}]}`, "rule 1: no faults"},
		{`{"rules": [{"faults": ["explode"]}]}`, `fault "explode": no such fault`},
		{`{"rules": [{"faults": ["hide"]}]}`, "needs an argument"},
		{`{"rules": [{"faults": [{"deny": 1}]}]}`, "no such fault with an argument"},
		{`{"rules": [{"faults": [{"hide": 1, "paginate": 1}]}]}`, "more than one"},
		{`{"rules": [{"faults": [1]}]}`, "cannot unmarshal"},
		{`{"rules": [{"faults": [{"hide": "x"}]}]}`, "cannot unmarshal"},
		{`{"rules": [{"faults": [{"delay": "x"}]}]}`, "invalid duration"},
		{`{"rules": [{"faults": [{"delay": 1}]}]}`, "cannot unmarshal"},
		{`{"rules": [{"faults": [{"paginate": 0}]}]}`, "at least one item"},
		{`{"rules": [{"faults": [{"pending": {"n": 1}}]}]}`, "unknown field"},
		{`{"rules": [{"faults": [{"pending": {"reads": 1, "states": ["x"]}}]}]}`, "path=value"},
		{`{"rules": [{"faults": [{"answer": {"status": 200, "code": "X"}}]}]}`, "400 to 599"},
		{`{"rules": [{"faults": [{"edit": {"new": "X"}}]}]}`, "nothing to replace"},
	} {
		p, _ := before(t, created)
		err := p.AddRules(strings.NewReader(tt.rules))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.rules, err, tt.says)
		}
		if err := one["ec2"](t.Context(), p); err != nil {
			t.Errorf("%s: a rule was added nevertheless: %v", tt.rules, err)
		}
	}
}
