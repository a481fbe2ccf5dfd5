package cloud

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// metadataService is the part of EC2's metadata service that gives credentials and the region.
type metadataService struct {
	noRegion bool

	mu    sync.Mutex
	hosts map[string]bool
}

func (m *metadataService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hosts == nil {
		m.hosts = map[string]bool{}
	}
	m.hosts[r.Host] = true
	answers := map[string]string{
		"/latest/api/token":                               "token",
		"/latest/meta-data/iam/security-credentials/":     "role",
		"/latest/dynamic/instance-identity/document":      `{"region":"us-west-2"}`,
		"/latest/meta-data/iam/security-credentials/role": `{"Code":"Success","AccessKeyId":"ASIAINSTANCE","SecretAccessKey":"s","Token":"t","Expiration":"2099-01-01T00:00:00Z"}`,
	}
	if m.noRegion {
		delete(answers, "/latest/dynamic/instance-identity/document")
	}
	answer, ok := answers[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "300")
	_, _ = fmt.Fprint(w, answer) // a client that hangs up sees an error of its own
}

// The service's own addresses are out of a test's reach: a proxy answers for them.
func TestMetadataService(t *testing.T) {
	const v4, v6 = "169.254.169.254", "[fd00:ec2::254]"
	for name, test := range map[string]struct {
		endpoint, mode string
		env            map[string]string
		want           string
	}{
		"nothing said":      {"", "", nil, v4},
		"IPv4":              {"", "IPv4", nil, v4},
		"IPv6":              {"", "IPv6", nil, v6},
		"in small letters":  {"", "ipv6", nil, v6},
		"mode by variable":  {"", "", map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv6"}, v6},
		"mode over it":      {"", "IPv4", map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv6"}, v4},
		"endpoint":          {"http://imds.invalid", "", nil, "imds.invalid"},
		"endpoint and mode": {"http://imds.invalid", "IPv6", nil, "imds.invalid"},
		"by variable":       {"", "", map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://imds.invalid"}, "imds.invalid"},
		"endpoint over it":  {"http://imds.invalid", "", map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://other.invalid"}, "imds.invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			service := &metadataService{}
			_, address := startProxy(t, service)
			fake := startSTS(t, "")
			insist := false
			s, err := Open(t.Context(), Config{
				Region: "eu-west-1", Endpoints: map[string]string{"sts": fake.url}, SkipMetadataAPICheck: &insist, MaxRetries: 1,
				MetadataEndpoint: test.endpoint, MetadataEndpointMode: test.mode, HTTPProxy: &address,
			})
			if err != nil {
				t.Fatal(err)
			}
			if !service.hosts[test.want] || len(service.hosts) != 1 {
				t.Errorf("asked %v, want %s", service.hosts, test.want)
			}
			if got := fake.actions(); s.Account != "111122223333" || len(got) != 1 || got[0] != "GetCallerIdentity by ASIAINSTANCE" {
				t.Errorf("account %q, calls %q", s.Account, got)
			}
		})
	}
}

// The SDK asks for the instance's region at the variable's endpoint alone, so that nothing else may be asked here.
func TestRegionOfTheInstance(t *testing.T) {
	for name, known := range map[string]bool{"known": true, "unknown": false} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			_, address := startProxy(t, &metadataService{noRegion: !known})
			t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", address)
			insist := false
			s, err := Open(t.Context(), Config{
				Endpoints: map[string]string{"sts": startSTS(t, "").url}, SkipMetadataAPICheck: &insist, MaxRetries: 1,
			})
			if !known {
				wantProblem(t, err, "region", "No AWS region", "AWS_REGION", `region = "eu-west-1"`)
				return
			}
			if err != nil || s.Region != "us-west-2" {
				t.Errorf("%v; session is %+v", err, s)
			}
		})
	}
}

