package faultproxy

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

func TestHideNewestPolicy(t *testing.T) {
	const arn = "arn:aws:iam::123456789012:policy/p"
	p, _ := before(t, map[string]string{
		"iam:CreatePolicy": `<CreatePolicyResponse><CreatePolicyResult><Policy><Arn>` + arn + `</Arn></Policy>` +
			`</CreatePolicyResult></CreatePolicyResponse>`,
		"iam:ListPolicies": `<ListPoliciesResponse><ListPoliciesResult><Policies><member><Arn>` + arn + `</Arn></member>` +
			`</Policies></ListPoliciesResult></ListPoliciesResponse>`,
		"iam:GetPolicy": `<GetPolicyResponse><GetPolicyResult/></GetPolicyResponse>`,
	})
	p.On(Writes(), HideNewest(2))
	c := iamClient(p)
	_, err := c.CreatePolicy(t.Context(), &iam.CreatePolicyInput{PolicyName: aws.String("p"), PolicyDocument: aws.String("{}")})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := c.ListPolicies(t.Context(), nil); err != nil || len(out.Policies) != 0 {
		t.Errorf("hidden: %v, %v", out, err)
	}
	_, err = c.GetPolicy(t.Context(), &iam.GetPolicyInput{PolicyArn: aws.String(arn)})
	if _, code := refused(err); code != "NoSuchEntity" {
		t.Errorf("hidden: %v", err)
	}
	if out, err := c.ListPolicies(t.Context(), nil); err != nil || len(out.Policies) != 1 {
		t.Errorf("seen: %v, %v", out, err)
	}
}

// The tagging API lists objects of all services by ARN.
func TestHideNewestInTheTaggingAPI(t *testing.T) {
	mapping := func(arn string) string { return `{"ResourceARN":"` + arn + `","Tags":[]}` }
	for service, arn := range map[string]string{
		"ec2": "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-1", "s3": "arn:aws:s3:::data",
		"route53": "arn:aws:route53:::hostedzone/Z1", "logs": "arn:aws:logs:eu-west-1:123456789012:log-group:/app",
	} {
		t.Run(service, func(t *testing.T) {
			other := mapping(arn + "-other")
			p, f := before(t, created)
			f.set("tagging:GetResources", canned{body: `{"ResourceTagMappingList":[` + mapping(arn) + `,` + other + `]}`})
			p.On(Writes(), HideNewest(1))
			if err := one[service](t.Context(), p); err != nil {
				t.Fatal(err)
			}
			for i, want := range []bool{false, true} {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL(), strings.NewReader("{}"))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", strings.Replace(signed("tagging"), "us-east-1", "eu-west-1", 1))
				r.Header.Set("X-Amz-Target", "ResourceGroupsTaggingAPI_20170126.GetResources")
				got, err := send(r)
				if err != nil || strings.Contains(got.body, mapping(arn)) != want || !strings.Contains(got.body, other) {
					t.Errorf("read %d: %s, %v", i+1, got.body, err)
				}
			}
		})
	}
}

// What failed made nothing, though its request has the name of what is there already.
func TestHideNewestOfACallThatFailed(t *testing.T) {
	p, f := before(t, everything())
	f.set("iam:CreateRole", canned{409, `<ErrorResponse><Error><Code>EntityAlreadyExists</Code></Error></ErrorResponse>`})
	p.On(Writes(), HideNewest(1))
	_ = one["iam"](t.Context(), p)
	if err := direct["iam"](t.Context(), p); err != nil {
		t.Error(err)
	}
}

// An object that the answer mentions inside the one that was made is another.
func TestMadeIsTheOutermost(t *testing.T) {
	got := made(Call{
		Service: "ec2", Action: "CreateVpc", protocol: ec2Query, Write: true, Status: 200,
		ResponseBody: []byte("<R><vpc><vpcId>vpc-1</vpcId><peer><vpcId>vpc-2</vpcId></peer></vpc></R>"),
	})
	if len(got) != 1 || got[0].fields["vpcId"] != "vpc-1" {
		t.Errorf("made %v", got)
	}
}

// The change that Route 53 answers with is nothing to hide.
func TestHideNewestFindsNoObjectInAChange(t *testing.T) {
	p, _ := before(t, map[string]string{
		"route53:ChangeResourceRecordSets": `<R><ChangeInfo><Id>/change/C1</Id></ChangeInfo></R>`,
	})
	p.On(Any(), HideNewest(1))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL()+"/2013-04-01/hostedzone/Z1/rrset",
		strings.NewReader(`<C><Change><Action>DELETE</Action><ResourceRecordSet/></Change></C>`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", signed("route53"))
	if _, err := send(r); err != nil {
		t.Fatal(err)
	}
	if got := p.Journal()[0].Fault; got != "hide (no object found)" {
		t.Errorf("fault %q", got)
	}
}

func TestMadeByNoCreate(t *testing.T) {
	for _, c := range []Call{
		{Service: "ec2", Action: "CreateTags", protocol: ec2Query},
		{Service: "ec2", Action: "DeleteVpc", protocol: ec2Query},
		{Service: "iam", Action: "TagRole", Params: map[string][]string{"RoleName": {"app"}}, protocol: query},
		{Service: "iam", Action: "CreateRole", protocol: query},
		{Service: "s3", Action: "PutBucketTagging", bucket: "data", protocol: s3XML},
		{Service: "logs", Action: "PutRetentionPolicy", Params: map[string][]string{"logGroupName": {"g"}}, protocol: jsonRPC},
		{Service: "route53", Action: "CreateHostedZone", protocol: restXML},
		{Service: "sns", Action: "CreateTopic", protocol: query},
	} {
		c.Write, c.Status, c.ResponseBody = true, 200, []byte("<R><vpcId>vpc-1</vpcId></R>")
		if got := made(c); len(got) != 0 {
			t.Errorf("%s made %v", c.Name(), got)
		}
	}
}
