package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// This file runs the published examples of functions and of the data sources over an estate, and compares each output with the
// comment that says what it is:
//
//	# => ["a", "b"]
//
// What follows the arrow is JSON, on as many lines as begin with #. An ellipsis in it stands for whatever AWS has chosen.

// exampleResult begins the comment of an output.
const exampleResult = "# => "

// surveys are the data sources over an estate: the estate of the provider block in which their example runs, and who makes what
// the example speaks of.
var surveys = map[string]struct {
	estate string
	setup  func(t *testing.T, w *Workspace)
	// says are phrases of what the apply warns of.
	says []string
}{
	"estate_inventory": {"networking-prod", func(t *testing.T, w *Workspace) {
		stockObject(t, w, "networking-prod", `module.site["blue"].aws_vpc.main`, "estate_vpc", "")
		stockObject(t, w, "networking-prod", "estate_iam_role.deploy", "estate_iam_role", "deploy")
		stockObject(t, w, "others", "aws_vpc.main", "estate_vpc", "")
		vpcIn(t, w, otherRegion, "networking-prod", `module.site["green"].aws_vpc.main`)
		volume(t, w, "networking-prod", `module.site["blue"].aws_ebs_volume.data`, nil)
		eip, err := KindOf("estate_eip")
		must(t, err)
		_, err = eip.Make(t.Context(), w.AWS, "", map[string]string{"Name": "nobody's"})
		must(t, err)
	}, nil},
	"estate_object": {"app", func(t *testing.T, w *Workspace) {
		vpcIn(t, w, Region, "network", "aws_vpc.main")
		zero := uint32(0)
		volume(t, w, "network", `module.site["blue"].aws_ebs_volume.data[0]`, &zero)
	}, nil},
	"estate_audit": {"platform", func(t *testing.T, w *Workspace) {
		stockObject(t, w, "network", "aws_vpc.main", "estate_vpc", "")
		stockObject(t, w, "network", "aws_vpc.forgotten", "estate_vpc", "")
		stockObject(t, w, "network", "aws_vpc.twice", "estate_vpc", "")
		vpcIn(t, w, otherRegion, "network", "aws_vpc.twice")
		stockObject(t, w, "others", "aws_vpc.main", "estate_vpc", "")
		w.Env = append(w.Env, "TF_VAR_state_list=aws_vpc.main\naws_vpc.twice\naws_eip.lost[0]\ndata.aws_ami.x\n")
	}, []string{"Check block assertion failed", "orphan: vpc-", "of aws_vpc.forgotten", "2 living objects carry aws_vpc.twice", "missing: no object of aws_eip.lost[0]"}},
}

// markerOf is the marker of an address without a binding: it could have been written at any time.
func markerOf(t *testing.T, estate, address string, slot *uint32) markers.Tags {
	t.Helper()
	parsed, err := markers.Parse(address)
	must(t, err)
	tags, err := markers.Marker{Estate: estate, Address: parsed, Slot: slot}.Tags()
	must(t, err)
	return tags
}

// stockObject makes an object with a marker.
func stockObject(t *testing.T, w *Workspace, estate, address, resourceType, name string) {
	t.Helper()
	kind, err := KindOf(resourceType)
	must(t, err)
	_, err = kind.Make(t.Context(), w.AWS, name, markerOf(t, estate, address, nil))
	must(t, err)
}

// vpcIn makes a VPC in a region.
func vpcIn(t *testing.T, w *Workspace, region, estate, address string) {
	t.Helper()
	options := w.AWS.EC2.Options()
	options.Region = region
	_, err := ec2.New(options).CreateVpc(t.Context(), &ec2.CreateVpcInput{
		CidrBlock: aws.String("10.0.0.0/16"),
		TagSpecifications: []ec2types.TagSpecification{{
			ResourceType: ec2types.ResourceTypeVpc, Tags: append(toEC2Tags(markerOf(t, estate, address, nil)), ec2types.Tag{Key: aws.String("Name"), Value: aws.String("main")}),
		}},
	})
	must(t, err)
}

// volume makes a disk, of a type that the provider lacks.
func volume(t *testing.T, w *Workspace, estate, address string, slot *uint32) {
	t.Helper()
	_, err := w.AWS.EC2.CreateVolume(t.Context(), &ec2.CreateVolumeInput{
		AvailabilityZone: aws.String(Region + "a"), Size: aws.Int32(1),
		TagSpecifications: []ec2types.TagSpecification{{
			ResourceType: ec2types.ResourceTypeVolume, Tags: toEC2Tags(markerOf(t, estate, address, slot)),
		}},
	})
	must(t, err)
}

// TestExamplesOfFunctions applies the example of every function that the provider has, and compares its outputs.
func TestExamplesOfFunctions(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "examples", "")
		must(t, w.Remove("provider.tf")) // the examples say themselves where the functions come from
		have := functionsOf(t, w)
		folders := foldersOf(t, "functions")
		if len(have) == 0 || !slices.Equal(have, folders) {
			t.Errorf("the provider has the functions %q, and there are examples of %q", have, folders)
		}
		for _, name := range folders {
			for _, file := range configurationsOf(t, "functions", name) {
				runExample(t, w, name, file)
			}
		}
	})
}

