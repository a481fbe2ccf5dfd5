package cloud

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
)

// transport stands for the network of one client: it notes the host and answers as STS does.
type transport struct {
	fake fakeSTS
	host string
}

var _ aws.HTTPClient = (*transport)(nil)

func (n *transport) Do(request *http.Request) (*http.Response, error) {
	n.host = request.URL.Host
	w := httptest.NewRecorder()
	n.fake.ServeHTTP(w, request)
	return w.Result(), nil
}

func TestEndpointVariants(t *testing.T) {
	for name, test := range map[string]struct {
		fips, dual bool
		env        map[string]string
		url        string
		want       string
	}{
		"nothing said":                {want: "sts.us-east-1.amazonaws.com"},
		"FIPS":                        {fips: true, want: "sts-fips.us-east-1.amazonaws.com"},
		"dual stack":                  {dual: true, want: "sts.us-east-1.api.aws"},
		"both":                        {fips: true, dual: true, want: "sts-fips.us-east-1.api.aws"},
		"AWS_USE_FIPS_ENDPOINT":       {env: map[string]string{"AWS_USE_FIPS_ENDPOINT": "true"}, want: "sts-fips.us-east-1.amazonaws.com"},
		"AWS_USE_DUALSTACK_ENDPOINT":  {env: map[string]string{"AWS_USE_DUALSTACK_ENDPOINT": "true"}, want: "sts.us-east-1.api.aws"},
		"URL over both":               {fips: true, dual: true, url: "http://own.invalid", want: "own.invalid"},
		"URL over the variables":      {env: map[string]string{"AWS_USE_FIPS_ENDPOINT": "true"}, url: "http://own.invalid", want: "own.invalid"},
		"URL over a URL of the shell": {fips: true, env: map[string]string{"AWS_ENDPOINT_URL_STS": "http://shell.invalid"}, url: "http://own.invalid", want: "own.invalid"},
		"ignored URL of the shell": {fips: true, env: map[string]string{"AWS_ENDPOINT_URL": "http://shell.invalid", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"},
			want: "sts-fips.us-east-1.amazonaws.com"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			c := static(test.url)
			c.Region, c.UseFIPSEndpoint, c.UseDualStackEndpoint = "us-east-1", test.fips, test.dual
			c.SkipCredentialsValidation, c.SkipRequestingAccountID = true, true
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			network := &transport{}
			s.shared.config.HTTPClient = network
			if _, _, diags := awsbase.GetAwsAccountIDAndPartition(t.Context(), *Client(s, "sts", configOf), &awsbase.Config{}); diags.HasError() {
				t.Fatal(diags)
			}
			if network.host != test.want {
				t.Errorf("called %s, want %s", network.host, test.want)
			}
		})
	}
}

// The call that fetches a role's credentials goes to the same kind of address.
func TestEndpointVariantOfARole(t *testing.T) {
	bareEnvironment(t)
	proxy, address := startProxy(t, &fakeSTS{})
	c := static("")
	c.MaxRetries, c.UseFIPSEndpoint, c.HTTPSProxy = 1, true, &address
	c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
	_, err := Open(t.Context(), c)
	wantProblem(t, err, "", "AWS endpoint does not answer", "Forbidden", "curl -sSI https://sts-fips.eu-west-1.amazonaws.com")
	if proxy.first() != "CONNECT sts-fips.eu-west-1.amazonaws.com:443" {
		t.Errorf("the proxy was asked for %s", proxy.first())
	}
}

func TestGlobalS3(t *testing.T) {
	for name, test := range map[string]struct {
		set, env, url, region, want string
	}{
		"nothing said":       {"", "", "", "us-east-1", "us-east-1"},
		"legacy":             {"legacy", "", "", "us-east-1", "aws-global"},
		"in capitals":        {"Legacy", "", "", "us-east-1", "aws-global"},
		"regional":           {"regional", "", "", "us-east-1", "us-east-1"},
		"variable":           {"", "legacy", "", "us-east-1", "aws-global"},
		"block over it":      {"regional", "legacy", "", "us-east-1", "us-east-1"},
		"URL":                {"legacy", "", "http://own.invalid", "us-east-1", "us-east-1"},
		"in another region":  {"legacy", "", "", "eu-west-1", "eu-west-1"},
		"of another service": {"legacy", "", "", "us-east-1 ec2", "us-east-1"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			t.Setenv(s3EndpointVariable, test.env)
			c := static("http://127.0.0.1:1")
			c.SkipCredentialsValidation, c.SkipRequestingAccountID = true, true
			c.S3USEast1Endpoint, c.Endpoints["s3"] = test.set, test.url
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			region, service, _ := strings.Cut(test.region, " ")
			if service == "" {
				service = "s3"
			}
			if got := Client(s.In(region), service, configOf).Region; got != test.want {
				t.Errorf("the client's region is %s, want %s", got, test.want)
			}
		})
	}
}

func TestSTSRegion(t *testing.T) {
	for name, roles := range map[string][]Role{"account": nil, "role": {{RoleARN: "arn:aws:iam::1:role/a"}}} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			fake := startSTS(t, "")
			c := static(fake.url)
			c.STSRegion, c.AssumeRole = "us-west-2", roles
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range fake.calls {
				if call.Region != "us-west-2" {
					t.Errorf("%s is signed for %q", call.Action, call.Region)
				}
			}
			if s.Region != "eu-west-1" || Client(s, "ec2", configOf).Region != "eu-west-1" {
				t.Error("the region of STS became that of everything")
			}
		})
	}
}
