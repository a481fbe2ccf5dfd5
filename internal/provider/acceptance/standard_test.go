package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// TestStandardHarness runs the provider in the harness that provider authors use everywhere: inside the test process, where
// the walks of one command share a server, which no production run does. What belongs to one walk must not leak
// into the next.
func TestStandardHarness(t *testing.T) {
	if harness == nil {
		t.Skip("needs the CLI and the emulator that make test prepares")
	}
	for _, cli := range harness.CLIs {
		t.Run(cli.Name, func(t *testing.T) {
			t.Cleanup(func() { count(t, cli) })
			s, err := harness.NewSandbox()
			must(t, err)
			t.Cleanup(s.Close)
			standardEnvironment(t, cli)
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
					"estate": func() (tfprotov6.ProviderServer, error) { return provider.Server("test")(), nil },
				},
				Steps: []resource.TestStep{
					{
						Config: standardConfiguration(s.Proxy.URL(), "one"),
						Check: resource.ComposeAggregateTestCheckFunc(
							resource.TestCheckResourceAttr("estate_vpc.x", "tofu_estate", "standard"),
							resource.TestCheckResourceAttr("estate_eip.x.1", "tofu_slot", "1"),
							resource.TestCheckResourceAttrSet("estate_iam_role.x", "tofu_binding"),
							resource.TestCheckResourceAttrPair("estate_iam_role_policy.x", "role", "estate_iam_role.x", "name"),
						),
					},
					{ResourceName: "estate_vpc.x", ImportState: true, ImportStateVerify: true, ImportStateVerifyIgnore: []string{"tofu_binding"}},
					{
						ResourceName: "estate_iam_role.x", ImportState: true, ImportStateId: "estate_iam_role.x", ImportStateVerify: true,
						ImportStateVerifyIgnore: []string{"tofu_binding"},
					},
					{ResourceName: "estate_iam_role_policy.x", ImportState: true, ImportStateVerify: true},
					{
						Config: standardConfiguration(s.Proxy.URL(), "two"),
						ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
							plancheck.ExpectResourceAction("estate_vpc.x", plancheck.ResourceActionUpdate),
							plancheck.ExpectResourceAction("estate_iam_role.x", plancheck.ResourceActionNoop),
						}},
					},
				},
			})
			if left := s.AWS.MustEstate(t.Context(), t, "standard"); len(left) > 0 {
				t.Errorf("the destroy at the end left %v", left)
			}
		})
	}
}

// standardEnvironment points the harness at a CLI. It never finds none: it would download one.
func standardEnvironment(t *testing.T, cli CLI) {
	t.Helper()
	configuration := filepath.Join(t.TempDir(), "cli.tfrc")
	must(t, os.WriteFile(configuration, nil, 0o600))
	t.Setenv("TF_CLI_CONFIG_FILE", configuration)
	t.Setenv("TF_ACC", "1")
	t.Setenv("TF_ACC_TERRAFORM_PATH", cli.Path)
	if cli.Name == OpenTofu {
		t.Setenv("TF_ACC_PROVIDER_HOST", "registry.opentofu.org")
	}
}

func standardConfiguration(url, name string) string {
	return fmt.Sprintf(`
provider "estate" {
  estate     = "standard"
  region     = %q
  access_key = "test"
  secret_key = "test"
  endpoints {
    ec2 = %[2]q
    iam = %[2]q
    sts = %[2]q
  }
}

resource "estate_vpc" "x" {
  tofu_address = "estate_vpc.x"
  cidr_block   = "10.0.0.0/16"
  tags         = { Name = %[3]q }
}

resource "estate_eip" "x" {
  count        = 2
  tofu_address = "estate_eip.x"
  tofu_key     = count.index
}

resource "estate_iam_role" "x" {
  tofu_address       = "estate_iam_role.x"
  name               = "standard"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }] })
}

resource "estate_iam_role_policy" "x" {
  role   = estate_iam_role.x.name
  name   = "p"
  policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "s3:Get*", Resource = "*" }] })
}
`, Region, url, name)
}
