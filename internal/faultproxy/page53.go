package faultproxy

import "strings"

// recordListing is the one listing that goes on from a name and not from a token.
const recordListing = "route53:ListResourceRecordSets"

// startKey is the key of a listing of DNS records that begins there.
func startKey(c Call, name, kind, identifier string) string {
	return strings.Join([]string{strings.TrimSuffix(c.Path, "/"), name, kind, identifier}, " ")
}

// pageRecords returns the first records of an answer, and where the next page begins. An upstream that pays no heed to
// the identifier would begin with records that the client has: they are left out.
func (x exchange) pageRecords(a *answer, t tree, size int) *answer {
	list := t.root.at("ResourceRecordSets")
	if list == nil || len(list.children) == 0 {
		return a
	}
	skipTo(list, x.call)
	if size == 0 || size < len(list.children) {
		next := list.children[size]
		name, kind, identifier := next.at("Name").value(), next.at("Type").value(), next.at("SetIdentifier").value()
		keep([]*node{list}, 0, size)
		t.root.put("IsTruncated", "true")
		t.root.put("NextRecordName", name)
		t.root.put("NextRecordType", kind)
		if identifier != "" {
			t.root.put("NextRecordIdentifier", identifier)
		}
		if size == 0 {
			x.proxy.pages.expect(startKey(x.call, name, kind, identifier))
		}
	}
	return a.with(t.bytes())
}

// skipTo leaves out what comes before the identifier that a listing asks to begin with.
func skipTo(list *node, c Call) {
	identifier := c.Params.Get("identifier")
	for i, record := range list.children {
		if identifier == "" || record.at("Name").value() != c.Params.Get("name") {
			return
		}
		if record.at("SetIdentifier").value() == identifier {
			list.children = list.children[i:]
			return
		}
	}
}

// expect notes that the next call with that key asks for a rest that upstream has.
func (p *pages) expect(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(key, nil)
}
