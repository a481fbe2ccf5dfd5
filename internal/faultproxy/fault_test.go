package faultproxy

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

const createdVPC = `<CreateVpcResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId>` +
	`<vpc><vpcId>vpc-1</vpcId><state>available</state></vpc></CreateVpcResponse>`

var keys = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIDTEST", SecretAccessKey: "secret", SessionToken: "token"}, nil
})

func ec2Client(p *Proxy) *ec2.Client {
	return ec2.New(ec2.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{},
	})
}

func iamClient(p *Proxy) *iam.Client {
	return iam.New(iam.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{},
	})
}

func createVPC(t *testing.T, p *Proxy) (string, error) {
	t.Helper()
	out, err := ec2Client(p).CreateVpc(t.Context(), &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
	if err != nil {
		return "", err
	}
	return aws.ToString(out.Vpc.VpcId), nil
}

func tagRole(t *testing.T, p *Proxy) error {
	t.Helper()
	_, err := iamClient(p).TagRole(t.Context(), &iam.TagRoleInput{
		RoleName: aws.String("app"), Tags: []iamtypes.Tag{{Key: aws.String("k"), Value: aws.String(`["v"]`)}},
	})
	return err
}

func callerIdentity(t *testing.T, p *Proxy) error {
	t.Helper()
	_, err := sts.New(sts.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{},
	}).GetCallerIdentity(t.Context(), nil)
	return err
}

func TestNamesCallsOfTheSDK(t *testing.T) {
	p, _ := start(t, createdVPC)
	if id, err := createVPC(t, p); err != nil || id != "vpc-1" {
		t.Fatalf("created %q, %v", id, err)
	}
	if err := tagRole(t, p); err != nil {
		t.Fatal(err)
	}
	_ = callerIdentity(t, p) // a VPC is no identity, but the call is made
	calls := p.Journal()
	if got := Format(calls); got != "1 ec2:CreateVpc 200\n2 iam:TagRole 200\n3 sts:GetCallerIdentity 200\n" {
		t.Errorf("journal:\n%s", got)
	}
	for i, write := range []bool{true, true, false} {
		if c := calls[i]; c.Region != "eu-west-1" || c.Write != write || c.AccessKey != "AKIDTEST" {
			t.Errorf("%s: region %s, write %t, key %s", c, c.Region, c.Write, c.AccessKey)
		}
	}
	if p.Count(And(Contains(`["v"]`), Action("iam:TagRole"))) != 1 {
		t.Errorf("the tag's value is not in %v", calls[1].Params)
	}
}

func TestErrorsInTheServicesShape(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fault  Fault
		call   func(*testing.T, *Proxy) error
		status int
		code   string
		says   string
	}{
		{"EC2 denies", Deny(), func(t *testing.T, p *Proxy) error { _, err := createVPC(t, p); return err }, 403,
			"UnauthorizedOperation", "is not authorized to perform: ec2:CreateVpc on resource: "},
		{"IAM denies", Deny(), tagRole, 403, "AccessDenied", "User: arn:aws:iam::123456789012:user/AKIDTEST is not " +
			"authorized to perform: iam:TagRole on resource: arn:aws:iam::123456789012:role/app because"},
		{"STS denies", Deny(), callerIdentity, 403, "AccessDenied", "sts:GetCallerIdentity"},
		{"EC2 expired", ExpireToken(), func(t *testing.T, p *Proxy) error { _, err := createVPC(t, p); return err }, 400,
			"RequestExpired", "expired"},
		{"IAM expired", ExpireToken(), tagRole, 403, "ExpiredToken", "expired"},
		{"STS expired", ExpireToken(), callerIdentity, 403, "ExpiredToken", "expired"},
		{"IAM throttles", Answer(400, "Throttling", `Rate <"exceeded">`), tagRole, 400, "Throttling", `Rate <"exceeded">`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, u := start(t, createdVPC)
			p.On(Any(), tt.fault)
			err := tt.call(t, p)
			var api smithy.APIError
			if !errors.As(err, &api) || api.ErrorCode() != tt.code || !strings.Contains(api.ErrorMessage(), tt.says) {
				t.Fatalf("the SDK says: %v", err)
			}
			var resp *smithyhttp.ResponseError
			if !errors.As(err, &resp) || resp.HTTPStatusCode() != tt.status {
				t.Errorf("want status %d: %v", tt.status, err)
			}
			if c := p.Journal()[0]; c.Status != tt.status || c.ErrorCode != tt.code || c.Fault == "" {
				t.Errorf("journal: %s", c)
			}
			if u.calls() != 0 {
				t.Error("AWS saw the call")
			}
		})
	}
}

