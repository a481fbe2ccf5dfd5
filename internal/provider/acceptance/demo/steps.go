package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// What the configuration in examples/estates/web declares, written out so that the counts below are claims.
const (
	estate    = "web"
	network   = 1 + 1 + 4 + 2 + 2 // VPC, gateway, subnets, groups, addresses; none of them without tags
	service   = 3                 // role, log group, bucket
	untagged  = 2*2 + 4           // an inline policy and an attachment for each service; records
	tagged    = 2*network + 2*service + 1
	instances = tagged + untagged
	// late are tagged objects whose service takes no tags in the create call: the zone.
	late = 1
)

// makesTagged matches the calls that make an object with tags of its own.
func makesTagged(c faultproxy.Call) bool {
	return c.Write && (strings.HasPrefix(c.Action, "Create") && c.Action != "CreateTags" || strings.HasPrefix(c.Action, "Allocate"))
}

// carriesAddress matches calls that hold the key of the address, in whatever protocol.
func carriesAddress(c faultproxy.Call) bool {
	return bytes.Contains(c.RequestBody, []byte(acceptance.TagAddress))
}

func (d *demo) apply() {
	d.step("Apply an estate: two networks, a module called twice, buckets, roles, logs and DNS.")
	d.must(d.CopyEstate(d.source))
	d.Init(d.ctx).Must(d)
	mark := d.Proxy.Mark()
	d.Apply(d.ctx).Must(d)
	d.MustCall(d, mark, "make an object", tagged, makesTagged)
	d.MustCall(d, mark, "make an object and carry its address", tagged-late, faultproxy.And(makesTagged, carriesAddress))
	if got := len(d.AWS.MustEstate(d.ctx, d, estate)); got != tagged {
		d.Fatalf("AWS shows %d objects of the estate, want %d", got, tagged)
	}
	if got := len(d.MustState(d)); got != instances {
		d.Fatalf("the state has %d instances, want %d", got, instances)
	}
	d.proves("%d create calls made %d tagged objects, and %d of the calls carried the address; Route 53 takes tags next.",
		tagged, tagged, tagged-late)
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("A second plan is empty.")
}

// add copies a file of a later step into the workspace.
func (d *demo) add(step, file string) {
	d.must(d.CopyFile(filepath.Join(d.source, "steps", step, file), file))
}

func (d *demo) inventory() {
	d.step("List the estate from its tags alone: no state file, no provider, the services' own listings.")
	objects := d.AWS.MustEstate(d.ctx, d, estate)
	lines := make([]string, 0, len(objects))
	for _, o := range objects {
		lines = append(lines, o.Tags[acceptance.TagAddress]+"  "+o.ID)
	}
	slices.Sort(lines)
	d.Logf("%s", strings.Join(lines, "\n"))
	if addresses := slices.Compact(lines); len(addresses) != tagged {
		d.Fatalf("the tags name %d objects, want %d", len(addresses), tagged)
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
	d.MustCall(d, mark, "take an object over", tagged, acceptance.TagWrites())
	d.proves("0 create calls: all %d instances hold the objects that they held before, taken over by %d tag writes.",
		len(after), tagged)
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("The next plan is empty.")
}

func (d *demo) rename() {
	d.step("Rename a module with moved: module.api becomes module.backend.")
	const name = "module.backend.estate_iam_role.service"
	id := d.MustState(d)["module.api.estate_iam_role.service"].ID()
	d.add("renamed", "services.tf")
	d.Run(d.ctx, "get").Must(d)
	d.Plan(d.ctx).MustOnly(d, acceptance.Update, "module.backend.estate_cloudwatch_log_group.service", name,
		"module.backend.estate_s3_bucket.artifacts")
	mark := d.Proxy.Mark()
	d.ApplyPlan(d.ctx).Must(d)
	d.MustCall(d, mark, "write", service, faultproxy.Writes())
	d.MustCall(d, mark, "write tags", service, acceptance.TagWrites())
	if got := d.holder(name); got != id {
		d.Fatalf("%s is held by %q, want %s", name, got, id)
	}
	d.Plan(d.ctx).MustBeEmpty(d)
	d.proves("%d writes, all tags: the role %s now says tofu-address = %s. The next plan is empty.", service, id, name)
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
