package configuration_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// inline is a tree of a text in the form of an archive.
func inline(t *testing.T, text string) (tree, string) {
	t.Helper()
	x := readTree("inline", txtar.Parse([]byte(text)))
	dir := t.TempDir()
	x.write(t, dir, "")
	return x, dir
}

// holding is a state with managed objects at these addresses.
func holding(t *testing.T, addresses ...string) *configuration.State {
	t.Helper()
	s := &configuration.State{}
	for _, text := range addresses {
		a, err := markers.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Objects = append(s.Objects, configuration.StateObject{Address: a})
	}
	return s
}

func changes(p *configuration.Plan) []string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, c.String())
	}
	return out
}

// TestMovesAcrossTypes lets through what a provider takes over, and refuses what the two known ones do not.
func TestMovesAcrossTypes(t *testing.T) {
	for _, test := range []struct {
		from, to string
		refused  bool
	}{
		{"null_resource.a", "terraform_data.b", false},
		{"random_id.a", "terraform_data.b", true},
		{"aws_vpc.a", "estate_vpc.b", false},
		{"aws_alb.a", "estate_lb.b", false},
		{"estate_lb.a", "estate_alb.b", false},
		{"google_network.a", "estate_vpc.b", true},
		{"estate_vpc.a", "aws_vpc.b", false}, // for hashicorp/aws to say
		{"old_thing.a", "new_thing.b", false},
	} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			typ, name, _ := strings.Cut(test.to, ".")
			x, dir := inline(t, "-- main.tf --\nresource \""+typ+"\" \""+name+"\" {}\nmoved {\n  from = "+test.from+"\n  to   = "+test.to+"\n}\n")
			plan, diags := evaluated(t, x, dir).Plan(holding(t, test.from), configuration.OpenTofu)
			if diags.HasErrors() != test.refused {
				t.Fatalf("refused is %v: %v", diags.HasErrors(), diags)
			}
			if want := []string{"-> " + test.to + " (was " + test.from + ")"}; !test.refused && !slices.Equal(changes(plan), want) {
				t.Errorf("plan %q; want %q", changes(plan), want)
			}
		})
	}
}

