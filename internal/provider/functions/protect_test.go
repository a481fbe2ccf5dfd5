package functions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// unquote takes the framework's spelling of a string apart.
func unquote(t *testing.T, spelled string) string {
	t.Helper()
	var out string
	if err := json.Unmarshal([]byte(spelled), &out); err != nil {
		t.Fatalf("%s: %v", spelled, err)
	}
	return out
}

// sizeError is the error about a policy of this size.
func sizeError(size int, rest string) string {
	return fmt.Sprintf("error: the policy would have %d characters, and %s", size, rest)
}

const (
	deploy   = "arn:aws:iam::111122223333:role/deploy"
	somebody = "arn:aws:iam::111122223333:role/somebody"
)

// TestProtectDenies asks the policy about calls of a principal that it names and of one that it does not.
func TestProtectDenies(t *testing.T) {
	policy := policyOf(t, "protect_policy", list(deploy, "arn:aws:iam::*:role/ci/estate-*"))
	type call struct {
		name  string
		deny  bool
		asked asked
	}
	cases := []call{
		{"a tag of their own", false, asked{action: "ec2:CreateTags", resource: vpcARN, gives: plain}},
		{"a call without tags", false, asked{action: "sqs:TagQueue", resource: "*"}},
		{"all tags at once", true, asked{action: "ec2:DeleteTags", resource: vpcARN}},
		{"a tag of their own, removed", false, asked{action: "ec2:DeleteTags", resource: vpcARN, keys: []string{"Name"}}},
		{"one tag of several", true, asked{action: "ec2:CreateTags", resource: vpcARN, gives: map[string]string{"Name": "x", "tofu-slot": "1"}}},
		{"a marker of IAM in other letters", true, asked{action: "iam:UntagRole", resource: roleARN, keys: []string{"TOFU-Estate"}}},
		{"an own tag of IAM", false, asked{action: "iam:UntagRole", resource: roleARN, keys: []string{"team"}}},
		{"a tag that only begins so", false, asked{action: "ec2:CreateTags", resource: vpcARN, keys: []string{"tofu-estate-note"}}},
		{"a zone's tags", true, asked{action: "route53:ChangeTagsForResource", resource: "arn:aws:route53:::hostedzone/Z"}},
		{"a bucket's tag set", true, asked{action: "s3:PutBucketTagging", resource: "arn:aws:s3:::b"}},
		{"another call", false, asked{action: "ec2:DeleteVpc", resource: vpcARN, has: ours}},
		{"an object's tags", false, asked{action: "s3:PutObjectTagging", resource: "arn:aws:s3:::b/o"}},
	}
	for _, key := range slices.Concat(markers.AddressKeys[:], []string{markers.EstateKey, markers.SlotKey, markers.BindingKey, markers.PendingKey, markers.ReleasedKey}) {
		for _, action := range []string{
			"ec2:CreateTags", "ec2:DeleteTags", "iam:TagRole", "iam:UntagInstanceProfile", "iam:TagMFADevice", "logs:TagResource", "logs:UntagResource",
			"logs:TagLogGroup", "logs:UntagLogGroup", "s3:TagResource", "s3:UntagResource", "rds:RemoveTagsFromResource", "elasticloadbalancing:AddTags",
		} {
			cases = append(cases, call{action + " " + key, true, asked{action: action, resource: "*", keys: []string{"Name", key}}})
		}
	}
	for name, s := range services {
		for _, action := range slices.Concat(actions(name, s.tags), actions(name, s.untags), actions(name, s.whole)) {
			cases = append(cases, call{action, true, asked{action: action, resource: "*", keys: []string{"tofu-estate"}}})
		}
	}
	for _, c := range cases {
		for principal, named := range map[string]bool{
			somebody: false, "arn:aws:iam::444455556666:user/deploy": false, "arn:aws:iam::444455556666:role/deploy": false,
			deploy: true, "arn:aws:iam::444455556666:role/ci/estate-prod": true,
		} {
			c.asked.other = map[string]string{"aws:PrincipalArn": principal}
			if got, want := answer(t, policy, c.asked) == "Deny", c.deny && !named; got != want {
				t.Errorf("%s by %s: denied is %v", c.name, principal, got)
			}
		}
	}
}

// TestProtectHoldsNoMore: nothing is denied but calls that write or remove tags, each once, and nothing is allowed.
func TestProtectHoldsNoMore(t *testing.T) {
	var seen []string
	for _, s := range protect([]string{deploy}) {
		if s.Effect != "Deny" || len(s.Condition["ArnNotLike"][principalARN]) != 1 {
			t.Errorf("%s is no denial of others", s.Sid)
		}
		for _, action := range s.Action {
			if action == "ec2:DeleteTags" && s.Sid == "AllTags" {
				continue // is in two statements
			}
			if !strings.Contains(strings.ToLower(action), "tag") || slices.Contains(seen, action) {
				t.Errorf("%s in %s", action, s.Sid)
			}
			seen = append(seen, action)
		}
	}
	if slices.Contains(seen, "tag:TagResources") {
		t.Error("the tagging API is denied, with whatever tags")
	}
}

func TestProtectOrderAndSize(t *testing.T) {
	want := policyOf(t, "protect_policy", list(deploy, somebody))
	if got := policyOf(t, "protect_policy", list(somebody, deploy, somebody)); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
	if len(want) > maxServiceControlPolicy/2+400 {
		t.Errorf("%d characters leave too little for principals", len(want))
	}
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf("arn:aws:iam::1111222233%02d:role/deploy", i))
	}
	policyOf(t, "protect_policy", list(many...))
	for i := range 20 {
		many = append(many, fmt.Sprintf("arn:aws:iam::1111222244%02d:role/deploy", i))
	}
	size, err := document(protect(many))
	if err != nil {
		t.Fatal(err)
	}
	if got := call(t, "protect_policy", list(many...)); got != sizeError(len(size), "a service control policy may have 5120; name several principals by one ARN with a wildcard") {
		t.Error(got)
	}
}

func TestProtectRefuses(t *testing.T) {
	for _, c := range []struct{ arn, want string }{
		{"", "error: no principal is given"},
		{"deploy", `error: "deploy" is the ARN of no role or user`},
		{"*", `error: "*" is the ARN of no role or user`},
		{"arn:aws:iam::111122223333:group/x", "is the ARN of no role or user"},
		{"arn:aws:iam::1111:role/x", "is the ARN of no role or user"},
		{"arn:aws:s3:::bucket", "is the ARN of no role or user"},
		{"arn:aws:iam::111122223333:role/", "is the ARN of no role or user"},
		{"arn:aws:iam::111122223333:role/a b", "is the ARN of no role or user"},
		{"arn:aws:iam::111122223333:role/${aws:username}", "is the ARN of no role or user"},
		{"arn:aws:sts::111122223333:assumed-role/deploy/me", "is a session; name its role"},
		{"arn:aws:iam::111122223333:role/*", "error: arn:aws:iam::111122223333:role/* names everybody"},
		{"arn:aws:iam::*:user/*/?*", "names everybody"},
	} {
		arns := list(c.arn)
		if c.arn == "" {
			arns = list()
		}
		if got := call(t, "protect_policy", arns); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.arn, got)
		}
	}
	for _, arn := range []string{
		deploy, "arn:aws-cn:iam::111122223333:user/a.b@c", "arn:aws:iam::111122223333:root", "arn:aws:iam::*:role/deploy",
		"arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Admin_*",
	} {
		policyOf(t, "protect_policy", list(arn))
	}
}
