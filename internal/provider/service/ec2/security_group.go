package ec2

import (
	"context"
	"iter"
	"regexp"
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

type securityGroup struct {
	ARN         types.String `tfsdk:"arn"`
	Description types.String `tfsdk:"description"`
	Name        types.String `tfsdk:"name"`
	NamePrefix  types.String `tfsdk:"name_prefix"`
	Owner       types.String `tfsdk:"owner_id"`
	RevokeRules types.Bool   `tfsdk:"revoke_rules_on_delete"`
	VPC         types.String `tfsdk:"vpc_id"`
}

const (
	// groupNameLength is the longest name of a security group.
	groupNameLength = 255
	// suffixLength is the length of what the engine adds to the prefix of a generated name.
	suffixLength = 26
)

// groupName leaves out the names that begin like the ids of security groups.
var groupName = regexp.MustCompile(`^([^s]|s$|s[^g]|sg$|sg[^-])`)

const groupNameRule = "it must not begin with sg-, as the ids of security groups do"

// SecurityGroup is a set of rules for the traffic of network interfaces.
var SecurityGroup = engine.Of(engine.ResourceType[securityGroup]{
	Name:    "security_group",
	Service: "VPC",
	Doc: `A security group: rules for the traffic of network interfaces.

Its rules are resources of their own; there are no ` + "`ingress` and `egress`" + ` blocks. Like in hashicorp/aws a new group
starts without any: the rules by which AWS lets a new group send everything to everywhere are taken away. The rules of a
group that is adopted or imported stay as they are. A destroy waits while network interfaces use the group.`,
	Tier: engine.Marked,
	Tags: tagging.EC2,
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the security group."),
		"description": attrs.DefaultString("Managed by Terraform",
			"Description of the security group, up to 255 characters. Default `Managed by Terraform`.", attrs.Length(1, 255)),
		"name": attrs.OptionalComputedString(
			"Name of the security group, which no other one of the VPC has, up to 255 characters. Generated when unset.",
			attrs.Length(1, groupNameLength), attrs.Matches(groupName, groupNameRule), attrs.Conflicts("name_prefix")),
		"name_prefix": attrs.OptionalComputedString("Start of the generated name, up to 229 characters. Default `terraform-`.",
			attrs.Length(1, groupNameLength-suffixLength), attrs.Matches(groupName, groupNameRule)),
		"owner_id": attrs.ComputedString("Account that owns the security group."),
		"revoke_rules_on_delete": attrs.DefaultBool(false,
			"Whether a destroy first takes away all rules of the group, and those of other groups that refer to it, whoever "+
				"made them. Default `false`."),
		"vpc_id": attrs.OptionalComputedString("ID of the VPC. The region's default VPC when unset.", attrs.NotEmpty()),
	},
	Settings:  []string{"revoke_rules_on_delete"},
	Generates: &engine.Part{Attr: "name", Prefix: "name_prefix", MaxLength: groupNameLength},
	Timeouts:  engine.Timeouts{Create: 10 * time.Minute, Delete: 15 * time.Minute},
	Get:       getSecurityGroup,
	List:      listSecurityGroups,
	Search:    search(liveSecurityGroups),
	Create:    createSecurityGroup,
	Updates:   []engine.Update[securityGroup]{{Attrs: []string{"revoke_rules_on_delete"}}},
	Delete:    deleteSecurityGroup,
	Natural:   holderOfGroupName,
	Finish:    revokeDefaultEgress,
	Exists:    func(err error) bool { return cloud.HasCode(err, "InvalidGroup.Duplicate") },
	Busy:      busySecurityGroup,
	TooFresh:  vpcTooFresh,
})

func getSecurityGroup(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[securityGroup], error) {
	out, err := api(s).DescribeSecurityGroups(ctx, &ec2.DescribeSecurityGroupsInput{GroupIds: k})
	if err != nil {
		return engine.Live[securityGroup]{}, absent(err)
	}
	return only(out.SecurityGroups, k, liveSecurityGroup)
}

