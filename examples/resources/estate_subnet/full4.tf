# Instances whose names come from their ids, and which reach IPv4 hosts through DNS64.
resource "estate_vpc" "example" {
  tofu_address                     = "estate_vpc.example"
  cidr_block                       = "10.0.0.0/16"
  assign_generated_ipv6_cidr_block = true
}

resource "estate_subnet" "example" {
  tofu_address = "estate_subnet.example"

  vpc_id                                         = estate_vpc.example.id
  cidr_block                                     = "10.0.1.0/24"
  ipv6_cidr_block                                = cidrsubnet(estate_vpc.example.ipv6_cidr_block, 8, 1)
  enable_dns64                                   = true
  enable_resource_name_dns_a_record_on_launch    = true
  enable_resource_name_dns_aaaa_record_on_launch = true
  private_dns_hostname_type_on_launch            = "resource-name"
}