// TestPlanUndecided concludes nothing about blocks whose instances are not known, and all about the others.
func TestPlanUndecided(t *testing.T) {
	x, dir := inline(t, `-- main.tf --
resource "terraform_data" "known" {}
resource "terraform_data" "new" {}
resource "terraform_data" "open" {
  count = length(terraform_data.known.id)
}
module "open" {
  source = "./m"
  for_each = { (terraform_data.known.id) = 1 }
}
data "terraform_remote_state" "open" {
  count   = length(terraform_data.known.id)
  backend = "local"
}
moved {
  from = terraform_data.old
  to   = terraform_data.open[0]
}
-- m/main.tf --
resource "terraform_data" "in" {}
`)
	plan, diags := evaluated(t, x, dir).Plan(holding(t, "terraform_data.known", "terraform_data.gone", "terraform_data.old", "terraform_data.open[1]",
		`module.open["a"].terraform_data.in`, `module.open["b"].module.deep.terraform_data.x`), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if want := []string{"- terraform_data.gone", "+ terraform_data.new"}; !slices.Equal(changes(plan), want) {
		t.Errorf("plan %q; want %q", changes(plan), want)
	}
	var got []string
	for _, u := range plan.Undecided {
		for _, a := range u.Held {
			got = append(got, u.Block+": "+a.String())
		}
	}
	want := []string{
		"terraform_data.open: terraform_data.open[0]", "terraform_data.open: terraform_data.open[1]",
		`module.open: module.open["a"].terraform_data.in`, `module.open: module.open["b"].module.deep.terraform_data.x`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("undecided\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBlocked names what did not move, and where to it should have.
func TestBlocked(t *testing.T) {
	x, dir := inline(t, `-- main.tf --
resource "terraform_data" "b" {
  count = 1
}
module "n" {
  source = "./m"
}
moved {
  from = terraform_data.a
  to   = terraform_data.b[0]
}
moved {
  from = terraform_data.c
  to   = terraform_data.d
}
moved {
  from = module.m
  to   = module.n
}
-- m/main.tf --
resource "terraform_data" "in" {}
`)
	plan, diags := evaluated(t, x, dir).Plan(holding(t, "terraform_data.a", "terraform_data.b[0]", "terraform_data.c[0]", "terraform_data.d[1]",
		"module.m.terraform_data.in", "module.n.terraform_data.in"), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, b := range plan.Blocked {
		got = append(got, b.From+" to "+b.To)
	}
	if want := []string{"module.m to module.n", "terraform_data.a to terraform_data.b[0]", "terraform_data.c to terraform_data.d"}; !slices.Equal(got, want) {
		t.Errorf("blocked %q; want %q", got, want)
	}
}

// TestImpliedIsTold tells moves that no block asked for.
func TestImpliedIsTold(t *testing.T) {
	x, dir := inline(t, "-- main.tf --\nresource \"terraform_data\" \"a\" {\n  count = 1\n}\n")
	plan, diags := evaluated(t, x, dir).Plan(holding(t, "terraform_data.a"), configuration.OpenTofu)
	if want := []string{"-> terraform_data.a[0] (was terraform_data.a, implied)"}; diags.HasErrors() || !slices.Equal(changes(plan), want) {
		t.Errorf("plan %q; want %q", changes(plan), want)
	}
}

// TestProposeIgnoresMarkers takes objects for the same whose only difference is the address that they carry, and keeps the values of
// arguments out of what it says.
func TestProposeIgnoresMarkers(t *testing.T) {
	const block = `resource "estate_vpc" "NAME" {
  cidr_block   = "CIDR"
  tofu_address = "estate_vpc.NAME"
  tags         = { secret = "hush-CIDR" }
  timeouts {
    create = "1h"
  }
}
`
	text := func(name, cidr string) string { return strings.NewReplacer("NAME", name, "CIDR", cidr).Replace(block) }
	x, before := inline(t, "-- main.tf --\n"+text("a", "10.0.0.0/16")+text("b", "10.1.0.0/16")+text("c", "10.2.0.0/16"))
	y, after := inline(t, "-- main.tf --\n"+text("y", "10.1.0.0/16")+text("x", "10.0.0.0/16")+text("z", "10.9.0.0/16"))
	old := evaluated(t, x, before)
	p, diags := configuration.Propose(old, evaluated(t, y, after), old.StateOf(), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := proposed(p, after)
	want := []string{
		"in .", "estate_vpc.a -> estate_vpc.x", "estate_vpc.b -> estate_vpc.y",
		"left - estate_vpc.c: no added object has its arguments; of those without a partner estate_vpc.z is nearest, which differs in cidr_block, tags",
		"left + estate_vpc.z: no destroyed object has its arguments; of those without a partner estate_vpc.c is nearest, which differs in cidr_block, tags",
		"Plan: 1 to add, 1 to destroy, 2 to move.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("proposal\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestProposeNestedBlocks tells objects apart by their nested blocks, whatever names these refer by.
func TestProposeNestedBlocks(t *testing.T) {
	x, before := inline(t, `-- main.tf --
variable "port" { default = 1 }
resource "aws_sg" "one" {
  ingress {
    port   = var.port
    groups = [aws_vpc.net.group, "x"]
  }
}
resource "aws_sg" "two" {
  ingress {
    port   = 2
    groups = [aws_vpc.net.group, "x"]
  }
}
resource "aws_vpc" "net" {
  cidr = "10.0.0.0/16"
}
resource "aws_rule" "r" {
  name = "rule-${aws_sg.two.id}"
  all  = [for s in [aws_sg.one.id] : s]
}
`)
	y, after := inline(t, `-- main.tf --
module "m" {
  source = "./m"
  net    = aws_vpc.main
}
resource "aws_vpc" "main" {
  cidr = "10.0.0.0/16"
}
-- m/main.tf --
variable "net" {}
locals {
  ports = { p = 1, q = 2 }
}
resource "aws_sg" "all" {
  for_each = local.ports
  ingress {
    port   = each.value
    groups = [var.net.group, "x"]
  }
}
resource "aws_rule" "r" {
  name = "rule-${aws_sg.all["q"].id}"
  all  = [for s in [aws_sg.all["p"].id] : s]
}
`)
	old := evaluated(t, x, before)
	p, diags := configuration.Propose(old, evaluated(t, y, after), old.StateOf(), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := proposed(p, after)
	want := []string{
		"in .", "aws_rule.r -> module.m.aws_rule.r", `aws_sg.one -> module.m.aws_sg.all["p"]`, `aws_sg.two -> module.m.aws_sg.all["q"]`,
		"aws_vpc.net -> aws_vpc.main", "Plan: 0 to add, 0 to destroy, 4 to move.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("proposal\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestProposeOfState goes by what the state holds, and not by what the configuration before declares.
func TestProposeOfState(t *testing.T) {
	x, before := inline(t, "-- main.tf --\nresource \"terraform_data\" \"a\" {\n  input = 1\n}\nresource \"terraform_data\" \"never\" {\n  input = 2\n}\n")
	y, after := inline(t, "-- main.tf --\nresource \"terraform_data\" \"b\" {\n  input = 1\n}\nresource \"terraform_data\" \"n\" {\n  input = 2\n}\n")
	p, diags := configuration.Propose(evaluated(t, x, before), evaluated(t, y, after), holding(t, "terraform_data.a", "terraform_data.unknown"), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := proposed(p, after)
	want := []string{
		"in .", "terraform_data.a -> terraform_data.b",
		"left + terraform_data.n: nothing of its type is destroyed that has no partner already",
		"left - terraform_data.unknown: the configuration before does not declare it, so that its arguments are not known",
		"Plan: 1 to add, 1 to destroy, 1 to move.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("proposal\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPlanDeposedAlone makes the current object anew where the state has only a deposed one, which moves and goes.
func TestPlanDeposedAlone(t *testing.T) {
	x, dir := inline(t, "-- main.tf --\nresource \"terraform_data\" \"b\" {}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n")
	s := holding(t, "terraform_data.a")
	s.Objects[0].Deposed = "k"
	plan, diags := evaluated(t, x, dir).Plan(s, configuration.OpenTofu)
	want := []string{"+ terraform_data.b (was terraform_data.a)", "- terraform_data.b (deposed k, was terraform_data.a)"}
	if diags.HasErrors() || !slices.Equal(changes(plan), want) {
		t.Errorf("plan %q; want %q", changes(plan), want)
	}
	if got, want := plan.Counts(), (configuration.Counts{Add: 1, Destroy: 1}); got != want {
		t.Errorf("counts %+v; want %+v", got, want)
	}
}

// TestProposeOutsideOfInstalledModules writes no block into a module that init has fetched, which nobody can edit.
func TestProposeOutsideOfInstalledModules(t *testing.T) {
	const files = `-- main.tf --
module "m" {
  source   = "registry.example.org/some/thing/cloud"
  for_each = { a = 1, b = 2 }
}
-- .terraform/modules/modules.json --
{"Modules": [{"Key": "", "Source": "", "Dir": "."}, {"Key": "m", "Source": "registry.example.org/some/thing/cloud", "Dir": ".terraform/modules/m"}]}
-- .terraform/modules/m/main.tf --
resource "terraform_data" "NAME" {
  input = "x"
}
`
	x, before := inline(t, strings.ReplaceAll(files, "NAME", "old"))
	y, after := inline(t, strings.ReplaceAll(files, "NAME", "new"))
	old := evaluated(t, x, before)
	p, diags := configuration.Propose(old, evaluated(t, y, after), old.StateOf(), configuration.OpenTofu)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	want := []string{
		"in .", `module.m["a"].terraform_data.old -> module.m["a"].terraform_data.new`, `module.m["b"].terraform_data.old -> module.m["b"].terraform_data.new`,
		"Plan: 0 to add, 0 to destroy, 2 to move.",
	}
	if got := proposed(p, after); !slices.Equal(got, want) {
		t.Errorf("proposal\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestProposeIgnoresMarkerTags does so where the marker is among the tags of another provider's object, too.
func TestProposeIgnoresMarkerTags(t *testing.T) {
	const block = "-- main.tf --\nresource \"aws_vpc\" \"NAME\" {\n  tags = { Name = \"TAG\", \"tofu-estate\" = \"e\", \"tofu-address\" = \"aws_vpc.NAME\" }\n}\n"
	text := func(name, tag string) string { return strings.NewReplacer("NAME", name, "TAG", tag).Replace(block) }
	for tag, want := range map[string]int{"one": 0, "two": 2} {
		x, before := inline(t, text("a", "one"))
		y, after := inline(t, text("b", tag))
		old := evaluated(t, x, before)
		p, diags := configuration.Propose(old, evaluated(t, y, after), old.StateOf(), configuration.OpenTofu)
		if diags.HasErrors() || len(p.Left) != want {
			t.Errorf("with the name %s there is left %v; want %d: %v", tag, p.Left, want, diags)
		}
	}
}
