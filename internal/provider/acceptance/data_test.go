package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// networkEstate is the estate that the data sources of these tests read, and networkConfiguration what it holds.
const networkEstate = "network"

const networkConfiguration = `
resource "estate_vpc" "x" {
  tofu_address         = "estate_vpc.x"
  cidr_block           = "10.20.0.0/16"
  enable_dns_hostnames = true
  tags                 = { Name = "shared", Team = "network" }
}

resource "estate_subnet" "x" {
  for_each     = toset(["a", "b"])
  tofu_address = "estate_subnet.x"
  tofu_key     = each.key
  vpc_id       = estate_vpc.x.id
  cidr_block   = each.key == "a" ? "10.20.1.0/24" : "10.20.2.0/24"
  tags         = { Name = "subnet-${each.key}" }
}

resource "estate_internet_gateway" "x" {
  tofu_address = "estate_internet_gateway.x"
  vpc_id       = estate_vpc.x.id
}

resource "estate_security_group" "x" {
  tofu_address = "estate_security_group.x"
  name         = "shared"
  description  = "shared"
  vpc_id       = estate_vpc.x.id
}

resource "estate_eip" "x" {
  count        = 2
  tofu_address = "estate_eip.x"
  tofu_key     = count.index
  tags         = { Name = "eip-${count.index}" }
}

resource "estate_iam_role" "x" {
  tofu_address       = "estate_iam_role.x"
  name_prefix        = "shared-"
  description        = "shared"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }] })
  tags               = { Team = "identity" }
}

resource "estate_iam_role_policy" "x" {
  role   = estate_iam_role.x.name
  name   = "inline"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "s3:Get*", Resource = "*" }] })
}

resource "estate_iam_role_policy_attachment" "x" {
  role       = estate_iam_role.x.name
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

resource "estate_cloudwatch_log_group" "x" {
  tofu_address      = "estate_cloudwatch_log_group.x"
  name              = "/shared/log"
  retention_in_days = 7
  tags              = { Team = "platform" }
}

resource "estate_s3_bucket" "x" {
  tofu_address  = "estate_s3_bucket.x"
  bucket_prefix = "shared-"
  tags          = { Team = "platform" }
}

resource "estate_route53_zone" "x" {
  tofu_address = "estate_route53_zone.x"
  name         = "example.com"
  comment      = "shared"
}

resource "estate_route53_record" "x" {
  zone_id = estate_route53_zone.x.zone_id
  name    = "www"
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1"]
}
`

// lookUp reads one object of the network's estate. Semicolons part the lines of its arguments; each %q there is a value of
// the object's own state, by name.
type lookUp struct {
	address, arguments string
	values             []string
}