func TestAnswerWithHeader(t *testing.T) {
	p, _ := start(t, createdVPC)
	p.On(Any(), Answer(403, "AccessDenied", "no").WithHeader("X-Amz-Bucket-Region", "eu-west-1"))
	err := tagRole(t, p)
	var resp *smithyhttp.ResponseError
	if !errors.As(err, &resp) || resp.Response.Header.Get("X-Amz-Bucket-Region") != "eu-west-1" || resp.HTTPStatusCode() != 403 {
		t.Errorf("the SDK says: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a header of an answer that AWS gives is taken in silence")
		}
	}()
	DropAnswer().WithHeader("a", "b")
}

func TestErrorsOfProtocolsByHand(t *testing.T) {
	for _, tt := range []struct {
		name, service, method, url string
		header                     map[string]string
		denied, expired            int
		deniedCode, expiredCode    string
		kind, holds                string
	}{
		{"JSON", "logs", "POST", "/", map[string]string{"X-Amz-Target": "Logs_20140328.CreateLogGroup"}, 400, 400,
			"AccessDeniedException", "ExpiredTokenException", "application/x-amz-json-1.1", `"__type":"AccessDeniedException"`},
		{"REST JSON", "lambda", "GET", "/2015-03-31/functions/f", nil, 403, 403,
			"AccessDeniedException", "ExpiredTokenException", "application/json", "lambda:GetFunction on resource"},
		{"CBOR", "monitoring", "POST", "/service/GraniteServiceVersion20100801/operation/PutMetricAlarm",
			map[string]string{"Smithy-Protocol": "rpc-v2-cbor"}, 403, 403,
			"AccessDeniedException", "ExpiredTokenException", "application/cbor", "cloudwatch:PutMetricAlarm"},
		{"S3", "s3", "GET", "/bucket?tagging", nil, 403, 400, "AccessDenied", "ExpiredToken", "application/xml",
			"<Error><Code>AccessDenied</Code><Message>User: arn:aws:iam::123456789012:user/AKIDTEST is not authorized to " +
				"perform: s3:GetBucketTagging on resource: arn:aws:s3:::bucket "},
		{"Route 53", "route53", "GET", "/2013-04-01/hostedzone", nil, 403, 403, "AccessDenied", "ExpiredToken", "text/xml",
			`<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Error><Type>Sender</Type><Code>AccessDenied`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := start(t, "")
			p.On(Any(), Deny()).Times(1)
			p.On(Any(), ExpireToken())
			for i, want := range []struct {
				status int
				code   string
			}{{tt.denied, tt.deniedCode}, {tt.expired, tt.expiredCode}} {
				r, err := http.NewRequestWithContext(t.Context(), tt.method, p.URL()+tt.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", signed(tt.service))
				for k, v := range tt.header {
					r.Header.Set(k, v)
				}
				resp, err := send(r)
				if err != nil {
					t.Fatal(err)
				}
				c := p.Journal()[i]
				if resp.status != want.status || c.ErrorCode != want.code || resp.header.Get("Content-Type") != tt.kind {
					t.Errorf("got %s as %s: %q", c, resp.header.Get("Content-Type"), resp.body)
				}
				if i == 0 && !strings.Contains(resp.body, tt.holds) {
					t.Errorf("no %q in %q", tt.holds, resp.body)
				}
			}
		})
	}
}

