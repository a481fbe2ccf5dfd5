package imports

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
)

// An example is an object of a type, by its ARN, and the id that import wants.
type example struct{ Type, ARN, ID string }

var allExamples = slices.Concat(examples, moreExamples)

func parse(t testing.TB, text string) arn.ARN {
	t.Helper()
	a, err := arn.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

// TestEveryRowHasAnExample holds the tables to the documentation's examples: no row is without one.
func TestEveryRowHasAnExample(t *testing.T) {
	for _, r := range table {
		if !slices.ContainsFunc(allExamples, func(e example) bool {
			_, ok := r.read(parse(t, e.ARN))
			return ok && e.Type == r.Type
		}) {
			t.Errorf("%s %s has no example", r.Type, r.Form)
		}
	}
}

// TestRowsDoNotClash shows that at most one row of a type, refusals included, takes an ARN.
func TestRowsDoNotClash(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		if key := r.Type + " " + r.String(); seen[key] {
			t.Errorf("twice: %s", key)
		} else {
			seen[key] = true
		}
	}
	for _, e := range allExamples {
		a, taken := parse(t, e.ARN), 0
		for _, r := range table {
			if _, ok := r.read(a); ok && r.Type == e.Type {
				taken++
			}
		}
		for _, w := range withheld {
			if _, ok := w.read(a); ok && w.Type == e.Type {
				taken++
			}
		}
		if taken != 1 {
			t.Errorf("%d rows of %s take %s", taken, e.Type, e.ARN)
		}
	}
}

var (
	placeholder = regexp.MustCompile(`\{([a-z-]+(?:/|:|\+|\.\.\.)?)\}`)
	braces      = regexp.MustCompile(`[{}]`)
)

// TestFormsAreWellFormed finds a name that is misspelt, that stands in the id but not in the form, and one that reaches to
// the end and has something behind it.
func TestFormsAreWellFormed(t *testing.T) {
	names := func(form string) []string {
		if rest := placeholder.ReplaceAllString(form, ""); braces.MatchString(rest) {
			t.Errorf("%s has a name that is none", form)
		}
		var names []string
		for _, m := range placeholder.FindAllStringSubmatch(form, -1) {
			names = append(names, m[1])
		}
		return names
	}
	check := func(form, id string) {
		known := names(form)
		for _, name := range known {
			if reserved[name] != nil {
				t.Errorf("%s: %s is reserved for ids", form, name)
			}
			if strings.HasSuffix(name, "...") && !strings.HasSuffix(form, "{"+name+"}") {
				t.Errorf("%s: %s reaches to the end", form, name)
			}
		}
		if sorted := slices.Sorted(slices.Values(known)); len(slices.Compact(sorted)) != len(known) {
			t.Errorf("%s has a name twice", form)
		}
		for _, name := range names(id) {
			if reserved[name] == nil && !slices.Contains(known, name) {
				t.Errorf("%s: its id %s has %s, which it lacks", form, id, name)
			}
		}
	}
	for _, r := range table {
		check(r.Form, r.ID)
	}
	for _, w := range withheld {
		check(w.Form, "")
	}
}

// TestTypesHaveTheirPages holds that each row can be looked up: the type's page in the registry, and its service's page in
// the Service Authorization Reference, of which none is left over.
func TestTypesHaveTheirPages(t *testing.T) {
	if got, want := documentation("aws_sqs_queue"),
		"https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/sqs_queue#import"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := reference("ec2"),
		"https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	used := map[string]bool{}
	page := regexp.MustCompile(`^(amazon|aws)[a-z0-9]+$`)
	check := func(name, service string) {
		used[service] = true
		if !regexp.MustCompile(`^aws_[a-z0-9]+(_[a-z0-9]+)*$`).MatchString(name) {
			t.Errorf("%s is no name of a type, so that its page is none", name)
		}
		if !page.MatchString(references[service]) {
			t.Errorf("%s: the page of service %s is %q", name, service, references[service])
		}
	}
	for _, r := range table {
		check(r.Type, r.Service)
	}
	for _, w := range withheld {
		check(w.Type, w.Service)
	}
	for service := range maps.Keys(references) {
		if !used[service] {
			t.Errorf("no row is of service %s", service)
		}
	}
	for other, name := range otherNames {
		if !slices.ContainsFunc(table, func(r row) bool { return r.Type == name }) ||
			slices.ContainsFunc(table, func(r row) bool { return r.Type == other }) {
			t.Errorf("%s is to be another name of %s", other, name)
		}
	}
}
