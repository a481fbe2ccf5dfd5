package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// namedEstate has an object of each type of which AWS admits one: by its name, its range, its parts or the token of its call. What
// they hang on is the account's, and nobody's estate. Policy and record say the word given.
func namedEstate(shared sharedParents, word string) string {
	return fmt.Sprintf(`
resource "estate_iam_role" "x" {
  tofu_address       = "estate_iam_role.x"
  name               = "race"
  assume_role_policy = <<EOT
%[5]s
EOT
}

resource "estate_cloudwatch_log_group" "x" {
  tofu_address = "estate_cloudwatch_log_group.x"
  name         = "race"
}

resource "estate_s3_bucket" "x" {
  tofu_address = "estate_s3_bucket.x"
  bucket       = %[4]q
}

resource "estate_security_group" "x" {
  tofu_address = "estate_security_group.x"
  name         = "race"
  vpc_id       = %[1]q
}

resource "estate_subnet" "x" {
  tofu_address = "estate_subnet.x"
  vpc_id       = %[1]q
  cidr_block   = "10.200.7.0/24"
}

resource "estate_route53_zone" "x" {
  tofu_address = "estate_route53_zone.x"
  name         = "race.example.com"
}

resource "estate_iam_role_policy" "x" {
  role   = %[2]q
  name   = "race"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::%[6]s" }] })
}

resource "estate_iam_role_policy_attachment" "x" {
  role       = %[2]q
  policy_arn = "arn:aws:iam::aws:policy/ReadOnlyAccess"
}

resource "estate_route53_record" "x" {
  zone_id = %[3]q
  name    = "race"
  type    = "TXT"
  ttl     = 60
  records = [%[6]q]
}
`, shared.vpc, shared.role, shared.zone, shared.bucket, trustPolicy, word)
}

// sharedParents are what the objects of several estates may hang on, and a bucket name that is nobody else's.
type sharedParents struct{ vpc, role, zone, bucket string }

func makeShared(t *testing.T, w *Workspace) sharedParents {
	t.Helper()
	var p sharedParents
	var err error
	p.vpc, err = makeVpc(t.Context(), w.AWS, "", nil)
	must(t, err)
	p.role, err = makeRole(t.Context(), w.AWS, "shared", nil)
	must(t, err)
	p.zone, err = makeZone(t.Context(), w.AWS, "shared", nil)
	must(t, err)
	p.bucket = "race-" + w.Account
	return p
}

// namedCreates are the calls that make what named declares.
var namedCreates = []string{
	"iam:CreateRole", "logs:CreateLogGroup", "s3:CreateBucket", "ec2:CreateSecurityGroup", "ec2:CreateSubnet",
	"route53:CreateHostedZone", "iam:PutRolePolicy", "iam:AttachRolePolicy", recordCreate,
}

const recordCreate = "route53:ChangeResourceRecordSets"

// taggedNamed are the types of named that carry a marker.
var taggedNamed = []string{
	"estate_iam_role", "estate_cloudwatch_log_group", "estate_s3_bucket", "estate_security_group", "estate_subnet", "estate_route53_zone",
}

// overtaken applies two runs so that the second has looked and found nothing when the first begins, and makes its create calls
// when the first has ended. The record's create then meets the faults.
func overtaken(t *testing.T, one, two *Workspace, record ...faultproxy.Fault) (first, second Result) {
	t.Helper()
	done := make(chan struct{})
	var looked []<-chan struct{}
	for _, call := range namedCreates {
		var then []faultproxy.Fault
		if call == recordCreate {
			then = record
		}
		looked = append(looked, hold(two, faultproxy.Action(call), done, then...))
	}
	end := applying(t, two)
	meet(t, two, all(looked...), end)
	first = one.Apply(t.Context())
	close(done)
	return first, end()
}

