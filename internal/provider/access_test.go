package provider

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

func list(elements ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, elements)
}

// everything sets each argument that is about AWS access, to a value of its own.
func everything() values {
	return values{
		"region": str("eu-west-1"), "profile": str("a profile"), "access_key": str("AKIAUSER"), "secret_key": str("s"), "token": str("t"),
		"shared_config_files": list(str("c1"), str("c2")), "shared_credentials_files": list(str("d")),
		"allowed_account_ids": set(str("1")), "forbidden_account_ids": set(str("2")),
		"max_retries": num(3), "retry_mode": str("adaptive"), "token_bucket_rate_limiter_capacity": num(7),
		"skip_credentials_validation": yes(), "skip_metadata_api_check": str("true"), "skip_region_validation": yes(), "skip_requesting_account_id": yes(),
		"ec2_metadata_service_endpoint": str("http://m"), "ec2_metadata_service_endpoint_mode": str("IPv6"),
		"sts_region": str("us-west-2"), "use_fips_endpoint": yes(), "use_dualstack_endpoint": yes(),
		"s3_use_path_style": yes(), "s3_us_east_1_regional_endpoint": str("legacy"),
		"http_proxy": str("http://one"), "https_proxy": str(""), "no_proxy": str("a,b"),
		"custom_ca_bundle": str("ca.pem"), "insecure": yes(), "user_agent": list(str("a/1"), str("b")),
		"endpoints": blockOf(values{"ec2": str("http://e"), "stepfunctions": str("http://f")}),
		"assume_role": blockOf(values{
			"role_arn": str("r1"), "duration": str("1h"), "external_id": str("e"), "policy": str("p"), "policy_arns": set(str("q")),
			"session_name": str("n"), "source_identity": str("i"), "tags": dict(map[string]string{"k": "v"}), "transitive_tag_keys": set(str("k")),
		}, values{"role_arn": str("r2")}),
		"assume_role_with_web_identity": blockOf(values{
			"role_arn": str("w"), "duration": str("30m"), "policy": str("p"), "policy_arns": set(str("q")), "session_name": str("n"),
			"web_identity_token": str("t"), "web_identity_token_file": str("f"),
		}),
	}
}

// ourOwn are the arguments that hashicorp/aws does not have.
var ourOwn = []string{"estate", "on_existing", "previous_estates"}

// notAccess are the arguments that cloud.Config does not know.
var notAccess = append([]string{"default_tags", "ignore_tags"}, ourOwn...)

func TestAccessHoldsEveryArgument(t *testing.T) {
	kind := configSchema().Type().TerraformType(t.Context()).(tftypes.Object)
	set := everything()
	for name := range kind.AttributeTypes {
		if _, ok := set[name]; !ok && !slices.Contains(notAccess, name) {
			t.Errorf("%s: the test does not set it", name)
		}
	}
	b, diags := readBlock(t.Context(), tfsdk.Config{Raw: objectOf(t, kind, set), Schema: configSchema()})
	var problems diag.Diagnostics
	got := b.access(&problems)
	if diags.HasError() || problems.HasError() {
		t.Fatal(diags, problems)
	}
	skip, one, none := true, "http://one", ""
	want := cloud.Config{
		UserAgent: []string{"a/1", "b"},
		Region:    "eu-west-1", Profile: "a profile", AccessKey: "AKIAUSER", SecretKey: "s", Token: "t",
		SharedConfigFiles: []string{"c1", "c2"}, SharedCredentialsFiles: []string{"d"},
		AllowedAccountIDs: []string{"1"}, ForbiddenAccountIDs: []string{"2"},
		Endpoints:       map[string]string{"ec2": "http://e", "stepfunctions": "http://f"},
		UseFIPSEndpoint: true, UseDualStackEndpoint: true, STSRegion: "us-west-2", S3USEast1Endpoint: "legacy", S3UsePathStyle: true,
		CustomCABundle: "ca.pem", Insecure: true, HTTPProxy: &one, HTTPSProxy: &none, NoProxy: "a,b",
		MetadataEndpoint: "http://m", MetadataEndpointMode: "IPv6",
		MaxRetries: 3, RetryMode: "adaptive", TokenBucketCapacity: 7,
		SkipMetadataAPICheck: &skip, SkipCredentialsValidation: true, SkipRegionValidation: true, SkipRequestingAccountID: true,
		AssumeRole: []cloud.Role{{
			RoleARN: "r1", Duration: time.Hour, ExternalID: "e", Policy: "p", PolicyARNs: []string{"q"}, SessionName: "n", SourceIdentity: "i",
			Tags: map[string]string{"k": "v"}, TransitiveTagKeys: []string{"k"},
		}, {RoleARN: "r2", Tags: map[string]string{}}},
		WebIdentity: &cloud.WebIdentity{
			RoleARN: "w", Duration: 30 * time.Minute, Policy: "p", PolicyARNs: []string{"q"}, SessionName: "n", Token: "t", TokenFile: "f",
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the configuration differs:\n%s", d)
	}
	fields := reflect.ValueOf(got)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; fields.Field(i).IsZero() && name != "Version" && name != "CLIVersion" {
			t.Errorf("no argument sets %s", name)
		}
	}
}

