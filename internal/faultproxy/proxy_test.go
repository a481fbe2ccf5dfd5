package faultproxy

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// upstream is an API that answers every call alike and remembers what it was asked.
type upstream struct {
	status int
	header http.Header
	body   string

	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	u.mu.Lock()
	u.requests = append(u.requests, r)
	u.bodies = append(u.bodies, string(body))
	u.mu.Unlock()
	for k, v := range u.header {
		w.Header()[k] = v
	}
	w.WriteHeader(u.status)
	_, _ = io.WriteString(w, u.body)
}

func (u *upstream) calls() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.requests)
}

// start puts a proxy before an API that answers with status 200 and body.
func start(t *testing.T, body string) (*Proxy, *upstream) {
	t.Helper()
	u := &upstream{status: http.StatusOK, body: body}
	server := httptest.NewServer(u)
	t.Cleanup(server.Close)
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, u
}

// reply is a whole answer as the client got it.
type reply struct {
	status int
	header http.Header
	length int64
	body   string
}

func send(r *http.Request) (reply, error) {
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	body, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, resp.ContentLength, string(body)}, errors.Join(err, resp.Body.Close())
}

func form(t *testing.T, p *Proxy, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL()+"/", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDTEST/20260101/eu-west-1/ec2/aws4_request, "+
		"SignedHeaders=host, Signature=0")
	return r
}

func TestStartRefusesWhatIsNoUpstream(t *testing.T) {
	for _, upstream := range []string{"", "127.0.0.1:80", "ftp://127.0.0.1", "http://", "http://h/path", "http://h:x"} {
		if p, err := Start(upstream); err == nil {
			p.Close()
			t.Errorf("Start(%q) succeeded", upstream)
		}
	}
}

func TestForwardsUnchanged(t *testing.T) {
	p, u := start(t, "answer")
	u.status = http.StatusTeapot
	u.header = http.Header{
		"X-Amzn-Requestid": {"r-1"}, "Content-Type": {"text/odd"}, "Connection": {"X-Hop"}, "X-Hop": {"1"},
	}

	r := form(t, p, "Action=DescribeVpcs&Version=2016-11-15")
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = "/a/b c", "/a%2Fb%20c", "tagging&x=%2F"
	r.Host = "bucket.s3.eu-west-1.amazonaws.com"
	r.Header.Set("Connection", "X-Private")
	r.Header.Set("X-Private", "1")
	r.Header.Set("Accept-Encoding", "identity")
	resp, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	if resp.status != http.StatusTeapot || resp.body != "answer" || resp.length != int64(len("answer")) {
		t.Errorf("got %d %q of length %d", resp.status, resp.body, resp.length)
	}
	for name, want := range map[string]string{"X-Amzn-Requestid": "r-1", "Content-Type": "text/odd", "X-Hop": ""} {
		if got := resp.header.Get(name); got != want {
			t.Errorf("answer's %s = %q, want %q", name, got, want)
		}
	}

	got := u.requests[0]
	if got.RequestURI != "/a%2Fb%20c?tagging&x=%2F" || got.Host != r.Host ||
		u.bodies[0] != "Action=DescribeVpcs&Version=2016-11-15" {
		t.Errorf("upstream saw %s at %s with %q", got.RequestURI, got.Host, u.bodies[0])
	}
	for name, want := range map[string]string{
		"Authorization": r.Header.Get("Authorization"), "X-Private": "", "Accept-Encoding": "identity",
		"User-Agent": "Go-http-client/1.1", "X-Forwarded-For": "",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("request's %s = %q, want %q", name, got, want)
		}
	}
}

// AWS must not be asked for compression that the client cannot undo.
func TestAddsNoHeaders(t *testing.T) {
	p, u := start(t, "ok")
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
	if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200") {
		t.Fatalf("got %q, %v", got, err)
	}
	if h := u.requests[0].Header; len(h) != 0 {
		t.Errorf("upstream saw %v", h)
	}
}

func TestHeadKeepsItsLength(t *testing.T) {
	p, u := start(t, "")
	u.header = http.Header{"Content-Length": {"77"}}
	r := form(t, p, "")
	r.Method, r.Body, r.ContentLength = http.MethodHead, nil, 0
	resp, err := send(r)
	if err != nil || resp.length != 77 {
		t.Errorf("HEAD: %v, %v", resp, err)
	}
}

func TestReadsThroughCompressionAndChunks(t *testing.T) {
	squeeze := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, s)
		_ = w.Close()
		return b.String()
	}
	p, u := start(t, squeeze("<vpcId>vpc-1</vpcId>"))
	u.header = http.Header{"Content-Encoding": {"gzip"}, "X-Amz-Crc32": {"1"}}
	ask := func() reply {
		r := form(t, p, "")
		r.Header.Set("Content-Encoding", "gzip")
		r.Header.Set("Accept-Encoding", "gzip")
		r.Body = io.NopCloser(strings.NewReader(squeeze("Action=CreateVpc&CidrBlock=10.0.0.0%2F16")))
		r.ContentLength = -1 // sent in chunks
		resp, err := send(r)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}

	if resp := ask(); resp.body != u.body {
		t.Errorf("the compressed answer was changed: %q", resp.body)
	}
	c := p.Journal()[0]
	if c.Name() != "ec2:CreateVpc" || c.Params.Get("CidrBlock") != "10.0.0.0/16" ||
		string(c.ResponseBody) != "<vpcId>vpc-1</vpcId>" {
		t.Errorf("journal has %s %v %q", c.Name(), c.Params, c.ResponseBody)
	}
	if u.bodies[0] != squeeze(string(c.RequestBody)) {
		t.Error("the compressed request was changed")
	}

	p.On(Any(), Edit(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("vpc-1"), []byte("vpc-0123")) }))
	resp := ask()
	if want := "<vpcId>vpc-0123</vpcId>"; resp.body != want || resp.length != int64(len(want)) {
		t.Errorf("edited answer is %q of length %d", resp.body, resp.length)
	}
	if resp.header.Get("Content-Encoding") != "" || resp.header.Get("X-Amz-Crc32") != "" {
		t.Errorf("edited answer has %v", resp.header)
	}
}

func TestManyCallsLeaveNothingBehind(t *testing.T) {
	u := &upstream{status: http.StatusOK, body: "ok"}
	server := httptest.NewServer(u)
	defer server.Close()
	before := runtime.NumGoroutine()
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	drops := p.On(Contains("Drop"), DropAnswer())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	var wg sync.WaitGroup
	for worker := range 20 {
		wg.Go(func() {
			for i := range 50 {
				body := fmt.Sprintf("Action=CreateVpc&Name=%d.%d", worker, i)
				if i%10 == 0 {
					body = "Action=CreateVpc&Name=Drop"
				}
				resp, err := client.Do(form(t, p, body))
				if (err != nil) != (i%10 == 0) {
					t.Errorf("call %d.%d: %v", worker, i, err)
				}
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				p.Count(Writes()) // readers beside writers, for the race detector
			}
		})
	}
	wg.Wait()
	if p.Count(Any()) != 1000 || u.calls() != 1000 || drops.Hits() != 100 {
		t.Errorf("journal %d, upstream %d, dropped %d", p.Count(Any()), u.calls(), drops.Hits())
	}
	for i, c := range p.Journal() {
		if c.Seq != i+1 {
			t.Fatalf("call %d has number %d", i+1, c.Seq)
		}
	}
	client.CloseIdleConnections()
	p.Close()
	p.Close()
	eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 })
}

// eventually waits for what another goroutine is about to do.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("did not happen within 5 seconds")
}
