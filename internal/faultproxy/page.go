package faultproxy

import (
	"fmt"
	"net/http"
	"sync"
)

// pages are the rests of listings that the proxy cut, by what a client asks for them with.
type pages struct {
	mu   sync.Mutex
	made int
	// rests has nil for a rest that upstream itself is asked for.
	rests map[string]*answer
}

// keep stores a rest under a new token.
func (p *pages) keep(c Call, rest *answer) (token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made++
	token = fmt.Sprintf("faultproxy-page-%d", p.made)
	p.put(c.Name()+" "+token, rest)
	return token
}

func (p *pages) put(key string, rest *answer) {
	if p.rests == nil {
		p.rests = map[string]*answer{}
	}
	p.rests[key] = rest
}

// kept returns the rest that a call asks for, or nil. It stays: a client may ask again.
func (p *pages) kept(c Call) *answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rests[follows(c)]
}

// issued says that a call asks for a rest that the proxy told it of. Where there are no tokens it says so once, as the
// same call may also be a new one.
func (p *pages) issued(c Call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := follows(c)
	rest, ok := p.rests[key]
	if rest == nil {
		delete(p.rests, key)
	}
	return ok
}

// follows is the key of the rest that a call asks for, if any.
func follows(c Call) string {
	if c.Name() == recordListing {
		return startKey(c, c.Params.Get("name"), c.Params.Get("type"), c.Params.Get("identifier"))
	}
	how, _ := pagingOf(c)
	return c.Name() + " " + c.Params.Get(how.param)
}

// EmptyPage answers a listing with a page that has no items and a token for the next; the call that brings the token
// gets the real answer. AWS does so where it filters what it has paged. A listing of DNS records has no token but the
// name, type and identifier that the next page begins with.
//
// It knows the listings that Paginate knows; the answers to others pass, and the journal says so in the call's fault.
func EmptyPage() Fault {
	return Fault{name: "empty page", around: func(x exchange) (*answer, error) {
		if x.proxy.pages.issued(x.call) {
			return x.forward()
		}
		return x.page(0)
	}}
}

// Paginate cuts the answers to a listing into pages of at most size items, with tokens of the proxy's own. A token
// stands for the rest as it was when the listing was asked for; it may be used again, and outlives the rule. A page
// that upstream itself has cut keeps upstream's token on the last of its parts.
//
// It knows EC2's Describe… calls, IAM's lists and GetAccountAuthorizationDetails (whose lists it counts as one),
// S3's ListBuckets, Route 53's hosted zones, health checks, delegation sets and DNS records, CloudWatch Logs and the
// tagging API. The answers to other calls pass, and the journal says so in the call's fault. A listing of DNS records is
// continued by upstream itself, from the name, type and identifier that the next page begins with. It panics on a size
// below 1.
func Paginate(size int) Fault {
	if size < 1 {
		panic(fmt.Sprintf("faultproxy: a page of %d items", size))
	}
	return Fault{name: "paginate", around: func(x exchange) (*answer, error) { return x.page(size) }}
}

// page makes the call and returns the first items of its answer, keeping the rest for later.
func (x exchange) page(size int) (*answer, error) {
	a, err := x.forward()
	if err != nil || a.status >= http.StatusBadRequest {
		return a, err
	}
	t, ok := parse(x.call.protocol, a.plain())
	if !ok {
		x.blame("(no listing known)")
		return a, nil
	}
	if x.call.Name() == recordListing {
		return x.pageRecords(a, t, size), nil
	}
	how, known := pagingOf(x.call)
	result := x.call.result(t)
	all := lists(x.call, t)
	if !known || result == nil || len(all) == 0 {
		x.blame("(no listing known)")
		return a, nil
	}
	total := count(all)
	if total <= size && size > 0 {
		return a, nil
	}
	keep(all, size, total)
	rest := a.with(t.bytes())
	t, _ = parse(x.call.protocol, a.plain()) // it was well-formed before
	keep(lists(x.call, t), 0, size)
	result = x.call.result(t)
	result.put(how.element, x.proxy.pages.keep(x.call, rest))
	if how.truncated != "" {
		result.put(how.truncated, "true")
	}
	return a.with(t.bytes()), nil
}
