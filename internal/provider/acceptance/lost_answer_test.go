package acceptance

import (
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestLostAnswer loses the answer to each kind of create call after AWS did the work. The SDK would send the call again,
// which for calls without a token makes a second object.
func TestLostAnswer(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		start(t, w, "lost", `
resource "estate_vpc" "x" {
  tofu_address = "estate_vpc.x"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_eip" "x" {
  tofu_address = "estate_eip.x"
}

resource "estate_iam_role" "x" {
  tofu_address       = "estate_iam_role.x"
  name               = "lost"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" }, Action = "sts:AssumeRole" }] })
}
`)
		for _, call := range []string{"ec2:CreateVpc", "ec2:AllocateAddress", "iam:CreateRole"} {
			w.Proxy.On(faultproxy.Action(call), faultproxy.DropAnswer()).Times(1)
		}
		mark := w.Proxy.Mark()
		w.Apply(t.Context()).Must(t)
		w.MustCall(t, mark, "CreateVpc without a token is not repeated", 1, faultproxy.Action("ec2:CreateVpc"))
		w.MustCall(t, mark, "AllocateAddress without a token is not repeated", 1, faultproxy.Action("ec2:AllocateAddress"))
		w.MustCall(t, mark, "CreateRole is repeated: its name admits one", 2, faultproxy.Action("iam:CreateRole"))
		mustAgree(t, w, "lost")
		w.AWS.MustHold(t.Context(), t, "lost", "estate_vpc", 1)
		w.AWS.MustHold(t.Context(), t, "lost", "estate_eip", 1)
		w.Plan(t.Context()).Must(t).MustBeEmpty(t)
	})
}
