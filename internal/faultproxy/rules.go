package faultproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
)

// ruleFile is the JSON form of rules.
type ruleFile struct {
	AsAWS bool       `json:"as_aws"`
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	Actions  []string          `json:"actions"`
	Contains string            `json:"contains"`
	Writes   bool              `json:"writes"`
	Times    *int              `json:"times"`
	After    int               `json:"after"`
	Faults   []json.RawMessage `json:"faults"`
}

// AddRules reads rules from JSON and adds them in order, or none if one of them is wrong:
//
//	{
//	  "as_aws": true,
//	  "rules": [
//	    {"actions": ["ec2:CreateVpc"], "contains": "module.web", "faults": ["drop", {"hide": 2}], "times": 1, "after": 1},
//	    {"actions": ["iam:*"], "writes": true, "faults": [{"answer": {"status": 503, "code": "ServiceUnavailable"}}]}
//	  ]
//	}
//
// A rule matches calls that Action, Contains and Writes match together, all calls if it has none of the three. Its
// faults act together as those of Together. These are written by name: cut, drop, kill-before, kill-after, deny,
// expire, throttle, prior-request, hang, empty-page; and these with their argument: {"delay": "200ms"}, {"hide": 2},
// {"pending": 2} or {"pending": {"reads": 2, "states": ["status=creating"]}}, {"paginate": 5},
// {"answer": {"status": 503, "code": "…", "message": "…", "header": {"Retry-After": "1"}}}, and {"edit": {"old": "…",
// "new": "…"}} or "edit-request" with the same, which replace each text that is equal to old.
func (p *Proxy) AddRules(r io.Reader) error {
	var file ruleFile
	if err := strict(r, &file); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	matches, faults := make([]Match, len(file.Rules)), make([]Fault, len(file.Rules))
	for i, rule := range file.Rules {
		var err error
		if matches[i], err = rule.match(); err == nil {
			faults[i], err = rule.fault()
		}
		if err != nil {
			return fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	for i, rule := range file.Rules {
		added := &Rule{proxy: p, match: matches[i], fault: faults[i], after: rule.After}
		if rule.Times != nil {
			added.times, added.limited = *rule.Times, true
		}
		p.add(added)
	}
	if file.AsAWS {
		p.AsAWS()
	}
	return nil
}

// strict decodes one JSON value that has no members but those of v.
func strict(r io.Reader, v any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

func (r jsonRule) match() (Match, error) {
	all := []Match{Any()}
	for _, a := range r.Actions {
		if _, err := path.Match(a, ""); err != nil || !strings.Contains(a, ":") {
			return nil, fmt.Errorf("action %q is not of the form service:Action", a)
		}
	}
	if len(r.Actions) > 0 {
		all = append(all, Action(r.Actions...))
	}
	if r.Contains != "" {
		all = append(all, Contains(r.Contains))
	}
	if r.Writes {
		all = append(all, Writes())
	}
	return And(all...), nil
}

func (r jsonRule) fault() (Fault, error) {
	if len(r.Faults) == 0 {
		return Fault{}, errors.New("no faults")
	}
	faults := make([]Fault, len(r.Faults))
	for i, raw := range r.Faults {
		var err error
		if faults[i], err = readFault(raw); err != nil {
			return Fault{}, fmt.Errorf("fault %s: %w", raw, err)
		}
	}
	return Together(faults...), nil
}

// plainFaults are those that need no argument.
var plainFaults = map[string]func() Fault{
	"cut": CutBefore, "drop": DropAnswer, "kill-before": KillBefore, "kill-after": KillAfter, "deny": Deny,
	"expire": ExpireToken, "throttle": Throttle, "prior-request": PriorRequestNotComplete, "hang": Hang,
	"empty-page": EmptyPage,
}

func readFault(raw json.RawMessage) (Fault, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		if f := plainFaults[name]; f != nil {
			return f(), nil
		}
		return Fault{}, errors.New("no such fault, or it needs an argument")
	}
	var argued map[string]json.RawMessage
	if err := json.Unmarshal(raw, &argued); err != nil {
		return Fault{}, err
	}
	for name, argument := range argued {
		if read := arguedFaults[name]; read != nil && len(argued) == 1 {
			return read(argument)
		}
	}
	return Fault{}, errors.New("no such fault with an argument, or more than one")
}

// arguedFaults are those with an argument.
var arguedFaults = map[string]func(json.RawMessage) (Fault, error){
	"delay": func(raw json.RawMessage) (Fault, error) {
		text, err := decoded[string](raw)
		if err != nil {
			return Fault{}, err
		}
		d, err := time.ParseDuration(text)
		return Delay(d), err
	},
	"hide": func(raw json.RawMessage) (Fault, error) {
		n, err := decoded[int](raw)
		return HideNewest(n), err
	},
	"pending": readPending,
	"paginate": func(raw json.RawMessage) (Fault, error) {
		n, err := decoded[int](raw)
		if err != nil || n < 1 {
			return Fault{}, errors.Join(err, errors.New("a page has at least one item"))
		}
		return Paginate(n), nil
	},
	"answer":       readAnswer,
	"edit":         func(raw json.RawMessage) (Fault, error) { return readEdit(raw, Edit) },
	"edit-request": func(raw json.RawMessage) (Fault, error) { return readEdit(raw, EditRequest) },
}

func decoded[T any](raw json.RawMessage) (T, error) {
	var v T
	err := strict(bytes.NewReader(raw), &v)
	return v, err
}

func readPending(raw json.RawMessage) (Fault, error) {
	if n, err := decoded[int](raw); err == nil {
		return Pending(n), nil
	}
	a, err := decoded[struct {
		Reads  int      `json:"reads"`
		States []string `json:"states"`
	}](raw)
	for _, s := range a.States {
		if !strings.Contains(s, "=") {
			err = errors.Join(err, fmt.Errorf("state %q is not of the form path=value", s))
		}
	}
	if err != nil {
		return Fault{}, err
	}
	return Pending(a.Reads, a.States...), nil
}

func readAnswer(raw json.RawMessage) (Fault, error) {
	a, err := decoded[struct {
		Status  int               `json:"status"`
		Code    string            `json:"code"`
		Message string            `json:"message"`
		Header  map[string]string `json:"header"`
	}](raw)
	if err == nil && (a.Status < 400 || a.Status > 599 || a.Code == "") {
		err = errors.New("an answer has a status of 400 to 599 and a code")
	}
	if err != nil {
		return Fault{}, err
	}
	f := Answer(a.Status, a.Code, a.Message)
	for name, value := range a.Header {
		f = f.WithHeader(name, value)
	}
	return f, nil
}

func readEdit(raw json.RawMessage, edit func(func([]byte) []byte) Fault) (Fault, error) {
	a, err := decoded[struct {
		Old string `json:"old"`
		New string `json:"new"`
	}](raw)
	if err == nil && a.Old == "" {
		err = errors.New("nothing to replace")
	}
	return edit(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(a.Old), []byte(a.New)) }), err
}
