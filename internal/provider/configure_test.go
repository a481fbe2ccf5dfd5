package provider

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// values are the arguments of a provider block; what is left out is null, blocks are empty.
type values map[string]tftypes.Value

var unknownText = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)

func str(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
func yes() tftypes.Value         { return tftypes.NewValue(tftypes.Bool, true) }
func num(n int) tftypes.Value    { return tftypes.NewValue(tftypes.Number, n) }
func null() tftypes.Value        { return tftypes.NewValue(tftypes.String, nil) }

// plain is a block that the fake STS at url serves.
func plain(url string, more values) values {
	v := values{
		"estate": str("prod"), "region": str("eu-west-1"), "access_key": str("AKIAUSER"), "secret_key": str("s"),
		"max_retries": num(1), "endpoints": blockOf(values{"sts": str(url)}),
	}
	for name, value := range more {
		v[name] = value
	}
	return v
}

func set(elements ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, elements)
}

func dict(tags map[string]string) tftypes.Value {
	m := map[string]tftypes.Value{}
	for key, value := range tags {
		m[key] = str(value)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, m)
}

// blockOf marks the content of a nested block that stands once; objectOf completes it.
func blockOf(content ...values) tftypes.Value {
	var members []tftypes.Value
	for _, c := range content {
		kinds := map[string]tftypes.Type{}
		for name, v := range c {
			kinds[name] = v.Type()
		}
		members = append(members, tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, map[string]tftypes.Value(c)))
	}
	kinds := make([]tftypes.Type, len(members))
	for i, m := range members {
		kinds[i] = m.Type()
	}
	return tftypes.NewValue(tftypes.Tuple{ElementTypes: kinds}, members)
}

// objectOf completes values to the type: null for what is missing, blocks from blockOf.
func objectOf(t *testing.T, kind tftypes.Object, v values) tftypes.Value {
	t.Helper()
	full := map[string]tftypes.Value{}
	for name, attribute := range kind.AttributeTypes {
		full[name] = tftypes.NewValue(attribute, nil)
		var element tftypes.Type
		switch a := attribute.(type) {
		case tftypes.List:
			element = a.ElementType
		case tftypes.Set:
			element = a.ElementType
		}
		object, isBlock := element.(tftypes.Object)
		given, ok := v[name]
		switch {
		case isBlock && ok && given.IsKnown():
			var members, complete []tftypes.Value
			if err := given.As(&members); err != nil {
				t.Fatal(err)
			}
			for _, m := range members {
				content := map[string]tftypes.Value{}
				if err := m.As(&content); err != nil {
					t.Fatal(err)
				}
				complete = append(complete, objectOf(t, object, content))
			}
			full[name] = tftypes.NewValue(attribute, complete)
		case isBlock && ok:
			full[name] = tftypes.NewValue(attribute, tftypes.UnknownValue)
		case isBlock:
			full[name] = tftypes.NewValue(attribute, []tftypes.Value{})
		case ok:
			full[name] = given
		}
	}
	for name := range v {
		if _, ok := kind.AttributeTypes[name]; !ok {
			t.Fatalf("the schema has no %s", name)
		}
	}
	return tftypes.NewValue(kind, full)
}

// configure sends the block through the protocol server, as core does.
func configure(t *testing.T, p *Provider, v values) []*tfprotov6.Diagnostic {
	t.Helper()
	server, config := serve(t, p, v)
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

func serve(t *testing.T, p *Provider, v values) (tfprotov6.ProviderServer, *tfprotov6.DynamicValue) {
	t.Helper()
	kind, ok := configSchema().Type().TerraformType(context.Background()).(tftypes.Object)
	if !ok {
		t.Fatal("the schema is no object")
	}
	config, err := tfprotov6.NewDynamicValue(kind, objectOf(t, kind, v))
	if err != nil {
		t.Fatal(err)
	}
	return p.server(), &config
}

// bareEnvironment hides whatever the machine has set for AWS or for us, until the test ends.
func bareEnvironment(t *testing.T) {
	t.Helper()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "TOFU_") || strings.HasPrefix(name, "TF_A") || strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			t.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	nowhere := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", nowhere)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", nowhere)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

