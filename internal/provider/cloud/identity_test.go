package cloud

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

const webRole = "arn:aws:iam::111122223333:role/web"

// identity is a configuration without keys that assumes a role with a web identity.
func identity(url string, w *WebIdentity) Config {
	c := static(url)
	c.AccessKey, c.SecretKey, c.Token = "", "", ""
	c.MaxRetries, c.WebIdentity = 1, w
	return c
}

// tokenFile writes a file that holds the text.
func tokenFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWebIdentitySources(t *testing.T) {
	file := tokenFile(t, "from-the-file")
	t.Setenv("TOKEN_FOLDER", filepath.Dir(file))
	for name, test := range map[string]struct {
		block                *WebIdentity
		env                  map[string]string
		token, role, session string
	}{
		"token": {&WebIdentity{RoleARN: webRole, Token: "inline", SessionName: "s"}, nil, "inline", webRole, "s"},
		"file":  {&WebIdentity{RoleARN: webRole, TokenFile: file, SessionName: "s"}, nil, "from-the-file", webRole, "s"},
		"file by a variable in its path": {&WebIdentity{RoleARN: webRole, TokenFile: "$TOKEN_FOLDER/token", SessionName: "s"}, nil,
			"from-the-file", webRole, "s"},
		"empty block, file": {&WebIdentity{}, map[string]string{"AWS_ROLE_ARN": webRole, "AWS_ROLE_SESSION_NAME": "e", "AWS_WEB_IDENTITY_TOKEN_FILE": file},
			"from-the-file", webRole, "e"},
		"empty block, token": {&WebIdentity{}, map[string]string{"AWS_ROLE_ARN": webRole, "AWS_ROLE_SESSION_NAME": "e", "TF_AWS_WEB_IDENTITY_TOKEN": "v"},
			"v", webRole, "e"},
		"block over variables": {&WebIdentity{RoleARN: webRole, Token: "inline", SessionName: "s"}, map[string]string{
			"AWS_ROLE_ARN": "arn:aws:iam::1:role/other", "AWS_ROLE_SESSION_NAME": "e", "TF_AWS_WEB_IDENTITY_TOKEN": "v", "AWS_WEB_IDENTITY_TOKEN_FILE": file,
		}, "inline", webRole, "s"},
		"no block": {nil, map[string]string{"AWS_ROLE_ARN": webRole, "AWS_ROLE_SESSION_NAME": "e", "AWS_WEB_IDENTITY_TOKEN_FILE": file},
			"from-the-file", webRole, "e"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			fake := startSTS(t, "")
			s, err := Open(t.Context(), identity(fake.url, test.block))
			if err != nil {
				t.Fatal(err)
			}
			first, last := fake.calls[0], fake.calls[len(fake.calls)-1]
			got := []string{first.Action, first.Key, first.Role, first.Form.Get("WebIdentityToken"), first.Form.Get("RoleSessionName")}
			if want := []string{"AssumeRoleWithWebIdentity", "", test.role, test.token, test.session}; !slices.Equal(got, want) {
				t.Errorf("the first call is %q, want %q", got, want)
			}
			if last.Action != "GetCallerIdentity" || !strings.HasPrefix(last.Key, "ASIAROLE") || s.Account != "111122223333" {
				t.Errorf("the last call is %s by %s, the account %q", last.Action, last.Key, s.Account)
			}
		})
	}
}

func TestWebIdentityRequest(t *testing.T) {
	bareEnvironment(t)
	fake := startSTS(t, "")
	c := identity(fake.url, &WebIdentity{
		RoleARN: webRole, Token: webToken, SessionName: "s", Duration: 30 * time.Minute, Policy: `{"a":1}`, PolicyARNs: []string{"arn:aws:iam::aws:policy/p"},
	})
	c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::111122223333:role/second", SessionName: "t"}}
	if _, err := Open(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"Action": {"AssumeRoleWithWebIdentity"}, "Version": {"2011-06-15"}, "RoleArn": {webRole}, "RoleSessionName": {"s"}, "WebIdentityToken": {webToken},
		"DurationSeconds": {"1800"}, "Policy": {`{"a":1}`}, "PolicyArns.member.1.arn": {"arn:aws:iam::aws:policy/p"},
	}
	if got := fake.calls[0].Form; got.Encode() != want.Encode() {
		t.Errorf("sent %s, want %s", got.Encode(), want.Encode())
	}
	// aws-sdk-go-base tries each role before it uses it, so that a pair of calls may stand for one.
	var asked []string
	for _, c := range fake.calls {
		asked = append(asked, c.Action+" "+c.Role)
	}
	chain := []string{"AssumeRoleWithWebIdentity " + webRole, "AssumeRole arn:aws:iam::111122223333:role/second", "GetCallerIdentity "}
	if got := slices.Compact(asked); !slices.Equal(got, chain) {
		t.Errorf("calls are %q, want %q", got, chain)
	}
}

