package acceptance

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
)

var route53Adoptions = []adoption{
	{
		resourceType: "estate_route53_zone", creates: "route53:CreateHostedZone",
		prepare: func(ctx context.Context, a *AWS, _ int) ([]string, error) {
			var env []string
			for _, name := range []string{"first", "second"} {
				id, err := makeVpc(ctx, a, "", nil)
				if err != nil {
					return nil, err
				}
				env = append(env, "TF_VAR_"+name+"="+id)
			}
			return env, nil
		},
		config: func(keys string) string {
			return `
variable "first" {}
variable "second" {}

resource "estate_route53_zone" "a" {
  for_each     = toset(` + keys + `)
  tofu_address = "estate_route53_zone.a"
  tofu_key     = each.key
  name         = "${each.key}.example.com"
  comment      = "as configured"

  vpc {
    vpc_id = var.first
  }

  vpc {
    vpc_id = var.second
  }
}
`
		},
		differ: func(ctx context.Context, a *AWS, id string) ([]string, error) {
			_, err := a.Route53.UpdateHostedZoneComment(ctx, &route53.UpdateHostedZoneCommentInput{Id: &id, Comment: aws.String("as changed")})
			if err != nil {
				return nil, err
			}
			out, err := a.Route53.GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: &id})
			if err != nil {
				return nil, err
			}
			_, err = a.Route53.DisassociateVPCFromHostedZone(ctx, &route53.DisassociateVPCFromHostedZoneInput{
				HostedZoneId: &id, VPC: &r53types.VPC{VPCId: out.VPCs[1].VPCId, VPCRegion: out.VPCs[1].VPCRegion},
			})
			return nil, err
		},
	},
}