func TestUserAgent(t *testing.T) {
	for name, test := range map[string]struct {
		cli, env string
		products []string
		want     string
	}{
		"nothing said": {"", "", nil, ""},
		"CLI":          {"1.12.6", "", nil, " cli/1.12.6 (OpenTofu or Terraform)"},
		"block":        {"", "", []string{"one", "two/2.0", "three/3.0 (a comment)"}, " one two/2.0 three/3.0 (a comment)"},
		"variable":     {"", "Jenkins/i-1 (x)", nil, " Jenkins/i-1 (x)"},
		"all":          {"1.12.6", "Jenkins/i-1", []string{"one/1"}, " cli/1.12.6 (OpenTofu or Terraform) one/1 Jenkins/i-1"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			t.Setenv("TF_APPEND_USER_AGENT", test.env)
			fake := startSTS(t, "")
			c := static(fake.url)
			c.CLIVersion, c.UserAgent = test.cli, test.products
			c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
			if _, err := Open(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			want := " terraform-provider-estate/1.2.3 (+https://github.com/tofu-estate/terraform-provider-estate)" + test.want
			for _, call := range fake.calls {
				if !strings.HasPrefix(call.Agent, "aws-sdk-go-v2/") || !strings.HasSuffix(call.Agent, want) {
					t.Errorf("%s comes from %q, want %q at the end", call.Action, call.Agent, want)
				}
				if strings.Contains(call.Agent, "HashiCorp") {
					t.Errorf("%s claims to be another's: %q", call.Action, call.Agent)
				}
			}
		})
	}
}

// One token bucket pays for the further tries of a client; five tokens pay for one of them.
func TestTokenBucket(t *testing.T) {
	for name, test := range map[string]struct {
		capacity int
		mode     string
		paid     bool
	}{
		"no bound":        {0, "", true},
		"bound":           {5, "", false},
		"bound, adaptive": {5, "adaptive", false},
		"wide bound":      {500, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			c := static(startSTS(t, "").url)
			c.TokenBucketCapacity, c.RetryMode = test.capacity, test.mode
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			r, ok := Client(s, "sts", configOf).Retryer().(aws.RetryerV2)
			if !ok {
				t.Fatal("the SDK would not ask for its tokens")
			}
			failed := failedCall(http.StatusServiceUnavailable, "RequestLimitExceeded")
			if _, err := r.GetRetryToken(t.Context(), failed); err != nil {
				t.Errorf("the first further try is refused: %v", err)
			}
			for range 20 {
				_, err = r.GetRetryToken(t.Context(), failed)
			}
			if (err == nil) != test.paid {
				t.Errorf("after 20 more: %v", err)
			}
		})
	}
}

