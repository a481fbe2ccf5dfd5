package faultproxy

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestTimesAndAfter(t *testing.T) {
	p, _ := start(t, createdVPC)
	first := p.On(Action("ec2:CreateVpc"), Deny()).After(1).Times(2)
	second := p.On(Action("ec2:*"), Answer(503, "Unavailable", "later")).After(2).Times(1)
	want := []string{
		"200",                      // first lets it pass, second too
		"403",                      // first
		"403",                      // first, used up by now
		"200",                      // second lets its second one pass
		"503", "200", "200", "200", // second, used up by now
	}
	for i, status := range want {
		_, _ = createVPC(t, p)
		if c := p.Journal()[i]; !strings.Contains(c.String(), " "+status) {
			t.Errorf("call %d: %s, want %s", i+1, c, status)
		}
	}
	if first.Hits() != 2 || second.Hits() != 1 {
		t.Errorf("hits: %d and %d", first.Hits(), second.Hits())
	}
	never := p.On(Any(), Deny()).Times(0)
	all := p.On(Any(), Deny())
	if _, err := createVPC(t, p); err == nil {
		t.Error("the last rule did not act")
	}
	p.ClearRules()
	if _, err := createVPC(t, p); err != nil || never.Hits() != 0 || all.Hits() != 1 {
		t.Errorf("after ClearRules: %v, hits %d and %d", err, never.Hits(), all.Hits())
	}
}

func TestHangEndsAtClose(t *testing.T) {
	p, u := start(t, createdVPC)
	hang := p.On(Any(), Hang())
	done := make(chan error, 1)
	go func() {
		_, err := createVPC(t, p)
		done <- err
	}()
	eventually(t, func() bool { return hang.Hits() == 1 })
	select {
	case err := <-done:
		t.Fatalf("the call came back: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if c := p.Journal()[0]; c.Status != 0 || !c.Ended.IsZero() || c.Fault != "hang" {
		t.Errorf("while it hangs: %s, ended %v", c, c.Ended)
	}
	p.Close()
	if err := <-done; err == nil || u.calls() != 0 {
		t.Errorf("error %v, AWS saw %d calls", err, u.calls())
	}
	if p.Journal()[0].Ended.IsZero() {
		t.Error("the call has no end")
	}
}

func TestHangEndsWithTheClient(t *testing.T) {
	p, _ := start(t, createdVPC)
	hang := p.On(Any(), Hang())
	ctx, cancel := context.WithCancel(t.Context())
	r := form(t, p, "Action=CreateVpc").WithContext(ctx)
	done := make(chan error, 1)
	go func() {
		_, err := send(r)
		done <- err
	}()
	eventually(t, func() bool { return hang.Hits() == 1 })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	eventually(t, func() bool { return !p.Journal()[0].Ended.IsZero() })
}

func TestDelay(t *testing.T) {
	p, u := start(t, createdVPC)
	p.On(Any(), Delay(60*time.Millisecond)).Times(1)
	if id, err := createVPC(t, p); err != nil || id != "vpc-1" {
		t.Fatalf("got %q, %v", id, err)
	}
	if c := p.Journal()[0]; c.Ended.Sub(c.Started) < 60*time.Millisecond {
		t.Errorf("%s took %v", c, c.Ended.Sub(c.Started))
	}
	p.On(Any(), Delay(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := send(form(t, p, "Action=CreateVpc").WithContext(ctx)); err == nil {
		t.Error("the client got an answer")
	}
	eventually(t, func() bool { return !p.Journal()[1].Ended.IsZero() })
	if u.calls() != 1 {
		t.Errorf("AWS saw %d calls", u.calls())
	}
}

func TestHoldUntil(t *testing.T) {
	p, u := start(t, createdVPC)
	open := make(chan struct{})
	held := p.On(Any(), HoldUntil(open)).Times(2)
	done := make(chan error, 1)
	go func() {
		_, err := createVPC(t, p)
		done <- err
	}()
	eventually(t, func() bool { return held.Hits() == 1 })
	if u.calls() != 0 {
		t.Error("AWS has seen the call that is held")
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := form(t, p, "Action=CreateVpc").WithContext(ctx)
	gone := make(chan error, 1)
	go func() {
		_, err := send(r)
		gone <- err
	}()
	eventually(t, func() bool { return held.Hits() == 2 })
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	eventually(t, func() bool { return !p.Journal()[1].Ended.IsZero() })
	close(open)
	if err := <-done; err != nil || u.calls() != 1 {
		t.Errorf("error %v, AWS saw %d calls", err, u.calls())
	}
}
