package faultproxy

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestUpstreamThatIsDown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	server.Close()
	if _, err := send(form(t, p, "Action=CreateVpc")); err == nil {
		t.Error("an answer came from nowhere")
	}
	if c := p.Journal()[0]; !strings.HasPrefix(c.Fault, "upstream: ") || c.Status != 0 || c.Ended.IsZero() {
		t.Errorf("journal: %s", c)
	}
}

func TestAnswerIsRecordedThoughTheClientLeft(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	}))
	defer server.Close()
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()

	ctx, cancel := context.WithCancel(t.Context())
	r := form(t, p, "Action=CreateVpc").WithContext(ctx)
	done := make(chan error, 1)
	go func() {
		_, err := send(r)
		done <- err
	}()
	<-arrived
	cancel()
	if err := <-done; err == nil {
		t.Error("the client got an answer")
	}
	close(release)
	eventually(t, func() bool { return p.Journal()[0].Status == http.StatusOK })
}
