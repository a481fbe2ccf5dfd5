package functions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// grantPolicy writes a policy that reaches as far as an estate does.
var grantPolicy = &pure{
	name: "grant_policy",
	definition: function.Definition{
		Summary: "An IAM policy that allows actions on what an estate owns",
		MarkdownDescription: "Returns the JSON of an IAM policy that allows the actions on objects with the estate's `tofu-estate` tag alone: " +
			"creates have to write the tag, with the tag action that they need for it; changes, deletions and reads of contents need the tag on " +
			"every object that they name; no tag may be written on an object that has another estate's or none, nor another estate's name on " +
			"one of this. Reads that show what an object is, such as `ec2:DescribeVpcs`, are allowed on all objects.\n\n" +
			"An action that cannot be held to tags is an error that says what to do instead. The guide " +
			"[What an estate may touch](../guides/permissions-by-estate.md) lists what each service's actions reach. No call to AWS has tried these " +
			"policies: use them in a sandbox account first.",
		Parameters: []function.Parameter{
			text("estate", "The name of the estate."),
			function.ListParameter{Name: "actions", ElementType: types.StringType,
				MarkdownDescription: "The actions, such as `ec2:CreateVpc`, in any order and without wildcards."},
		},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var estate string
		var elements []*string
		if err := args.Get(ctx, &estate, &elements); err != nil {
			return nil, err
		}
		given, bad := listed(1, elements)
		if bad != nil {
			return nil, bad
		}
		if err := markers.CheckEstate(estate); err != nil {
			return nil, wrong(0, err)
		}
		if len(given) == 0 {
			return nil, wrong(1, errors.New("no action is given, and a policy has to allow one"))
		}
		wanted, err := lookUpAll(given)
		if err != nil {
			return nil, wrong(1, err)
		}
		policy, err := document(grant(estate, wanted))
		if err == nil {
			err = fits(policy, "a managed policy", maxManagedPolicy)
		}
		if err != nil {
			return nil, wrong(1, fmt.Errorf("%w; give the actions to several policies", err))
		}
		return policy, nil
	},
}

// grants collects the actions of a policy by what has to hold for them.
type grants struct {
	read, own, tag, inside []string
	// create and with are actions by the ARNs that they are allowed on, with one space between them.
	create, with map[string][]string
	// tagNew are the create calls of a service that has CreateAction, by its tag action.
	tagNew map[string][]string
}

// grant sorts actions, each of which is in the table, into statements.
func grant(estate string, wanted []string) []statement {
	g := grants{create: map[string][]string{}, with: map[string][]string{}, tagNew: map[string][]string{}}
	for _, action := range wanted {
		name, verb, as, _ := lookUp(action)
		switch as {
		case reading:
			g.read = append(g.read, action)
		case owning:
			g.own = append(g.own, action)
		case tagging:
			g.tag = append(g.tag, action)
		case creating:
			g.make(name, verb, action)
		}
	}
	return g.statements(estate)
}

// make adds a call of the table's makes.
func (g *grants) make(name, verb, action string) {
	s := services[name]
	m := s.makes[verb]
	if m.in {
		g.own = append(g.own, action)
	}
	if m.with != "" {
		arns := strings.Join(s.arns(name, m.with), " ")
		g.with[arns] = append(g.with[arns], action)
	}
	switch {
	case m.inside:
		g.inside = append(g.inside, action)
	case m.anywhere:
		g.create["*"] = append(g.create["*"], action)
	case m.new != "":
		arns := strings.Join(s.arns(name, m.new), " ")
		g.create[arns] = append(g.create[arns], action)
	default:
		return // it makes nothing, and writes no tags
	}
	tagger := name + ":" + s.tagger(m)
	if s.createAction {
		g.tagNew[tagger] = append(g.tagNew[tagger], verb)
	} else {
		g.tag = append(g.tag, tagger)
	}
}

// statements writes them down.
//
// Every condition names a value that has to be there: StringEquals fails where the key is missing, so that a service or an
// object without tags is denied. The one exception are calls that write tags on an object of the estate, which need not
// write the estate's (IfExists), but if they do, in whichever case, then with its own name. ForAllValues is not used: it is
// also true of a call without tags.
//
// A create of EC2 in a parent passes as two resources: the new one by the tag in the call, on the ARNs of its type alone,
// the parent by the tag that it has. The second statement cannot let a new one pass: it has no tags but the call's.
func (g *grants) statements(estate string) []statement {
	mine := func(keys ...string) condition {
		equals := map[string][]string{}
		for _, key := range keys {
			equals[key] = []string{estate}
		}
		return condition{"StringEquals": equals}
	}
	tags := mine(resourceEstate)
	tags["StringEqualsIfExists"] = map[string][]string{requestEstate: {estate}}

	var out []statement
	add := func(sid string, allowed, resources []string, c condition) {
		if len(allowed) > 0 {
			slices.Sort(allowed)
			out = append(out, statement{Sid: sid, Effect: "Allow", Action: slices.Compact(allowed), Resource: resources, Condition: c})
		}
	}
	all := []string{"*"}
	add("Read", g.read, all, nil)
	add("Own", g.own, all, mine(resourceEstate))
	add("Tag", g.tag, all, tags)
	add("CreateInside", g.inside, all, mine(resourceEstate, requestEstate))
	for i, arns := range slices.Sorted(maps.Keys(g.create)) {
		add(fmt.Sprint("Create", i+1), g.create[arns], strings.Fields(arns), mine(requestEstate))
	}
	for i, tagger := range slices.Sorted(maps.Keys(g.tagNew)) {
		name, _, _ := strings.Cut(tagger, ":")
		created := mine(requestEstate)
		created["StringEquals"][name+":CreateAction"] = slices.Sorted(slices.Values(g.tagNew[tagger]))
		add(fmt.Sprint("TagNew", i+1), []string{tagger}, all, created)
	}
	for i, arns := range slices.Sorted(maps.Keys(g.with)) {
		add(fmt.Sprint("With", i+1), g.with[arns], strings.Fields(arns), nil)
	}
	return out
}
