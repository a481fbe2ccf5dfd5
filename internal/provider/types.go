package provider

import (
	"slices"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/inventory"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/ec2"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/iam"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/logs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/route53"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/s3"
)

// Types returns all resource types that the provider serves, for programs that go over them.
func Types() []engine.Type { return slices.Clone(resourceTypes) }

// resourceTypes are all resource types that the provider serves, by name.
var resourceTypes = []engine.Type{
	logs.LogGroup,
	ec2.EIP,
	iam.Role,
	iam.RolePolicy,
	iam.RolePolicyAttachment,
	ec2.InternetGateway,
	route53.Record,
	route53.Zone,
	s3.Bucket,
	ec2.SecurityGroup,
	ec2.Subnet,
	ec2.VPC,
}

// verifiers tell inventories which objects of other types have ended.
var verifiers = []inventory.Verifier{
	{Type: "instance", Service: "ec2", Resource: "instance/", Ended: ec2.EndedInstances},
}
