package functions

// ec2 is the row of EC2, the longest. Its transit gateways, VPNs, IPAM, Verified Access and fleets are left out.
var ec2 = service{
	page: "list_amazonec2.html", tags: "CreateTags", untags: "DeleteTags", bare: "DeleteTags", createAction: true,
	reads: `Describe* GetEbsDefaultKmsKeyId GetEbsEncryptionByDefault GetManagedPrefixListEntries GetSecurityGroupsForVpc
		GetSubnetCidrReservations`,
	owned: `AcceptVpcPeeringConnection AssignPrivateIpAddresses AssociateAddress AssociateDhcpOptions AssociateIamInstanceProfile
		AssociateNatGatewayAddress AssociateRouteTable AssociateSecurityGroupVpc AssociateSubnetCidrBlock AssociateVpcCidrBlock
		AttachInternetGateway AttachNetworkInterface AttachVolume CreateLaunchTemplateVersion CreateNetworkAclEntry CreateRoute
		DeleteDhcpOptions DeleteEgressOnlyInternetGateway DeleteFlowLogs DeleteInternetGateway DeleteKeyPair DeleteLaunchTemplate
		DeleteLaunchTemplateVersions DeleteManagedPrefixList DeleteNatGateway DeleteNetworkAcl DeleteNetworkAclEntry
		DeleteNetworkInterface DeletePlacementGroup DeleteRoute DeleteRouteTable DeleteSecurityGroup DeleteSnapshot DeleteSubnet
		DeleteVolume DeleteVpc DeleteVpcEndpoints DeleteVpcPeeringConnection DescribeInstanceAttribute DetachInternetGateway
		DetachNetworkInterface DetachVolume DisableVgwRoutePropagation DisassociateAddress DisassociateIamInstanceProfile
		DisassociateNatGatewayAddress DisassociateRouteTable DisassociateSecurityGroupVpc DisassociateSubnetCidrBlock
		DisassociateVpcCidrBlock EnableVgwRoutePropagation GetConsoleOutput GetConsoleScreenshot GetLaunchTemplateData
		GetPasswordData ModifyAddressAttribute ModifyImageAttribute ModifyInstanceAttribute ModifyInstanceCreditSpecification
		ModifyInstanceMaintenanceOptions ModifyInstanceMetadataOptions ModifyInstancePlacement ModifyLaunchTemplate
		ModifyManagedPrefixList ModifyNetworkInterfaceAttribute ModifyPrivateDnsNameOptions ModifySnapshotAttribute
		ModifySubnetAttribute ModifyVolume ModifyVpcAttribute ModifyVpcEndpoint ModifyVpcPeeringConnectionOptions ModifyVpcTenancy
		RebootInstances ReleaseAddress ReplaceIamInstanceProfileAssociation ReplaceNetworkAclAssociation ReplaceNetworkAclEntry
		ReplaceRoute ReplaceRouteTableAssociation ResetAddressAttribute ResetNetworkInterfaceAttribute RevokeSecurityGroupEgress
		RevokeSecurityGroupIngress StartInstances StopInstances TerminateInstances UnassignPrivateIpAddresses
		UpdateSecurityGroupRuleDescriptionsEgress UpdateSecurityGroupRuleDescriptionsIngress`,
	makes: map[string]making{
		"AllocateAddress": {new: "elastic-ip/*"},
		// The rules are asked about only where the call tags them.
		"AuthorizeSecurityGroupEgress":    {new: "security-group-rule/*", in: true},
		"AuthorizeSecurityGroupIngress":   {new: "security-group-rule/*", in: true},
		"CreateDhcpOptions":               {new: "dhcp-options/*"},
		"CreateEgressOnlyInternetGateway": {new: "egress-only-internet-gateway/*", in: true},
		"CreateFlowLogs":                  {new: "vpc-flow-log/*", in: true},
		"CreateInternetGateway":           {new: "internet-gateway/*"},
		"CreateKeyPair":                   {new: "key-pair/*"},
		"CreateLaunchTemplate":            {new: "launch-template/*"},
		"CreateManagedPrefixList":         {new: "prefix-list/*"},
		"CreateNatGateway":                {new: "natgateway/*", in: true},
		"CreateNetworkAcl":                {new: "network-acl/*", in: true},
		"CreateNetworkInterface":          {new: "network-interface/*", in: true},
		"CreatePlacementGroup":            {new: "placement-group/*"},
		"CreateRouteTable":                {new: "route-table/*", in: true},
		"CreateSecurityGroup":             {new: "security-group/*", in: true},
		"CreateSnapshot":                  {new: "*::snapshot/*", in: true},
		"CreateSubnet":                    {new: "subnet/*", in: true},
		"CreateVolume":                    {new: "volume/*", in: true},
		"CreateVpc":                       {new: "vpc/*"},
		"CreateVpcEndpoint":               {new: "vpc-endpoint/*", in: true},
		"CreateVpcPeeringConnection":      {new: "vpc-peering-connection/*", in: true},
		"ImportKeyPair":                   {new: "key-pair/*"},
		// Rules have tags only where a call gave them some; the group that they are in has to be the estate's.
		"ModifySecurityGroupRules": {in: true, with: "security-group-rule/*"},
		// Images are mostly of others, who would have to tag them.
		"RunInstances": {new: "instance/* network-interface/* volume/*", in: true, with: "*::image/*"},
	},
}