func listSecurityGroups(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[engine.Live[securityGroup], error] {
	return liveSecurityGroups(ctx, s, marked(f)...)
}

func liveSecurityGroups(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[engine.Live[securityGroup], error] {
	return lives(securityGroups(ctx, s, by...), liveSecurityGroup)
}

func securityGroups(ctx context.Context, s *cloud.Session, by ...ec2types.Filter) iter.Seq2[ec2types.SecurityGroup, error] {
	p := ec2.NewDescribeSecurityGroupsPaginator(api(s), &ec2.DescribeSecurityGroupsInput{
		Filters: by, MaxResults: aws.Int32(pageSize),
	})
	return pages(ctx, p, func(o *ec2.DescribeSecurityGroupsOutput) []ec2types.SecurityGroup { return o.SecurityGroups })
}

func liveSecurityGroup(g ec2types.SecurityGroup) engine.Live[securityGroup] {
	return engine.Live[securityGroup]{
		Key: engine.Key{aws.ToString(g.GroupId)}, Owner: aws.ToString(g.OwnerId), Tags: tagMap(g.Tags),
		// Every VPC has one group of this name, and no other group may take it.
		MadeByAWS: aws.ToString(g.GroupName) == "default",
		Model: securityGroup{
			ARN:         attrs.String(g.SecurityGroupArn),
			Description: attrs.String(g.Description),
			Name:        attrs.String(g.GroupName),
			NamePrefix:  attrs.PrefixOf(aws.ToString(g.GroupName)),
			Owner:       attrs.String(g.OwnerId),
			VPC:         attrs.String(g.VpcId),
		},
	}
}

// holderOfGroupName finds the group that has the name in the VPC. Names may hold what EC2's filters take for wildcards.
func holderOfGroupName(ctx context.Context, s *cloud.Session, plan *securityGroup) (engine.Key, error) {
	name, vpc := plan.Name.ValueString(), plan.VPC.ValueString()
	if name == "" {
		return nil, nil
	}
	if vpc == "" {
		var err error
		if vpc, err = defaultVPC(ctx, s); vpc == "" || err != nil {
			return nil, err
		}
	}
	for g, err := range securityGroups(ctx, s, filter("vpc-id", vpc), filter("group-name", name)) {
		if err != nil {
			return nil, err
		}
		if aws.ToString(g.VpcId) == vpc && aws.ToString(g.GroupName) == name {
			return engine.Key{aws.ToString(g.GroupId)}, nil
		}
	}
	return nil, nil
}

// defaultVPC is the id of the region's default VPC, "" where there is none.
func defaultVPC(ctx context.Context, s *cloud.Session) (string, error) {
	out, err := api(s).DescribeVpcs(ctx, &ec2.DescribeVpcsInput{Filters: []ec2types.Filter{filter("is-default", "true")}})
	if err != nil || len(out.Vpcs) == 0 {
		return "", err
	}
	return aws.ToString(out.Vpcs[0].VpcId), nil
}

// createSecurityGroup takes no token: CreateSecurityGroup has none, a retry finds the group by its marker.
func createSecurityGroup(ctx context.Context, s *cloud.Session, plan *securityGroup, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	out, err := api(s).CreateSecurityGroup(ctx, &ec2.CreateSecurityGroupInput{
		Description:       attrs.Ptr(plan.Description),
		GroupName:         attrs.Ptr(plan.Name),
		TagSpecifications: specification(ec2types.ResourceTypeSecurityGroup, tags),
		VpcId:             attrs.Ptr(plan.VPC),
	})
	if err != nil {
		return nil, err
	}
	return engine.Key{aws.ToString(out.GroupId)}, nil
}

func deleteSecurityGroup(ctx context.Context, s *cloud.Session, k engine.Key, prior *securityGroup) error {
	if prior.RevokeRules.ValueBool() {
		if err := revokeAllRules(ctx, s, k.String()); err != nil {
			return err
		}
	}
	_, err := api(s).DeleteSecurityGroup(ctx, &ec2.DeleteSecurityGroupInput{GroupId: aws.String(k.String())})
	return held(s, filter("group-id", k.String()), absent(err))
}

// busySecurityGroup waits for interfaces and rules that use the group, and lists the rules again where one of them went
// while they were revoked.
func busySecurityGroup(err error) bool {
	return busyDependency(err) || cloud.HasCode(err, "InvalidGroup.InUse") || noSuchRule(err)
}
