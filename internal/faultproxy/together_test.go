package faultproxy

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// An object whose maker neither hears of it nor finds it.
func TestTogetherHidesWhatWasLost(t *testing.T) {
	p, f := before(t, everything())
	p.On(Action("ec2:CreateVpc"), Together(HideNewest(1), DropAnswer())).Times(1)
	if err := one["ec2"](t.Context(), p); !lost(err) || f.count("ec2:CreateVpc") != 1 {
		t.Errorf("the SDK says: %v", err)
	}
	for i, want := range []int{1, 2} {
		if n, err := listings["ec2"](t.Context(), p); n != want || err != nil {
			t.Errorf("listing %d: %d items, %v", i+1, n, err)
		}
	}
	if got := p.Journal()[0].String(); got != "1 ec2:CreateVpc 200 [hide + drop]" {
		t.Errorf("journal: %s", got)
	}
}

func TestTogetherInOrder(t *testing.T) {
	add := func(s string) func([]byte) []byte {
		return func(b []byte) []byte { return append(bytes.TrimSpace(b), s...) }
	}
	p, f := before(t, everything())
	var ran []string
	run := func(s string) Fault { return Run(func(Call) { ran = append(ran, s) }) }
	p.On(Action("ec2:CreateVpc"), Together(
		Delay(20*time.Millisecond), EditRequest(add("&A=1")), EditRequest(add("&B=2")), Edit(add("<!--a-->")), Edit(add("<!--b-->")),
		HideNewest(1), Pending(1), run("first"), run("second"),
	))
	if err := one["ec2"](t.Context(), p); !lost(err) {
		t.Errorf("the SDK says: %v", err)
	}
	if got := string(f.calls[0].RequestBody); !strings.HasSuffix(got, "&A=1&B=2") {
		t.Errorf("AWS saw %s", got)
	}
	c := p.Journal()[0]
	if !strings.HasSuffix(string(c.ResponseBody), "<!--a--><!--b-->") || strings.Join(ran, " ") != "first second" {
		t.Errorf("answer %s, ran %v", c.ResponseBody, ran)
	}
	if c.Ended.Sub(c.Started) < 20*time.Millisecond || !strings.Contains(string(c.ResponseBody), "<state>pending</state>") {
		t.Errorf("after %v: %s", c.Ended.Sub(c.Started), c.ResponseBody)
	}
	if n, err := listings["ec2"](t.Context(), p); n != 1 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
}

func TestTogetherTheFirstAnswerCounts(t *testing.T) {
	p, f := before(t, created)
	p.On(Any(), Together(Delay(0), Throttle(), Deny()))
	if _, code := refused(one["ec2"](t.Context(), p)); code != "RequestLimitExceeded" || len(f.calls) != 0 {
		t.Errorf("code %s, AWS saw %d calls", code, len(f.calls))
	}
}
