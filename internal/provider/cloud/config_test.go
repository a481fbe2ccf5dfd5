package cloud

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

func TestOpenFindsTheAccount(t *testing.T) {
	bareEnvironment(t)
	fake := startSTS(t, "")
	s, err := Open(t.Context(), static(fake.url))
	if err != nil {
		t.Fatal(err)
	}
	if s.Account != "111122223333" || s.Partition != "aws" || s.Region != "eu-west-1" {
		t.Errorf("session is %s %s %s", s.Account, s.Partition, s.Region)
	}
	if got := fake.actions(); !slices.Equal(got, []string{"GetCallerIdentity by AKIAUSER"}) {
		t.Errorf("calls are %q", got)
	}
	if agent := fake.calls[0].Agent; !strings.Contains(agent, "terraform-provider-estate/1.2.3") {
		t.Errorf("user agent %q does not name the provider", agent)
	}
	if got := s.shared.config.Retryer().MaxAttempts(); got != 25 {
		t.Errorf("a call is tried %d times, want 25", got)
	}
}

func TestRetries(t *testing.T) {
	for name, test := range map[string]struct {
		env  string
		set  int
		want int
	}{
		"nothing said": {"", 0, 25}, "environment": {"7", 0, 7}, "block over environment": {"7", 4, 4}, "one": {"", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			if test.env != "" {
				t.Setenv("AWS_MAX_ATTEMPTS", test.env)
			}
			c := static(startSTS(t, "").url)
			c.MaxRetries = test.set
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			config := Client(s, "sts", configOf)
			if got := config.Retryer().MaxAttempts(); got != test.want || config.RetryMaxAttempts != test.want {
				t.Errorf("%d and %d attempts, want %d", got, config.RetryMaxAttempts, test.want)
			}
		})
	}
}

func TestOpenSkips(t *testing.T) {
	bareEnvironment(t)
	for name, test := range map[string]struct {
		credentials, account bool
		want                 string
		calls                int
	}{
		"account skipped, credentials checked": {false, true, "", 1},
		"both skipped":                         {true, true, "", 0},
		"nothing skipped":                      {false, false, "111122223333", 1},
	} {
		t.Run(name, func(t *testing.T) {
			fake := startSTS(t, "")
			c := static(fake.url)
			c.SkipCredentialsValidation, c.SkipRequestingAccountID = test.credentials, test.account
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if s.Account != test.want || len(fake.actions()) != test.calls {
				t.Errorf("account %q after %v", s.Account, fake.actions())
			}
		})
	}
}

