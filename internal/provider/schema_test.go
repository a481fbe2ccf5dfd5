package provider

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// differences are where a type is not what hashicorp/aws 5.32 has, each with the reason or the page that says so. "+" marks
// what is added, "-" what is left out, "~" what is another kind of attribute.
var differences = map[string]string{
	"+ aws_cloudwatch_log_group.deletion_protection_enabled": "v6: registry page of aws_cloudwatch_log_group",
	"~ aws_cloudwatch_log_group.kms_key_id":                  "has the default \"\", so that unset and empty agree",
	"~ aws_cloudwatch_log_group.retention_in_days":           "has v6's default",
	"~ aws_cloudwatch_log_group.skip_destroy":                "has v6's default",
	"- aws_eip.vpc":                                               "deprecated; domain says it",
	"+ aws_eip.arn":                                               "v6: registry page of aws_eip",
	"+ aws_eip.ipam_pool_id":                                      "v6: registry page of aws_eip",
	"+ aws_eip.ptr_record":                                        "v6: registry page of aws_eip",
	"- aws_iam_role.inline_policy":                                "deprecated in v6: estate_iam_role_policy",
	"- aws_iam_role.managed_policy_arns":                          "deprecated in v6: attachments are a type of their own",
	"~ aws_iam_role.description":                                  "has the default \"\", so that unset and empty agree",
	"~ aws_iam_role.force_detach_policies":                        "has v6's default",
	"~ aws_iam_role.max_session_duration":                         "has v6's default",
	"~ aws_iam_role.path":                                         "has v6's default",
	"~ aws_iam_role.permissions_boundary":                         "has the default \"\", so that unset and empty agree",
	"+ aws_route53_record.geoproximity_routing_policy":            "v6: registry page of aws_route53_record",
	"+ aws_route53_record.timeouts":                               "v6: registry page of aws_route53_record",
	"~ aws_route53_record.multivalue_answer_routing_policy":       "has the default false, so that unset and false agree",
	"+ aws_route53_zone.enable_accelerated_recovery":              "v6: registry page of aws_route53_zone",
	"+ aws_route53_zone.timeouts":                                 "v6: registry page of aws_route53_zone",
	"~ aws_route53_zone.comment":                                  "has v6's default",
	"~ aws_route53_zone.force_destroy":                            "has v6's default",
	"- aws_s3_bucket.acceleration_status":                         "deprecated in v6: the acceleration is a type of its own there",
	"- aws_s3_bucket.acl":                                         "deprecated in v6: the ACL is a type of its own there",
	"- aws_s3_bucket.cors_rule":                                   "deprecated in v6: the CORS configuration is a type of its own there",
	"- aws_s3_bucket.grant":                                       "deprecated in v6: the ACL is a type of its own there",
	"- aws_s3_bucket.lifecycle_rule":                              "deprecated in v6: the lifecycle configuration is a type of its own there",
	"- aws_s3_bucket.logging":                                     "deprecated in v6: the logging is a type of its own there",
	"- aws_s3_bucket.object_lock_configuration":                   "deprecated in v6: the object lock's rule is a type of its own there",
	"- aws_s3_bucket.policy":                                      "deprecated in v6: the policy is a type of its own there",
	"- aws_s3_bucket.replication_configuration":                   "deprecated in v6: the replication is a type of its own there",
	"- aws_s3_bucket.request_payer":                               "deprecated in v6: the payment configuration is a type of its own there",
	"- aws_s3_bucket.server_side_encryption_configuration":        "deprecated in v6: the encryption is a type of its own there",
	"- aws_s3_bucket.versioning":                                  "deprecated in v6: the versioning is a type of its own there",
	"- aws_s3_bucket.website":                                     "deprecated in v6: the website is a type of its own there",
	"- aws_s3_bucket.website_domain":                              "deprecated in v6: the website is a type of its own there",
	"- aws_s3_bucket.website_endpoint":                            "deprecated in v6: the website is a type of its own there",
	"+ aws_s3_bucket.bucket_namespace":                            "v6.37: registry page of aws_s3_bucket",
	"+ aws_s3_bucket.bucket_region":                               "v6: registry page of aws_s3_bucket, where region became an argument",
	"~ aws_s3_bucket.force_destroy":                               "has v6's default",
	"- aws_security_group.egress":                                 "rules are types of their own",
	"- aws_security_group.ingress":                                "rules are types of their own",
	"~ aws_security_group.description":                            "has v6's default",
	"~ aws_security_group.revoke_rules_on_delete":                 "has v6's default",
	"+ aws_subnet.ipv4_ipam_pool_id":                              "v6: registry page of aws_subnet",
	"+ aws_subnet.ipv4_netmask_length":                            "v6: registry page of aws_subnet",
	"+ aws_subnet.ipv6_ipam_pool_id":                              "v6: registry page of aws_subnet",
	"+ aws_subnet.ipv6_netmask_length":                            "v6: registry page of aws_subnet",
	"~ aws_subnet.assign_ipv6_address_on_creation":                "has v6's default",
	"~ aws_subnet.cidr_block":                                     "v6: computed too, since a pool of IPAM may provide it",
	"~ aws_subnet.customer_owned_ipv4_pool":                       "computed too: EC2 may show the pool after the addresses are no longer mapped",
	"~ aws_subnet.enable_dns64":                                   "has v6's default",
	"~ aws_subnet.enable_resource_name_dns_a_record_on_launch":    "has v6's default",
	"~ aws_subnet.enable_resource_name_dns_aaaa_record_on_launch": "has v6's default",
	"~ aws_subnet.ipv6_cidr_block":                                "v6: computed too, since a pool of IPAM may provide it",
	"~ aws_subnet.ipv6_native":                                    "has v6's default",
	"~ aws_subnet.map_customer_owned_ip_on_launch":                "has the default false, so that unset and false agree",
	"~ aws_subnet.map_public_ip_on_launch":                        "has v6's default",
	"~ aws_subnet.outpost_arn":                                    "has the default \"\", so that unset and empty agree",
	"~ aws_vpc.assign_generated_ipv6_cidr_block":                  "has the default false, so that unset and false agree",
	"~ aws_vpc.enable_dns_support":                                "has v6's default",
	"~ aws_vpc.instance_tenancy":                                  "has v6's default",
}

