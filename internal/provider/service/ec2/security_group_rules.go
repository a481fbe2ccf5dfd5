package ec2

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// This file takes rules of security groups away: those that AWS gives a new group, and those that keep one from being
// deleted.

const (
	everyIPv4 = "0.0.0.0/0"
	everyIPv6 = "::/0"
)

// anyProtocol is how EC2 writes "all protocols and ports".
const anyProtocol = "-1"

// revokeDefaultEgress takes the rules away by which AWS lets a new group send everything to everywhere. It may run
// again when somebody has made such a rule on purpose since: one with tags or a description is theirs. The rules of a
// group that is a moment old may not show yet, so each is revoked whether it shows or not.
func revokeDefaultEgress(ctx context.Context, s *cloud.Session, k engine.Key, _ *securityGroup) error {
	everywhere := []ec2types.IpPermission{
		{IpProtocol: aws.String(anyProtocol), IpRanges: []ec2types.IpRange{{CidrIp: aws.String(everyIPv4)}}},
		{IpProtocol: aws.String(anyProtocol), Ipv6Ranges: []ec2types.Ipv6Range{{CidrIpv6: aws.String(everyIPv6)}}},
	}
	theirs := [2]bool{}
	for r, err := range rules(ctx, s, k.String()) {
		switch {
		case err != nil:
			return fmt.Errorf("reading the rules of the new group: %w", absent(err))
		case !aws.ToBool(r.IsEgress) || aws.ToString(r.IpProtocol) != anyProtocol:
		case aws.ToString(r.CidrIpv4) == everyIPv4:
			theirs[0] = hasOwner(r)
		case aws.ToString(r.CidrIpv6) == everyIPv6:
			theirs[1] = hasOwner(r)
		}
	}
	for i, permission := range everywhere {
		if theirs[i] {
			continue
		}
		_, err := api(s).RevokeSecurityGroupEgress(ctx, &ec2.RevokeSecurityGroupEgressInput{
			GroupId: aws.String(k.String()), IpPermissions: []ec2types.IpPermission{permission},
		})
		// A VPC without IPv6 has no such rule, and some regions do not take the range for one.
		if err != nil && !noSuchRule(err) && !says(err, "InvalidParameterValue", "remote-ipv6-range") {
			return fmt.Errorf("revoking the rule that AWS gave the new group: %w", absent(err))
		}
	}
	return nil
}

// hasOwner tells whether somebody made the rule on purpose: those of AWS have neither tags nor description.
func hasOwner(r ec2types.SecurityGroupRule) bool {
	return len(r.Tags) > 0 || aws.ToString(r.Description) != ""
}

// noSuchRule tells whether err says that there is no such rule.
func noSuchRule(err error) bool {
	return cloud.HasCode(err, "InvalidPermission.NotFound", "InvalidSecurityGroupRuleId.NotFound")
}

// rules yields the rules of groups. EC2 takes up to filterValues groups at once.
func rules(ctx context.Context, s *cloud.Session, groups ...string) iter.Seq2[ec2types.SecurityGroupRule, error] {
	p := ec2.NewDescribeSecurityGroupRulesPaginator(api(s), &ec2.DescribeSecurityGroupRulesInput{
		Filters: []ec2types.Filter{filter("group-id", groups...)}, MaxResults: aws.Int32(pageSize),
	})
	return pages(ctx, p, func(o *ec2.DescribeSecurityGroupRulesOutput) []ec2types.SecurityGroupRule {
		return o.SecurityGroupRules
	})
}

// revocation is one call that takes rules away.
type revocation struct {
	group  string
	egress bool
}

// revokeAllRules takes away all rules of the group, and those of other groups that refer to it.
func revokeAllRules(ctx context.Context, s *cloud.Session, id string) error {
	groups, err := referring(ctx, s, id)
	if err != nil {
		return err
	}
	var order []revocation
	found := map[revocation][]string{}
	for some := range slices.Chunk(groups, filterValues) {
		for r, err := range rules(ctx, s, some...) {
			if err != nil {
				return err
			}
			call := revocation{aws.ToString(r.GroupId), aws.ToBool(r.IsEgress)}
			if call.group != id && (r.ReferencedGroupInfo == nil || aws.ToString(r.ReferencedGroupInfo.GroupId) != id) {
				continue
			}
			if found[call] == nil {
				order = append(order, call)
			}
			found[call] = append(found[call], aws.ToString(r.SecurityGroupRuleId))
		}
	}
	for _, call := range order {
		if err := revoke(ctx, s, call, found[call]); err != nil {
			return fmt.Errorf("revoking rules of %s: %w", call.group, err)
		}
	}
	return nil
}

// referring lists the group and those that have a rule which refers to it.
func referring(ctx context.Context, s *cloud.Session, id string) ([]string, error) {
	groups := []string{id}
	for _, name := range []string{"ip-permission.group-id", "egress.ip-permission.group-id"} {
		for g, err := range securityGroups(ctx, s, filter(name, id)) {
			if err != nil {
				return nil, err
			}
			if other := aws.ToString(g.GroupId); !slices.Contains(groups, other) {
				groups = append(groups, other)
			}
		}
	}
	return groups, nil
}

// revoke takes rules of one group and direction away. A group that is gone has none.
func revoke(ctx context.Context, s *cloud.Session, of revocation, ids []string) error {
	var err error
	if of.egress {
		_, err = api(s).RevokeSecurityGroupEgress(ctx, &ec2.RevokeSecurityGroupEgressInput{
			GroupId: aws.String(of.group), SecurityGroupRuleIds: ids,
		})
	} else {
		_, err = api(s).RevokeSecurityGroupIngress(ctx, &ec2.RevokeSecurityGroupIngressInput{
			GroupId: aws.String(of.group), SecurityGroupRuleIds: ids,
		})
	}
	if cloud.HasCode(err, "InvalidGroup.NotFound", "InvalidSecurityGroupID.NotFound") {
		return nil
	}
	return err
}