func TestHeadHasNoBodyToTell(t *testing.T) {
	p, _ := start(t, "")
	p.On(Any(), Deny())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, p.URL()+"/bucket", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", signed("s3"))
	resp, err := send(r)
	if err != nil || resp.status != http.StatusForbidden {
		t.Fatalf("%v, %v", resp, err)
	}
	if c := p.Journal()[0]; c.Name() != "s3:HeadBucket" || c.ErrorCode != "" {
		t.Errorf("journal: %s", c)
	}
}

func TestDropAnswer(t *testing.T) {
	p, u := start(t, createdVPC)
	p.On(Action("ec2:CreateVpc"), DropAnswer()).Times(1)
	_, err := createVPC(t, p)
	var sending *smithyhttp.RequestSendError
	if !errors.As(err, &sending) {
		t.Errorf("the SDK says: %v", err)
	}
	if u.calls() != 1 {
		t.Errorf("AWS saw %d calls", u.calls())
	}
	c := p.Journal()[0]
	if c.String() != "1 ec2:CreateVpc 200 [drop]" || string(c.ResponseBody) != createdVPC {
		t.Errorf("journal: %s, %q", c, c.ResponseBody)
	}
	if id, err := createVPC(t, p); err != nil || id != "vpc-1" {
		t.Errorf("the next call: %q, %v", id, err)
	}
}

// A client that repeats reads by itself must still see each lost answer.
func TestDropAnswerOfARead(t *testing.T) {
	p, u := start(t, "ok")
	get := func() error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = send(r)
		return err
	}
	if err := get(); err != nil { // leaves a connection to be used again
		t.Fatal(err)
	}
	p.On(Any(), DropAnswer()).Times(1)
	if err := get(); err == nil || u.calls() != 2 {
		t.Errorf("error %v after %d calls", err, u.calls())
	}
}

func TestRunComesBetweenAnswerAndClient(t *testing.T) {
	p, u := start(t, createdVPC)
	var seen Call
	var journal []Call
	upstreamCalls := 0
	p.On(Action("ec2:CreateVpc"), Run(func(c Call) { seen, journal, upstreamCalls = c, p.Journal(), u.calls() }))
	if _, err := createVPC(t, p); err == nil {
		t.Error("the client got its answer")
	}
	if upstreamCalls != 1 || seen.Status != http.StatusOK || !strings.Contains(string(seen.ResponseBody), "vpc-1") {
		t.Errorf("ran after %d calls with %s: %q", upstreamCalls, seen, seen.ResponseBody)
	}
	if len(journal) != 1 || journal[0].Status != http.StatusOK || seen.Seq != 1 || seen.Fault != "run" {
		t.Errorf("ran as %s, with the journal:\n%s", seen, Format(journal))
	}
}

func TestEdit(t *testing.T) {
	p, _ := start(t, createdVPC)
	edits := p.On(Any(), Edit(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("vpc-1"), []byte("vpc-edited")) }))
	if id, err := createVPC(t, p); err != nil || id != "vpc-edited" {
		t.Errorf("got %q, %v", id, err)
	}
	if c := p.Journal()[0]; !strings.Contains(string(c.ResponseBody), "vpc-edited") || c.Fault != "edit" {
		t.Errorf("journal: %s: %q", c, c.ResponseBody)
	}
	edits.Remove()
	if id, err := createVPC(t, p); err != nil || id != "vpc-1" || edits.Hits() != 1 {
		t.Errorf("after Remove: %q, %v, %d hits", id, err, edits.Hits())
	}
}

func TestEditRequest(t *testing.T) {
	p, u := start(t, createdVPC)
	p.On(Any(), EditRequest(func(b []byte) []byte { return append(b, "&DryRun=true"...) }))
	if _, err := createVPC(t, p); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(u.bodies[0], "&DryRun=true") || p.Journal()[0].Params.Has("DryRun") {
		t.Errorf("AWS saw %q, the journal has %q", u.bodies[0], p.Journal()[0].RequestBody)
	}
}
