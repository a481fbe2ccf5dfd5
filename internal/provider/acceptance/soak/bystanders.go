package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// otherEstate owns half of the bystanders.
const otherEstate = "soaked-others"

// plant makes objects that are not the estate's: of each type with tags one of another estate, whose address may come up in ours,
// and one without an owner; on them policies and a record.
func plant(ctx context.Context, a *acceptance.AWS, suffix string) error {
	owned := map[string]map[string]string{
		"owned-" + suffix: {acceptance.TagEstate: otherEstate, acceptance.TagBinding: "01otherbinding", "Name": "theirs"},
		"plain-" + suffix: {"Name": "nobody's"},
	}
	for name, tags := range owned {
		for _, t := range allTypes {
			if !t.tagged {
				continue
			}
			kind, err := acceptance.KindOf(t.name)
			if err != nil {
				return err
			}
			if tags[acceptance.TagEstate] != "" {
				tags[acceptance.TagAddress] = t.name + ".n1"
			}
			id, err := kind.Make(ctx, a, name, tags)
			if err != nil {
				return fmt.Errorf("planting %s: %w", t.name, err)
			}
			if err := hang(ctx, a, t, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// hang makes what carries no tags on a bystander.
func hang(ctx context.Context, a *acceptance.AWS, t *resourceType, id string) error {
	switch t {
	case roleType:
		document := (&member{}).policy()
		_, err := a.IAM.PutRolePolicy(ctx, &iam.PutRolePolicyInput{RoleName: &id, PolicyName: aws.String("soak-policy-1"), PolicyDocument: &document})
		if err != nil {
			return err
		}
		_, err = a.IAM.AttachRolePolicy(ctx, &iam.AttachRolePolicyInput{RoleName: &id, PolicyArn: aws.String((&member{}).arn())})
		return err
	case zoneType:
		zone, err := a.Route53.GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: &id})
		if err != nil {
			return err
		}
		_, err = a.Route53.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
			HostedZoneId: &id, ChangeBatch: &r53types.ChangeBatch{Changes: []r53types.Change{{
				Action: r53types.ChangeActionCreate, ResourceRecordSet: &r53types.ResourceRecordSet{
					Name: aws.String("www." + *zone.HostedZone.Name), Type: r53types.RRTypeA, TTL: aws.Int64(60),
					ResourceRecords: []r53types.ResourceRecord{{Value: aws.String("192.0.2.9")}},
				},
			}}},
		})
		return err
	}
	return nil
}
