package provider

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// awsArguments is the provider block of hashicorp/aws 6: its arguments and their types, and its blocks and how they nest, with
// what they hold under a dotted name. The names that endpoints takes are in the package cloud.
var awsArguments = map[string]string{
	"access_key":                         "tftypes.String",
	"allowed_account_ids":                "tftypes.Set[tftypes.String]",
	"custom_ca_bundle":                   "tftypes.String",
	"ec2_metadata_service_endpoint":      "tftypes.String",
	"ec2_metadata_service_endpoint_mode": "tftypes.String",
	"forbidden_account_ids":              "tftypes.Set[tftypes.String]",
	"http_proxy":                         "tftypes.String",
	"https_proxy":                        "tftypes.String",
	"insecure":                           "tftypes.Bool",
	"max_retries":                        "tftypes.Number",
	"no_proxy":                           "tftypes.String",
	"profile":                            "tftypes.String",
	"region":                             "tftypes.String",
	"retry_mode":                         "tftypes.String",
	"s3_us_east_1_regional_endpoint":     "tftypes.String",
	"s3_use_path_style":                  "tftypes.Bool",
	"secret_key":                         "tftypes.String",
	"shared_config_files":                "tftypes.List[tftypes.String]",
	"shared_credentials_files":           "tftypes.List[tftypes.String]",
	"skip_credentials_validation":        "tftypes.Bool",
	"skip_metadata_api_check":            "tftypes.String",
	"skip_region_validation":             "tftypes.Bool",
	"skip_requesting_account_id":         "tftypes.Bool",
	"sts_region":                         "tftypes.String",
	"tag_policy_compliance":              "tftypes.String",
	"token":                              "tftypes.String",
	"token_bucket_rate_limiter_capacity": "tftypes.Number",
	"use_dualstack_endpoint":             "tftypes.Bool",
	"use_fips_endpoint":                  "tftypes.Bool",
	"user_agent":                         "tftypes.List[tftypes.String]",

	"assume_role":                     "LIST",
	"assume_role.duration":            "tftypes.String",
	"assume_role.external_id":         "tftypes.String",
	"assume_role.policy":              "tftypes.String",
	"assume_role.policy_arns":         "tftypes.Set[tftypes.String]",
	"assume_role.role_arn":            "tftypes.String",
	"assume_role.session_name":        "tftypes.String",
	"assume_role.source_identity":     "tftypes.String",
	"assume_role.tags":                "tftypes.Map[tftypes.String]",
	"assume_role.transitive_tag_keys": "tftypes.Set[tftypes.String]",

	"assume_role_with_web_identity":                         "LIST",
	"assume_role_with_web_identity.duration":                "tftypes.String",
	"assume_role_with_web_identity.policy":                  "tftypes.String",
	"assume_role_with_web_identity.policy_arns":             "tftypes.Set[tftypes.String]",
	"assume_role_with_web_identity.role_arn":                "tftypes.String",
	"assume_role_with_web_identity.session_name":            "tftypes.String",
	"assume_role_with_web_identity.web_identity_token":      "tftypes.String",
	"assume_role_with_web_identity.web_identity_token_file": "tftypes.String",

	"default_tags":             "LIST",
	"default_tags.tags":        "tftypes.Map[tftypes.String]",
	"endpoints":                "SET",
	"ignore_tags":              "LIST",
	"ignore_tags.key_prefixes": "tftypes.Set[tftypes.String]",
	"ignore_tags.keys":         "tftypes.Set[tftypes.String]",
}

// leftOut are arguments of hashicorp/aws that are missing here, each with the reason.
var leftOut = map[string]string{
	"tag_policy_compliance": "it has the provider ask the organisation's tag policy for required keys at plan, a call and a permission " +
		"that no other rule here needs; AWS enforces such policies itself where they are enforced",
}

// TestProviderSchemaIsThatOfAWS holds the promise that a provider block moves over by adding estate. All is optional there and here.
func TestProviderSchemaIsThatOfAWS(t *testing.T) {
	got := map[string]string{}
	var sensitive []string
	collect := func(prefix string, attributes []*tfprotov6.SchemaAttribute) {
		for _, a := range attributes {
			got[prefix+a.Name] = a.Type.String()
			if !a.Optional || a.Required || a.Computed || a.Description == "" {
				t.Errorf("%s is not optional alone, or has no description", prefix+a.Name)
			}
			if a.Sensitive {
				sensitive = append(sensitive, prefix+a.Name)
			}
		}
	}
	resp, err := New("test").server().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	collect("", resp.Provider.Block.Attributes)
	for _, b := range resp.Provider.Block.BlockTypes {
		got[b.TypeName] = b.Nesting.String()
		if b.TypeName != "endpoints" {
			collect(b.TypeName+".", b.Block.Attributes)
		}
	}
	for _, name := range ourOwn {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: listed as our own, and is not there", name)
		}
		delete(got, name)
	}
	for name, want := range awsArguments {
		reason := leftOut[name]
		switch kind, ok := got[name]; {
		case !ok && reason == "":
			t.Errorf("%s is missing", name)
		case ok && reason != "":
			t.Errorf("%s: listed as left out, and is not", name)
		case ok && kind != want:
			t.Errorf("%s: there it is %s, here %s", name, want, kind)
		}
		delete(got, name)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		t.Errorf("%s: hashicorp/aws has no such argument", name)
	}
	slices.Sort(sensitive)
	if want := []string{"assume_role_with_web_identity.web_identity_token", "secret_key", "token"}; !slices.Equal(sensitive, want) {
		t.Errorf("sensitive are %q, want %q", sensitive, want)
	}
}