// A chain must work for keys in the block and for keys of the environment: aws-sdk-go-base has two ways.
func TestRoleChain(t *testing.T) {
	first, second := "arn:aws:iam::111122223333:role/first", "arn:aws:iam::111122223333:role/second"
	for _, source := range []string{"block", "environment", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL with block"} {
		t.Run(source, func(t *testing.T) {
			bareEnvironment(t)
			fake := startSTS(t, "")
			c := static(fake.url)
			c.AssumeRole = []Role{{RoleARN: first, ExternalID: "x"}, {RoleARN: second, Duration: time.Hour}}
			if strings.HasPrefix(source, "AWS_ENDPOINT_URL") {
				t.Setenv("AWS_ENDPOINT_URL", fake.url)
				c.Endpoints = nil
			}
			if !strings.HasSuffix(source, "block") {
				t.Setenv("AWS_ACCESS_KEY_ID", c.AccessKey)
				t.Setenv("AWS_SECRET_ACCESS_KEY", c.SecretKey)
				c.AccessKey, c.SecretKey, c.Token = "", "", ""
			}
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			// aws-sdk-go-base tries each role before it uses it, so that a pair of calls may stand for one.
			var asked []string
			for _, c := range fake.calls {
				who := "a role"
				if c.Key == "AKIAUSER" {
					who = "the user"
				}
				asked = append(asked, strings.TrimSpace(c.Action+" "+c.Role)+" by "+who)
			}
			want := []string{"AssumeRole " + first + " by the user", "AssumeRole " + second + " by a role", "GetCallerIdentity by a role"}
			if got := slices.Compact(asked); !slices.Equal(got, want) {
				t.Errorf("calls are %q, want %q", got, want)
			}
			if s.Account != "111122223333" {
				t.Errorf("account %q", s.Account)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	with := func(change func(*Config)) func(Config) Config {
		return func(c Config) Config { change(&c); return c }
	}
	for name, test := range map[string]struct {
		code          string
		change        func(Config) Config
		argument      string
		summary       string
		cause, detail string
	}{
		"not allowed": {"", with(func(c *Config) { c.AllowedAccountIDs = []string{"999999999999", "444455556666"} }),
			"allowed_account_ids", "Wrong AWS account",
			"belong to account 111122223333; allowed_account_ids holds 444455556666, 999999999999", "aws sts get-caller-identity"},
		"forbidden": {"", with(func(c *Config) { c.ForbiddenAccountIDs = []string{"111122223333"} }),
			"forbidden_account_ids", "Wrong AWS account", "belong to account 111122223333; forbidden_account_ids", "aws sts get-caller-identity"},
		"both lists": {"", with(func(c *Config) { c.AllowedAccountIDs, c.ForbiddenAccountIDs = []string{"1"}, []string{"2"} }),
			"forbidden_account_ids", "Conflicting account lists", "exclude each other", "allowed_account_ids = "},
		"check without account": {"", with(func(c *Config) { c.AllowedAccountIDs, c.SkipRequestingAccountID = []string{"1"}, true }),
			"allowed_account_ids", "Account check without an account", "skip_requesting_account_id forbids", "skip_requesting_account_id = false"},
		"expired": {"ExpiredToken", nil, "", "Expired AWS credentials", "ExpiredToken: Refused by the test", "aws sts get-caller-identity"},
		"expired role caller": {"ExpiredToken", with(func(c *Config) { c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}} }),
			"", "Expired AWS credentials", "(request req-1)", "AWS_SESSION_TOKEN"},
		"unknown key": {"InvalidClientTokenId", nil, "", "Invalid AWS credentials", "InvalidClientTokenId", "aws sts get-caller-identity"},
		"denied role": {"AccessDenied", with(func(c *Config) { c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}} }),
			"assume_role", "Role cannot be assumed", "Assuming arn:aws:iam::1:role/a failed: AccessDenied",
			"aws sts assume-role --role-session-name check --role-arn arn:aws:iam::1:role/a"},
		"no arn": {"", with(func(c *Config) { c.AssumeRole = []Role{{}} }), "assume_role", "Role without an ARN", "has no role_arn", "role_arn = "},
		"short session": {"", with(func(c *Config) { c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a", Duration: time.Minute}} }),
			"assume_role", "Invalid role duration", "is 1m0s", `duration = "1h"`},
		"no credentials": {"", with(func(c *Config) { c.AccessKey, c.SecretKey, c.Token = "", "", "" }),
			"", "No AWS credentials", "Neither the provider block, the environment", `profile = "example"`},
		"half a key":               {"", with(func(c *Config) { c.SecretKey = "" }), "access_key", "Incomplete AWS key", "secret_key is not", "profile = "},
		"token alone":              {"", with(func(c *Config) { c.AccessKey, c.SecretKey = "", "" }), "token", "Incomplete AWS key", "access_key is not", "profile = "},
		"no region":                {"", with(func(c *Config) { c.Region = "" }), "region", "No AWS region", "AWS_REGION", `region = "eu-west-1"`},
		"unknown region":           {"", with(func(c *Config) { c.Region = "mars-1" }), "region", "Unknown AWS region", `"mars-1"`, "skip_region_validation = true"},
		"unknown service":          {"", with(func(c *Config) { c.Endpoints = map[string]string{"ec3": "http://x"} }), "endpoints", "Unknown service in endpoints", `"ec3"`, "ec2 = "},
		"bad URL":                  {"", with(func(c *Config) { c.Endpoints = map[string]string{"ec2": "localhost:1"} }), "endpoints", "Invalid endpoint", `"localhost:1"`, "ec2 = "},
		"bad URL with a password":  {"", with(func(c *Config) { c.Endpoints = map[string]string{"ec2": "ftp://me:canary/ @host"} }), "endpoints", "Invalid endpoint", `"ftp://(hidden)@host"`, "ec2 = "},
		"metadata with a password": {"", with(func(c *Config) { c.MetadataEndpoint = "ftp://me:canary@host" }), "ec2_metadata_service_endpoint", "Invalid metadata endpoint", `"ftp://(hidden)@host"`, "http://169.254.169.254"},
		"two URLs":                 {"", with(func(c *Config) { c.Endpoints = map[string]string{"sfn": "http://x", "stepfunctions": "http://y"} }), "endpoints", "Two endpoints for one service", "stepfunctions is another name of sfn", "sfn = "},
		"negative retries":         {"", with(func(c *Config) { c.MaxRetries = -1 }), "max_retries", "Invalid max_retries", "is -1", "max_retries = 25"},
		"retry mode":               {"", with(func(c *Config) { c.RetryMode = "quick" }), "retry_mode", "Invalid retry_mode", `"quick"`, `retry_mode = "standard"`},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			fake := startSTS(t, test.code)
			c := static(fake.url)
			c.MaxRetries = 1
			if test.change != nil {
				c = test.change(c)
			}
			_, err := Open(t.Context(), c)
			var problem *ConfigError
			if !errors.As(err, &problem) {
				t.Fatalf("got %v", err)
			}
			if problem.Argument != test.argument || problem.Summary != test.summary {
				t.Errorf("got %q at %q: %s", problem.Summary, problem.Argument, problem.Cause)
			}
			if !strings.Contains(problem.Cause, test.cause) || !strings.Contains(problem.Next, test.detail) {
				t.Errorf("detail is\n%s", problem.Detail())
			}
			if strings.Contains(problem.Detail(), "canary") {
				t.Errorf("the detail shows a secret:\n%s", problem.Detail())
			}
		})
	}
}