// kindOf says what a configuration may do with an attribute.
func kindOf(required, optional, computed bool) string {
	var words []string
	for word, holds := range map[string]bool{"required": required, "optional": optional, "computed": computed} {
		if holds {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestSchemasAreThoseOfAWS compares every type with the one of hashicorp/aws, so that a configuration moves over by its prefix. A
// difference needs a reason, and a reason that is no longer true fails.
func TestSchemasAreThoseOfAWS(t *testing.T) {
	theirs := readAWSSchemas(t)
	ours := ourSchemas(t)
	met := map[string]bool{}
	differs := func(mark, at, what string) {
		t.Helper()
		key := mark + " " + at
		met[key] = true
		if _, ok := differences[key]; !ok {
			t.Errorf("%s: %s", key, what)
		}
	}
	for name, schema := range ours {
		aws, ok := theirs["aws_"+strings.TrimPrefix(name, "estate_")]
		if !ok {
			t.Errorf("%s: no schema of hashicorp/aws to compare with", name)
			continue
		}
		name = "aws_" + strings.TrimPrefix(name, "estate_")
		have := map[string]bool{"id": true}
		for _, a := range schema.Block.Attributes {
			have[a.Name] = true
			want, ok := aws[a.Name]
			switch {
			case engineOwn(a.Name):
			case !ok:
				differs("+", name+"."+a.Name, "hashicorp/aws has no such attribute")
			case want.kind() != kindOf(a.Required, a.Optional, a.Computed):
				differs("~", name+"."+a.Name, "there it is "+want.kind()+", here "+kindOf(a.Required, a.Optional, a.Computed))
			}
			if ok && want.Block == "" && want.typeText() != a.Type.String() && !engineOwn(a.Name) {
				differs("~", name+"."+a.Name, "there its type is "+want.typeText()+", here "+a.Type.String())
			}
		}
		for _, b := range schema.Block.BlockTypes {
			have[b.TypeName] = true
			if want, ok := aws[b.TypeName]; !ok || want.Block == "" {
				differs("+", name+"."+b.TypeName, "hashicorp/aws has no such block")
			}
		}
		for attr := range aws {
			if !have[attr] {
				differs("-", name+"."+attr, "it is missing here")
			}
		}
	}
	for key := range differences {
		if !met[key] {
			t.Errorf("%s: listed as a difference, and is none", key)
		}
	}
}

// engineOwn tells whether the engine brings the attribute to every type.
func engineOwn(name string) bool {
	return strings.HasPrefix(name, "tofu_") || slices.Contains([]string{"id", "region", "on_existing", "adopt_unmarked", "restore", "tags", "tags_all"}, name)
}

// awsAttribute is an attribute or block as the stored schema has it.
type awsAttribute struct {
	Is    []string
	Type  json.RawMessage
	Block string
}

func (a awsAttribute) kind() string {
	return kindOf(slices.Contains(a.Is, "required"), slices.Contains(a.Is, "optional"), slices.Contains(a.Is, "computed"))
}

// typeText is the type as tftypes prints it.
func (a awsAttribute) typeText() string { return typeText(a.Type) }

func typeText(raw json.RawMessage) string {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		return map[string]string{"string": "tftypes.String", "bool": "tftypes.Bool", "number": "tftypes.Number"}[plain]
	}
	var pair []json.RawMessage
	var kind string
	if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &kind) != nil {
		return string(raw)
	}
	name, ok := map[string]string{"list": "List", "set": "Set", "map": "Map"}[kind]
	if !ok {
		return string(raw) // an object: none of the types has one as an attribute
	}
	return "tftypes." + name + "[" + typeText(pair[1]) + "]"
}

func TestTypeText(t *testing.T) {
	for raw, want := range map[string]string{
		`"bool"`: "tftypes.Bool", `["set","string"]`: "tftypes.Set[tftypes.String]", `["map",["list","number"]]`: "tftypes.Map[tftypes.List[tftypes.Number]]",
	} {
		if got := typeText(json.RawMessage(raw)); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
	s := tftypes.Set{ElementType: tftypes.String}
	if got := typeText(json.RawMessage(`["set","string"]`)); got != s.String() {
		t.Errorf("got %s, and tftypes prints %s", got, s.String())
	}
}

func readAWSSchemas(t *testing.T) map[string]map[string]awsAttribute {
	t.Helper()
	text, err := os.ReadFile("testdata/aws-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Types map[string]map[string]awsAttribute
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Types
}

func ourSchemas(t *testing.T) map[string]*tfprotov6.Schema {
	t.Helper()
	resp, err := Server("test")().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range resp.Diagnostics {
		t.Fatalf("%s: %s", d.Summary, d.Detail)
	}
	if len(resp.ResourceSchemas) != len(resourceTypes) {
		t.Fatalf("%d schemas of %d types", len(resp.ResourceSchemas), len(resourceTypes))
	}
	return resp.ResourceSchemas
}
