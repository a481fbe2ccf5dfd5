package faultproxy

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// lost says that the SDK saw no answer.
func lost(err error) bool {
	var sending *smithyhttp.RequestSendError
	return errors.As(err, &sending)
}

func TestCutBefore(t *testing.T) {
	for service, call := range one {
		t.Run(service, func(t *testing.T) {
			p, f := before(t, created)
			p.On(Action(service+":*"), CutBefore()).Times(1)
			if err := call(t.Context(), p); !lost(err) {
				t.Errorf("the SDK says: %v", err)
			}
			if len(f.calls) != 0 {
				t.Error("AWS saw the call")
			}
			if err := call(t.Context(), p); err != nil || len(f.calls) != 1 {
				t.Errorf("the next call: %v after %d calls", err, len(f.calls))
			}
			if c := p.Journal()[0]; c.Status != 0 || c.Fault != "cut" || c.Ended.IsZero() {
				t.Errorf("journal: %s", c)
			}
		})
	}
}

func TestKill(t *testing.T) {
	for _, tt := range []struct {
		name    string
		fault   Fault
		arrived int // calls that AWS sees of the two that a dying client makes
		journal string
	}{
		{"before", KillBefore(), 0, "1 ec2:CreateVpc 0 [kill before]\n2 iam:CreateRole 0 [dead]\n"},
		{"after", KillAfter(), 1, "1 ec2:CreateVpc 200 [kill after dead]\n2 iam:CreateRole 0 [dead]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, f := before(t, created)
			kill := p.On(Any(), tt.fault).Times(1)
			denial := p.On(Any(), Deny())
			for _, service := range []string{"ec2", "iam"} {
				if err := one[service](t.Context(), p); !lost(err) {
					t.Errorf("%s: the SDK says: %v", service, err)
				}
			}
			if got := Format(p.Journal()); got != tt.journal || len(f.calls) != tt.arrived {
				t.Errorf("AWS saw %d calls; journal:\n%s", len(f.calls), got)
			}
			if kill.Hits() != 1 || denial.Hits() != 0 {
				t.Errorf("hits: %d, and %d of a rule after the death", kill.Hits(), denial.Hits())
			}
			denial.Remove()
			p.Restore()
			if err := one["ec2"](t.Context(), p); err != nil || len(f.calls) != tt.arrived+1 {
				t.Errorf("after Restore: %v, AWS saw %d calls", err, len(f.calls))
			}
		})
	}
}

// What a dead client sent before its death and what the proxy still holds must not come out after Restore.
func TestCutReachesHeldCalls(t *testing.T) {
	p, f := before(t, created)
	held := p.On(Any(), Delay(100*time.Millisecond)).Times(1)
	done := make(chan error, 1)
	go func() { done <- one["ec2"](t.Context(), p) }()
	eventually(t, func() bool { return held.Hits() == 1 })
	p.Cut()
	p.Restore()
	if err := <-done; !lost(err) || len(f.calls) != 0 {
		t.Errorf("the held call: %v, AWS saw %d calls", err, len(f.calls))
	}
	if got := p.Journal()[0].String(); got != "1 ec2:CreateVpc 0 [delay dead]" {
		t.Errorf("journal: %s", got)
	}
}

func TestCutWaitsForAWS(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-release
		_, _ = w.Write([]byte(createdVPC))
	}))
	t.Cleanup(server.Close)
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	done, cut := make(chan error, 1), make(chan struct{})
	go func() { done <- one["ec2"](t.Context(), p) }()
	<-arrived
	go func() { p.Cut(); close(cut) }()
	select {
	case <-cut:
		t.Error("Cut returned while AWS was at work")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	<-cut
	if err := <-done; !lost(err) {
		t.Errorf("a dead client got an answer: %v", err)
	}
	if c := p.Journal()[0]; c.Status != http.StatusOK || !strings.Contains(string(c.ResponseBody), "vpc-1") {
		t.Errorf("journal: %s", c)
	}
}
