package permissions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// types are those of the list.
func types(t *testing.T) []string {
	t.Helper()
	all, err := Learned()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(all))
}

// TestEveryCallIsListed reads from the source which API operations the types and the taggers call, and finds those whose action
// no type has, learned or by hand.
func TestEveryCallIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, typ := range types(t) {
		uses, err := Of(typ)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range uses {
			listed[u.Action] = true
		}
	}
	for _, u := range Surveys {
		listed[u.Action] = true
	}
	calls := map[string]bool{}
	for _, dir := range []string{"../provider/service", "../provider/tagging"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool { return noteInput(n, calls) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(calls) < 60 {
		t.Errorf("only %d calls were found in the source: %q", len(calls), slices.Sorted(maps.Keys(calls)))
	}
	for _, action := range slices.Sorted(maps.Keys(calls)) {
		if !listed[action] {
			t.Errorf("the provider calls what needs %s, and no type has it: run make permissions, or add it to Unheld", action)
		}
	}
}

// noteInput notes the action of a call whose input is written out, such as &ec2.CreateVpcInput{…}.
func noteInput(n ast.Node, calls map[string]bool) bool {
	literal, ok := n.(*ast.CompositeLit)
	if !ok {
		return true
	}
	typ, ok := literal.Type.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	service, isName := typ.X.(*ast.Ident)
	operation, isInput := strings.CutSuffix(typ.Sel.Name, "Input")
	if isName && isInput && !strings.HasSuffix(service.Name, "types") {
		calls[Action(service.Name, operation)] = true
	}
	return true
}

// TestUnheld keeps what is by hand true: it is not learned too, and says why and where from.
func TestUnheld(t *testing.T) {
	all, err := Learned()
	if err != nil {
		t.Fatal(err)
	}
	for typ, byHand := range Unheld {
		if len(all[typ]) == 0 {
			t.Errorf("types.json has no %s", typ)
		}
		for _, u := range byHand {
			if slices.ContainsFunc(all[typ], func(l Use) bool { return l.Action == u.Action }) {
				t.Errorf("%s %s is learned: take it out of Unheld", typ, u.Action)
			}
			if u.Why == "" || u.Source == "" || len(u.For) == 0 {
				t.Errorf("%s %s says not what asks for it, why it is by hand, or where it is written: %+v", typ, u.Action, u)
			}
		}
	}
}

// sidPattern is what IAM takes for a Sid.
var sidPattern = regexp.MustCompile(`^[A-Za-z0-9]+$`)

// TestPolicies: each policy holds the actions of its type, each once but in the form with conditions, whose statements overlap.
func TestPolicies(t *testing.T) {
	for _, typ := range types(t) {
		uses, err := Of(typ)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, u := range uses {
			want = append(want, u.Action)
		}
		p, err := For(typ)
		if err != nil {
			t.Fatal(err)
		}
		if got := actionsOf(t, typ, p); !slices.Equal(got, want) {
			t.Errorf("%s: the policy has %q, want %q", typ, got, want)
		}
		if p.Statement[0].Sid != "Read" || slices.ContainsFunc(p.Statement[0].Action, func(a string) bool { return !Reads(a) }) {
			t.Errorf("%s: Read is %+v", typ, p.Statement[0])
		}
		if _, ok := conditioned[typ]; !ok {
			continue
		}
		p, err = Hardened(typ, "prod")
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Compact(actionsOf(t, typ, p)); !slices.Equal(got, want) {
			t.Errorf("%s: with conditions the policy has %q, want %q", typ, got, want)
		}
	}
}

// actionsOf are the actions of a policy, in order.
func actionsOf(t *testing.T, typ string, p Policy) []string {
	t.Helper()
	var out, sids []string
	for _, s := range p.Statement {
		if !sidPattern.MatchString(s.Sid) || slices.Contains(sids, s.Sid) || len(s.Action) == 0 || s.Effect != "Allow" {
			t.Errorf("%s: statement %+v", typ, s)
		}
		sids, out = append(sids, s.Sid), append(out, s.Action...)
	}
	slices.Sort(out)
	return out
}

// TestConditions: no write goes without a condition, but on what calls name beside the objects; and the actions of others are those
// of the type.
func TestConditions(t *testing.T) {
	for _, typ := range Conditioned() {
		p, err := Hardened(typ, "prod")
		if err != nil {
			t.Fatal(err)
		}
		c := conditioned[typ]
		for _, s := range p.Statement {
			switch beside := strings.HasPrefix(s.Sid, "Beside"); {
			case s.Sid == "Read":
			case beside && strings.Contains(strings.Join(strings.Fields(anyText(s.Resource)), " ")+" ", c.arn+" "):
				t.Errorf("%s: %s allows without a condition on the objects themselves: %+v", typ, s.Sid, s)
			case s.Sid == "Change" && c.tags != "" && !slices.Contains(s.Action, c.tags):
				t.Errorf("%s: the tags of an object of the estate cannot be changed: %+v", typ, s)
			case !beside && (s.Resource != c.arn || len(s.Condition) == 0):
				t.Errorf("%s: %s has no condition: %+v", typ, s.Sid, s)
			}
		}
		for action := range c.elsewhere {
			if !slices.Contains(actionsOf(t, typ, p), action) {
				t.Errorf("%s has no %s", typ, action)
			}
		}
	}
	if _, err := Hardened("estate_s3_bucket", "prod"); err == nil {
		t.Error("a bucket has a form with conditions")
	}
}

// anyText is a Resource with its ARNs parted by spaces.
func anyText(resource any) string {
	if list, ok := resource.([]string); ok {
		return strings.Join(list, " ")
	}
	text, _ := resource.(string)
	return text
}

func TestCamel(t *testing.T) {
	for want, words := range map[string][]string{
		"ForceDestroy": {"force_destroy"}, "InstanceNetworkInterface": {"instance", "network_interface"},
		"ForceDestroyWithObjectLockEnabled": {"force_destroy with object_lock_enabled"},
	} {
		if got := camel(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
