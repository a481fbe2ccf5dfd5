package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// awsTypes makes the objects that examples/recovery/aws-types declares, as hashicorp/aws would, and returns what its read shows of
// them, and the ids by address.
func awsTypes(t *testing.T, w *Workspace) (table standInTable, ids map[string]string) {
	t.Helper()
	ctx, api := t.Context(), w.AWS.EC2
	ids = map[string]string{}
	add := func(address string, id *string, tags, arguments map[string]string) {
		ids[address] = aws.ToString(id)
		a, err := markers.Parse(address)
		must(t, err)
		table.add(a.Type, aws.ToString(id), standInObject{arguments, tags})
	}
	tags := markerOf(t, "shop-prod", "aws_vpc.main", nil)
	vpc, err := api.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16"), TagSpecifications: specified("vpc", tags)})
	must(t, err)
	add("aws_vpc.main", vpc.Vpc.VpcId, tags, map[string]string{"cidr_block": *vpc.Vpc.CidrBlock})
	for i := range 2 {
		address := fmt.Sprintf("aws_subnet.private[%d]", i)
		tags := markerOf(t, "shop-prod", address, aws.Uint32(uint32(i)))
		made, err := api.CreateSubnet(ctx, &ec2.CreateSubnetInput{
			VpcId: vpc.Vpc.VpcId, CidrBlock: aws.String(fmt.Sprintf("10.0.%d.0/24", i)), TagSpecifications: specified("subnet", tags),
		})
		must(t, err)
		add(address, made.Subnet.SubnetId, tags, map[string]string{"vpc_id": *made.Subnet.VpcId, "cidr_block": *made.Subnet.CidrBlock})
	}
	for _, key := range []string{"mail", "print"} {
		address := fmt.Sprintf("aws_ebs_volume.data[%q]", key)
		tags := markerOf(t, "shop-prod", address, nil)
		made, err := api.CreateVolume(ctx, &ec2.CreateVolumeInput{
			AvailabilityZone: aws.String(Region + "a"), Size: aws.Int32(1), TagSpecifications: specified(ec2types.ResourceTypeVolume, tags),
		})
		must(t, err)
		add(address, made.VolumeId, tags, map[string]string{"availability_zone": *made.AvailabilityZone, "size": fmt.Sprint(*made.Size)})
	}
	for _, key := range []string{"blue", "green"} {
		address := fmt.Sprintf("module.site[%q].aws_eip.nat", key)
		tags := markerOf(t, "shop-prod", address, nil)
		id, err := makeEip(ctx, w.AWS, "", tags)
		must(t, err)
		add(address, &id, tags, map[string]string{"domain": "vpc"})
	}
	return table, ids
}

// importsOf lists what an import has to be handed for these objects, as the stand-in notes it.
func importsOf(t *testing.T, ids map[string]string) []string {
	t.Helper()
	var out []string
	for address, id := range ids {
		a, err := markers.Parse(address)
		must(t, err)
		out = append(out, a.Type+" "+id)
	}
	slices.Sort(out)
	return out
}

// TestRecoveryOfAWSTypes plays the section on types of hashicorp/aws of the guide Recovery: the state is gone, and import blocks over
// the inventory bring every object back in one plan. For hashicorp/aws itself see standin_test.go.
func TestRecoveryOfAWSTypes(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx, told := t.Context(), &transcript{}
		table, want := awsTypes(t, w)
		imported := standIn(t, w, table)
		must(t, w.CopyEstate(recoveryExample("aws-types")))
		w.Init(ctx).Must(t)

		told.add(t, w.Run(ctx, "plan"), "Plan: 7 to import, 0 to add, 0 to change, 0 to destroy.")
		imported()
		p := w.Plan(ctx).Must(t)
		if got := p.Summary(); got != importsIn(p) {
			t.Fatalf("the plan does more than import: %s\n%s", got, p.explain())
		}
		if got := imported(); !slices.Equal(got, importsOf(t, want)) {
			t.Errorf("the import was handed\n  %q\nwant\n  %q", got, importsOf(t, want))
		}
		w.ApplyPlan(ctx).Must(t)
		if got := ids(t, w); !maps.Equal(got, want) {
			t.Errorf("the state holds %v, want %v", got, want)
		}
		w.Plan(ctx).MustBeEmpty(t)
		// A second loss, with a listing that fails: nothing is planned from half an inventory.
		must(t, w.ForgetState())
		w.Proxy.On(faultproxy.Action("tagging:GetResources"), faultproxy.Deny())
		told.fail(t, w.Run(ctx, "plan"), "A listing failed. What it would show would be made a second time.")
		w.Proxy.ClearRules()
		// The block of this provider, in place of the other's: the marker's aws_ counts as its own, and there is nothing to import.
		own := w.NewWorkspace(w.CLI, filepath.Join(w.Dir, "own"))
		start(t, own, "shop-prod", "resource \"estate_vpc\" \"main\" {\n  tofu_address = \"estate_vpc.main\"\n  cidr_block   = \"10.0.0.0/16\"\n}\n")
		if got := own.Plan(ctx).MustOnly(t, Create, "estate_vpc.main").Change("estate_vpc.main").After["id"]; got != want["aws_vpc.main"] {
			t.Errorf("estate_vpc.main is planned as %v, want %s", got, want["aws_vpc.main"])
		}
		// One address on two objects: a person decides.
		_, err := makeVpc(ctx, w.AWS, "", markerOf(t, "shop-prod", "aws_vpc.main", nil))
		must(t, err)
		told.fail(t, w.Run(ctx, "plan"), "aws_vpc.main", "Duplicate object key")
		told.mustBeQuoted(t, w, "Types of hashicorp/aws, and no state")
	})
}