// An https_proxy that is left out is not one that is empty: the variables decide.
func TestProxiesLeftOut(t *testing.T) {
	b, _ := readBlock(t.Context(), tfsdk.Config{
		Raw: objectOf(t, configSchema().Type().TerraformType(t.Context()).(tftypes.Object), values{}), Schema: configSchema(),
	})
	var problems diag.Diagnostics
	if c := b.access(&problems); c.HTTPProxy != nil || c.HTTPSProxy != nil || c.WebIdentity != nil || c.SkipMetadataAPICheck != nil {
		t.Errorf("an empty block sets %+v", c)
	}
}

func TestConfigureWithAWebIdentity(t *testing.T) {
	bareEnvironment(t)
	url, asked := startSTS(t, "")
	p := New("test")
	diags := configure(t, p, plain(url, values{
		"access_key": null(), "secret_key": null(),
		"assume_role_with_web_identity": blockOf(values{"role_arn": str("arn:aws:iam::1:role/web"), "web_identity_token": str("t"), "duration": str("20m")}),
		"assume_role":                   blockOf(values{"role_arn": str("arn:aws:iam::1:role/a")}),
	}))
	if len(diags) > 0 {
		t.Fatal(render(diags))
	}
	want := []string{"AssumeRoleWithWebIdentity arn:aws:iam::1:role/web 1200  ", "AssumeRole arn:aws:iam::1:role/a 900  ASIAROLE", "GetCallerIdentity    ASIAROLE"}
	if got := slices.Compact(*asked); !slices.Equal(got, want) {
		t.Errorf("STS was asked %q, want %q", got, want)
	}
}

func TestProxyWarning(t *testing.T) {
	bareEnvironment(t)
	url, _ := startSTS(t, "")
	p := New("test")
	diags := configure(t, p, plain(url, values{"http_proxy": str("http://proxy.invalid:1")}))
	one(t, diags, tfprotov6.DiagnosticSeverityWarning, "http_proxy", "HTTP proxy for HTTPS calls", "through http_proxy too", `https_proxy = ""`)
	if p.walk.Load() == nil {
		t.Error("no walk began")
	}
}

// The versions of the provider and of the CLI are told on the wire.
func TestUserAgentOfConfigure(t *testing.T) {
	bareEnvironment(t)
	var agent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	s, config := serve(t, New("1.2.3"), plain(server.URL, values{"user_agent": list(str("mine/4"))}))
	if _, err := s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config, TerraformVersion: "1.12.6"}); err != nil {
		t.Fatal(err)
	}
	want := "terraform-provider-estate/1.2.3 (+https://github.com/tofu-estate/terraform-provider-estate) cli/1.12.6 (OpenTofu or Terraform) mine/4"
	if !strings.HasSuffix(agent, " "+want) {
		t.Errorf("the user agent is %q, want %q at its end", agent, want)
	}
}

func TestTagsOfTheEnvironment(t *testing.T) {
	for name, test := range map[string]struct {
		tags, ignore tftypes.Value
		env          map[string]string
		want         map[string]string
		keys         []string
		prefixes     []string
	}{
		"variables alone": {blockOf(), blockOf(), map[string]string{
			"TF_AWS_DEFAULT_TAGS_Team": "x", "TF_AWS_DEFAULT_TAGS_a b": "", "TF_AWS_DEFAULT_TAGS_": "no key",
			"TF_AWS_IGNORE_TAGS_KEYS": " k1 ,,k2", "TF_AWS_IGNORE_TAGS_KEY_PREFIXES": "p1/",
		}, map[string]string{"Team": "x", "a b": ""}, []string{"k1", "k2"}, []string{"p1/"}},
		"with the block, which wins": {
			blockOf(values{"tags": dict(map[string]string{"Team": "y", "Own": "z"})}),
			blockOf(values{"keys": set(str("k0")), "key_prefixes": set(str("p0/"))}),
			map[string]string{
				"TF_AWS_DEFAULT_TAGS_Team": "x", "TF_AWS_DEFAULT_TAGS_More": "m", "TF_AWS_IGNORE_TAGS_KEYS": "k1", "TF_AWS_IGNORE_TAGS_KEY_PREFIXES": "p1/",
			},
			map[string]string{"Team": "y", "Own": "z", "More": "m"}, []string{"k0", "k1"}, []string{"p0/", "p1/"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			url, _ := startSTS(t, "")
			p := New("test")
			if diags := configure(t, p, plain(url, values{"default_tags": test.tags, "ignore_tags": test.ignore})); len(diags) > 0 {
				t.Fatal(render(diags))
			}
			w := p.walk.Load()
			got := map[string]string{}
			for key, value := range w.DefaultTags.Elements() {
				got[key] = value.(types.String).ValueString()
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("default tags are %v, want %v", got, test.want)
			}
			if !slices.Equal(w.IgnoreKeys, test.keys) || !slices.Equal(w.IgnorePrefixes, test.prefixes) {
				t.Errorf("ignored are %q and %q", w.IgnoreKeys, w.IgnorePrefixes)
			}
		})
	}
	t.Run("beside unknown tags", func(t *testing.T) {
		bareEnvironment(t)
		t.Setenv("TF_AWS_DEFAULT_TAGS_Team", "x")
		url, _ := startSTS(t, "")
		p := New("test")
		unknown := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, tftypes.UnknownValue)
		if diags := configure(t, p, plain(url, values{"default_tags": blockOf(values{"tags": unknown})})); len(diags) > 0 {
			t.Fatal(render(diags))
		}
		if w := p.walk.Load(); !w.DefaultTags.IsUnknown() {
			t.Errorf("default tags are %s", w.DefaultTags)
		}
	})
}
