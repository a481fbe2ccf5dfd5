package faultproxy

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestJournal(t *testing.T) {
	p, _ := start(t, "ok")
	for _, action := range []string{"DescribeVpcs", "CreateVpc", "DeleteVpc"} {
		if _, err := send(form(t, p, "Action="+action)); err != nil {
			t.Fatal(err)
		}
	}
	mark := p.Mark()
	p.On(Action("ec2:CreateTags"), Answer(503, "RequestLimitExceeded", "slow down"))
	if _, err := send(form(t, p, "Action=CreateTags")); err != nil {
		t.Fatal(err)
	}

	want := "1 ec2:DescribeVpcs 200\n2 ec2:CreateVpc 200\n3 ec2:DeleteVpc 200\n" +
		"4 ec2:CreateTags 503 RequestLimitExceeded [answer 503 RequestLimitExceeded]\n"
	if got := Format(p.Journal()); got != want {
		t.Errorf("journal:\n%swant:\n%s", got, want)
	}
	if got := p.Since(mark); len(got) != 1 || got[0].Action != "CreateTags" {
		t.Errorf("since %d:\n%s", mark, Format(got))
	}
	for _, tt := range []struct {
		name  string
		match Match
		want  int
	}{
		{"any", Any(), 4},
		{"writes", Writes(), 3},
		{"action", Action("ec2:CreateVpc", "ec2:DeleteVpc"), 2},
		{"pattern", Action("ec2:*Vpc*"), 3},
		{"other service", Action("iam:*"), 0},
		{"and, not", And(Writes(), Not(Action("ec2:DeleteVpc"))), 2},
		{"failed", func(c Call) bool { return c.Status >= 400 }, 1},
	} {
		if got := p.Count(tt.match); got != tt.want {
			t.Errorf("%s: counted %d, want %d", tt.name, got, tt.want)
		}
	}
	for _, c := range p.Journal() {
		if c.Started.IsZero() || c.Ended.Before(c.Started) {
			t.Errorf("%s lasted from %v to %v", c, c.Started, c.Ended)
		}
	}

	p.Reset()
	if len(p.Journal()) != 0 || p.Mark() != 4 {
		t.Errorf("after Reset: %d calls, mark %d", len(p.Journal()), p.Mark())
	}
}

func TestActionRefusesPatternsThatMatchNothing(t *testing.T) {
	for _, pattern := range []string{"CreateVpc", "ec2:[", ""} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Action(%q) was taken", pattern)
				}
			}()
			Action(pattern)
		}()
	}
}

func TestFormatJSON(t *testing.T) {
	calls := []Call{{
		Seq: 2, Service: "ec2", Action: "CreateVpc", Region: "eu-west-1", Write: true, Method: "POST", Path: "/",
		Params: map[string][]string{"CidrBlock": {"<10>"}}, Status: 503, ErrorCode: "Busy", Fault: "drop",
		Started: time.Unix(0, 0).UTC(), Ended: time.Unix(0, 7e6),
	}, {Seq: 3}}
	lines := strings.Split(FormatJSON(calls), "\n")
	want := `{"seq":2,"service":"ec2","action":"CreateVpc","region":"eu-west-1","write":true,"method":"POST","path":"/",` +
		`"params":{"CidrBlock":["<10>"]},"status":503,"error_code":"Busy","fault":"drop",` +
		`"started":"1970-01-01T00:00:00Z","milliseconds":7}`
	if len(lines) != 3 || lines[0] != want || !json.Valid([]byte(lines[1])) || !strings.Contains(lines[1], `"milliseconds":0`) {
		t.Errorf("written:\n%s", strings.Join(lines, "\n"))
	}
}

func TestWatch(t *testing.T) {
	p, _ := add(t, `{"rules": [{"actions": ["iam:*"], "faults": ["cut"]}]}`)
	var mu sync.Mutex
	var seen []string
	p.Watch(func(c Call) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprint(c, c.Ended.IsZero()))
	})
	_ = one["ec2"](t.Context(), p)
	_ = one["iam"](t.Context(), p)
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(seen, "; "); got != "1 ec2:CreateVpc 200 false; 2 iam:CreateRole 0 [cut] false" {
		t.Errorf("seen: %s", got)
	}
}
