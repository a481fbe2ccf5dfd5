package faultproxy

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

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
		if a, err = p.throughFault(r, body, seen, fault, call); err != nil {
			return nil, err
		}
	}
	if fault.response != nil {
		a = a.with(fault.response(slices.Clone(a.plain())))
	}
	p.note(call, func(c *Call) {
		c.Status, c.ResponseBody, c.Ended = a.status, a.plain(), time.Now()
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

// throughFault makes the call upstream as the fault has it made.
func (p *Proxy) throughFault(r *http.Request, body []byte, seen Call, fault Fault, call *Call) (*answer, error) {
	header := r.Header
	if fault.request != nil {
		body = fault.request(slices.Clone(seen.RequestBody))
		header = unchecked(header)
	}
	forward := func() (*answer, error) {
		a, err := p.reach(seen, func() (*answer, error) { return p.send(r, header, body, seen) })
		if err != nil && !errors.Is(err, errCut) {
			p.blame(call, "upstream: "+err.Error())
		}
		return a, err
	}
	if fault.around == nil {
		return forward()
	}
	return fault.around(exchange{proxy: p, call: seen, forward: forward, blame: func(s string) { p.blame(call, s) }})
}

// reach gets the answer to a call from what the proxy knows itself, or else from upstream by send. A page that the
// proxy cut off was seen through the views when it came, and is not again.
func (p *Proxy) reach(c Call, send func() (*answer, error)) (*answer, error) {
	if a := p.pages.kept(c); a != nil {
		return a, nil
	}
	if a, err := p.views.refuse(c); a != nil || err != nil {
		return a, err
	}
	a, err := p.aws.answer(c, send)
	if err != nil {
		return nil, err
	}
	return p.views.show(c, a), nil
}

// blame adds to what the journal says went wrong with a call.
func (p *Proxy) blame(call *Call, what string) {
	p.note(call, func(c *Call) { c.Fault = strings.TrimSpace(c.Fault + " " + what) })
}

// send makes the call upstream. It does not end when the client goes away: AWS would not undo its work either,
// and the journal has to tell what it answered.
func (p *Proxy) send(r *http.Request, header http.Header, body []byte, c Call) (*answer, error) {
	if !p.setOut(c) {
		return nil, errSevered
	}
	defer p.arrive()
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

// answer is a whole HTTP response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// plain returns the body without its compression.
func (a *answer) plain() []byte { return inflate(a.header, a.body) }

// with returns the answer with another body, uncompressed.
func (a *answer) with(body []byte) *answer {
	return &answer{status: a.status, header: unchecked(a.header), body: body}
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