func TestWebIdentityRefused(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none")
	for name, test := range map[string]struct {
		code          string
		block         *WebIdentity
		env           map[string]string
		argument      string
		summary       string
		cause, detail string
	}{
		"by AWS": {"InvalidIdentityToken", &WebIdentity{RoleARN: webRole, Token: webToken}, nil, webIdentityBlock, "Role cannot be assumed",
			"Assuming " + webRole + " with a web identity failed: InvalidIdentityToken", "--role-arn " + webRole + " --web-identity-token TOKEN"},
		"expired": {"ExpiredTokenException", &WebIdentity{RoleARN: webRole, Token: webToken}, nil, webIdentityBlock, "Role cannot be assumed",
			"(hidden) (request req-1)", "must not have expired"},
		"file refused": {"AccessDenied", &WebIdentity{RoleARN: webRole, TokenFile: tokenFile(t, webToken+"\n")}, nil, webIdentityBlock, "Role cannot be assumed",
			"AccessDenied: Refused by the test", `--web-identity-token "$(cat `},
		"no block": {"AccessDenied", nil, map[string]string{"AWS_ROLE_ARN": webRole, "AWS_WEB_IDENTITY_TOKEN_FILE": tokenFile(t, "token")}, "", "Role cannot be assumed",
			"Assuming " + webRole + " with a web identity failed", `--web-identity-token "$(cat `},
		"no role": {"", &WebIdentity{Token: webToken}, nil, webIdentityBlock, "Role without an ARN", "AWS_ROLE_ARN is not set", "role_arn = "},
		"no token": {"", &WebIdentity{RoleARN: webRole}, nil, webIdentityBlock, "Web identity without a token",
			"neither TF_AWS_WEB_IDENTITY_TOKEN nor AWS_WEB_IDENTITY_TOKEN_FILE", "web_identity_token_file = "},
		"two tokens": {"", &WebIdentity{RoleARN: webRole, Token: webToken, TokenFile: nowhere}, nil, webIdentityBlock, "Web identity with two tokens",
			"exclude each other", "web_identity_token_file = "},
		"two variables": {"", &WebIdentity{RoleARN: webRole}, map[string]string{"TF_AWS_WEB_IDENTITY_TOKEN": webToken, "AWS_WEB_IDENTITY_TOKEN_FILE": nowhere},
			webIdentityBlock, "Web identity with two tokens", "exclude each other", "web_identity_token_file = "},
		"no file": {"", &WebIdentity{RoleARN: webRole, TokenFile: nowhere}, nil, webIdentityBlock, "Web identity token cannot be read",
			"no such file", "cat " + nowhere},
		"empty file": {"", &WebIdentity{RoleARN: webRole, TokenFile: tokenFile(t, "\n")}, nil, webIdentityBlock, "Web identity token cannot be read",
			"is empty", "cat "},
		"short session": {"", &WebIdentity{RoleARN: webRole, Token: webToken, Duration: time.Minute}, nil, webIdentityBlock, "Invalid role duration",
			"The duration of " + webRole + " is 1m0s", `duration = "1h"`},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			_, err := Open(t.Context(), identity(startSTS(t, test.code).url, test.block))
			wantProblem(t, err, test.argument, test.summary, test.cause, test.detail)
		})
	}
	t.Run("keys beside it", func(t *testing.T) {
		bareEnvironment(t)
		c := static("http://127.0.0.1:1")
		c.WebIdentity = &WebIdentity{RoleARN: webRole, Token: webToken}
		_, err := Open(t.Context(), c)
		wantProblem(t, err, webIdentityBlock, "Two sources of credentials", "access_key and assume_role_with_web_identity", "assume_role {")
	})
	t.Run("no region", func(t *testing.T) {
		bareEnvironment(t)
		c := identity("", &WebIdentity{RoleARN: webRole, Token: webToken})
		c.Region = ""
		_, err := Open(t.Context(), c)
		wantProblem(t, err, "region", "No AWS region", "AWS_REGION", `region = "eu-west-1"`)
	})
}

// wantProblem asserts where a problem is, what it says, and that it shows no secret.
func wantProblem(t *testing.T, err error, argument, summary, cause, next string) {
	t.Helper()
	var problem *ConfigError
	if !errors.As(err, &problem) {
		t.Fatalf("got %v", err)
	}
	if problem.Argument != argument || problem.Summary != summary {
		t.Errorf("got %q at %q: %s", problem.Summary, problem.Argument, problem.Cause)
	}
	if !strings.Contains(problem.Cause, cause) || !strings.Contains(problem.Next, next) {
		t.Errorf("detail is\n%s\nwant %s … %s", problem.Detail(), cause, next)
	}
	if strings.Contains(problem.Detail(), "canary") {
		t.Errorf("the detail shows a secret:\n%s", problem.Detail())
	}
}

func TestLogHoldsNoWebIdentityToken(t *testing.T) {
	for name, block := range map[string]*WebIdentity{
		// The library logs the session's name: it stands for what it may log one day.
		"inline": {RoleARN: webRole, SessionName: webToken, Token: webToken},
		"file":   {RoleARN: webRole, SessionName: webToken, TokenFile: tokenFile(t, webToken+"\n")},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			var log bytes.Buffer
			t.Setenv("TF_LOG", "TRACE")
			ctx := tflogtest.RootLogger(t.Context(), &log)
			if _, err := Open(ctx, identity(startSTS(t, "").url, block)); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(ctx, identity(startSTS(t, "InvalidIdentityToken").url, block)); err == nil {
				t.Fatal("no error")
			}
			logger{}.Warn(Config{WebIdentity: block}.hideInLog(withLog(ctx)), "a message with "+webToken, map[string]any{"field": "a " + webToken})
			if !strings.Contains(log.String(), "Assuming IAM Role With Web Identity") || !strings.Contains(log.String(), "a message with") {
				t.Errorf("the log lacks what it should hold:\n%s", log.String())
			}
			if strings.Contains(log.String(), "canary") {
				t.Errorf("the log shows a secret:\n%s", log.String())
			}
		})
	}
}