// TestExamplesOfSurveys applies the examples of the data sources over an estate, and compares their outputs.
func TestExamplesOfSurveys(t *testing.T) {
	for _, name := range foldersOf(t, "data-sources") {
		isType := slices.ContainsFunc(lifecycles, func(l lifecycle) bool { return l.Type == name })
		if _, ok := surveys[name]; !ok && !isType {
			t.Errorf("the example of %s is run by no test", name)
		}
	}
	for name, s := range surveys {
		t.Run(name, func(t *testing.T) {
			eachCLI(t, func(t *testing.T, w *Workspace) {
				start(t, w, s.estate, "")
				s.setup(t, w)
				for _, file := range configurationsOf(t, "data-sources", name) {
					runExample(t, w, name, file).MustSay(t, s.says...)
				}
				w.Plan(t.Context()).MustBeEmpty(t)
			})
		})
	}
}

// foldersOf are the folders of a kind of example.
func foldersOf(t *testing.T, kind string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("..", "..", "..", "examples", kind))
	must(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// configurationsOf are the files of an example, each a configuration of its own.
func configurationsOf(t *testing.T, kind, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "examples", kind, name, "*"))
	must(t, err)
	if len(files) == 0 {
		t.Errorf("the example of %s is empty", name)
	}
	for _, file := range files {
		if filepath.Ext(file) != ".tf" {
			t.Errorf("%s is no configuration", file)
		}
	}
	return files
}

// functionsOf asks the provider's binary, through the CLI, for its functions, sorted.
func functionsOf(t *testing.T, w *Workspace) []string {
	t.Helper()
	must(t, w.CopyFile(configurationsOf(t, "functions", "address")[0], "main.tf"))
	var schema struct {
		Providers map[string]struct {
			Functions map[string]json.RawMessage `json:"functions"`
		} `json:"provider_schemas"`
	}
	must(t, json.Unmarshal([]byte(w.Run(t.Context(), "providers", "schema", "-json").Must(t).Stdout), &schema))
	var out []string
	for _, p := range schema.Providers {
		for name := range p.Functions {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// runExample applies a file and compares each of its outputs with its comment. Nothing is written but what the example declares.
func runExample(t *testing.T, w *Workspace, name, file string) Result {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, w.Write("main.tf", string(text)))
	r := w.Apply(t.Context()).Must(t)
	want, got := exampleResults(t, string(text)), outputTexts(t, w)
	if len(want) == 0 || len(got) != len(want) {
		t.Errorf("the example of %s has %d outputs, and comments on %d", name, len(got), len(want))
	}
	for output, pattern := range want {
		if !pattern.MatchString(got[output]) {
			t.Errorf("%s: %s is\n  %s\nand the comment says\n  %s", name, output, got[output], pattern)
		}
	}
	return r
}

// exampleResults reads what the comments in the outputs of a configuration say, as patterns of JSON without white space.
func exampleResults(t *testing.T, text string) map[string]*regexp.Regexp {
	t.Helper()
	file, diagnostics := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diagnostics.HasErrors() {
		t.Fatal(diagnostics)
	}
	body, _ := file.Body.(*hclsyntax.Body)
	out := map[string]*regexp.Regexp{}
	for _, b := range body.Blocks {
		if b.Type != "output" {
			continue
		}
		_, comment, found := strings.Cut(string(b.Body.Range().SliceBytes([]byte(text))), exampleResult)
		if !found {
			t.Errorf("the output %s says nothing of its value", b.Labels[0])
			continue
		}
		var said strings.Builder
		for i, line := range strings.Split(comment, "\n") {
			line = strings.TrimSpace(line)
			if i > 0 && !strings.HasPrefix(line, "#") {
				break
			}
			said.WriteString(strings.TrimPrefix(line, "#") + " ")
		}
		out[b.Labels[0]] = patternOf(t, said.String())
	}
	return out
}

// patternOf is the pattern of a JSON text.
func patternOf(t *testing.T, text string) *regexp.Regexp {
	t.Helper()
	var value any
	must(t, json.Unmarshal([]byte(text), &value))
	plain, err := json.Marshal(value)
	must(t, err)
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(string(plain)), "…", ".+") + "$")
}

// TestExampleResults shows that a comment is compared, and that one on several lines is read to its end.
func TestExampleResults(t *testing.T) {
	want := exampleResults(t, `
output "a" {
  value = 1
  # => {
  #   "k": "vpc-…"
  # }
}

output "b" {
  # what it is
  value = 2
  # => [1, 2]
}
`)
	for _, c := range []struct {
		output, value string
		is            bool
	}{
		{"a", `{"k":"vpc-1"}`, true},
		{"a", `{"k":"eip-1"}`, false},
		{"a", `{"k":"vpc-1"} `, false},
		{"b", `[1,2]`, true},
		{"b", `[1,2,3]`, false},
	} {
		if is := want[c.output].MatchString(c.value); is != c.is {
			t.Errorf("%s %s: %v, want %v; %s", c.output, c.value, is, c.is, want[c.output])
		}
	}
}
