package main

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// twoTags and oneTag are tags of which the second set lacks one: it is removed.
var twoTags, oneTag = conf{"Name": "a", "Other": "b"}, conf{"Name": "a"}

// untag is the variant in which a tag goes.
func untag(first func(map[string]string) conf) variant {
	tagged := func(tags conf) func(map[string]string) conf {
		return func(vars map[string]string) conf { return with(first(vars), conf{"tags": tags}) }
	}
	return variant{name: "with a tag that goes", first: tagged(twoTags), changed: tagged(oneTag)}
}

// unnamed is the variant whose name is generated.
func unnamed(first func(map[string]string) conf, name string) variant {
	return variant{
		name: "with a generated name", first: func(vars map[string]string) conf { return with(first(vars), conf{name: nil}) },
	}
}

// variants are those of each type. What they cannot be here for want of the emulator stands in permissions.Unheld.
var variants = map[string][]variant{
	"estate_vpc": {
		untag(fixed(firstVPC)),
		{
			name: "with an IPv6 block", option: "assign_generated_ipv6_cidr_block", first: fixed(firstVPC),
			changed: fixed(with(firstVPC, conf{"assign_generated_ipv6_cidr_block": true})),
		},
		{
			name: "without its IPv6 block", option: "assign_generated_ipv6_cidr_block",
			first: fixed(with(firstVPC, conf{"assign_generated_ipv6_cidr_block": true})), changed: fixed(firstVPC),
		},
		{
			name: "back to shared hardware", option: "instance_tenancy",
			first: fixed(with(firstVPC, conf{"instance_tenancy": "dedicated"})), changed: fixed(with(firstVPC, conf{"instance_tenancy": "default"})),
		},
	},
	"estate_subnet": {
		untag(subnet(nil)),
		{name: "with another IPv6 block", option: "ipv6_cidr_block", first: inIPv6("1"), changed: inIPv6("2")},
	},
	"estate_security_group": {
		untag(group(nil)), unnamed(group(nil), "name"),
		{name: "in the default VPC", first: group(conf{"vpc_id": nil})},
		{name: "with rules", option: "revoke_rules_on_delete", first: group(conf{"revoke_rules_on_delete": true}), fill: makeRules},
	},
	"estate_eip": {
		untag(fixed(conf{"domain": "vpc"})),
		{name: "in use", option: "instance, network_interface", first: associated, fill: unfilled},
	},
	"estate_internet_gateway": {untag(gateway("vpc"))},
	"estate_iam_role": {
		untag(fixed(firstRole)), unnamed(fixed(firstRole), "name"),
		{
			name: "without its boundary", option: "permissions_boundary",
			first: fixed(with(firstRole, conf{"permissions_boundary": boundary})), changed: fixed(firstRole),
		},
		{name: "with policies", option: "force_detach_policies", first: fixed(with(firstRole, conf{"force_detach_policies": true})), fill: makePolicies},
		{name: "in an instance profile", first: fixed(firstRole), fill: makeProfile},
	},
	"estate_iam_role_policy": {unnamed(fixed(firstPolicy), "name")},
	"estate_cloudwatch_log_group": {
		untag(fixed(firstGroup)), unnamed(fixed(firstGroup), "name"),
		{name: "without retention", first: fixed(firstGroup), changed: fixed(with(firstGroup, conf{"retention_in_days": 0}))},
	},
	"estate_route53_zone": {
		untag(fixed(firstZone)),
		{name: "for a network", option: "vpc", first: inNetwork("vpc"), changed: inNetwork("other_vpc"), fill: unfilled},
		{name: "with records", option: "force_destroy", first: fixed(with(firstZone, conf{"force_destroy": true})), fill: makeRecord},
	},
	"estate_s3_bucket": {
		untag(bucket("crash", nil)), unnamed(bucket("crash", nil), "bucket"),
		{name: "with object lock", option: "object_lock_enabled", first: bucket("crash", conf{"object_lock_enabled": true})},
		{name: "with objects", option: "force_destroy", first: bucket("crash", conf{"force_destroy": true}), fill: makeObject},
	},
}

// askedFor are arguments that the matrix changes together with others, by type and by the action that they alone ask for.
var askedFor = map[string]string{
	"estate_eip ec2:AssociateAddress":                "instance, network_interface",
	"estate_iam_role iam:PutRolePermissionsBoundary": "permissions_boundary",
}

// setups make what variants need beside what the matrix needs, once for each account.
var setups = map[string]func(ctx context.Context, a *acceptance.AWS, vars map[string]string) error{
	"estate_subnet": makeIPv6Network, "estate_route53_zone": makeVPCs, "estate_security_group": makeReferrer,
}

