package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// stock is how many objects of each type TestInventory makes: 150 in all.
var stock = map[string]int{
	"estate_vpc": 20, "estate_subnet": 20, "estate_security_group": 20, "estate_internet_gateway": 10, "estate_eip": 20,
	"estate_iam_role": 20, "estate_cloudwatch_log_group": 20, "estate_s3_bucket": 10, "estate_route53_zone": 10,
}

// shown is an object or a finding as an output shows it, as far as the tests look.
type shown struct {
	Class, Address, Type, ID, ARN, Status, Region, Problem, Reason string
	ImportID                                                       string `json:"import_id"`
	Verified                                                       bool
}

// takenStock is the output of an inventory or an audit.
type takenStock struct {
	Objects, Findings []shown
	Counts            map[string]int
	Coverage          []struct {
		Type, Region, API, Problem string
		Objects                    int
		Complete                   bool
	}
}

// output reads one output of the state.
func output[T any](t *testing.T, w *Workspace, name string) (value T) {
	t.Helper()
	must(t, json.Unmarshal([]byte(w.Run(t.Context(), "output", "-json", name).Must(t).Stdout), &value))
	return value
}

// mark makes an object of a type with the marker of an address.
func mark(t *testing.T, w *Workspace, estate, address, name string) string {
	t.Helper()
	parsed, err := markers.Parse(address)
	must(t, err)
	tags, err := markers.Marker{Estate: estate, Address: parsed, Binding: markers.NewBinding()}.Tags()
	must(t, err)
	kind, err := KindOf("estate_" + strings.TrimPrefix(strings.TrimPrefix(parsed.Type, "aws_"), "estate_"))
	must(t, err)
	id, err := kind.Make(t.Context(), w.AWS, name, tags)
	must(t, err)
	return id
}

