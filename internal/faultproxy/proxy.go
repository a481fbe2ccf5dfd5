package faultproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
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

	mu       sync.Mutex
	settled  *sync.Cond // of mu: told when a call is no longer on its way, and at Restore
	closed   bool
	dead     bool // from Cut to Restore
	deaths   int  // how many dead clients Restore has put behind us
	onTheWay int  // calls that AWS has and has not answered
	seq      int
	journal  []*Call
	rules    []*Rule
	watchers []func(Call)

	views views
	pages pages
	aws   asAWS
}

// Start listens on a free port of 127.0.0.1 and forwards to upstream, such as "http://127.0.0.1:4601". It returns
// an error if upstream is not an http or https URL without a path, or if there is no port to listen on.
func Start(upstream string) (*Proxy, error) { return StartAt("127.0.0.1:0", upstream) }

// StartAt is Start at a host and port of the caller's choice. Whoever reaches the port can use upstream.
func StartAt(listen, upstream string) (*Proxy, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("upstream %q is not of the form http://host:port", upstream)
	}
	listener, err := net.Listen("tcp", listen)
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
	p.settled = sync.NewCond(&p.mu)
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
	deaths, ok := p.enter()
	if !ok {
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
	seen.Started, seen.deaths = started, deaths
	call := p.enterJournal(seen)
	seen.Seq = call.Seq
	var rule *Rule
	if !p.severed(seen) { // a dead client uses up no rule
		rule = p.pick(seen)
	}
	if rule != nil {
		seen.Fault = rule.fault.name
		p.note(call, func(c *Call) { c.Fault = seen.Fault })
	}

	a, err := p.answer(r, body, seen, rule, call)
	if err == nil && p.severed(seen) {
		err = errSevered
	}
	if errors.Is(err, errSevered) {
		p.blame(call, "dead")
	}
	p.end(call)
	if err != nil {
		cut(w)
		return
	}
	a.write(w, r.Method)
}

// end settles a call that has no answer and tells the watchers of it.
func (p *Proxy) end(call *Call) {
	p.mu.Lock()
	if call.Ended.IsZero() {
		call.Ended = time.Now()
	}
	seen, watchers := *call, slices.Clone(p.watchers)
	p.mu.Unlock()
	for _, f := range watchers {
		f(seen)
	}
}

// enter counts a call in and returns how many clients died before its own, or says that the proxy is closed.
func (p *Proxy) enter() (deaths int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.handlers.Add(1)
	}
	return p.deaths, !p.closed
}

// cut ends the client's connection in the middle of the first line of an answer. Cutting before its first byte would not
// do: Go's transport then repeats a GET by itself, and the SDK would see nothing. After the line, Python's takes what has
// come for an empty answer.
func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 ") // the client may be gone already
	_ = conn.Close()
}