// startSTS serves account 111122223333, or the error code, and returns the URL and what was asked of it.
func startSTS(t *testing.T, code string) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
		key, _, _ := strings.Cut(scope, "/")
		*asked = append(*asked, strings.Join([]string{r.Form.Get("Action"), r.Form.Get("RoleArn"), r.Form.Get("DurationSeconds"), r.Form.Get("Tags.member.1.Value"), key}, " "))
		answer := `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/test</Arn><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`
		switch {
		case code != "":
			w.WriteHeader(http.StatusForbidden)
			answer = fmt.Sprintf(`<ErrorResponse><Error><Code>%s</Code><Message>Refused by the test</Message></Error><RequestId>req-1</RequestId></ErrorResponse>`, code)
		case strings.HasPrefix(r.Form.Get("Action"), "AssumeRole"):
			answer = fmt.Sprintf(`<%[1]sResponse><%[1]sResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></%[1]sResult></%[1]sResponse>`, r.Form.Get("Action"))
		}
		_, _ = io.WriteString(w, answer) // #nosec G705 -- for the client under test, no browser; one that hangs up sees an error of its own
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// refusing returns the URL of a port that nobody listens on.
func refusing(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

// one asserts that there is exactly one diagnostic and that it says what, why and what next.
func one(t *testing.T, diags []*tfprotov6.Diagnostic, severity tfprotov6.DiagnosticSeverity, at, summary string, texts ...string) {
	t.Helper()
	if len(diags) != 1 {
		t.Fatalf("%d diagnostics, want %q alone: %s", len(diags), summary, render(diags))
	}
	d := diags[0]
	if d.Severity != severity || d.Summary != summary {
		t.Errorf("got %s", render(diags))
	}
	got := ""
	if d.Attribute != nil {
		got = argument(d.Attribute)
	}
	if got != at {
		t.Errorf("the diagnostic is at %q, want %q", got, at)
	}
	for _, text := range texts {
		if !strings.Contains(d.Detail, text) {
			t.Errorf("the detail lacks %q:\n%s", text, d.Detail)
		}
	}
}

func render(diags []*tfprotov6.Diagnostic) string {
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "\n%s: %s\n%s\n", d.Severity, d.Summary, d.Detail)
	}
	return b.String()
}

func TestConfigureRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change  values
		env     map[string]string
		code    string
		at      string
		summary string
		texts   []string
	}{
		"no estate": {values{"estate": tftypes.NewValue(tftypes.String, nil)}, nil, "", "estate", "Missing estate",
			[]string{"neither the argument estate nor TOFU_ESTATE is set", `estate = "networking-${terraform.workspace}"`, "export TOFU_ESTATE=networking-prod"}},
		"estate with a capital": {values{"estate": str("Prod")}, nil, "", "estate", "Invalid estate name",
			[]string{`"Prod"`, "[a-z][a-z0-9-]{0,127}", `estate = "networking-prod"`}},
		"empty estate does not fall back": {values{"estate": str("")}, map[string]string{"TOFU_ESTATE": "prod"}, "", "estate", "Invalid estate name",
			[]string{"is empty", `estate = "networking-prod"`}},
		"variable with a capital": {values{"estate": tftypes.NewValue(tftypes.String, nil)}, map[string]string{"TOFU_ESTATE": "Prod"}, "", "estate", "Invalid estate name",
			[]string{"TOFU_ESTATE is not valid", `"Prod"`, "export TOFU_ESTATE=networking-prod"}},
		"previous estate with a space": {values{"previous_estates": set(str("a b"))}, nil, "", "previous_estates", "Invalid estate name",
			[]string{"previous_estates is not valid", `"a b"`, `previous_estates = ["networking-old"]`}},
		"estate is its own predecessor": {values{"previous_estates": set(str("old"), str("prod"))}, nil, "", "previous_estates", "Estate among its previous names",
			[]string{`holds "prod"`, `previous_estates = ["networking-old"]`}},
		"on_existing": {values{"on_existing": str("replace")}, nil, "", "on_existing", "Invalid on_existing",
			[]string{`on_existing is "replace"`, `"adopt", "error" or "create"`, `on_existing = "adopt"`}},
		"TOFU_ON_EXISTING": {values{"on_existing": str("adopt")}, map[string]string{"TOFU_ON_EXISTING": "yes"}, "", "on_existing", "Invalid on_existing",
			[]string{`TOFU_ON_EXISTING is "yes"`, "unset TOFU_ON_EXISTING"}},
		"marker in default_tags": {values{"default_tags": blockOf(values{"tags": dict(map[string]string{"Team": "x", "Tofu-Address-2": "y"})})}, nil, "", "default_tags", "Marker key in default_tags",
			[]string{`"Tofu-Address-2"`, `estate = "networking-prod"`}},
		"marker in ignore_tags": {values{"ignore_tags": blockOf(values{"keys": set(str("tofu-slot"))})}, nil, "", "ignore_tags", "Marker key in ignore_tags",
			[]string{`keys holds "tofu-slot"`, "cannot be ignored", `key_prefixes = ["kubernetes.io/"]`}},
		"prefix of markers": {values{"ignore_tags": blockOf(values{"key_prefixes": set(str("tofu-"))})}, nil, "", "ignore_tags", "Marker key in ignore_tags",
			[]string{`key_prefixes holds "tofu-"`, `matches "tofu-estate"`, `key_prefixes = ["kubernetes.io/"]`}},
		"prefix of one marker": {values{"ignore_tags": blockOf(values{"key_prefixes": set(str("TOFU-B"))})}, nil, "", "ignore_tags", "Marker key in ignore_tags",
			[]string{`matches "tofu-binding"`, "key_prefixes = "}},
		"default tag ignored": {values{"default_tags": blockOf(values{"tags": dict(map[string]string{"Team": "x"})}), "ignore_tags": blockOf(values{"keys": set(str("Team"))})}, nil, "",
			"default_tags", "Default tag that is ignored", []string{`default_tags holds "Team"`, `keys holds "Team"`, "ignore_tags { keys = [] }"}},
		"default tag ignored by prefix": {values{"default_tags": blockOf(values{"tags": dict(map[string]string{"team/name": "x"})}), "ignore_tags": blockOf(values{"key_prefixes": set(str("team/"))})}, nil, "",
			"default_tags", "Default tag that is ignored", []string{`"team/name"`, `key_prefixes holds "team/"`, "ignore_tags {"}},
		"duration without a unit": {values{"assume_role": blockOf(values{"role_arn": str("arn:aws:iam::1:role/a"), "duration": str("3600")})}, nil, "",
			"assume_role[0].duration", "Invalid role duration", []string{`"3600"`, `duration = "1h"`}},
		"web identity's duration without a unit": {values{"access_key": null(), "secret_key": null(),
			"assume_role_with_web_identity": blockOf(values{"role_arn": str("arn:aws:iam::1:role/a"), "web_identity_token": str("t"), "duration": str("3600")})}, nil, "",
			"assume_role_with_web_identity[0].duration", "Invalid role duration", []string{`"3600"`, `duration = "1h"`}},
		"web identity beside a key": {values{"assume_role_with_web_identity": blockOf(values{"role_arn": str("arn:aws:iam::1:role/a")})}, nil, "",
			"assume_role_with_web_identity", "Two sources of credentials", []string{"exclude each other", "assume_role {"}},
		"marker in a default tag of the environment": {nil, map[string]string{"TF_AWS_DEFAULT_TAGS_tofu-estate": "x"}, "", "default_tags", "Marker key in default_tags",
			[]string{`TF_AWS_DEFAULT_TAGS_tofu-estate holds "tofu-estate"`, "env -u TF_AWS_DEFAULT_TAGS_tofu-estate tofu plan"}},
		"marker in ignored keys of the environment": {nil, map[string]string{"TF_AWS_IGNORE_TAGS_KEYS": "a, tofu-slot"}, "", "ignore_tags", "Marker key in ignore_tags",
			[]string{"or in its variables", `keys holds "tofu-slot"`, "key_prefixes = "}},
		"role without an ARN": {values{"assume_role": blockOf(values{"session_name": str("x")})}, nil, "",
			"assume_role", "Role without an ARN", []string{"no role_arn", "role_arn = "}},
		"metadata check": {values{"skip_metadata_api_check": str("maybe")}, nil, "", "skip_metadata_api_check", "Invalid skip_metadata_api_check",
			[]string{`"maybe"`, "skip_metadata_api_check = true"}},
		"wrong account": {values{"allowed_account_ids": set(str("999999999999"))}, nil, "", "allowed_account_ids", "Wrong AWS account",
			[]string{"belong to account 111122223333", "holds 999999999999", "aws sts get-caller-identity"}},
		"forbidden account": {values{"forbidden_account_ids": set(str("111122223333"))}, nil, "", "forbidden_account_ids", "Wrong AWS account",
			[]string{"belong to account 111122223333", "aws sts get-caller-identity"}},
		"expired": {nil, nil, "ExpiredToken", "", "Expired AWS credentials", []string{"ExpiredToken: Refused by the test (request req-1)", "AWS_SESSION_TOKEN"}},
		"no credentials": {values{"access_key": tftypes.NewValue(tftypes.String, nil), "secret_key": tftypes.NewValue(tftypes.String, nil)}, nil, "",
			"", "No AWS credentials", []string{"Neither the provider block", `profile = "example"`}},
		"no region": {values{"region": tftypes.NewValue(tftypes.String, nil)}, nil, "", "region", "No AWS region", []string{"AWS_REGION", `region = "eu-west-1"`}},
		"region":    {values{"region": str("mars-1")}, nil, "", "region", "Unknown AWS region", []string{`"mars-1"`, "skip_region_validation = true"}},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			url, _ := startSTS(t, test.code)
			p := New("test")
			diags := configure(t, p, plain(url, test.change))
			one(t, diags, tfprotov6.DiagnosticSeverityError, test.at, test.summary, test.texts...)
			if p.walk.Load() != nil {
				t.Error("a walk began all the same")
			}
		})
	}
}

