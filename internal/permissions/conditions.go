package permissions

// condition is how the tags of a type's objects can be asked for in a policy. SAR names the resources of each action and their
// condition keys. Hosted zones have none (SAR, Amazon Route 53), and a bucket's tags count only where access control by tags was
// switched on for it (S3's user guide, "Enabling ABAC in general purpose buckets").
type condition struct {
	// arn are the objects; those of a type without tags are what they belong to.
	arn string
	// creates makes an object and tags writes tags; both are empty for a type without tags.
	creates, tags string
	// elsewhere are actions whose calls name other objects, whose tags are no matter of the estate's.
	elsewhere map[string]elsewhere
}

// elsewhere are ARNs that a call names beside the object, or in its place.
type elsewhere struct{ beside, instead []string }

func beside(arns ...string) elsewhere  { return elsewhere{beside: arns} }
func instead(arns ...string) elsewhere { return elsewhere{instead: arns} }

const (
	inEC2     = "arn:aws:ec2:*:*:"
	pools     = inEC2 + "ipam-pool/*"
	ipv6Pools = inEC2 + "ipv6pool-ec2/*"
	ipv4Pools = inEC2 + "ipv4pool-ec2/*"
	vpcs      = inEC2 + "vpc/*"
	rolesARN  = "arn:aws:iam::*:role/*"
)

// conditioned are the types of which tags can be asked for.
var conditioned = map[string]condition{
	"estate_cloudwatch_log_group": {arn: "arn:aws:logs:*:*:log-group:*", creates: "logs:CreateLogGroup", tags: "logs:TagResource"},
	"estate_eip": {
		arn: inEC2 + "elastic-ip/*", creates: "ec2:AllocateAddress", tags: "ec2:CreateTags",
		elsewhere: map[string]elsewhere{
			"ec2:AllocateAddress":     beside(pools, ipv4Pools),
			"ec2:AssociateAddress":    beside(inEC2+"instance/*", inEC2+"network-interface/*"),
			"ec2:DisassociateAddress": beside(inEC2 + "network-interface/*"),
		},
	},
	"estate_iam_role": {
		arn: rolesARN, creates: "iam:CreateRole", tags: "iam:TagRole",
		elsewhere: map[string]elsewhere{"iam:RemoveRoleFromInstanceProfile": instead("arn:aws:iam::*:instance-profile/*")},
	},
	"estate_iam_role_policy":            {arn: rolesARN},
	"estate_iam_role_policy_attachment": {arn: rolesARN},
	"estate_internet_gateway": {
		arn: inEC2 + "internet-gateway/*", creates: "ec2:CreateInternetGateway", tags: "ec2:CreateTags",
		elsewhere: map[string]elsewhere{"ec2:AttachInternetGateway": beside(vpcs), "ec2:DetachInternetGateway": beside(vpcs)},
	},
	"estate_security_group": {
		arn: inEC2 + "security-group/*", creates: "ec2:CreateSecurityGroup", tags: "ec2:CreateTags",
		elsewhere: map[string]elsewhere{"ec2:CreateSecurityGroup": beside(vpcs)},
	},
	"estate_subnet": {
		arn: inEC2 + "subnet/*", creates: "ec2:CreateSubnet", tags: "ec2:CreateTags",
		elsewhere: map[string]elsewhere{"ec2:AssociateSubnetCidrBlock": beside(pools), "ec2:CreateSubnet": beside(pools, vpcs)},
	},
	"estate_vpc": {
		arn: vpcs, creates: "ec2:CreateVpc", tags: "ec2:CreateTags",
		elsewhere: map[string]elsewhere{"ec2:AssociateVpcCidrBlock": beside(pools, ipv6Pools), "ec2:CreateVpc": beside(pools, ipv6Pools)},
	},
}
