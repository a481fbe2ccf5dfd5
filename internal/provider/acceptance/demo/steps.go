package main

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// What the configuration in examples/estates/demo declares, written out so that the counts below are claims.
const (
	estate    = "demo"
	vpcs      = 3 // one in the root, one in each of two sites
	addresses = 7 // three in the root, two in each site
	roles     = 2
	policies  = 2 // inline policies, which carry no tags
	tagged    = vpcs + addresses + roles
	instances = tagged + policies
)

func (d *demo) apply() {
	d.step("Apply an estate with modules, count and for_each.")
	// The files of later steps stay out until their step.
	for _, pattern := range []string{"*.tf", "site/*.tf"} {
		files, err := filepath.Glob(filepath.Join(d.source, pattern))
		d.must(err)
		for _, file := range files {
			d.must(d.CopyFile(file, d.relative(file)))
		}
	}
	d.Init(d.ctx).Must(d)
	mark := d.Proxy.Mark()
	d.Apply(d.ctx).Must(d)
	d.MustCall(d, mark, "create", instances, acceptance.Creates())
	d.MustCall(d, mark, "write tags afterwards", 0, acceptance.TagWrites())
	if got := len(d.AWS.MustEstate(d.ctx, d, estate)); got != tagged {
		d.Fatalf("AWS shows %d objects of the estate, want %d", got, tagged)
	}
	d.proves("%d create calls made %d objects; %d of them carry tags, put on by the create call itself: no tag call followed.",
		instances, instances, tagged)
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("A second plan is empty.")
}

func (d *demo) relative(file string) string {
	name, err := filepath.Rel(d.source, file)
	d.must(err)
	return name
}

// add copies a file of a later step into the workspace.
func (d *demo) add(step, file string) {
	d.must(d.CopyFile(filepath.Join(d.source, "steps", step, file), file))
}

func (d *demo) inventory() {
	d.step("List the estate from its tags alone: no state file, no provider, plain AWS calls.")
	d.Logf("aws ec2 describe-tags --filters Name=key,Values=tofu-address; aws iam list-role-tags --role-name ...")
	// The account holds nothing marked but this estate yet; a shared one is filtered by tofu-estate in the same way.
	answer, err := d.AWS.EC2.DescribeTags(d.ctx, &ec2.DescribeTagsInput{Filters: []ec2types.Filter{
		{Name: aws.String("key"), Values: []string{acceptance.TagAddress}},
	}})
	d.must(err)
	var lines []string
	for _, tag := range answer.Tags {
		lines = append(lines, aws.ToString(tag.Value)+"  "+aws.ToString(tag.ResourceId))
	}
	list, err := d.AWS.IAM.ListRoles(d.ctx, &iam.ListRolesInput{})
	d.must(err)
	for _, role := range list.Roles {
		tags, err := d.AWS.IAM.ListRoleTags(d.ctx, &iam.ListRoleTagsInput{RoleName: role.RoleName})
		d.must(err)
		for _, tag := range tags.Tags {
			if aws.ToString(tag.Key) == acceptance.TagAddress {
				lines = append(lines, aws.ToString(tag.Value)+"  "+aws.ToString(role.RoleName))
			}
		}
	}
	slices.Sort(lines)
	d.Logf("%s", strings.Join(lines, "\n"))
	if len(lines) != tagged {
		d.Fatalf("the tags name %d objects, want %d", len(lines), tagged)
	}
	d.proves("All %d tagged objects are listed with the address that each belongs to.", tagged)
}

func (d *demo) loseState() {
	d.step("Delete the state file, and apply.")
	before := d.MustState(d)
	d.must(d.ForgetState())
	mark := d.Proxy.Mark()
	d.Apply(d.ctx).Must(d)
	d.MustNotCreate(d, mark)
	d.MustCall(d, mark, "delete", 0, acceptance.Deletes())
	after := d.MustState(d)
	if len(after) != instances {
		d.Fatalf("the state has %d instances, want %d", len(after), instances)
	}
	for address, was := range before {
		if now := after[address]; now.ID() != was.ID() {
			d.Fatalf("%s was %s and is %q", address, was.ID(), now.ID())
		}
	}
	writes := d.MustCall(d, mark, "take an object over", tagged, acceptance.TagWrites())
	d.proves("0 create calls: all %d instances hold the objects that they held before, taken over by %d tag writes.",
		len(after), len(writes))
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("The next plan is empty.")
}

func (d *demo) rename() {
	d.step("Rename a block with moved: estate_vpc.main becomes estate_vpc.network.")
	id := d.MustState(d)["estate_vpc.main"].ID()
	d.add("renamed", "network.tf")
	d.Plan(d.ctx).MustOnly(d, acceptance.Update, "estate_vpc.network")
	mark := d.Proxy.Mark()
	d.ApplyPlan(d.ctx).Must(d)
	d.MustCall(d, mark, "write", 1, faultproxy.Writes())
	d.MustCall(d, mark, "write tags", 1, acceptance.TagWrites())
	if got := d.holder("estate_vpc.network"); got != id {
		d.Fatalf("estate_vpc.network is held by %q, want %s", got, id)
	}
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("1 write, a tag: %s now says tofu-address = estate_vpc.network. The next plan is empty.", id)
}