// importsIn lists the imports of a plan in the form of Summary.
func importsIn(p Plan) string {
	var out []string
	for _, c := range p.Changes {
		if c.Importing {
			out = append(out, "import "+c.Address)
		}
	}
	return strings.Join(out, ", ")
}

// TestRecoveryOfManyAWSTypes brings back more than thirty objects of more than twenty types, and compares each id that arrives at
// the import with the one that testdata/twenty_types.py wrote down by the documentation of the type.
func TestRecoveryOfManyAWSTypes(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		want := map[string]string{}
		must(t, json.Unmarshal(w.python(t, "testdata/twenty_types.py", w.account.URL, Region, "many", "back-"+w.Account), &want))
		var table standInTable
		kinds := map[string]bool{}
		for address, id := range want {
			a, err := markers.Parse(address)
			must(t, err)
			kinds[a.Type] = true
			table.add(a.Type, id, standInObject{Tags: map[string]string{}})
		}
		if len(kinds) < 20 || len(want) < 30 {
			t.Fatalf("%d objects of %d types", len(want), len(kinds))
		}
		imported := standIn(t, w, table)
		root, modules := importConfiguration(t, want)
		for name, text := range modules {
			must(t, w.Write(filepath.Join(name, "main.tf"), text))
		}
		start(t, w, "many", root)
		p := w.Plan(ctx).Must(t)
		if got := p.Summary(); got != importsIn(p) {
			t.Fatalf("the plan does more than import: %s\n%s", got, p.explain())
		}
		if got := imported(); !slices.Equal(got, importsOf(t, want)) {
			t.Errorf("the import was handed\n  %q\nwant\n  %q", got, importsOf(t, want))
		}
		w.ApplyPlan(ctx).Must(t)
		if got := ids(t, w); !maps.Equal(got, want) {
			t.Errorf("the state holds\n  %v\nwant\n  %v", got, want)
		}
		w.Plan(ctx).MustBeEmpty(t)
	})
}

// importConfiguration declares instances of hashicorp/aws without arguments, and imports them as examples/recovery/aws-types does:
// one import block for each block, over the inventory. Modules are those of the root, by name.
func importConfiguration(t *testing.T, want map[string]string) (root string, modules map[string]string) {
	t.Helper()
	blocks := map[string][]markers.Address{}
	for address := range want {
		a, err := markers.Parse(address)
		must(t, err)
		block, _, _ := strings.Cut(address, "[")
		blocks[block] = append(blocks[block], a)
	}
	var out strings.Builder
	out.WriteString("data \"estate_inventory\" \"all\" {}\n\nlocals {\n  found = { for o in data.estate_inventory.all.objects : o.address => o if o.address != null }\n}\n")
	modules = map[string]string{}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		members := blocks[block]
		first, starts := members[0].String(), fmt.Sprintf("startswith(a, %q)", block+"[")
		index, repeat, filter := "[each.value.index]", "", starts
		key, value := "o.key", "{ index = o.key, id = o.import_id }"
		switch {
		case strings.HasSuffix(first, `"]`):
			var keys []string
			for _, m := range members {
				keys = append(keys, m.String()[len(block)+1:len(m.String())-1])
			}
			repeat = "for_each = toset([" + strings.Join(keys, ", ") + "])"
		case strings.HasSuffix(first, "]"):
			repeat, value = fmt.Sprintf("count = %d", len(members)), "{ index = tonumber(o.key), id = o.import_id }"
		default:
			index, key, filter = "", "a", fmt.Sprintf("a == %q", block)
		}
		fmt.Fprintf(&out, "\nimport {\n  for_each = { for a, o in local.found : %s => %s if %s }\n  to = %s%s\n  id = each.value.id\n}\n",
			key, value, filter, block, index)
		declaration := fmt.Sprintf("\nresource %q %q {\n  %s\n}\n", members[0].Type, members[0].Name, repeat)
		path := strings.Split(block, ".")
		if path[0] != "module" {
			out.WriteString(declaration)
			continue
		}
		modules[path[1]] += declaration
	}
	for name := range modules {
		fmt.Fprintf(&out, "\nmodule %q {\n  source = \"./%s\"\n}\n", name, name)
	}
	return out.String(), modules
}