func TestProfileIsNamedInTheWayOut(t *testing.T) {
	e := Config{Profile: "prod"}
	if got := e.renewal(errors.New("x")); !strings.Contains(got, "aws sso login --profile prod") {
		t.Errorf("got %s", got)
	}
}

func TestOpenGivesUpOnAnEndpointThatRefuses(t *testing.T) {
	for _, role := range []bool{false, true} {
		t.Run(fmt.Sprintf("role %t", role), func(t *testing.T) {
			bareEnvironment(t)
			url := refusing(t)
			c := static(url)
			c.MaxRetries = 1
			if role {
				c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
			}
			start := time.Now()
			_, err := Open(t.Context(), c)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
			var problem *ConfigError
			if !errors.As(err, &problem) || problem.Summary != "AWS endpoint does not answer" {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(problem.Cause, "connection refused") || !strings.HasSuffix(problem.Next, "curl -sSI "+url) {
				t.Errorf("detail is\n%s", problem.Detail())
			}
		})
	}
}

// With the attempts of service calls a wrong URL would look like a provider that hangs.
func TestOpenTriesADeadEndpointAFewTimes(t *testing.T) {
	for name, test := range map[string]struct {
		retries int
		role    bool
		want    int32
	}{
		"one": {1, false, 1}, "one at a role": {1, true, 1}, "default": {0, false, 3}, "many": {25, false, 3}, "many at a role": {25, true, 3},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			url, tries := hangingUp(t)
			c := static(url)
			c.MaxRetries = test.retries
			if test.role {
				c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
			}
			_, err := Open(t.Context(), c)
			var problem *ConfigError
			if !errors.As(err, &problem) || problem.Summary != "AWS endpoint does not answer" {
				t.Fatalf("got %v", err)
			}
			if got := tries.Load(); got != test.want {
				t.Errorf("%d attempts, want %d", got, test.want)
			}
		})
	}
}

func TestOpenGivesUpOnAnEndpointThatHangs(t *testing.T) {
	bareEnvironment(t)
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer server.Close()
	defer close(done)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, static(server.URL))
	var problem *ConfigError
	if !errors.As(err, &problem) || problem.Summary != "AWS endpoint does not answer" {
		t.Fatalf("got %v", err)
	}
}