// holder returns the id of the one live object of the estate whose tag says the address, "" for none.
func (d *demo) holder(address string) string {
	id := ""
	for _, o := range d.AWS.MustEstate(d.ctx, d, estate) {
		if o.Tags[acceptance.TagAddress] != address {
			continue
		}
		if id != "" {
			d.Fatalf("%s and %s both carry the address %s", id, o.ID, address)
		}
		id = o.ID
	}
	return id
}

func (d *demo) kill() {
	d.step("Kill the provider the moment AWS has made a VPC, before it learns the id. Then apply again.")
	d.add("killed", "extra.tf")
	var cli, killed atomic.Int64
	d.Started = func(pid int) { cli.Store(int64(pid)) }
	defer func() { d.Started = nil }()
	create := faultproxy.Action("ec2:CreateVpc")
	rule := d.Proxy.On(create, faultproxy.Run(func(faultproxy.Call) {
		n, err := acceptance.KillProviders(int(cli.Load()))
		if err == nil {
			killed.Store(int64(n))
		}
	})).Times(1)
	mark := d.Proxy.Mark()
	crashed := d.Apply(d.ctx)
	rule.Remove()
	if crashed.Err == nil || killed.Load() == 0 {
		d.Fatalf("the provider was to die and did not (%d killed): %s", killed.Load(), crashed.Text())
	}
	d.MustCall(d, mark, "create a VPC", 1, create)
	id := d.holder("estate_vpc.extra")
	if id == "" {
		d.Fatalf("AWS made no VPC before the kill")
	}
	if _, known := d.MustState(d)["estate_vpc.extra"]; known {
		d.Fatalf("the state knows the VPC: the kill came too late to show anything")
	}
	d.proves("Killed: AWS has %s, the state has nothing.", id)

	mark = d.Proxy.Mark()
	d.Apply(d.ctx).Must(d)
	d.MustNotCreate(d, mark)
	if got := d.MustState(d)["estate_vpc.extra"].ID(); got != id || d.holder("estate_vpc.extra") != id {
		d.Fatalf("the state holds %q, want %s", got, id)
	}
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("The next apply made 0 create calls and holds %s: one object, not two.", id)
}

// refuse returns the name of a role that another estate owns.
func (d *demo) refuse() string {
	d.step("Say the name of a role that another estate owns.")
	kind, err := acceptance.KindOf("estate_iam_role")
	d.must(err)
	tags := map[string]string{acceptance.TagEstate: "billing", acceptance.TagAddress: "estate_iam_role.payments"}
	foreign, err := kind.Make(d.ctx, d.AWS, "payments", tags)
	d.must(err)
	d.add("refused", "refused.tf")
	mark := d.Proxy.Mark()
	refused := d.Plan(d.ctx).MustFail(d, foreign, "billing")
	for _, e := range refused.Errors() {
		d.Logf("%s\n%s", e.Summary, e.Detail)
	}
	d.Apply(d.ctx).MustFail(d, foreign, "billing")
	d.MustNotWrite(d, mark)
	d.must(d.Remove("refused.tf"))
	d.proves("Plan and apply are refused, naming the role and its estate, with 0 write calls.")
	return foreign
}

func (d *demo) adoptUntracked() {
	d.step("Import a VPC that somebody made by hand.")
	kind, err := acceptance.KindOf("estate_vpc")
	d.must(err)
	id, err := kind.Make(d.ctx, d.AWS, "", map[string]string{"Name": "by hand"})
	d.must(err)
	d.Env = append(d.Env, "TF_VAR_untracked_vpc="+id)
	d.add("imported", "imported.tf")
	p := d.Plan(d.ctx).MustOnly(d, acceptance.Update, "estate_vpc.imported")
	if !p.Change("estate_vpc.imported").Importing {
		d.Fatalf("the plan does not import: %s", p.Summary())
	}
	mark := d.Proxy.Mark()
	d.ApplyPlan(d.ctx).Must(d)
	d.MustNotCreate(d, mark)
	d.MustCall(d, mark, "delete", 0, acceptance.Deletes())
	if got := d.holder("estate_vpc.imported"); got != id {
		d.Fatalf("estate_vpc.imported is held by %q, want %s", got, id)
	}
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("%s joined the estate by an in-place update that the plan showed. The next plan is empty.", id)
}

func (d *demo) destroy(foreign string) {
	d.step("Destroy.")
	mark := d.Proxy.Mark()
	d.Destroy(d.ctx).Must(d)
	if left := d.AWS.MustEstate(d.ctx, d, estate); len(left) > 0 {
		d.Fatalf("left of the estate: %v", left)
	}
	deletes := len(faultproxy.Select(d.Proxy.Since(mark), acceptance.Deletes()))
	kind, err := acceptance.KindOf("estate_iam_role")
	d.must(err)
	alive, err := kind.Exists(d.ctx, d.AWS, foreign)
	d.must(err)
	if !alive {
		d.Fatalf("the role %s of the other estate is gone", foreign)
	}
	d.MustCall(d, mark, "touch the other estate's role", 0,
		faultproxy.And(faultproxy.Writes(), acceptance.Mentioning(foreign)))
	d.proves("%d delete calls; AWS shows 0 objects of the estate, and the other estate's role %s lives.", deletes, foreign)
}