// TestOvertakenByTheSameEstate has a second run of one configuration look before the first creates anything, and create
// when all of it exists. AWS admits one of each, so that the second run adopts what the first made and says so; the first is
// told at its next plan, changes nothing of it from then on, and destroys nothing that the second holds by a marker.
func TestOvertakenByTheSameEstate(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		w.Proxy.AsAWS()
		config := namedEstate(makeShared(t, w), "same")
		one, two := beside(t, w, "race", config), beside(t, w, "race", config)
		r1, r2 := overtaken(t, one, two)
		r1.Must(t)
		r2.Must(t)
		mine, theirs := ids(t, one), ids(t, two)
		if fmt.Sprint(mine) != fmt.Sprint(theirs) {
			t.Fatalf("the states hold\n%v\n%v", mine, theirs)
		}
		mustAgree(t, two, "race")
		for _, kind := range taggedNamed {
			mustName(t, r2.Warnings(), kind+".x", "it is adopted, not created", theirs[kind+".x"], true)
		}
		two.Plan(ctx).MustBeEmpty(t)

		mark := w.Proxy.Mark()
		p := one.Plan(ctx).MustBeEmpty(t)
		for _, kind := range taggedNamed {
			mustName(t, p.Warnings(), kind+".x", "another state entry holds it now", mine[kind+".x"], true)
		}
		text := strings.ReplaceAll(config, `tofu_address = "estate_subnet.x"`, "tofu_address = \"estate_subnet.x\"\n  map_public_ip_on_launch = true")
		must(t, one.Write("main.tf", text))
		one.Apply(ctx).MustFail(t, "Object held by another state", "tofu state rm 'estate_subnet.x'")
		w.MustNotWrite(t, mark)

		must(t, one.Write("main.tf", config))
		one.Destroy(ctx).Must(t).MustSay(t, "NOT destroyed")
		for _, kind := range taggedNamed {
			w.MustCall(t, mark, "delete "+theirs[kind+".x"], 0, faultproxy.And(Deletes(), deletesOf(kind)))
		}
		// Nothing on them says whose they are: the guide warns of it. The state that lost them makes them again.
		two.Plan(ctx).MustOnly(t, Create, "estate_iam_role_policy.x", "estate_iam_role_policy_attachment.x", "estate_route53_record.x")
		two.ApplyPlan(ctx).Must(t)
		mustAgree(t, two, "race")
	})
}

// recordIsThere is how Route 53 refuses the create of a record that is there. Moto does so only where the two are equal.
func recordIsThere() faultproxy.Fault {
	return faultproxy.Answer(400, "InvalidChangeBatch",
		"[Tried to create resource record set [name='race.shared.example.net.', type='TXT'] but it already exists]")
}

// deletesOf matches the calls that delete objects of a type.
func deletesOf(kind string) faultproxy.Match {
	return faultproxy.Action(map[string]string{
		"estate_iam_role": "iam:DeleteRole", "estate_cloudwatch_log_group": "logs:DeleteLogGroup", "estate_s3_bucket": "s3:DeleteBucket",
		"estate_security_group": "ec2:DeleteSecurityGroup", "estate_subnet": "ec2:DeleteSubnet", "estate_route53_zone": "route53:DeleteHostedZone",
	}[kind])
}

// TestOvertakenByAnotherEstate is the same with two estates that ask for the same names. The second run is refused with the
// owner's name, and touches nothing of the first. What AWS lets it do all the same is asserted here too: Route 53 has several
// zones of one name, IAM attaches a policy twice without a word, and overwrites an inline policy.
func TestOvertakenByAnotherEstate(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		w.Proxy.AsAWS()
		shared := makeShared(t, w)
		one, two := beside(t, w, "first", namedEstate(shared, "one")), beside(t, w, "second", namedEstate(shared, "two"))
		r1, r2 := overtaken(t, one, two, recordIsThere())
		r1.Must(t)
		r2.MustFail(t, "Object of another owner", `the estate "first"`)
		held := ids(t, two)
		for _, kind := range []string{"estate_iam_role", "estate_cloudwatch_log_group", "estate_s3_bucket", "estate_security_group", "estate_subnet"} {
			mustName(t, r2.Errors(), kind+".x", `the estate "first"`, "was not touched", true)
			if held[kind+".x"] != "" {
				t.Errorf("the second state holds %s", held[kind+".x"])
			}
		}
		mustName(t, r2.Errors(), "estate_route53_record.x", `"one"`, `"two"`, true)
		if held["estate_route53_record.x"] != "" {
			t.Error("the second state holds the record of the first")
		}
		w.AWS.MustHold(ctx, t, "first", "estate_route53_zone", 1)
		w.AWS.MustHold(ctx, t, "second", "estate_route53_zone", 1)
		mustAgree(t, one, "first")
		mustAgree(t, two, "second")
		two.MustCall(t, 0, "write tags but those of its own zone", 1, TagWrites())

		// The first is told of the one thing that AWS let the second overwrite.
		one.Plan(ctx).MustOnly(t, Update, "estate_iam_role_policy.x")

		// And a destroy takes away what both hold, since nothing on it says whose it is. The guide warns of both.
		two.Destroy(ctx, "-refresh=false").Must(t)
		w.AWS.MustHold(ctx, t, "second", "estate_route53_zone", 0)
		one.Plan(ctx).MustOnly(t, Create, "estate_iam_role_policy.x", "estate_iam_role_policy_attachment.x")
		records, err := w.AWS.Route53.ListResourceRecordSets(ctx, &route53.ListResourceRecordSetsInput{HostedZoneId: aws.String(shared.zone)})
		must(t, err)
		if !slices.ContainsFunc(records.ResourceRecordSets, func(r r53types.ResourceRecordSet) bool {
			return len(r.ResourceRecords) == 1 && aws.ToString(r.ResourceRecords[0].Value) == `"one"`
		}) {
			t.Errorf("the record of the first is gone or another: %v", records.ResourceRecordSets)
		}
		_, err = w.AWS.IAM.GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String("race")})
		must(t, err)
	})
}
