package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Sizes of the estates: 150 objects are one page and one batch of every call, as AWS pages them.
const (
	manyObjects = 150
	manyRoles   = 30
	manyGroups  = 120
)

// readsBeforeListing is how many roles or log groups are read one by one before all are listed.
const readsBeforeListing = 8

// otherCalls is how many calls of a refresh may be about neither objects nor what belongs to them.
const otherCalls = 3

// TestRefreshCost counts what a plan of many existing objects asks AWS.
func TestRefreshCost(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		for i := range manyObjects {
			makeMember(t, w, "estate_vpc", i)
			makeMember(t, w, "estate_eip", i)
		}
		start(t, w, "cost", fmt.Sprintf(`
resource "estate_vpc" "a" {
  count        = %[1]d
  tofu_address = "estate_vpc.a"
  tofu_key     = count.index
  cidr_block   = "10.200.0.0/16"
}

resource "estate_eip" "a" {
  count        = %[1]d
  tofu_address = "estate_eip.a"
  tofu_key     = count.index
  domain       = "vpc"
}
`, manyObjects))
		mark := w.Proxy.Mark()
		w.Apply(ctx, "-parallelism=30").Must(t)
		mustOnlyTag(t, w, mark, 2*manyObjects)

		mark = w.Proxy.Mark()
		w.Run(ctx, "plan", "-detailed-exitcode", "-parallelism=10").Must(t) // a change were exit code 2
		mustCost(t, w, mark, "-parallelism=10", map[string]int{
			"ec2:DescribeVpcs":               1,
			"ec2:DescribeRouteTables":        1,
			"ec2:DescribeSecurityGroups":     1,
			"ec2:DescribeNetworkAcls":        1,
			"ec2:DescribeVpcAttribute":       3 * manyObjects,
			"ec2:DescribeAddresses":          1,
			"ec2:DescribeAddressesAttribute": 1,
		})
	})
}

// TestRefreshCostOfRoles counts what a plan of many roles and their policies asks AWS: IAM lists them as a whole.
func TestRefreshCostOfRoles(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		for i := range manyRoles {
			name := makeMember(t, w, "estate_iam_role", i)
			_, err := w.AWS.IAM.PutRolePolicy(ctx, &iam.PutRolePolicyInput{
				RoleName: &name, PolicyName: aws.String("inline"), PolicyDocument: aws.String(inlinePolicy),
			})
			must(t, err)
		}
		start(t, w, "cost", fmt.Sprintf(`
resource "estate_iam_role" "a" {
  count              = %d
  tofu_address       = "estate_iam_role.a"
  tofu_key           = count.index
  name               = "cost-${count.index}"
  assume_role_policy = <<EOT
%s
EOT
}

resource "estate_iam_role_policy" "a" {
  count  = %[1]d
  role   = estate_iam_role.a[count.index].name
  name   = "inline"
  policy = <<EOT
%[3]s
EOT
}
`, manyRoles, trustPolicy, inlinePolicy))
		mark := w.Proxy.Mark()
		w.Apply(ctx, "-parallelism=30").Must(t)
		mustOnlyTag(t, w, mark, manyRoles)

		for _, parallelism := range []string{"-parallelism=10", "-parallelism=1"} {
			mark = w.Proxy.Mark()
			w.Run(ctx, "plan", "-detailed-exitcode", parallelism).Must(t)
			mustCost(t, w, mark, parallelism, map[string]int{
				"iam:GetRole":                        readsBeforeListing,
				"iam:GetRolePolicy":                  readsBeforeListing,
				"iam:GetAccountAuthorizationDetails": 1,
				"iam:ListRoles":                      1,
			})
		}
	})
}

// groupsPerPage is how many log groups AWS and the emulator list a call.
const groupsPerPage = 50

// TestRefreshCostOfLogGroups counts what a plan of many log groups asks AWS. The tags are a call for each of them, and for
// none of the groups that are not ours.
func TestRefreshCostOfLogGroups(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		for i := range manyGroups {
			makeMember(t, w, "estate_cloudwatch_log_group", i)
			_, err := makeLogGroup(ctx, w.AWS, fmt.Sprintf("somebodys-%d", i), nil)
			must(t, err)
		}
		start(t, w, "cost", fmt.Sprintf(`
resource "estate_cloudwatch_log_group" "a" {
  count        = %d
  tofu_address = "estate_cloudwatch_log_group.a"
  tofu_key     = count.index
  name         = "cost-${count.index}"
}
`, manyGroups))
		mark := w.Proxy.Mark()
		w.Apply(ctx, "-parallelism=30").Must(t)
		mustOnlyTag(t, w, mark, manyGroups)

		for _, parallelism := range []string{"-parallelism=10", "-parallelism=1"} {
			mark = w.Proxy.Mark()
			w.Run(ctx, "plan", "-detailed-exitcode", parallelism).Must(t)
			mustCost(t, w, mark, parallelism, map[string]int{
				"logs:DescribeLogGroups":   readsBeforeListing + (2*manyGroups+groupsPerPage-1)/groupsPerPage,
				"logs:ListTagsForResource": manyGroups,
			})
		}
	})
}

const inlinePolicy = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}`

// makeMember makes the object of one count member, marked as the provider marks it, and returns its id.
func makeMember(t *testing.T, w *Workspace, resourceType string, i int) string {
	t.Helper()
	address, err := markers.Parse(fmt.Sprintf("%s.a[%d]", resourceType, i))
	must(t, err)
	slot := uint32(i)
	tags, err := markers.Marker{Estate: "cost", Address: address, Slot: &slot, Binding: markers.NewBinding()}.Tags()
	must(t, err)
	kind, err := KindOf(resourceType)
	must(t, err)
	id, err := kind.Make(t.Context(), w.AWS, fmt.Sprintf("cost-%d", i), tags)
	must(t, err)
	return id
}

// mustOnlyTag fails the test unless an adopting apply wrote nothing but the tags of n objects, in one call each.
func mustOnlyTag(t *testing.T, w *Workspace, mark, n int) {
	t.Helper()
	w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
	w.MustCall(t, mark, "write tags", n, TagWrites())
	mustAgree(t, w, "cost")
}

// mustCost fails the test unless the calls since the mark are exactly those of the table and at most otherCalls more,
// which are about neither.
func mustCost(t *testing.T, w *Workspace, mark int, what string, want map[string]int) {
	t.Helper()
	got, others := map[string]int{}, 0
	for _, c := range w.Proxy.Since(mark) {
		got[c.Name()]++
		if _, listed := want[c.Name()]; !listed {
			others++
		}
	}
	var table strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(&table, "  %5d  %s\n", got[name], name)
	}
	t.Logf("a refresh with %s costs\n%s", what, table.String())
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: %d calls of %s, want %d", what, got[name], name, n)
		}
	}
	if others > otherCalls {
		t.Errorf("%s: %d other calls, want %d at most", what, others, otherCalls)
	}
	w.MustNotWrite(t, mark)
}