func TestLogHoldsNoSecret(t *testing.T) {
	bareEnvironment(t)
	var log bytes.Buffer
	t.Setenv("TF_LOG", "TRACE")
	ctx := tflogtest.RootLogger(t.Context(), &log)
	c := static(startSTS(t, "").url)
	c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a", ExternalID: "canary-external-id"}}
	c.Endpoints["sts"] = strings.Replace(c.Endpoints["sts"], "//", "//me:canary-of-the-endpoint@", 1) // which the library logs
	if _, err := Open(ctx, c); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, static(startSTS(t, "SignatureDoesNotMatch").url)); err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`"operation":"GetCallerIdentity"`, `"code":"SignatureDoesNotMatch"`, `"request_id":"req-1"`, "provider.aws"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "canary") {
		t.Errorf("the log shows a secret:\n%s", log.String())
	}
}

// configOf stands for a service client: this package imports none.
func configOf(c aws.Config) *aws.Config { return &c }

func TestEndpointOfAClient(t *testing.T) {
	for name, test := range map[string]struct {
		block, general, specific bool
		want                     string
	}{
		"block wins over both":     {true, true, true, "block"},
		"block wins over specific": {true, false, true, "block"},
		"block wins over general":  {true, true, false, "block"},
		"specific wins":            {false, true, true, "specific"},
		"general":                  {false, true, false, "general"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			fakes := map[string]*fakeSTS{"block": startSTS(t, ""), "general": startSTS(t, ""), "specific": startSTS(t, "")}
			c := static("")
			c.SkipCredentialsValidation, c.SkipRequestingAccountID = true, true
			if test.block {
				c.Endpoints["sts"] = fakes["block"].url
			}
			if test.general {
				t.Setenv("AWS_ENDPOINT_URL", fakes["general"].url)
			}
			if test.specific {
				t.Setenv("AWS_ENDPOINT_URL_STS", fakes["specific"].url)
			}
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			// The library builds a real client of this configuration, as a service package would.
			if _, _, diags := awsbase.GetAwsAccountIDAndPartition(t.Context(), *Client(s, "sts", configOf), &awsbase.Config{}); diags.HasError() {
				t.Fatal(diags)
			}
			for name, fake := range fakes {
				if got := len(fake.actions()); (got == 1) != (name == test.want) {
					t.Errorf("%s was called %d times, want %s alone", name, got, test.want)
				}
			}
		})
	}
}

func TestClientsOfASession(t *testing.T) {
	bareEnvironment(t)
	c := static("http://127.0.0.1:1")
	c.SkipCredentialsValidation, c.SkipRequestingAccountID, c.S3UsePathStyle = true, true, true
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	client, other := Client(s, "sts", configOf), Client(s.In("us-east-1"), "sts", configOf)
	if Client(s, "sts", configOf) != client || other == client {
		t.Error("a client belongs to one region and is made once")
	}
	if client.Region != "eu-west-1" || other.Region != "us-east-1" || s.In("") != s {
		t.Errorf("regions are %s and %s", client.Region, other.Region)
	}
	if !s.PathStyle() || s.Account != "" {
		t.Error("s3_use_path_style or skip_requesting_account_id is lost")
	}
	httpClient, ok := client.HTTPClient.(*awshttp.BuildableClient)
	if !ok || httpClient.GetTransport().ResponseHeaderTimeout != answerLimit {
		t.Errorf("a request may wait for ever for its answer: %T", client.HTTPClient)
	}
}

func TestNew(t *testing.T) {
	for region, want := range map[string]string{"eu-west-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "mars-1": "aws"} {
		s := New(aws.Config{}, "111122223333", region)
		if s.Partition != want || s.Account != "111122223333" || Client(s, "ec2", configOf).Region != region {
			t.Errorf("%s: session is %+v", region, s)
		}
	}
}

func TestEndpointNames(t *testing.T) {
	names := EndpointNames()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("names are not sorted or not unique")
	}
	for alias, service := range aliases {
		if !slices.Contains(services, service) || slices.Contains(services, alias) {
			t.Errorf("%s is no alias of a known service", alias)
		}
	}
	c := Config{Endpoints: map[string]string{"stepfunctions": "http://x", "ec2": "", "iam": "http://y"}}
	urls, err := c.checkEndpoints()
	if err != nil || len(urls) != 2 || urls["sfn"] != "http://x" || urls["iam"] != "http://y" {
		t.Errorf("got %v, %v", urls, err)
	}
}
