package functions

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// list is a list of strings as a function takes it.
func list(items ...string) attr.Value {
	values := make([]attr.Value, len(items))
	for i, item := range items {
		values[i] = types.StringValue(item)
	}
	return types.ListValueMust(types.StringType, values)
}

// policyOf calls a function that returns a policy, and fails the test for an error.
func policyOf(t *testing.T, name string, args ...any) string {
	t.Helper()
	out := call(t, name, args...)
	if strings.HasPrefix(out, "error: ") {
		t.Fatal(out)
	}
	return unquote(t, out)
}

const (
	vpcARN    = "arn:aws:ec2:eu-west-1:111122223333:vpc/vpc-1"
	subnetARN = "arn:aws:ec2:eu-west-1:111122223333:subnet/subnet-1"
	groupARN  = "arn:aws:ec2:eu-west-1:111122223333:security-group/sg-1"
	ruleARN   = "arn:aws:ec2:eu-west-1:111122223333:security-group-rule/sgr-1"
	imageARN  = "arn:aws:ec2:eu-west-1::image/ami-1"
	diskARN   = "arn:aws:ec2:eu-west-1:111122223333:volume/vol-1"
	roleARN   = "arn:aws:iam::111122223333:role/path/app"
	logsARN   = "arn:aws:logs:eu-west-1:111122223333:log-group:/app"
	aliasARN  = "arn:aws:kms:eu-west-1:111122223333:alias/app"
	keyARN    = "arn:aws:kms:eu-west-1:111122223333:key/1"
	clusterA  = "arn:aws:eks:eu-west-1:111122223333:cluster/a"
	databaseA = "arn:aws:rds:eu-west-1:111122223333:db:a"
)

var (
	ours   = map[string]string{"tofu-estate": "prod", "tofu-address": "estate_vpc.main"}
	theirs = map[string]string{"tofu-estate": "other"}
	plain  = map[string]string{"Name": "x"}
)