// lookUps read each object in each way that its type has.
var lookUps = []lookUp{
	{"estate_vpc.x", `tofu_address = "estate_vpc.x"; tofu_estate = "network"`, nil},
	{"estate_vpc.x", `tofu_address = "aws_vpc.x"; tofu_estate = "network"`, nil},
	{"estate_vpc.x", `id = %q`, []string{"id"}},
	{"estate_vpc.x", `tags = { Name = "shared", Team = "network" }`, nil},
	{"estate_vpc.x", `filter {; name = "cidr"; values = ["10.20.0.0/16", "10.21.0.0/16"]; }`, nil},
	{"estate_vpc.x", `tags = { Team = "network" }; filter {; name = "tag:Name"; values = ["shar*"]; }; tofu_estate = "network"`, nil},
	{`estate_subnet.x["a"]`, `tofu_address = "estate_subnet.x"; tofu_key = "a"; tofu_estate = "network"`, nil},
	{`estate_subnet.x["b"]`, `tofu_address = "estate_subnet.x[\"b\"]"; tofu_estate = "network"`, nil},
	{`estate_subnet.x["b"]`, `filter {; name = "vpc-id"; values = [%q]; }; tags = { Name = "subnet-b" }`, []string{"vpc_id"}},
	{"estate_internet_gateway.x", `tofu_address = "estate_internet_gateway.x"; tofu_estate = "network"`, nil},
	{"estate_internet_gateway.x", `filter {; name = "attachment.vpc-id"; values = [%q]; }`, []string{"vpc_id"}},
	{"estate_security_group.x", `tofu_address = "estate_security_group.x"; tofu_estate = "network"`, nil},
	{"estate_security_group.x", `filter {; name = "vpc-id"; values = [%q]; }; filter {; name = "group-name"; values = ["shared"]; }`, []string{"vpc_id"}},
	{"estate_eip.x[1]", `tofu_address = "estate_eip.x"; tofu_key = "1"; tofu_estate = "network"`, nil},
	{"estate_eip.x[1]", `filter {; name = "public-ip"; values = [%q]; }`, []string{"public_ip"}},
	{"estate_eip.x[0]", `tags = { Name = "eip-0" }`, nil},
	{"estate_iam_role.x", `tofu_address = "estate_iam_role.x"; tofu_estate = "network"`, nil},
	{"estate_iam_role.x", `name = %q`, []string{"name"}},
	{"estate_iam_role.x", `tags = { Team = "identity" }`, nil},
	{"estate_iam_role_policy.x", `role = %q; name = "inline"`, []string{"role"}},
	{"estate_iam_role_policy_attachment.x", `role = %q; policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"`, []string{"role"}},
	{"estate_cloudwatch_log_group.x", `tofu_address = "estate_cloudwatch_log_group.x"; tofu_estate = "network"`, nil},
	{"estate_cloudwatch_log_group.x", `name = "/shared/log"`, nil},
	{"estate_s3_bucket.x", `tofu_address = "estate_s3_bucket.x"; tofu_estate = "network"`, nil},
	{"estate_s3_bucket.x", `bucket = %q`, []string{"bucket"}},
	{"estate_route53_zone.x", `tofu_address = "estate_route53_zone.x"; tofu_estate = "network"`, nil},
	{"estate_route53_zone.x", `id = %q`, []string{"id"}},
	{"estate_route53_record.x", `zone_id = %q; name = "www"; type = "A"`, []string{"zone_id"}},
}

// block is the data block of a look-up, and an output that shows all of it.
func (l lookUp) block(i int, of Instance) string {
	var values []any
	for _, name := range l.values {
		values = append(values, of.Text(name))
	}
	arguments := strings.ReplaceAll(fmt.Sprintf(l.arguments, values...), "; ", "\n  ")
	return fmt.Sprintf("data %q \"d%d\" {\n  %s\n}\n\noutput \"d%[2]d\" {\n  value = data.%[4]s.d%[2]d\n}\n\n", of.Type, i, arguments, of.Type)
}

// TestDataSources reads the objects of one estate out of another configuration, which has an estate and a state of its own,
// and compares each attribute with the first one's state.
func TestDataSources(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, networkEstate, networkConfiguration)
		w.Apply(ctx).Must(t)
		w.Apply(ctx, "-refresh-only").Must(t) // a gateway's attachment and the like are in the state of what was made before
		state := w.MustState(t)
		covered := map[string]bool{}
		var blocks strings.Builder
		for i, l := range lookUps {
			of, ok := state[l.address]
			if !ok {
				t.Fatalf("the state holds no %s", l.address)
			}
			blocks.WriteString(l.block(i, of))
			covered[of.Type] = true
		}
		schemas, err := resourceSchemas(ctx, w)
		must(t, err)
		for name := range schemas {
			if !covered[name] {
				t.Errorf("%s is read by no data source", name)
			}
		}

		reader := w.NewWorkspace(w.CLI, t.TempDir())
		start(t, reader, "reader", blocks.String())
		mark := w.Proxy.Mark()
		reader.Apply(ctx).Must(t)
		w.MustNotWrite(t, mark)
		outputs := outputsOf(t, reader)
		for i, l := range lookUps {
			compareShown(t, fmt.Sprintf("%s by %s", l.address, l.arguments), outputs[fmt.Sprintf("d%d", i)], state[l.address])
		}
		// What is read belongs to nobody who reads it.
		reader.Run(ctx, "plan", "-detailed-exitcode").Must(t)
		reader.Destroy(ctx).Must(t)
		w.MustNotWrite(t, mark)
		w.Run(ctx, "plan", "-detailed-exitcode").Must(t)
	})
}