func makeIPv6Network(ctx context.Context, a *acceptance.AWS, vars map[string]string) error {
	out, err := a.EC2.CreateVpc(ctx, &ec2.CreateVpcInput{CidrBlock: aws.String("10.200.0.0/16"), AmazonProvidedIpv6CidrBlock: aws.Bool(true)})
	if err != nil {
		return err
	}
	vars["vpc6"] = aws.ToString(out.Vpc.VpcId)
	shown, err := a.EC2.DescribeVpcs(ctx, &ec2.DescribeVpcsInput{VpcIds: []string{vars["vpc6"]}})
	if err != nil || len(shown.Vpcs) != 1 || len(shown.Vpcs[0].Ipv6CidrBlockAssociationSet) == 0 {
		return errors.Join(errors.New("the emulator gave the VPC no IPv6 block"), err)
	}
	vars["block6"] = aws.ToString(shown.Vpcs[0].Ipv6CidrBlockAssociationSet[0].Ipv6CidrBlock)
	return nil
}

// inIPv6 is a subnet with the nth of the network's IPv6 blocks.
func inIPv6(nth string) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		block, _, _ := strings.Cut(vars["block6"], "00::/56")
		return with(subnet(nil)(vars), conf{"vpc_id": vars["vpc6"], "ipv6_cidr_block": block + "0" + nth + "::/64"})
	}
}

func inNetwork(vpc string) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		return with(firstZone, conf{"vpc": []any{conf{"vpc_id": vars[vpc]}}})
	}
}

// makeReferrer makes a group whose rules may refer to others.
func makeReferrer(ctx context.Context, a *acceptance.AWS, vars map[string]string) error {
	out, err := a.EC2.CreateSecurityGroup(ctx, &ec2.CreateSecurityGroupInput{
		GroupName: aws.String("referrer"), Description: aws.String("refers"), VpcId: aws.String(vars["vpc"]),
	})
	if err != nil {
		return err
	}
	vars["referrer"] = aws.ToString(out.GroupId)
	return nil
}

// makeRules gives the group a rule of each direction, and another group one that refers to it.
func makeRules(ctx context.Context, a *acceptance.AWS, l *life) error {
	id := l.id()
	for _, group := range []string{id, l.site.vars["referrer"]} {
		_, err := a.EC2.AuthorizeSecurityGroupIngress(ctx, &ec2.AuthorizeSecurityGroupIngressInput{
			GroupId: aws.String(group), IpPermissions: []ec2types.IpPermission{{
				IpProtocol: aws.String("tcp"), FromPort: aws.Int32(1), ToPort: aws.Int32(1),
				UserIdGroupPairs: []ec2types.UserIdGroupPair{{GroupId: aws.String(id)}},
			}},
		})
		if err != nil {
			return err
		}
	}
	_, err := a.EC2.AuthorizeSecurityGroupEgress(ctx, &ec2.AuthorizeSecurityGroupEgressInput{
		GroupId: aws.String(id), IpPermissions: []ec2types.IpPermission{{
			IpProtocol: aws.String("tcp"), FromPort: aws.Int32(2), ToPort: aws.Int32(2),
			IpRanges: []ec2types.IpRange{{CidrIp: aws.String("192.0.2.0/24")}},
		}},
	})
	return err
}

func makePolicies(ctx context.Context, a *acceptance.AWS, l *life) error {
	role := aws.String(l.id())
	_, err := a.IAM.AttachRolePolicy(ctx, &iam.AttachRolePolicyInput{RoleName: role, PolicyArn: aws.String(otherARN)})
	if err != nil {
		return err
	}
	_, err = a.IAM.PutRolePolicy(ctx, &iam.PutRolePolicyInput{RoleName: role, PolicyName: aws.String("inline"), PolicyDocument: aws.String(policy)})
	return err
}

func makeProfile(ctx context.Context, a *acceptance.AWS, l *life) error {
	name := aws.String("profile-" + l.site.estate)
	if _, err := a.IAM.CreateInstanceProfile(ctx, &iam.CreateInstanceProfileInput{InstanceProfileName: name}); err != nil {
		return err
	}
	_, err := a.IAM.AddRoleToInstanceProfile(ctx, &iam.AddRoleToInstanceProfileInput{InstanceProfileName: name, RoleName: aws.String(l.id())})
	return err
}

func makeRecord(ctx context.Context, a *acceptance.AWS, l *life) error {
	_, err := a.Route53.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
		HostedZoneId: aws.String(l.id()),
		ChangeBatch: &r53types.ChangeBatch{Changes: []r53types.Change{{
			Action: r53types.ChangeActionCreate, ResourceRecordSet: &r53types.ResourceRecordSet{
				Name: aws.String("www." + text(l.current.value, "name")), Type: r53types.RRTypeA, TTL: aws.Int64(300),
				ResourceRecords: []r53types.ResourceRecord{{Value: aws.String("192.0.2.1")}},
			},
		}}},
	})
	return err
}

func makeObject(ctx context.Context, a *acceptance.AWS, l *life) error {
	_, err := a.S3.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String(l.id()), Key: aws.String("some"), Body: strings.NewReader("x")})
	return err
}