// TestGrantReaches asks one policy about single resources of calls.
func TestGrantReaches(t *testing.T) {
	policy := policyOf(t, "grant_policy", "prod", list("ec2:DescribeVpcs", "ec2:DeleteVpc", "ec2:CreateVpc", "ec2:CreateSubnet", "ec2:CreateTags",
		"ec2:DeleteTags", "ec2:AuthorizeSecurityGroupIngress", "ec2:ModifySecurityGroupRules", "ec2:GetPasswordData", "ec2:RunInstances",
		"iam:GetRole", "iam:CreateRole", "iam:TagRole", "iam:UntagRole", "iam:PutRolePolicy", "logs:CreateLogGroup", "kms:CreateKey",
		"kms:DeleteAlias", "eks:CreateNodegroup", "eks:DescribeCluster", "rds:CreateDBInstance", "route53:GetHostedZone", "s3:GetBucketTagging"))
	creation := map[string]string{"ec2:CreateAction": "CreateVpc"}
	strange := map[string]string{"ec2:CreateAction": "CreateVolume"}
	for _, c := range []struct {
		name  string
		may   bool
		asked asked
	}{
		{"what the list does not name", false, asked{action: "ec2:DeleteSubnet", resource: subnetARN, has: ours}},

		{"see another's", true, asked{action: "ec2:DescribeVpcs", resource: "*"}},
		{"see a role of another", true, asked{action: "iam:GetRole", resource: roleARN, has: theirs}},
		{"see a zone", true, asked{action: "route53:GetHostedZone", resource: "arn:aws:route53:::hostedzone/Z"}},
		{"read contents", true, asked{action: "ec2:GetPasswordData", resource: "arn:aws:ec2:eu-west-1:1:instance/i", has: ours}},
		{"read another's contents", false, asked{action: "ec2:GetPasswordData", resource: "arn:aws:ec2:eu-west-1:1:instance/i", has: theirs}},

		{"delete ours", true, asked{action: "ec2:DeleteVpc", resource: vpcARN, has: ours}},
		{"delete another's", false, asked{action: "ec2:DeleteVpc", resource: vpcARN, has: theirs}},
		{"delete nobody's", false, asked{action: "ec2:DeleteVpc", resource: vpcARN, has: plain}},
		{"delete by the tags of the call", false, asked{action: "ec2:DeleteVpc", resource: vpcARN, has: theirs, gives: ours}},
		{"write a role's policy", true, asked{action: "iam:PutRolePolicy", resource: roleARN, has: ours}},
		{"write another's role's policy", false, asked{action: "iam:PutRolePolicy", resource: roleARN, has: theirs}},

		{"create", true, asked{action: "ec2:CreateVpc", resource: vpcARN, gives: ours}},
		{"create without tags", false, asked{action: "ec2:CreateVpc", resource: vpcARN}},
		{"create for another", false, asked{action: "ec2:CreateVpc", resource: vpcARN, gives: theirs}},
		{"create with other tags", false, asked{action: "ec2:CreateVpc", resource: vpcARN, gives: plain}},
		{"create a role", true, asked{action: "iam:CreateRole", resource: roleARN, gives: ours}},
		{"create a role for another", false, asked{action: "iam:CreateRole", resource: roleARN, gives: theirs}},
		{"create a log group", true, asked{action: "logs:CreateLogGroup", resource: logsARN, gives: ours}},
		{"create a key", true, asked{action: "kms:CreateKey", resource: "*", gives: ours}},
		{"create a key without tags", false, asked{action: "kms:CreateKey", resource: "*"}},

		{"the new subnet", true, asked{action: "ec2:CreateSubnet", resource: subnetARN, gives: ours}},
		{"its VPC", true, asked{action: "ec2:CreateSubnet", resource: vpcARN, has: ours}},
		{"another's VPC", false, asked{action: "ec2:CreateSubnet", resource: vpcARN, has: theirs}},
		{"another's VPC, asked about with the tags of the call", false, asked{action: "ec2:CreateSubnet", resource: vpcARN, has: theirs, gives: ours}},
		{"a new subnet without tags", false, asked{action: "ec2:CreateSubnet", resource: subnetARN}},
		{"a node group", true, asked{action: "eks:CreateNodegroup", resource: clusterA, has: ours, gives: ours}},
		{"a node group in another's cluster", false, asked{action: "eks:CreateNodegroup", resource: clusterA, has: theirs, gives: ours}},
		{"a node group for another", false, asked{action: "eks:CreateNodegroup", resource: clusterA, has: ours, gives: theirs}},
		{"a node group without tags", false, asked{action: "eks:CreateNodegroup", resource: clusterA, has: ours}},

		{"a rule in our group", true, asked{action: "ec2:AuthorizeSecurityGroupIngress", resource: groupARN, has: ours}},
		{"a rule in another's group", false, asked{action: "ec2:AuthorizeSecurityGroupIngress", resource: groupARN, has: theirs, gives: ours}},
		{"a tagged rule", true, asked{action: "ec2:AuthorizeSecurityGroupIngress", resource: ruleARN, gives: ours}},
		{"a rule tagged for another", false, asked{action: "ec2:AuthorizeSecurityGroupIngress", resource: ruleARN, gives: theirs}},
		{"change a rule", true, asked{action: "ec2:ModifySecurityGroupRules", resource: ruleARN}},
		{"change a rule of another's group", false, asked{action: "ec2:ModifySecurityGroupRules", resource: groupARN, has: theirs}},

		{"start from an image", true, asked{action: "ec2:RunInstances", resource: imageARN}},
		{"start with a new volume", true, asked{action: "ec2:RunInstances", resource: diskARN, gives: ours}},
		{"start with a volume without tags", false, asked{action: "ec2:RunInstances", resource: diskARN}},
		{"start in another's subnet", false, asked{action: "ec2:RunInstances", resource: subnetARN, has: theirs}},
		{"a default parameter group", true, asked{action: "rds:CreateDBInstance", resource: "arn:aws:rds:eu-west-1:1:pg:default.postgres17"}},
		{"another's parameter group", false, asked{action: "rds:CreateDBInstance", resource: "arn:aws:rds:eu-west-1:1:pg:x", gives: ours, has: theirs}},
		{"a new database", true, asked{action: "rds:CreateDBInstance", resource: databaseA, gives: ours}},
		{"an alias of our key", true, asked{action: "kms:DeleteAlias", resource: aliasARN}},
		{"our key, under its alias", true, asked{action: "kms:DeleteAlias", resource: keyARN, has: ours}},
		{"another's key, under its alias", false, asked{action: "kms:DeleteAlias", resource: keyARN, has: theirs}},

		{"tag at a create", true, asked{action: "ec2:CreateTags", resource: vpcARN, gives: ours, other: creation}},
		{"tag at a create for another", false, asked{action: "ec2:CreateTags", resource: vpcARN, gives: theirs, other: creation}},
		{"tag at a create that the list does not name", false, asked{action: "ec2:CreateTags", resource: diskARN, gives: ours, other: strange}},
		{"tag ours", true, asked{action: "ec2:CreateTags", resource: vpcARN, has: ours, gives: plain}},
		{"write our estate again", true, asked{action: "ec2:CreateTags", resource: vpcARN, has: ours, gives: ours}},
		{"give ours away", false, asked{action: "ec2:CreateTags", resource: vpcARN, has: ours, gives: theirs}},
		{"give ours away, in capitals", false, asked{action: "ec2:CreateTags", resource: vpcARN, has: ours, gives: map[string]string{"Tofu-Estate": "other"}}},
		{"take another's", false, asked{action: "ec2:CreateTags", resource: vpcARN, has: theirs, gives: ours}},
		{"take nobody's", false, asked{action: "ec2:CreateTags", resource: vpcARN, has: plain, gives: ours}},
		{"take what has no tags", false, asked{action: "ec2:CreateTags", resource: vpcARN, gives: ours}},
		{"tag another's", false, asked{action: "ec2:CreateTags", resource: vpcARN, has: theirs, gives: plain}},
		{"untag ours", true, asked{action: "ec2:DeleteTags", resource: vpcARN, has: ours, keys: []string{"tofu-estate"}}},
		{"untag another's", false, asked{action: "ec2:DeleteTags", resource: vpcARN, has: theirs, keys: []string{"tofu-estate"}}},

		{"tag a new role, whose tags count as its own", true, asked{action: "iam:TagRole", resource: roleARN, has: ours, gives: ours}},
		{"take another's role", false, asked{action: "iam:TagRole", resource: roleARN, has: theirs, gives: ours}},
		{"take nobody's role", false, asked{action: "iam:TagRole", resource: roleARN, gives: ours}},
		{"give our role away", false, asked{action: "iam:TagRole", resource: roleARN, has: ours, gives: theirs}},
		{"untag our role", true, asked{action: "iam:UntagRole", resource: roleARN, has: ours, keys: []string{"a"}}},
		{"untag another's role", false, asked{action: "iam:UntagRole", resource: roleARN, has: theirs, keys: []string{"a"}}},
		{"tag a new log group, whose tags count as its own", true, asked{action: "logs:TagResource", resource: logsARN, has: ours, gives: ours}},
		{"take another's log group", false, asked{action: "logs:TagResource", resource: logsARN, has: theirs, gives: ours}},
	} {
		if got := answer(t, policy, c.asked) == "Allow"; got != c.may {
			t.Errorf("%s: allowed is %v", c.name, got)
		}
	}
}

