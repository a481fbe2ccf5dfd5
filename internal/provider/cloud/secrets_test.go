package cloud

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// What an error quotes of a request is known by its form, in whatever way it is quoted.
func TestRedact(t *testing.T) {
	signature := strings.Repeat("0123456789abcdef", 4)
	for text, want := range map[string]string{
		"x-amz-security-token:canary\nhost":                         "x-amz-security-token:(hidden)\nhost",
		"X-Amz-Security-Token: canary+/= \r\n":                      "X-Amz-Security-Token: (hidden) \r\n",
		`"X-Amz-Security-Token": "canary", "Host"`:                  `"X-Amz-Security-Token": "(hidden)", "Host"`,
		"?X-Amz-Security-Token=canary%2F&X-Amz-Date=1":              "?X-Amz-Security-Token=(hidden)&X-Amz-Date=1",
		"SignedHeaders=host, Signature=" + signature + "\r\nHost":   "SignedHeaders=host, Signature=(hidden)\r\nHost",
		"&X-Amz-Signature=" + signature + "&a=b":                    "&X-Amz-Signature=(hidden)&a=b",
		"Proxy-Authorization: Basic Y2FuYXJ5\r\nHost":               "Proxy-Authorization: Basic (hidden)\r\nHost",
		"Action=AssumeRole&ExternalId=canary&RoleArn=r":             "Action=AssumeRole&ExternalId=(hidden)&RoleArn=r",
		"WebIdentityToken=canary.a.b":                               "WebIdentityToken=(hidden)",
		`Get "http://me:canary@proxy.example.com:3128/": refused`:   `Get "http://(hidden)@proxy.example.com:3128/": refused`,
		"parse failed of process output: {canary\n}, error: bad, x": "parse failed of process output: (hidden), error: bad, x",
		// Nothing of these is secret.
		"arn:aws:iam::1:role/a is not authorized":     "arn:aws:iam::1:role/a is not authorized",
		"the signature does not match":                "the signature does not match",
		"mail@example.com, https://a.example.com/b@c": "mail@example.com, https://a.example.com/b@c",
	} {
		if got := redact(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := Message(errors.New(text)); got != want {
			t.Errorf("the message of %q is %q, want %q", text, got, want)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	for address, want := range map[string]string{
		"http://me:canary@host":     "http://(hidden)@host",
		"http://me:canary/a@b@host": "http://(hidden)@host",
		"me:canary@host":            "(hidden)@host",
		"http://host:1":             "http://host:1",
		"":                          "",
	} {
		if got := withoutUser(address); got != want {
			t.Errorf("%q becomes %q, want %q", address, got, want)
		}
	}
}

// secretive has every secret that settings can have.
func secretive() Config {
	proxy := "http://me:canary-of-http@proxy.invalid:1"
	other := "me:canary%2Fof%2Fhttps@proxy.invalid:1"
	return Config{
		SecretKey: "canary/secret+key", Token: "canary/token", HTTPProxy: &proxy, HTTPSProxy: &other,
		AssumeRole:  []Role{{ExternalID: "canary-external-id", Policy: `{"Sid":"canary"}`}, {ExternalID: "short"}},
		WebIdentity: &WebIdentity{Token: "canary-of-the-web", Policy: `{"Sid":"canaryToo"}`},
	}
}

// The secrets of the settings are hidden by value, as they stand in the block and as they travel.
func TestSettingsAreHidden(t *testing.T) {
	c := secretive()
	for _, secret := range []string{
		"canary/secret+key", "canary/token", "canary-of-http", "canary/of/https", "canary-external-id", "canary-of-the-web", `{"Sid":"canary"}`, `{"Sid":"canaryToo"}`,
	} {
		for _, form := range []string{secret, url.QueryEscape(secret)} {
			if got := c.hide("before " + form + " after"); got != "before (hidden) after" {
				t.Errorf("%q: %q", form, got)
			}
		}
	}
	for _, userinfo := range []string{"me:canary-of-http", "me:canary/of/https"} {
		form := base64.StdEncoding.EncodeToString([]byte(userinfo))
		if got := c.hide("Basic " + form); got != "Basic (hidden)" {
			t.Errorf("%s: %q", userinfo, got)
		}
	}
	if got := c.hide("a short text"); got != "a short text" {
		t.Errorf("a value of a few letters spoils other words: %q", got)
	}
	if got := (Config{}).hide("a text"); got != "a text" {
		t.Errorf("without settings it is %q", got)
	}
}

// The errors of service calls hide them too, whatever they hold: a call may assume a role anew.
func TestErrorsOfCallsHideSettings(t *testing.T) {
	bareEnvironment(t)
	c := static("http://127.0.0.1:1")
	c.SkipCredentialsValidation, c.SkipRequestingAccountID = true, true
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	answered := &smithy.GenericAPIError{Code: "Refused", Message: "you sent " + secretCanary, Fault: smithy.FaultClient}
	for name, cause := range map[string]error{"an answer": fmt.Errorf("getting credentials: %w", answered), "no answer": errors.New("you sent " + secretCanary)} {
		stack := middleware.NewStack("call", smithyhttp.NewStackRequest)
		for _, option := range Client(s, "ec2", configOf).APIOptions {
			if err := option(stack); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := middleware.DecorateHandler(middleware.HandlerFunc(func(context.Context, any) (any, middleware.Metadata, error) {
			return nil, middleware.Metadata{}, cause
		}), stack).Handle(t.Context(), nil)
		if !errors.Is(err, cause) {
			t.Fatalf("%s: %v is not the cause any more", name, err)
		}
		for _, text := range []string{err.Error(), Message(err), fmt.Sprintf("%s", err), fmt.Sprintf("%v", err)} {
			if strings.Contains(text, "canary") || !strings.Contains(text, "you sent (hidden)") {
				t.Errorf("%s: the error is %q", name, text)
			}
		}
		if got, want := Code(err), Code(cause); got != want {
			t.Errorf("%s: the code is %q, want %q", name, got, want)
		}
	}
	var api smithy.APIError
	if !errors.As(c.discreet(answered), &api) || api.ErrorFault() != smithy.FaultClient {
		t.Error("the fault is lost")
	}
	if c.discreet(nil) != nil {
		t.Error("no error became one")
	}
}

// The SDK quotes what a credential_process printed, the secret key among it, where it cannot read it.
func TestOutputOfACredentialProcess(t *testing.T) {
	bareEnvironment(t)
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte("[profile p]\ncredential_process = printf 'SecretAccessKey: canary-of-the-process'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	t.Setenv("TF_LOG", "TRACE")
	_, err := Open(tflogtest.RootLogger(t.Context(), &log), Config{Region: "eu-west-1", Profile: "p", SharedConfigFiles: []string{file}})
	wantProblem(t, err, "", "No AWS credentials", "parse failed of process output: (hidden), error: ", "profile = ")
	if strings.Contains(log.String(), "canary") {
		t.Errorf("the log shows a secret:\n%s", log.String())
	}
}
