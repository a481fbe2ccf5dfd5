// Package faultproxy is an HTTP proxy between an AWS client and an AWS API, for tests. It names each call as IAM
// does ("ec2:CreateVpc"), keeps a journal of all calls, and applies faults to those that a rule selects: the
// answer is lost after AWS did the work, the call is denied, the credentials have expired, nothing comes back.
//
// It reads the query, EC2 query, JSON 1.x, REST and RPC-v2-CBOR protocols; of the REST services it names the
// operations of S3, Route 53 and Lambda, and calls those of others by method and path. It lacks TLS, streaming
// (bodies are held in memory), HTTP/2 and a check of signatures, and its journal grows without bound.
package faultproxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// errCut is what a fault returns to have the client's connection cut.
var errCut = errors.New("connection cut")

// Proxy forwards calls to one upstream. Its methods are safe for concurrent use.
type Proxy struct {
	upstream  *url.URL
	address   string
	server    *http.Server
	transport *http.Transport
	ctx       context.Context // ends at Close; upstream calls and hanging ones live no longer
	cancel    context.CancelFunc
	handlers  sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	seq     int
	journal []*Call
	rules   []*Rule
}

// Start listens on a free port of 127.0.0.1 and forwards to upstream, such as "http://127.0.0.1:4601". It returns
// an error if upstream is not an http or https URL without a path, or if there is no port to listen on.
func Start(upstream string) (*Proxy, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("upstream %q is not of the form http://host:port", upstream)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Proxy{
		upstream: u,
		address:  "http://" + listener.Addr().String(),
		// Compression stays as the client asked for it, and no environment proxy stands between us and upstream.
		transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute},
		ctx:       ctx,
		cancel:    cancel,
	}
	p.server = &http.Server{
		Handler:           http.HandlerFunc(p.serve),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: time.Minute,
	}
	p.handlers.Go(func() { _ = p.server.Serve(listener) }) // returns when Close closes the listener
	return p, nil
}

// URL returns the address that clients use as their endpoint, without a trailing slash.
func (p *Proxy) URL() string { return p.address }

// Close cuts all connections, ends hanging calls, and returns when every call has been left, those in a Run
// function included; so it must not be called from one. The journal stays readable. A second Close does nothing.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	_ = p.server.Close() // its only errors are those of closing sockets that nobody uses any more
	p.handlers.Wait()
	p.transport.CloseIdleConnections()
}

// serve handles one call.
func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	if !p.enter() {
		cut(w)
		return
	}
	defer p.handlers.Done()

	started := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		cut(w) // half a request is no call
		return
	}
	seen := name(r, inflate(r.Header, body))
	seen.Started = started
	call := p.enterJournal(seen)
	seen.Seq = call.Seq
	rule := p.pick(seen)
	if rule != nil {
		seen.Fault = rule.fault.name
		p.note(call, func(c *Call) { c.Fault = seen.Fault })
	}

	a, err := p.answer(r, body, seen, rule, call)
	if err != nil {
		p.note(call, func(c *Call) {
			if c.Ended.IsZero() {
				c.Ended = time.Now()
			}
		})
		cut(w)
		return
	}
	a.write(w, r.Method)
}

// answer carries one call through its fault and upstream. It has noted the outcome in the journal when it returns
// an answer, so that a client that has its answer finds it there.
func (p *Proxy) answer(r *http.Request, body []byte, seen Call, rule *Rule, call *Call) (*answer, error) {
	fault := Fault{}
	if rule != nil {
		fault = rule.fault
	}
	var a *answer
	var err error
	if fault.before != nil {
		if a, err = fault.before(r.Context(), seen); err != nil {
			return nil, err
		}
	}
	if a == nil {
		header := r.Header
		if fault.request != nil {
			body = fault.request(slices.Clone(seen.RequestBody))
			header = unchecked(header)
		}
		if a, err = p.forward(r, header, body); err != nil {
			p.note(call, func(c *Call) { c.Fault = strings.TrimSpace(c.Fault + " upstream: " + err.Error()) })
			return nil, err
		}
	}
	if fault.response != nil {
		a.body = fault.response(slices.Clone(inflate(a.header, a.body)))
		a.header = unchecked(a.header)
	}
	p.note(call, func(c *Call) {
		c.Status, c.ResponseBody, c.Ended = a.status, inflate(a.header, a.body), time.Now()
		c.ErrorCode = errorCode(*c, a.header)
		seen = *c
	})
	if fault.after != nil {
		if err := fault.after(seen); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// forward makes the call upstream. It does not end when the client goes away: AWS would not undo its work either,
// and the journal has to tell what it answered.
func (p *Proxy) forward(r *http.Request, header http.Header, body []byte) (*answer, error) {
	u := *r.URL
	u.Scheme, u.Host, u.User = p.upstream.Scheme, p.upstream.Host, nil
	//nolint:gosec // G704: the host is upstream's; passing the rest on is what a proxy is for.
	out, err := http.NewRequestWithContext(p.ctx, r.Method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Host = r.Host // part of the signature, and names the bucket in S3's virtual-host style
	out.Header = endToEnd(header)
	if out.Header.Get("User-Agent") == "" {
		out.Header.Set("User-Agent", "") // or net/http would send its own
	}
	in, err := p.transport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	answered, err := io.ReadAll(in.Body)
	if err = errors.Join(err, in.Body.Close()); err != nil {
		return nil, err
	}
	return &answer{status: in.StatusCode, header: endToEnd(in.Header), body: answered}, nil
}

func (p *Proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.handlers.Add(1)
	}
	return !p.closed
}

// cut ends the client's connection in the middle of an answer. Cutting before its first byte would not do: Go's
// transport then repeats a GET by itself, and the SDK would see nothing.
func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-") // the client may be gone already
	_ = conn.Close()
}

// answer is a whole HTTP response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) write(w http.ResponseWriter, method string) {
	h := w.Header()
	for k, v := range a.header {
		h[k] = v
	}
	if h.Get("Content-Type") == "" {
		h["Content-Type"] = nil // no guessing
	}
	if method != http.MethodHead && a.status != http.StatusNoContent && a.status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	//nolint:gosec // G705: no browser reads this. An error means that the client is gone: nobody is left to tell.
	_, _ = w.Write(a.body)
}

// endToEnd returns h without what concerns one connection only (RFC 9110, section 7.6.1), and without Expect,
// which our server has met by reading the body.
func endToEnd(h http.Header) http.Header {
	out := h.Clone()
	for _, line := range h.Values("Connection") {
		for name := range strings.SplitSeq(line, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
		"Transfer-Encoding", "Upgrade", "Expect",
	} {
		out.Del(name)
	}
	return out
}

// unchecked returns h without what describes a body that was replaced: its length, its compression and the
// checksums that clients verify.
func unchecked(h http.Header) http.Header {
	out := h.Clone()
	for name := range h {
		if strings.HasPrefix(name, "X-Amz-Checksum-") {
			out.Del(name)
		}
	}
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Md5", "X-Amz-Crc32"} {
		out.Del(name)
	}
	return out
}
