package acceptance

import (
	"slices"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// sweptEstate is an estate whose state is thrown away. Several of its objects cannot be deleted while another is there; eight
// of them carry tags.
const sweptEstate = `
resource "estate_vpc" "a" {
  tofu_address = "estate_vpc.a"
  cidr_block   = "10.0.0.0/16"
}

resource "estate_subnet" "a" {
  tofu_address = "estate_subnet.a"
  vpc_id       = estate_vpc.a.id
  cidr_block   = "10.0.1.0/24"
}

resource "estate_security_group" "a" {
  tofu_address = "estate_security_group.a"
  vpc_id       = estate_vpc.a.id
}

resource "estate_internet_gateway" "a" {
  tofu_address = "estate_internet_gateway.a"
  vpc_id       = estate_vpc.a.id
}

resource "estate_route53_zone" "a" {
  tofu_address = "estate_route53_zone.a"
  name         = "swept.test"
}

resource "estate_route53_record" "a" {
  zone_id = estate_route53_zone.a.zone_id
  name    = "www.swept.test"
  type    = "A"
  ttl     = 300
  records = ["192.0.2.1"]
}

resource "estate_eip" "a" {
  count        = 2
  tofu_address = "estate_eip.a"
  tofu_key     = count.index
  domain       = "vpc"
}

resource "estate_iam_role" "a" {
  tofu_address = "estate_iam_role.a"
  name         = "swept"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }]
  })
}

resource "estate_iam_role_policy" "a" {
  role = estate_iam_role.a.name
  name = "swept"
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "s3:ListAllMyBuckets", Resource = "*" }]
  })
}
`

// TestSweep removes an estate of tests whose state is lost, and one object of every kind that was made by hand; another
// estate's objects and those of nobody stay.
func TestSweep(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		start(t, w, "testacc-swept", sweptEstate)
		w.Apply(ctx).Must(t)
		must(t, w.ForgetState())
		stays := map[string]string{}
		for _, kind := range Kinds {
			if kind.Make == nil {
				continue
			}
			_, err := kind.Make(ctx, w.AWS, "by-hand-"+w.Account, map[string]string{TagEstate: "testacc-hand"})
			must(t, err)
			other, err := kind.Make(ctx, w.AWS, "other-"+w.Account, map[string]string{TagEstate: "prod", TagAddress: kind.Type + ".a"})
			must(t, err)
			nobody, err := kind.Make(ctx, w.AWS, "nobody-"+w.Account, nil)
			must(t, err)
			stays[kind.Type+" "+other], stays[kind.Type+" "+nobody] = other, nobody
		}

		var found, removed []string
		sweeping := engine.Sweeping{Prefix: engine.SweepPrefix, DryRun: true, Report: func(o engine.Swept, gone bool) {
			if gone {
				removed = append(removed, o.Type+" "+o.ID)
			} else {
				found = append(found, o.Type+" "+o.ID)
			}
		}}
		s := openSandbox(t, w.Sandbox)
		must(t, engine.Sweep(ctx, s, provider.Types(), sweeping))
		if len(found) != 8+len(stays)/2 || len(removed) > 0 {
			t.Fatalf("a dry run finds %q and removes %q", found, removed)
		}
		if held := len(w.AWS.MustEstate(ctx, t, "testacc-swept")); held != 8 {
			t.Fatalf("after the dry run the estate has %d objects, want 8", held)
		}
		listed := found
		found, sweeping.DryRun = nil, false
		must(t, engine.Sweep(ctx, s, provider.Types(), sweeping))
		slices.Sort(listed)
		slices.Sort(removed)
		if !slices.Equal(removed, listed) {
			t.Errorf("removed %q, want %q", removed, listed)
		}
		left, err := w.AWS.Objects(ctx)
		must(t, err)
		for _, o := range left {
			delete(stays, o.Type+" "+o.ID)
			if estate := o.Tags[TagEstate]; estate == "testacc-swept" || estate == "testacc-hand" {
				t.Errorf("%s %s of %s is still there", o.Type, o.ID, estate)
			}
		}
		if len(stays) > 0 {
			t.Errorf("the sweep removed objects that are no test's: %v", stays)
		}
	})
}
