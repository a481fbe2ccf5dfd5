package permissions

import (
	"fmt"
	"slices"
	"strings"
)

// Policy is an identity-based policy of IAM.
type Policy struct {
	Version   string
	Statement []Statement
}

// Statement is one statement of a policy.
type Statement struct {
	Sid, Effect string
	Action      []string
	Resource    any
	Condition   map[string]map[string]string `json:",omitempty"`
}

// policyVersion is that of IAM's policy language.
const policyVersion = "2012-10-17"

func allow(sid string, actions []string, resource any) Statement {
	return Statement{Sid: sid, Effect: "Allow", Action: actions, Resource: resource}
}

// For returns the policy of a resource type: a statement "Read", which is all that a plan needs, one "Write", and one for each
// set of arguments that asks for more.
func For(typ string) (Policy, error) {
	uses, err := Of(typ)
	if err != nil {
		return Policy{}, err
	}
	read, write, optional := split(uses)
	p := Policy{Version: policyVersion, Statement: []Statement{allow("Read", read, "*"), allow("Write", write, "*")}}
	for _, o := range optional {
		p.Statement = append(p.Statement, allow(o.Sid, o.Actions, "*"))
	}
	return p, nil
}

// Option is what a set of arguments asks for.
type Option struct {
	// Sid is the statement's name, made from the arguments'.
	Sid string
	// For are the arguments.
	For []string
	// Actions are in order.
	Actions []string
}

// Options are those of a type, in the order of their names.
func Options(typ string) ([]Option, error) {
	uses, err := Of(typ)
	_, _, optional := split(uses)
	return optional, err
}

// split parts the actions of a type; each part stays in order.
func split(uses []Use) (read, write []string, optional []Option) {
	for _, u := range uses {
		switch {
		case len(u.For) > 0:
			sid := camel(u.For)
			n := slices.IndexFunc(optional, func(o Option) bool { return o.Sid == sid })
			if n < 0 {
				n, optional = len(optional), append(optional, Option{Sid: sid, For: u.For})
			}
			optional[n].Actions = append(optional[n].Actions, u.Action)
		case Reads(u.Action):
			read = append(read, u.Action)
		default:
			write = append(write, u.Action)
		}
	}
	slices.SortFunc(optional, func(a, b Option) int { return strings.Compare(a.Sid, b.Sid) })
	return read, write, optional
}

// camel makes a Sid, which takes letters and digits alone.
func camel(words []string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return r == '_' || r == ' ' || r == '.' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// Conditioned tells which types have a form of their policy with conditions on tags, in order.
func Conditioned() []string {
	var out []string
	for typ := range conditioned {
		out = append(out, typ)
	}
	slices.Sort(out)
	return out
}

// Tag keys of conditions.
const (
	requestTag  = "aws:RequestTag/tofu-estate"
	resourceTag = "aws:ResourceTag/tofu-estate"
)

// Hardened returns the policy of a type with conditions on tags: it lets the provider make objects of one estate, and change none
// but those. The type has to be one of Conditioned.
func Hardened(typ, estate string) (Policy, error) {
	c, ok := conditioned[typ]
	if !ok {
		return Policy{}, fmt.Errorf("%s has no form with conditions", typ)
	}
	uses, err := Of(typ)
	if err != nil {
		return Policy{}, err
	}
	var reads, changes []string
	for _, u := range uses {
		switch {
		case Reads(u.Action):
			reads = append(reads, u.Action)
		case u.Action != c.creates && len(c.elsewhere[u.Action].instead) == 0:
			changes = append(changes, u.Action)
		}
	}
	p := Policy{Version: policyVersion, Statement: []Statement{allow("Read", reads, "*")}}
	if c.creates != "" {
		p.Statement = append(p.Statement, c.create(estate)...)
	}
	change := allow("Change", changes, c.arn)
	change.Condition = map[string]map[string]string{"StringEquals": {resourceTag: estate}}
	if c.tags != "" {
		change.Condition["StringEqualsIfExists"] = map[string]string{requestTag: estate}
	}
	p.Statement = append(p.Statement, change)
	return c.others(p), nil
}

// create are the statements for a new object, whose tags are in the call that makes it.
func (c condition) create(estate string) []Statement {
	create, tag := allow("Create", []string{c.creates}, c.arn), allow("TagNew", []string{c.tags}, c.arn)
	create.Condition = map[string]map[string]string{"StringEquals": {requestTag: estate}}
	tag.Condition = map[string]map[string]string{"StringEquals": {requestTag: estate}}
	if service, call, _ := strings.Cut(c.creates, ":"); service == "ec2" {
		tag.Condition["StringEquals"]["ec2:CreateAction"] = call
	} else {
		tag.Condition["Null"] = map[string]string{resourceTag: "true"}
	}
	return []Statement{create, tag}
}

// others adds a statement for what calls name beside the object.
func (c condition) others(p Policy) Policy {
	byARN := map[string][]string{}
	var order []string
	for action, e := range c.elsewhere {
		key := strings.Join(slices.Concat(e.beside, e.instead), " ")
		if byARN[key] == nil {
			order = append(order, key)
		}
		byARN[key] = append(byARN[key], action)
	}
	slices.Sort(order)
	for n, key := range order {
		sid := "Beside"
		if n > 0 {
			sid = fmt.Sprintf("Beside%d", n+1)
		}
		slices.Sort(byARN[key])
		var resource any = strings.Fields(key)
		if arns := strings.Fields(key); len(arns) == 1 {
			resource = arns[0]
		}
		p.Statement = append(p.Statement, allow(sid, byARN[key], resource))
	}
	return p
}
