package faultproxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// canned is what a fake API answers to an action; a missing status is 200.
type canned struct {
	status int
	body   string
}

// fake is an API with an answer for each action, by its name. What it has none for is not found.
type fake struct {
	mu      sync.Mutex
	answers map[string]canned
	calls   []Call
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c := name(r, body)
	f.mu.Lock()
	f.calls = append(f.calls, c)
	a, ok := f.answers[c.Name()]
	f.mu.Unlock()
	switch {
	case !ok:
		a.status = http.StatusNotFound
	case a.status == 0:
		a.status = http.StatusOK
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

func (f *fake) set(action string, a canned) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[action] = a
}

// count returns how many calls of an action arrived.
func (f *fake) count(action string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(slices.DeleteFunc(slices.Clone(f.calls), func(c Call) bool { return c.Name() != action }))
}

// before puts a proxy before a fake API that answers with these bodies.
func before(t *testing.T, bodies map[string]string) (*Proxy, *fake) {
	t.Helper()
	f := &fake{answers: map[string]canned{}}
	for action, body := range bodies {
		f.answers[action] = canned{body: body}
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	p, err := Start(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, f
}

func s3Client(p *Proxy) *s3.Client {
	return s3.New(s3.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{}, UsePathStyle: true,
	})
}

func route53Client(p *Proxy) *route53.Client {
	return route53.New(route53.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{},
	})
}

func logsClient(p *Proxy) *cloudwatchlogs.Client {
	return cloudwatchlogs.New(cloudwatchlogs.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(p.URL()), Credentials: keys, Retryer: aws.NopRetryer{},
	})
}

// one makes a call of each service that writes.
var one = map[string]func(context.Context, *Proxy) error{
	"ec2": func(ctx context.Context, p *Proxy) error {
		_, err := ec2Client(p).CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.0.0.0/16")})
		return err
	},
	"iam": func(ctx context.Context, p *Proxy) error {
		_, err := iamClient(p).CreateRole(ctx, &iam.CreateRoleInput{
			RoleName: aws.String("app"), AssumeRolePolicyDocument: aws.String("{}"),
		})
		return err
	},
	"s3": func(ctx context.Context, p *Proxy) error {
		_, err := s3Client(p).CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("data")})
		return err
	},
	"route53": func(ctx context.Context, p *Proxy) error {
		_, err := route53Client(p).CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
			Name: aws.String("example.com"), CallerReference: aws.String("once"),
		})
		return err
	},
	"logs": func(ctx context.Context, p *Proxy) error {
		_, err := logsClient(p).CreateLogGroup(ctx, &cloudwatchlogs.CreateLogGroupInput{LogGroupName: aws.String("/app")})
		return err
	},
}

// created are the answers to the calls of one.
var created = map[string]string{
	"ec2:CreateVpc": createdVPC,
	"iam:CreateRole": `<CreateRoleResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><CreateRoleResult><Role>` +
		`<RoleName>app</RoleName></Role></CreateRoleResult></CreateRoleResponse>`,
	"s3:CreateBucket": "",
	"route53:CreateHostedZone": `<CreateHostedZoneResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">` +
		`<HostedZone><Id>/hostedzone/Z1</Id><Name>example.com.</Name><CallerReference>once</CallerReference></HostedZone>` +
		`<ChangeInfo><Id>/change/C1</Id><Status>INSYNC</Status><SubmittedAt>2026-01-01T00:00:00Z</SubmittedAt></ChangeInfo>` +
		`</CreateHostedZoneResponse>`,
	"logs:CreateLogGroup": "{}",
}

// refused returns the status and code of an error of the SDK; 0 and "" if it is none.
func refused(err error) (status int, code string) {
	var api smithy.APIError
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	return status, code
}