func TestConfigureGivesUpOnAnEndpointThatRefuses(t *testing.T) {
	bareEnvironment(t)
	url := refusing(t)
	start := time.Now()
	diags := configure(t, New("test"), plain(url, nil))
	one(t, diags, tfprotov6.DiagnosticSeverityError, "", "AWS endpoint does not answer", "connection refused", "curl -sSI "+url)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestConfigureHandsOverAWalk(t *testing.T) {
	bareEnvironment(t)
	url, asked := startSTS(t, "")
	p := New("test")
	diags := configure(t, p, plain(url, values{
		"previous_estates": set(str("old")),
		"on_existing":      str("error"),
		"default_tags":     blockOf(values{"tags": dict(map[string]string{"Team": "x"})}),
		"ignore_tags":      blockOf(values{"keys": set(str("Owner")), "key_prefixes": set(str("kubernetes.io/"))}),
		"assume_role": blockOf(
			values{"role_arn": str("arn:aws:iam::1:role/a"), "duration": str("30m"), "tags": dict(map[string]string{"k": "v"})},
			values{"role_arn": str("arn:aws:iam::1:role/b")},
		),
	}))
	if len(diags) > 0 {
		t.Fatal(render(diags))
	}
	w := p.walk.Load()
	if w.Session == nil || w.Session.Account != "111122223333" || w.Session.Region != "eu-west-1" {
		t.Errorf("session is %+v", w.Session)
	}
	if w.Estate.ValueString() != "prod" || !slices.Equal(w.PreviousEstates, []string{"old"}) || w.OnExisting != engine.Refuse || len(w.Unknown) > 0 {
		t.Errorf("configuration is %+v", w.Configuration)
	}
	if w.DefaultTags.Elements()["Team"] != types.StringValue("x") || !slices.Equal(w.IgnoreKeys, []string{"Owner"}) || !slices.Equal(w.IgnorePrefixes, []string{"kubernetes.io/"}) {
		t.Errorf("tags are %+v", w.Configuration)
	}
	want := []string{"AssumeRole arn:aws:iam::1:role/a 1800 v AKIAUSER", "AssumeRole arn:aws:iam::1:role/b 900  ASIAROLE", "GetCallerIdentity    ASIAROLE"}
	if got := slices.Compact(*asked); !slices.Equal(got, want) {
		t.Errorf("STS was asked %q, want %q", got, want)
	}
	before := p.walk.Load()
	configure(t, p, plain(url, nil))
	if p.walk.Load() == before {
		t.Error("a second Configure must begin a new walk")
	}
}

func TestEnvironment(t *testing.T) {
	null := tftypes.NewValue(tftypes.String, nil)
	for name, test := range map[string]struct {
		estate, rule       tftypes.Value
		estateVar, ruleVar string
		wantEstate         types.String
		wantRule           engine.OnExisting
	}{
		"nothing but the block":          {str("prod"), null, "", "", types.StringValue("prod"), ""},
		"variables alone":                {null, null, "fromenv", "create", types.StringValue("fromenv"), engine.Beside},
		"block and variables":            {str("prod"), str("error"), "fromenv", "adopt", types.StringValue("prod"), engine.Adopt},
		"unknown estate is not replaced": {unknownText, str("create"), "fromenv", "", types.StringUnknown(), engine.Beside},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			t.Setenv("TOFU_ESTATE", test.estateVar)
			t.Setenv("TOFU_ON_EXISTING", test.ruleVar)
			url, _ := startSTS(t, "")
			p := New("test")
			diags := configure(t, p, plain(url, values{"estate": test.estate, "on_existing": test.rule}))
			w := p.walk.Load()
			if w == nil {
				t.Fatal(render(diags))
			}
			if !w.Estate.Equal(test.wantEstate) || w.OnExisting != test.wantRule {
				t.Errorf("estate %s, on_existing %q", w.Estate, w.OnExisting)
			}
		})
	}
}

func TestUnknownConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		change  values
		unknown []string
		session bool
	}{
		"region and role": {values{"region": unknownText, "assume_role": blockOf(values{"role_arn": unknownText})}, []string{"assume_role[0].role_arn", "region"}, false},
		"endpoint":        {values{"endpoints": blockOf(values{"ec2": unknownText})}, []string{"endpoints.ec2"}, false},
		"whole block":     {values{"assume_role": unknownText}, []string{"assume_role"}, false},
		"token": {values{"assume_role_with_web_identity": blockOf(values{"web_identity_token": unknownText})},
			[]string{"assume_role_with_web_identity[0].web_identity_token"}, false},
		"proxies":        {values{"http_proxy": unknownText, "https_proxy": unknownText}, []string{"http_proxy", "https_proxy"}, false},
		"previous names": {values{"previous_estates": set(unknownText, str("old"))}, []string{"previous_estates"}, false},
		"estate":         {values{"estate": unknownText}, []string{"estate"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			url, asked := startSTS(t, "")
			p := New("test")
			diags := configure(t, p, plain(url, test.change))
			one(t, diags, tfprotov6.DiagnosticSeverityWarning, "", "Provider configuration not known yet",
				strings.Join(test.unknown, ", "), "Existing objects cannot be checked in this plan", "tofu apply -target=ADDRESS")
			w := p.walk.Load()
			if !slices.Equal(w.Unknown, test.unknown) || (w.Session != nil) != test.session || (len(*asked) > 0) != test.session {
				t.Errorf("unknown %v, session %v, asked %v", w.Unknown, w.Session, *asked)
			}
		})
	}
	t.Run("default tags alone", func(t *testing.T) {
		bareEnvironment(t)
		url, _ := startSTS(t, "")
		p := New("test")
		tags := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"Team": unknownText})
		if diags := configure(t, p, plain(url, values{"default_tags": blockOf(values{"tags": tags})})); len(diags) > 0 {
			t.Fatal(render(diags))
		}
		if w := p.walk.Load(); w.Session == nil || len(w.Unknown) > 0 || !w.DefaultTags.Elements()["Team"].IsUnknown() {
			t.Errorf("configuration is %+v", w.Configuration)
		}
	})
}

func TestAccountCheckOff(t *testing.T) {
	bareEnvironment(t)
	url, asked := startSTS(t, "")
	p := New("test")
	diags := configure(t, p, plain(url, values{"skip_requesting_account_id": yes(), "skip_credentials_validation": yes()}))
	one(t, diags, tfprotov6.DiagnosticSeverityWarning, "skip_requesting_account_id", "Account check off", "another one", "skip_requesting_account_id = false")
	if w := p.walk.Load(); w.Session.Account != "" || len(*asked) > 0 {
		t.Errorf("account %q, asked %v", w.Session.Account, *asked)
	}
}

// Validate knows no environment: no estate is fine there, a wrong one is not.
func TestValidate(t *testing.T) {
	for name, test := range map[string]struct {
		change  values
		summary string
	}{
		"no estate":    {values{"estate": tftypes.NewValue(tftypes.String, nil)}, ""},
		"wrong estate": {values{"estate": str("Prod")}, "Invalid estate name"},
		"settings for the run": {values{"assume_role_with_web_identity": blockOf(values{}), "custom_ca_bundle": str("/nowhere/ca.pem"),
			"ec2_metadata_service_endpoint": str("http://127.0.0.1:1")}, ""},
		"marker": {values{"default_tags": blockOf(values{"tags": dict(map[string]string{"tofu-estate": "x"})})}, "Marker key in default_tags"},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			server, config := serve(t, New("test"), plain("http://127.0.0.1:1", test.change))
			resp, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
			if err != nil {
				t.Fatal(err)
			}
			if test.summary == "" && len(resp.Diagnostics) == 0 {
				return
			}
			if len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != test.summary {
				t.Error(render(resp.Diagnostics))
			}
		})
	}
}