// outputsOf returns the outputs, each an object.
func outputsOf(t *testing.T, w *Workspace) map[string]map[string]any {
	t.Helper()
	r := w.Run(t.Context(), "output", "-json").Must(t)
	var raw map[string]struct{ Value map[string]any }
	must(t, json.Unmarshal([]byte(r.Stdout), &raw))
	out := map[string]map[string]any{}
	for name, o := range raw {
		out[name] = o.Value
	}
	return out
}

// compareShown compares what a data source shows with what the resource's state holds.
func compareShown(t *testing.T, what string, shown map[string]any, of Instance) {
	t.Helper()
	if len(shown) < 3 {
		t.Errorf("%s: only %v is shown", what, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		want, ok := of.Attributes[name]
		got := shown[name]
		switch {
		case name == "filter":
			continue
		case !ok:
			t.Errorf("%s: the resource has no %s", what, name)
			continue
		case name == "tofu_address" || name == "tofu_key":
			continue // together they are the address, as it was asked for
		case name == "tags" && want == nil:
			want = map[string]any{}
		}
		if !reflect.DeepEqual(meaning(got), meaning(want)) {
			t.Errorf("%s: %s is %v, the state says %v", what, name, got, want)
		}
	}
	if address, tagged := shown["tofu_address"].(string); tagged {
		full, err := markers.Parse(strings.Replace(address, "aws_", "estate_", 1))
		must(t, err)
		if key, _ := shown["tofu_key"].(string); key != "" {
			full, err = full.WithKey(key)
			must(t, err)
		}
		if want, err := markers.Parse(of.Address); err != nil || full.Escaped() != want.Escaped() {
			t.Errorf("%s: the address shown is %s", what, full)
		}
	}
}

// meaning is a value in which documents of one meaning are equal.
func meaning(v any) any {
	if text, ok := v.(string); ok && strings.HasPrefix(text, "{") {
		var document any
		if json.Unmarshal([]byte(text), &document) == nil {
			return document
		}
	}
	return v
}

// TestDataSourceErrors asks for what is not there, or there twice, or in two ways.
func TestDataSourceErrors(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		kind, err := KindOf("estate_vpc")
		must(t, err)
		address, err := markers.Parse("estate_vpc.twice")
		must(t, err)
		var ids []string
		for range 2 {
			tags, err := markers.Marker{Estate: networkEstate, Address: address}.Tags()
			must(t, err)
			tags["Name"] = "twin"
			id, err := kind.Make(ctx, w.AWS, "twin", tags)
			must(t, err)
			ids = append(ids, id)
		}
		start(t, w, "reader", "")
		for arguments, phrases := range map[string][]string{
			`tofu_address = "estate_vpc.none"; tofu_estate = "network"`: {
				"Object not found", `no living object of the estate "network" in ` + Region + ` carries the address estate_vpc.none`, "tofu state list",
			},
			`tofu_address = "estate_vpc.twice"`:                          {"Object not found", `the estate "reader"`},
			`tofu_address = "estate_vpc.twice"; tofu_estate = "network"`: {"Several objects found", ids[0], ids[1]},
			`tags = { Name = "twin" }`:                                   {"Several objects found", `the tag Name = "twin"`, ids[0], ids[1]},
			`tags = { Name = "nobody" }`:                                 {"Object not found", `the tag Name = "nobody"`},
			`filter {; name = "tag:Name"; values = ["tw*"]; }`:           {"Several objects found", ids[0], ids[1]},
			`id = "vpc-00000000000000000"`:                               {"Object not found", "vpc-00000000000000000", Region},
			`region = "us-east-1"; id = "` + ids[0] + `"`: {
				"Object not found", ids[0], "us-east-1",
			},
			`id = "vpc-1"; tofu_address = "estate_vpc.x"`: {"Object asked for in several ways", "by id, by tofu_address"},
			``:                              {"No object asked for", `tofu_address = "estate_vpc.NAME"`, `id = "…"`, "filter {"},
			`tofu_address = "estate_eip.x"`: {"Bad tofu_address", "estate_eip"},
			`tofu_address = "estate_vpc.x"; tofu_estate = "No"`:        {"Bad tofu_estate"},
			`tofu_address = "estate_vpc.x[0]"; tofu_key = "1"`:         {"Bad tofu_key"},
			`tags = { "tofu-estate" = "network", "Name" = "whatever"}`: {"Marker key in tags", "tofu_estate"},
		} {
			block := lookUp{arguments: strings.ReplaceAll(arguments, "%", "%%")}.block(0, Instance{Type: "estate_vpc"})
			must(t, w.Write("main.tf", block))
			mark := w.Proxy.Mark()
			w.Apply(ctx).MustFail(t, phrases...)
			w.MustNotWrite(t, mark)
		}
	})
}

