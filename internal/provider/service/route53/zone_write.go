package route53

import (
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// createZone makes the zone without tags, which the call does not take, and with one network at most.
func createZone(ctx context.Context, s *cloud.Session, plan *zone, _ markers.Tags, token engine.Token) (engine.Key, error) {
	in := &route53.CreateHostedZoneInput{
		CallerReference:  aws.String(string(token)),
		DelegationSetId:  attrs.Ptr(plan.DelegationSet),
		HostedZoneConfig: &r53types.HostedZoneConfig{Comment: aws.String(plan.Comment.ValueString()), PrivateZone: plan.private()},
		Name:             aws.String(attrs.CanonicalName(plan.Name.ValueString())),
	}
	if plan.private() {
		in.VPC = network(s, plan.VPCs[0])
	}
	out, err := api(s).CreateHostedZone(ctx, in)
	if err != nil {
		return nil, err
	}
	id := zoneID(aws.ToString(out.HostedZone.Id))
	changed(s, id, out.ChangeInfo)
	return engine.Key{id}, nil
}

// network is a VPC as calls name it; one without a region is in the provider's.
func network(s *cloud.Session, v zoneVPC) *r53types.VPC {
	region := v.Region.ValueString()
	if region == "" {
		region = s.Region
	}
	return &r53types.VPC{VPCId: attrs.Ptr(v.ID), VPCRegion: r53types.VPCRegion(region)}
}

func setZoneComment(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *zone) error {
	_, err := api(s).UpdateHostedZoneComment(ctx, &route53.UpdateHostedZoneCommentInput{
		Id: aws.String(k.String()), Comment: aws.String(plan.Comment.ValueString()),
	})
	return absent(err)
}

// setZoneVPCs associates before it disassociates: a private zone is never without a network.
func setZoneVPCs(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *zone) error {
	for _, v := range without(plan.VPCs, prior.VPCs) {
		out, err := api(s).AssociateVPCWithHostedZone(ctx, &route53.AssociateVPCWithHostedZoneInput{
			HostedZoneId: aws.String(k.String()), VPC: network(s, v),
		})
		if err != nil {
			return fmt.Errorf("associating %s: %w", v.ID.ValueString(), err)
		}
		changed(s, k.String(), out.ChangeInfo)
	}
	for _, v := range without(prior.VPCs, plan.VPCs) {
		out, err := api(s).DisassociateVPCFromHostedZone(ctx, &route53.DisassociateVPCFromHostedZoneInput{
			HostedZoneId: aws.String(k.String()), VPC: network(s, v),
		})
		if err != nil {
			return fmt.Errorf("disassociating %s: %w", v.ID.ValueString(), err)
		}
		changed(s, k.String(), out.ChangeInfo)
	}
	return nil
}

// without returns the networks of a that are not in b.
func without(a, b []zoneVPC) []zoneVPC {
	return slices.DeleteFunc(slices.Clone(a), func(v zoneVPC) bool {
		return slices.ContainsFunc(b, func(w zoneVPC) bool { return v.ID.Equal(w.ID) })
	})
}

func setZoneRecovery(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *zone) error {
	m := remember(s)
	m.mu.Lock()
	m.asked[k.String()] = true
	m.mu.Unlock()
	_, err := api(s).UpdateHostedZoneFeatures(ctx, &route53.UpdateHostedZoneFeaturesInput{
		HostedZoneId: aws.String(k.String()), EnableAcceleratedRecovery: attrs.BoolPtr(plan.Accelerated),
	})
	return absent(err)
}
