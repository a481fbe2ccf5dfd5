package provider

import (
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/ec2"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/service/iam"
)

// resourceTypes are all resource types that the provider serves, by name.
var resourceTypes = []engine.Type{
	ec2.EIP,
	iam.Role,
	iam.RolePolicy,
	ec2.VPC,
}
