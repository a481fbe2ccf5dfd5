package faultproxy

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Journal returns all calls since Start or the last Reset in the order in which they came. A call that is not
// answered yet has a zero Ended. The calls share their bodies and maps with the proxy: do not write to them.
func (p *Proxy) Journal() []Call { return p.Since(0) }

// Reset empties the journal. Numbers go on, so that marks keep their meaning.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.journal = nil
}

// Mark returns the number of the latest call, 0 if there was none: Since(mark) returns what came after it.
func (p *Proxy) Mark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seq
}

// Since returns the calls that came after Mark returned mark, in order.
func (p *Proxy) Since(mark int) []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Call
	for _, c := range p.journal {
		if c.Seq > mark {
			out = append(out, *c)
		}
	}
	return out
}

// Count returns how many calls of the journal match, those included that a fault kept from AWS.
func (p *Proxy) Count(m Match) int { return len(Select(p.Journal(), m)) }

// Select returns the calls that match, in order.
func Select(calls []Call, m Match) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(c Call) bool { return !m(c) })
}

// Format returns one line a call, "seq service:Action status fault", for the message of a failing test.
func Format(calls []Call) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// String returns the call's line in Format: its status is 0 when it was not answered, and an error code follows it.
func (c Call) String() string {
	s := fmt.Sprintf("%d %s %d", c.Seq, c.Name(), c.Status)
	if c.ErrorCode != "" {
		s += " " + c.ErrorCode
	}
	if c.Fault != "" {
		s += " [" + c.Fault + "]"
	}
	return s
}

// FormatJSON returns one JSON object a call and line, with what String tells and more: the region, whether the call is a
// write, its method, path and parameters, and how many milliseconds it took. It leaves out headers and bodies.
func FormatJSON(calls []Call) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, c := range calls {
		line := struct {
			Seq          int        `json:"seq"`
			Service      string     `json:"service"`
			Action       string     `json:"action"`
			Region       string     `json:"region,omitempty"`
			Write        bool       `json:"write"`
			Method       string     `json:"method"`
			Path         string     `json:"path"`
			Params       url.Values `json:"params,omitempty"`
			Status       int        `json:"status"`
			ErrorCode    string     `json:"error_code,omitempty"`
			Fault        string     `json:"fault,omitempty"`
			Started      time.Time  `json:"started"`
			Milliseconds int64      `json:"milliseconds"`
		}{c.Seq, c.Service, c.Action, c.Region, c.Write, c.Method, c.Path, c.Params, c.Status, c.ErrorCode, c.Fault, c.Started, 0}
		if !c.Ended.IsZero() {
			line.Milliseconds = c.Ended.Sub(c.Started).Milliseconds()
		}
		if err := encoder.Encode(line); err != nil {
			panic(err) // such a value and a strings.Builder cannot fail
		}
	}
	return b.String()
}

// Watch has f called with every call from now on once its outcome is settled, before the client gets an answer. Calls
// that end at the same time call f at the same time.
func (p *Proxy) Watch(f func(Call)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watchers = append(p.watchers, f)
}

// enterJournal numbers a call and appends it; the result is written to by note alone.
func (p *Proxy) enterJournal(c Call) *Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seq++
	c.Seq = p.seq
	p.journal = append(p.journal, &c)
	return &c
}

func (p *Proxy) note(c *Call, change func(*Call)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(c)
}