// TestGrantHoldsNoMore compares the whole text for a few actions: what is not asked for is not in it.
func TestGrantHoldsNoMore(t *testing.T) {
	for _, c := range []struct {
		actions []string
		want    string
	}{
		{[]string{"ec2:DescribeVpcs"}, `{"Sid":"Read","Effect":"Allow","Action":["ec2:DescribeVpcs"],"Resource":["*"]}`},
		{[]string{"ec2:DeleteVpc"}, `{"Sid":"Own","Effect":"Allow","Action":["ec2:DeleteVpc"],"Resource":["*"],` +
			`"Condition":{"StringEquals":{"aws:ResourceTag/tofu-estate":["prod"]}}}`},
		{[]string{"ec2:CreateVpc"}, `{"Sid":"Create1","Effect":"Allow","Action":["ec2:CreateVpc"],"Resource":["arn:*:ec2:*:*:vpc/*"],` +
			`"Condition":{"StringEquals":{"aws:RequestTag/tofu-estate":["prod"]}}},` +
			`{"Sid":"TagNew1","Effect":"Allow","Action":["ec2:CreateTags"],"Resource":["*"],` +
			`"Condition":{"StringEquals":{"aws:RequestTag/tofu-estate":["prod"],"ec2:CreateAction":["CreateVpc"]}}}`},
		{[]string{"iam:TagPolicy", "iam:CreatePolicy"}, `{"Sid":"Tag","Effect":"Allow","Action":["iam:TagPolicy"],"Resource":["*"],` +
			`"Condition":{"StringEquals":{"aws:ResourceTag/tofu-estate":["prod"]},"StringEqualsIfExists":{"aws:RequestTag/tofu-estate":["prod"]}}},` +
			`{"Sid":"Create1","Effect":"Allow","Action":["iam:CreatePolicy"],"Resource":["arn:*:iam::*:policy/*"],` +
			`"Condition":{"StringEquals":{"aws:RequestTag/tofu-estate":["prod"]}}}`},
	} {
		want := `{"Version":"2012-10-17","Statement":[` + c.want + `]}`
		if got := policyOf(t, "grant_policy", "prod", list(c.actions...)); got != want {
			t.Errorf("%v\n got %s\nwant %s", c.actions, got, want)
		}
	}
}

