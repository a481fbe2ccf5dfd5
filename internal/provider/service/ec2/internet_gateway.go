package ec2

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type internetGateway struct {
	ARN   types.String `tfsdk:"arn"`
	Owner types.String `tfsdk:"owner_id"`
	VPC   types.String `tfsdk:"vpc_id"`
}

// InternetGateway is the way from a VPC to the internet.
var InternetGateway = engine.Of(engine.ResourceType[internetGateway]{
	Name:    "internet_gateway",
	Service: "VPC",
	Doc: `An internet gateway: the way from a VPC to the internet and back.

It is attached to the VPC that ` + "`vpc_id`" + ` names, and moves when that changes. Where it is not configured, an attachment
that others make is shown and left alone. EC2 detaches a gateway only when no public address of the VPC is in use: what
has one should depend on the gateway, so that it is destroyed first.`,
	Tier: engine.Marked,
	Tags: tagging.EC2,
	Attrs: map[string]schema.Attribute{
		"arn":      attrs.ComputedString("ARN of the internet gateway."),
		"owner_id": attrs.ComputedString("Account that owns the internet gateway."),
		"vpc_id":   attrs.OptionalComputedString("ID of the VPC to attach to.", attrs.NotEmpty()),
	},
	Timeouts: engine.Timeouts{Create: 20 * time.Minute, Update: 20 * time.Minute, Delete: 20 * time.Minute},
	Get:      getInternetGateway,
	List:     listInternetGateways,
	Search:   search(internetGateways),
	Create:   createInternetGateway,
	Updates:  []engine.Update[internetGateway]{{Attrs: []string{"vpc_id"}, Apply: moveInternetGateway}},
	Delete:   deleteInternetGateway,
	Busy:     busyInternetGateway,
	TooFresh: vpcTooFresh,
})

func getInternetGateway(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[internetGateway], error) {
	out, err := api(s).DescribeInternetGateways(ctx, &ec2.DescribeInternetGatewaysInput{InternetGatewayIds: k})
	if err != nil {
		return engine.Live[internetGateway]{}, absent(err)
	}
	return only(out.InternetGateways, k, func(g ec2types.InternetGateway) engine.Live[internetGateway] {
		return liveInternetGateway(s, g)
	})
}

func listInternetGateways(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[engine.Live[internetGateway], error] {
	return internetGateways(ctx, s, marked(f)...)
}

func internetGateways(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[engine.Live[internetGateway], error] {
	p := ec2.NewDescribeInternetGatewaysPaginator(api(s), &ec2.DescribeInternetGatewaysInput{
		Filters: by, MaxResults: aws.Int32(pageSize),
	})
	found := pages(ctx, p, func(o *ec2.DescribeInternetGatewaysOutput) []ec2types.InternetGateway { return o.InternetGateways })
	return lives(found, func(g ec2types.InternetGateway) engine.Live[internetGateway] { return liveInternetGateway(s, g) })
}

func liveInternetGateway(s *cloud.Session, g ec2types.InternetGateway) engine.Live[internetGateway] {
	l := engine.Live[internetGateway]{
		Key: engine.Key{aws.ToString(g.InternetGatewayId)}, Owner: aws.ToString(g.OwnerId), Tags: tagMap(g.Tags),
		Model: internetGateway{
			ARN: types.StringValue(fmt.Sprintf("arn:%s:ec2:%s:%s:internet-gateway/%s",
				s.Partition, s.Region, aws.ToString(g.OwnerId), aws.ToString(g.InternetGatewayId))),
			Owner: attrs.String(g.OwnerId),
		},
	}
	for _, a := range g.Attachments {
		switch a.State {
		case ec2types.AttachmentStatusDetached:
			continue
		case ec2types.AttachmentStatusAttaching, ec2types.AttachmentStatusDetaching:
			l.State, l.Reason = engine.Pending, fmt.Sprintf("the gateway is %s: %s", a.State, aws.ToString(a.VpcId))
		}
		if a.State != ec2types.AttachmentStatusDetaching && l.Model.VPC.IsNull() {
			l.Model.VPC = attrs.String(a.VpcId) // EC2 says "available" of an attachment that serves
		}
	}
	return l
}

// createInternetGateway takes no token: CreateInternetGateway has none, a retry finds the gateway by its marker. The
// engine attaches it next.
func createInternetGateway(ctx context.Context, s *cloud.Session, _ *internetGateway, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	out, err := api(s).CreateInternetGateway(ctx, &ec2.CreateInternetGatewayInput{
		TagSpecifications: specification(ec2types.ResourceTypeInternetGateway, tags),
	})
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.InternetGateway.InternetGatewayId)}, nil
}

// moveInternetGateway detaches the gateway, and attaches it to the VPC that the plan names.
func moveInternetGateway(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *internetGateway) error {
	vpc := asked(prior.VPC, plan.VPC)
	if vpc == nil {
		return nil
	}
	if err := detachInternetGateway(ctx, s, k, prior); err != nil {
		return err
	}
	_, err := api(s).AttachInternetGateway(ctx, &ec2.AttachInternetGatewayInput{
		InternetGatewayId: aws.String(k.String()), VpcId: vpc,
	})
	if cloud.HasCode(err, "Resource.AlreadyAssociated") {
		// The answer to an earlier call of ours may have been lost.
		if l, readErr := getInternetGateway(ctx, s, k); readErr == nil && l.Model.VPC.Equal(plan.VPC) {
			return nil
		}
	}
	return err // not absent: it may be the VPC that does not exist
}

func detachInternetGateway(ctx context.Context, s *cloud.Session, k engine.Key, prior *internetGateway) error {
	if attrs.Ptr(prior.VPC) == nil {
		return nil
	}
	_, err := api(s).DetachInternetGateway(ctx, &ec2.DetachInternetGatewayInput{
		InternetGatewayId: aws.String(k.String()), VpcId: attrs.Ptr(prior.VPC),
	})
	if cloud.HasCode(err, "Gateway.NotAttached") {
		return nil
	}
	return err
}

func deleteInternetGateway(ctx context.Context, s *cloud.Session, k engine.Key, prior *internetGateway) error {
	if err := detachInternetGateway(ctx, s, k, prior); err != nil {
		return absent(err)
	}
	_, err := api(s).DeleteInternetGateway(ctx, &ec2.DeleteInternetGatewayInput{InternetGatewayId: aws.String(k.String())})
	return absent(err)
}

// busyInternetGateway waits while public addresses of the VPC are in use, and until a new gateway is known where it is
// attached. One that a deletion does not find is gone.
func busyInternetGateway(err error) bool {
	return busyDependency(err) || cloud.HasCode(err, "InvalidInternetGatewayID.NotFound") && !errors.Is(err, engine.ErrNotFound)
}