// TestInventory counts what the inventory of 150 marked objects costs: one listing a type, and the tagging API's pages. It is
// complete, and lists what hangs on the objects without tags of its own.
func TestInventory(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		want := map[string]string{}
		for typ, n := range stock {
			for i := range n {
				address := fmt.Sprintf("module.m[%d].aws_%s.a", i, strings.TrimPrefix(typ, "estate_"))
				want[address] = mark(t, w, "stock", address, fmt.Sprintf("stock-%s-%d", w.Account, i))
			}
			mark(t, w, "others", "aws_"+strings.TrimPrefix(typ, "estate_")+".a", "others-"+w.Account)
		}
		for i := range stock["estate_iam_role"] {
			_, err := w.AWS.IAM.PutRolePolicy(t.Context(), &iam.PutRolePolicyInput{
				RoleName: aws.String(want[fmt.Sprintf("module.m[%d].aws_iam_role.a", i)]), PolicyName: aws.String("inline"),
				PolicyDocument: aws.String(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}]}`),
			})
			must(t, err)
		}
		start(t, w, "stock", `
data "estate_inventory" "all" {}
output "all" { value = data.estate_inventory.all }
`)
		calls := w.Proxy.Mark()
		w.Apply(t.Context()).Must(t)
		got := output[takenStock](t, w, "all")
		found := map[string]string{}
		under := map[string]int{}
		for _, o := range got.Objects {
			if o.Status == "by_parent" {
				under[o.Type]++
				continue
			}
			if found[o.Address] != "" {
				t.Errorf("%s is listed twice", o.Address)
			}
			if found[o.Address] = o.ID; o.ImportID != o.ID || !o.Verified {
				t.Errorf("%+v", o)
			}
		}
		for address, id := range want {
			if found[address] != id {
				t.Errorf("%s is %q in the inventory, want %s", address, found[address], id)
			}
		}
		if len(found) != len(want) {
			t.Errorf("%d objects are listed, want %d", len(found), len(want))
		}
		// A new zone has two records of its own.
		if under["estate_iam_role_policy"] != 20 || under["estate_route53_record"] != 20 {
			t.Errorf("listed without tags of their own: %v", under)
		}
		for _, c := range got.Coverage {
			if !c.Complete {
				t.Errorf("a listing failed: %+v", c)
			}
		}
		mustCost(t, w, calls, "inventory", map[string]int{
			"ec2:DescribeVpcs": 1, "ec2:DescribeSubnets": 1, "ec2:DescribeSecurityGroups": 1, "ec2:DescribeInternetGateways": 1,
			"ec2:DescribeAddresses": 1, "iam:GetAccountAuthorizationDetails": 1, "logs:DescribeLogGroups": 1, "s3:ListBuckets": 1,
			"route53:ListHostedZones": 1, "route53:ListTagsForResources": 2, "route53:ListResourceRecordSets": 10,
			"tagging:GetResources": 4, // three pages here, and one of us-east-1, where global objects are
		})
	})
}

// TestInventoryOfUnmarked lists what nobody has marked, and neither what is another estate's nor what AWS makes by itself.
func TestInventoryOfUnmarked(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		kind, err := KindOf("estate_eip")
		must(t, err)
		id, err := kind.Make(t.Context(), w.AWS, "", map[string]string{"Name": "nobody's"})
		must(t, err)
		mark(t, w, "others", "aws_eip.a", "")
		start(t, w, "stock", `
data "estate_inventory" "free" {
  status = "unmarked"
  types  = ["aws_eip", "estate_vpc"]
}
data "estate_inventory" "none" { tofu_estate = "nobody" }
output "free" { value = data.estate_inventory.free }
output "none" { value = data.estate_inventory.none }
`)
		w.Apply(t.Context()).Must(t)
		got := output[takenStock](t, w, "free").Objects
		if len(got) != 1 || got[0].ID != id || got[0].ImportID != id || got[0].Type != "estate_eip" || got[0].Status != "unmarked" {
			t.Errorf("unmarked are %+v, want %s", got, id)
		}
		if none := output[takenStock](t, w, "none"); len(none.Objects) != 0 || len(none.Coverage) < 12 {
			t.Errorf("an estate that does not exist has %d objects in %d listings", len(none.Objects), len(none.Coverage))
		}
	})
}

// TestInventoryWithoutPermission shows that a listing that was denied is named, and the others are there.
func TestInventoryWithoutPermission(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		vpc := mark(t, w, "stock", "aws_vpc.a", "")
		mark(t, w, "stock", "aws_eip.a", "")
		start(t, w, "stock", `
data "estate_inventory" "all" {}
output "all" { value = data.estate_inventory.all }
`)
		w.Proxy.On(faultproxy.Action("ec2:DescribeAddresses"), faultproxy.Deny())
		w.Proxy.On(faultproxy.Action("tagging:GetResources"), faultproxy.Deny())
		w.Apply(t.Context()).Must(t).MustSay(t, "Incomplete inventory", "ec2:DescribeAddresses", "tag:GetResources")
		got := output[takenStock](t, w, "all")
		if len(got.Objects) != 1 || got.Objects[0].ID != vpc {
			t.Errorf("listed are %+v, want %s", got.Objects, vpc)
		}
		var failed []string
		for _, c := range got.Coverage {
			if !c.Complete {
				failed = append(failed, c.Type+c.API)
			}
		}
		if !slices.Equal(failed, []string{"estate_eipservice", "tagging", "tagging"}) {
			t.Errorf("not complete are %v", failed)
		}
	})
}

// TestInventoryOfOtherTypes lists what hashicorp/aws might manage: objects of more than twenty types, each with what its import
// wants, in the form in which an import block takes it.
func TestInventoryOfOtherTypes(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		want := map[string]string{}
		must(t, json.Unmarshal(w.python(t, "testdata/twenty_types.py", w.account.URL, Region, "many", "types-"+w.Account), &want))
		start(t, w, "many", `
data "estate_inventory" "all" {}
output "all" { value = data.estate_inventory.all }
output "imports" {
  value = { for o in data.estate_inventory.all.objects : o.address => o.import_id if o.address != null }
}
`)
		w.Apply(t.Context()).Must(t)
		got := output[map[string]string](t, w, "imports")
		types := map[string]bool{}
		for _, o := range output[takenStock](t, w, "all").Objects {
			if o.Address != "" {
				types[o.Type] = true
			}
			if o.Address != "" && o.ImportID == "" {
				t.Errorf("%s has no import id: %s", o.Address, o.Problem)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("the inventory says\n  %v\nwant\n  %v", got, want)
		}
		if len(types) < 20 || len(want) < 30 {
			t.Errorf("%d objects of %d types", len(want), len(types))
		}
	})
}

// python runs a script with the interpreter that the emulator runs with, and returns what it prints.
func (s *Sandbox) python(t *testing.T, script string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(filepath.Dir(s.Emulator.command.Path), "python3"), append([]string{script}, args...)...)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, stderr.String())
	}
	return out
}