// TestGrantOrder: a set of actions is one policy, in whichever order and however often they are given.
func TestGrantOrder(t *testing.T) {
	actions := []string{"ec2:CreateVpc", "ec2:CreateSubnet", "ec2:DescribeVpcs", "iam:CreateRole", "logs:CreateLogGroup", "kms:CreateAlias", "ecs:CreateCluster"}
	want := policyOf(t, "grant_policy", "prod", list(actions...))
	for range actions {
		actions = append(actions[1:], actions[0])
		if got := policyOf(t, "grant_policy", "prod", list(slices.Concat(actions, actions[2:3])...)); got != want {
			t.Fatalf("%v\n got %s\nwant %s", actions, got, want)
		}
	}
}

func TestGrantRefuses(t *testing.T) {
	for _, c := range []struct {
		estate  string
		actions []string
		want    []string
	}{
		{"Prod", []string{"ec2:CreateVpc"}, []string{"the estate's name"}},
		{"prod", nil, []string{"no action is given"}},
		{"prod", []string{"ec2:*"}, []string{"ec2:*: a wildcard", "name each action"}},
		{"prod", []string{"*"}, []string{"*: a wildcard"}},
		{"prod", []string{"ec2"}, []string{`"ec2" is no action`}},
		{"prod", []string{"ec2:"}, []string{`"ec2:" is no action`}},
		{"prod", []string{"ec2:createVpc"}, []string{`"ec2:createVpc" is no action`}},
		{"prod", []string{" ec2:CreateVpc"}, []string{`" ec2:CreateVpc" is no action`}},
		{"prod", []string{"groundstation:CreateConfig"}, []string{"groundstation:CreateConfig: nothing is known", "policy of your own"}},
		{"prod", []string{"ec2:CreateTransitGateway"}, []string{"ec2:CreateTransitGateway is not among", "list_amazonec2.html", "policy of your own"}},
		{"prod", []string{"acm:RequestCertificate"}, []string{"acm:RequestCertificate is not among", "list_awscertificatemanager.html"}},
		{"prod", []string{"route53:CreateHostedZone"}, []string{"route53:CreateHostedZone: Route 53 lets no policy look at tags", "arn:aws:route53:::hostedzone/ID"}},
		{"prod", []string{"route53:ChangeTagsForResource"}, []string{"route53:ChangeTagsForResource: Route 53"}},
		{"prod", []string{"s3:CreateBucket"}, []string{"s3:CreateBucket: S3 looks at the tags", "arn:aws:s3:::NAME"}},
		{"prod", []string{"s3:TagResource"}, []string{"s3:TagResource: S3"}},
		{"prod", []string{"s3:UntagResource"}, []string{"s3:UntagResource: S3"}},
		{"prod", []string{"s3:PutBucketTagging"}, []string{"s3:PutBucketTagging: S3"}},
		{"prod", []string{"s3:GetObject"}, []string{"s3:GetObject: S3"}},
		{"prod", []string{"iam:PassRole"}, []string{"iam:PassRole: a role's tags do not decide", "arn:aws:iam::ACCOUNT:role/NAME"}},
		{"prod", []string{"ecs:CreateService"}, []string{"ecs:CreateService: ECS does not look", "ecs:cluster"}},
		{"prod", []string{"tag:TagResources"}, []string{"tag:TagResources: the tagging API"}},
		{"prod", []string{"iam:PassRole", "ec2:DescribeVpcs", "ec2:*"}, []string{"iam:PassRole: ", "ec2:*: "}},
	} {
		got := call(t, "grant_policy", c.estate, list(c.actions...))
		for _, want := range c.want {
			if !strings.HasPrefix(got, "error: ") || !strings.Contains(got, want) {
				t.Errorf("%s %v: %q is not in %s", c.estate, c.actions, want, got)
			}
		}
		if strings.Contains(got, "ec2:DescribeVpcs") {
			t.Errorf("a good action is complained of: %s", got)
		}
	}
}