// manyLookUps is how many data sources of one type share a listing.
const manyLookUps = 20

// TestDataSourceCost counts what data sources of one type ask AWS.
func TestDataSourceCost(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		for i := range manyLookUps {
			for _, typ := range []string{"estate_vpc", "estate_eip", "estate_iam_role"} {
				makeMember(t, w, typ, i)
			}
		}
		var blocks strings.Builder
		for _, typ := range []string{"estate_vpc", "estate_eip", "estate_iam_role"} {
			fmt.Fprintf(&blocks, "data %q \"a\" {\n  count = %d\n  tofu_address = \"%[1]s.a\"\n  tofu_key = count.index\n  tofu_estate = \"cost\"\n}\n", typ, manyLookUps)
		}
		start(t, w, "reader", blocks.String())
		mark := w.Proxy.Mark()
		w.Run(t.Context(), "plan").Must(t)
		mustCost(t, w, mark, "data sources", map[string]int{
			"ec2:DescribeVpcs":                   1,
			"ec2:DescribeRouteTables":            1,
			"ec2:DescribeSecurityGroups":         1,
			"ec2:DescribeNetworkAcls":            1,
			"ec2:DescribeVpcAttribute":           3 * manyLookUps,
			"ec2:DescribeAddresses":              1,
			"ec2:DescribeAddressesAttribute":     1,
			"iam:GetAccountAuthorizationDetails": 1,
			"iam:ListRoles":                      1,
		})
	})
}

// TestDataSourceInTheSameApply reads what the same run makes, in its own estate and in another one, once it is there.
func TestDataSourceInTheSameApply(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "app", `
provider "estate" {
  alias  = "network"
  estate = "network"
}

resource "estate_vpc" "own" {
  tofu_address = "estate_vpc.own"
  cidr_block   = "10.1.0.0/16"
}

resource "estate_vpc" "theirs" {
  provider     = estate.network
  tofu_address = "estate_vpc.theirs"
  cidr_block   = "10.2.0.0/16"
}

data "estate_vpc" "own" {
  tofu_address = "estate_vpc.own"
  depends_on   = [estate_vpc.own]
}

data "estate_vpc" "own_by_id" {
  id = estate_vpc.own.id
}

data "estate_vpc" "theirs" {
  tofu_address = "estate_vpc.theirs"
  tofu_estate  = "network"
  depends_on   = [estate_vpc.theirs]
}

resource "estate_eip" "x" {
  tofu_address = "estate_eip.x"
  tags         = { Vpcs = "${data.estate_vpc.own.id} ${data.estate_vpc.own_by_id.id} ${data.estate_vpc.theirs.id}" }
}
`)
		w.Apply(ctx).Must(t)
		state := w.MustState(t)
		own, theirs := state["estate_vpc.own"].ID(), state["estate_vpc.theirs"].ID()
		tags, _ := state["estate_eip.x"].Attributes["tags"].(map[string]any)
		if want := own + " " + own + " " + theirs; tags["Vpcs"] != want {
			t.Errorf("the data sources say %v, the resources %s", tags["Vpcs"], want)
		}
		w.Run(ctx, "plan", "-detailed-exitcode").Must(t)
	})
}

// TestDataSourceExamples validates the published examples.
func TestDataSourceExamples(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "examples", "")
		dir := filepath.Join(w.Root, "examples", "data-sources")
		folders, err := os.ReadDir(dir)
		must(t, err)
		if len(folders) == 0 {
			t.Fatal("there are no examples")
		}
		for _, f := range folders {
			must(t, w.CopyFile(filepath.Join(dir, f.Name(), "data-source.tf"), "main.tf"))
			if r := w.Run(ctx, "validate", "-no-color"); r.Err != nil {
				t.Errorf("%s: %v\n%s", f.Name(), r.Err, r.explain())
			}
		}
	})
}
