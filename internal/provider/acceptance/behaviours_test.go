package acceptance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// behaviours is how many behaviours there are: what decides whether people who have lost objects or states with other tools
// get along with this provider, by rank. Each is a test named by its rank, whose comment says what a user sees.
const behaviours = 25

// unshown are the behaviours without a test, with the reason. There are none; a new one that waits for a type stands here.
var unshown = map[int]string{}

// partly are the parts of behaviours that today's types cannot show, with the reason.
var partly = map[int][]string{
	1: {
		"a VPC, an internet gateway or an address whose create was cut off and that the listing of another process does not show: " +
			"AWS takes no token for them, so that nothing stops a second one until the listing has caught up",
		"calls with a ClientToken: of today's types a zone alone takes a token, its caller reference",
	},
	2: {"a look-up that hangs while `apply` plans: the CLIs do not pass an interrupt on there, and the call's own limit, two minutes, ends it"},
	3: {
		"load balancers, target groups, topics and queues, whose create calls answer with somebody's object: there are no such types",
		"a malformed marker on a security group beside others: it may be any of the estate's groups, so that it stops them all",
	},
	6: {
		"-replace and taint with the new object first make a new object only where on_existing asks for it: else the object is adopted",
	},
	8: {
		"versioning of buckets: there is no such type; a policy's attachment is an object of its own, and is created by the apply",
		"a lost state and an address that has lost its second tag: what is left reads as a shorter address, another instance's",
	},
	9: {"an internet gateway: it has no attribute that cannot change in place but its region"},
	10: {
		"creation times of EC2's objects: AWS does not tell them, the times of their bindings stand in",
		"types with a name or range of their own: AWS admits one object of each",
	},
	11: {"other versions of the CLIs than the two that the tests run"},
	22: {
		"members of groups and stacks, restored databases, recovery points, shared subnets: the emulator makes none of them with " +
			"the tags that AWS gives them; the tests of the classes show their tags",
		"an entry of the tagging API whose object is gone: the emulator's answers show none",
	},
}

var behaviourName = regexp.MustCompile(`^TestBehaviour(\d\d)[A-Z]\w+$`)

// TestEveryBehaviourIsShown holds the tests to the behaviours: each has exactly one test that says what a user sees, or a reason
// why there is none.
func TestEveryBehaviourIsShown(t *testing.T) {
	shown := map[int]string{}
	for _, f := range behaviourTests(t) {
		m := behaviourName.FindStringSubmatch(f.name)
		if m == nil {
			t.Errorf("%s is not named TestBehaviourNN and in words what it shows", f.name)
			continue
		}
		rank, err := strconv.Atoi(m[1])
		must(t, err)
		switch {
		case rank < 1 || rank > behaviours:
			t.Errorf("%s: there are the ranks 1 to %d", f.name, behaviours)
		case shown[rank] != "":
			t.Errorf("%s and %s both show rank %d", f.name, shown[rank], rank)
		case !saysAll(f.doc, "given ", "when ", "then "):
			t.Errorf("the comment of %s does not say what is given, when, and then", f.name)
		}
		shown[rank] = f.name
	}
	for rank := 1; rank <= behaviours; rank++ {
		switch reason, without := unshown[rank]; {
		case without && (shown[rank] != "" || reason == ""):
			t.Errorf("rank %d has the test %q and the reason %q why there is none", rank, shown[rank], reason)
		case !without && shown[rank] == "":
			t.Errorf("rank %d has no test TestBehaviour%02d…", rank, rank)
		}
	}
	for rank, parts := range partly {
		if shown[rank] == "" || len(parts) == 0 {
			t.Errorf("partly has an entry for rank %d, which is not shown at all, or says nothing", rank)
		}
	}
}

// saysAll tells whether all parts are in the text, in upper or lower case.
func saysAll(text string, parts ...string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// behaviourTest is a test function with its comment.
type behaviourTest struct{ name, doc string }

// behaviourTests reads the test files of this package, and of the crash matrix, whose lifecycles show the permissions.
func behaviourTests(t *testing.T) []behaviourTest {
	t.Helper()
	var files []string
	for _, folder := range []string{".", "crash"} {
		found, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		must(t, err)
		files = append(files, found...)
	}
	var out []behaviourTest
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		must(t, err)
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "TestBehaviour") {
				out = append(out, behaviourTest{f.Name.Name, f.Doc.Text()})
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no test of a behaviour in %d files", len(files))
	}
	return out
}