func TestOpenRefusesSettings(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none")
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := func(s string) *string { return &s }
	for name, test := range map[string]struct {
		set         Config
		env         map[string]string
		argument    string
		summary     string
		cause, next string
	}{
		"http_proxy":  {Config{HTTPProxy: text("ftp://user:canary@x")}, nil, "http_proxy", "Invalid proxy", "http_proxy is no URL", `http_proxy = "http://`},
		"https_proxy": {Config{HTTPSProxy: text("http://canary:%zz@x")}, nil, "https_proxy", "Invalid proxy", "https_proxy is no URL", `https_proxy = "http://`},
		"metadata endpoint": {Config{MetadataEndpoint: "169.254.169.254"}, nil, "ec2_metadata_service_endpoint", "Invalid metadata endpoint",
			`"169.254.169.254", which is no http`, `ec2_metadata_service_endpoint = "http://169.254.169.254"`},
		"metadata mode": {Config{MetadataEndpointMode: "v6"}, nil, "ec2_metadata_service_endpoint_mode", "Invalid metadata endpoint mode",
			`"v6"; it may be "IPv4" or "IPv6"`, `ec2_metadata_service_endpoint_mode = "IPv4"`},
		"S3": {Config{S3USEast1Endpoint: "global"}, nil, "s3_us_east_1_regional_endpoint", "Invalid S3 endpoint",
			`"global"; it may be "regional" or "legacy"`, `s3_us_east_1_regional_endpoint = "regional"`},
		"S3 by variable": {Config{}, map[string]string{s3EndpointVariable: "yes"}, "s3_us_east_1_regional_endpoint", "Invalid S3 endpoint",
			`or AWS_S3_US_EAST_1_REGIONAL_ENDPOINT, is "yes"`, `s3_us_east_1_regional_endpoint = "regional"`},
		"user agent":       {Config{UserAgent: []string{"a/1", "b\nX-Header: c"}}, nil, "user_agent", "Invalid user agent", `"b\nX-Header: c"`, "user_agent = ["},
		"empty user agent": {Config{UserAgent: []string{""}}, nil, "user_agent", "Invalid user agent", `holds ""`, "user_agent = ["},
		"sts_region":       {Config{STSRegion: "mars-1"}, nil, "sts_region", "Unknown AWS region", `"mars-1"`, "skip_region_validation = true"},
		"token bucket": {Config{TokenBucketCapacity: -1}, nil, "token_bucket_rate_limiter_capacity", "Invalid token bucket", "is -1",
			"token_bucket_rate_limiter_capacity = 500"},
		"no bundle": {Config{CustomCABundle: nowhere}, nil, "custom_ca_bundle", "Certificates cannot be read", "custom_ca_bundle names " + nowhere,
			"openssl x509 -noout -subject -in " + nowhere},
		"empty bundle": {Config{CustomCABundle: empty}, nil, "custom_ca_bundle", "Certificates cannot be read", "no certificate in PEM form",
			"openssl x509 -noout -subject -in " + empty},
		"bundle by variable": {Config{}, map[string]string{"AWS_CA_BUNDLE": nowhere}, "custom_ca_bundle", "Certificates cannot be read",
			"AWS_CA_BUNDLE names " + nowhere, "openssl x509"},
		"FIPS elsewhere": {Config{UseFIPSEndpoint: true}, map[string]string{"AWS_ENDPOINT_URL": "http://x"}, "use_fips_endpoint", "Conflicting endpoints",
			"use_fips_endpoint, or its variable, asks", "unset AWS_ENDPOINT_URL"},
		"FIPS by variable elsewhere": {Config{}, map[string]string{"AWS_USE_FIPS_ENDPOINT": "true", "AWS_ENDPOINT_URL": "http://x"}, "use_fips_endpoint",
			"Conflicting endpoints", "or its variable, asks", "unset AWS_ENDPOINT_URL"},
		"dual stack elsewhere": {Config{}, map[string]string{"AWS_USE_DUALSTACK_ENDPOINT": "true", "AWS_ENDPOINT_URL_EC2": "http://x"},
			"use_dualstack_endpoint", "Conflicting endpoints", "AWS_ENDPOINT_URL_EC2 for one elsewhere", "unset AWS_ENDPOINT_URL_EC2"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			fake := startSTS(t, "")
			c := test.set
			c.Region, c.AccessKey, c.SecretKey, c.Endpoints = "eu-west-1", "AKIAUSER", secretCanary, map[string]string{"sts": fake.url}
			_, err := Open(t.Context(), c)
			wantProblem(t, err, test.argument, test.summary, test.cause, test.next)
			if got := fake.actions(); len(got) > 0 {
				t.Errorf("called %q", got)
			}
		})
	}
}

// TestCheckRegion refuses the names of regions that are none in arguments of data sources, unless every name is to pass.
func TestCheckRegion(t *testing.T) {
	s := New(aws.Config{}, "111122223333", "eu-west-1")
	if err := s.CheckRegion("regions", "eu-central-1"); err != nil {
		t.Error(err)
	}
	var problem *ConfigError
	if err := s.CheckRegion("regions", "eu-nowhere-9"); !errors.As(err, &problem) || problem.Argument != "regions" || problem.Summary != "Unknown AWS region" {
		t.Errorf("eu-nowhere-9: %v", err)
	}
	if s.CheckRegion("regions", "") == nil {
		t.Error("an empty name passes")
	}
	s.shared.anyRegion = true
	if err := s.In("eu-central-1").CheckRegion("regions", "eu-nowhere-9"); err != nil {
		t.Errorf("with skip_region_validation: %v", err)
	}
}