// TestGrantSize: IAM takes 6144 characters of a managed policy, which all changes of EC2 and IAM fit in, and the error says how
// many there are.
func TestGrantSize(t *testing.T) {
	changes := slices.Concat(actions("ec2", ec2.owned), actions("iam", services["iam"].owned))
	policyOf(t, "grant_policy", "prod", list(changes...))

	all := slices.Concat(changes, actions("rds", services["rds"].owned), actions("lambda", services["lambda"].owned),
		actions("dynamodb", services["dynamodb"].owned))
	policy, err := document(grant("prod", slices.Sorted(slices.Values(all))))
	if err != nil || len(policy) <= maxManagedPolicy {
		t.Fatalf("%d characters are too few for this test: %v", len(policy), err)
	}
	if got := call(t, "grant_policy", "prod", list(all...)); got != sizeError(len(policy), "a managed policy may have 6144; give the actions to several policies") {
		t.Error(got)
	}
	if fits("a b\n\tc", "x", 3) != nil || fits("a b\n\tcd", "x", 3) == nil {
		t.Error("white space is counted")
	}
}

// TestGrantTable: every action of the table is granted or refused, and each entry is one that an action can reach.
func TestGrantTable(t *testing.T) {
	guide, err := os.ReadFile("../../../templates/guides/permissions-by-estate.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range services {
		if !strings.HasPrefix(s.page, "list_") || !strings.HasSuffix(s.page, ".html") {
			t.Errorf("%s: the page %q", name, s.page)
		}
		if !strings.Contains(string(guide), "`"+name+"`") {
			t.Errorf("%s: the guide does not name it", name)
		}
		for _, action := range actions(name, s.owned) {
			if _, _, as, err := lookUp(action); err != nil || as != owning {
				t.Errorf("%s is not an owned action: %v", action, err)
			}
		}
		for verb, m := range s.makes {
			if _, _, as, err := lookUp(name + ":" + verb); err != nil || as != creating {
				t.Errorf("%s:%s is not one of makes: %v", name, verb, err)
			}
			ways := 0
			for _, way := range []bool{m.new != "", m.anywhere, m.inside, m.new == "" && m.in && m.with != ""} {
				if way {
					ways++
				}
			}
			if ways != 1 || m.inside && m.in || m.with != "" && !m.in {
				t.Errorf("%s:%s is asked about in no way, or in two", name, verb)
			}
		}
		for _, read := range names(s.reads) {
			verb := strings.ReplaceAll(read, "*", "Anything")
			if _, _, as, err := lookUp(name + ":" + verb); err != nil || as != reading {
				t.Errorf("%s:%s is not a read: %v", name, read, err)
			}
		}
	}
}
