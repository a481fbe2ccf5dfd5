package main

import (
	"fmt"
	"strconv"
)

// resourceType is one of the provider's types: what the configuration says of a member, and what AWS shows of it then.
type resourceType struct {
	name string
	// tagged tells whether its objects carry a marker.
	tagged bool
	// named tells whether an edition has another name, by which alone the object is looked for.
	named bool
	// refs are arguments that take an attribute of the parent.
	refs map[string]string
	// updates and replaces tell whether the type has attributes that change in place, and others that do not.
	updates, replaces bool
	// says are the other arguments, as expressions of the configuration.
	says func(e *estate, m *member) map[string]string
	// shows is what AWS shows, beside tags; ids gives the id of another member's object.
	shows func(e *estate, m *member, ids func(*member) string) map[string]string
}

var (
	vpcType = &resourceType{
		name: "estate_vpc", tagged: true, updates: true, replaces: true,
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"cidr_block": strconv.Quote(m.network() + ".0.0/16"), "enable_dns_hostnames": m.odd()}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"cidr": m.network() + ".0.0/16", "dns hostnames": m.odd()}
		},
	}
	subnetType = &resourceType{
		name: "estate_subnet", tagged: true, updates: true, replaces: true, refs: map[string]string{"vpc_id": "id"},
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"cidr_block": strconv.Quote(m.subnet()), "map_public_ip_on_launch": m.odd()}
		},
		shows: func(_ *estate, m *member, ids func(*member) string) map[string]string {
			return map[string]string{"cidr": m.subnet(), "public": m.odd(), "vpc": ids(m.parent)}
		},
	}
	securityGroupType = &resourceType{
		name: "estate_security_group", tagged: true, updates: true, replaces: true, refs: map[string]string{"vpc_id": "id"},
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"name": strconv.Quote(m.named("group")), "description": strconv.Quote(m.named("edition"))}
		},
		shows: func(_ *estate, m *member, ids func(*member) string) map[string]string {
			return map[string]string{"name": m.named("group"), "description": m.named("edition"), "vpc": ids(m.parent)}
		},
	}
	// A gateway has nothing that forces a new one. Where the old VPC goes first it has to go with it: AWS keeps a VPC with a gateway.
	gatewayType = &resourceType{
		name: "estate_internet_gateway", tagged: true, updates: true, refs: map[string]string{"vpc_id": "id"},
		says: nothing,
		shows: func(_ *estate, m *member, ids func(*member) string) map[string]string {
			return map[string]string{"vpc": ids(m.parent)}
		},
	}
	// The only argument of an address that forces a new one needs a pool of one's own.
	eipType = &resourceType{
		name: "estate_eip", tagged: true, updates: true,
		says: func(*estate, *member) map[string]string { return map[string]string{"domain": `"vpc"`} },
		shows: func(*estate, *member, func(*member) string) map[string]string {
			return map[string]string{"domain": "vpc"}
		},
	}
	roleType = &resourceType{
		name: "estate_iam_role", tagged: true, named: true, updates: true, replaces: true,
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{
				"name": strconv.Quote(m.named("role")), "description": strconv.Quote(m.versioned()), "assume_role_policy": strconv.Quote(trust),
				"force_detach_policies": "true",
			}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"description": m.versioned(), "path": "/"}
		},
	}
	rolePolicyType = &resourceType{
		name: "estate_iam_role_policy", named: true, updates: true, replaces: true, refs: map[string]string{"role": "name"},
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"name": strconv.Quote(m.named("policy")), "policy": strconv.Quote(m.policy())}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"document": m.policy()}
		},
	}
	attachmentType = &resourceType{
		name: "estate_iam_role_policy_attachment", named: true, replaces: true, refs: map[string]string{"role": "name"},
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"policy_arn": strconv.Quote(m.arn())}
		},
		shows: func(*estate, *member, func(*member) string) map[string]string { return map[string]string{} },
	}
	logGroupType = &resourceType{
		name: "estate_cloudwatch_log_group", tagged: true, named: true, updates: true, replaces: true,
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"name": strconv.Quote("/soak/" + m.named("logs")), "retention_in_days": m.retention()}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"retention": m.retention()}
		},
	}
	bucketType = &resourceType{
		name: "estate_s3_bucket", tagged: true, named: true, updates: true, replaces: true,
		says: func(e *estate, m *member) map[string]string {
			return map[string]string{"bucket": strconv.Quote(m.named("bucket") + "-" + e.suffix), "force_destroy": m.odd()}
		},
		shows: func(*estate, *member, func(*member) string) map[string]string { return map[string]string{} },
	}
	zoneType = &resourceType{
		name: "estate_route53_zone", tagged: true, updates: true, replaces: true,
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{"name": strconv.Quote(m.domain()), "comment": strconv.Quote(m.versioned())}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"name": m.domain(), "comment": m.versioned()}
		},
	}
	recordType = &resourceType{
		name: "estate_route53_record", named: true, updates: true, replaces: true, refs: map[string]string{"zone_id": "zone_id"},
		says: func(_ *estate, m *member) map[string]string {
			return map[string]string{
				"name": strconv.Quote(m.named("record") + "." + m.parent.domain()), "type": `"A"`, "ttl": strconv.Itoa(m.ttl()), "records": `["192.0.2.1"]`,
			}
		},
		shows: func(_ *estate, m *member, _ func(*member) string) map[string]string {
			return map[string]string{"values": fmt.Sprintf("%d 192.0.2.1", m.ttl())}
		},
	}
)

// allTypes are all twelve.
var allTypes = []*resourceType{
	vpcType, subnetType, securityGroupType, gatewayType, eipType, roleType, rolePolicyType, attachmentType, logGroupType, bucketType,
	zoneType, recordType,
}

// trust is the trust policy of every role.
const trust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

// managed are policies that AWS has.
var managed = []string{"ReadOnlyAccess", "IAMReadOnlyAccess", "AmazonS3ReadOnlyAccess", "AmazonEC2ReadOnlyAccess", "CloudWatchReadOnlyAccess"}

func nothing(*estate, *member) map[string]string { return map[string]string{} }

// What follows writes a member's numbers as values.

func (m *member) odd() string              { return strconv.FormatBool(m.version%2 == 1) }
func (m *member) versioned() string        { return fmt.Sprintf("version %d", m.version) }
func (m *member) named(what string) string { return fmt.Sprintf("soak-%s-%d", what, m.edition) }
func (m *member) network() string          { return fmt.Sprintf("10.%d", m.edition%networks) }
func (m *member) subnet() string {
	return fmt.Sprintf("%s.%d.0/24", m.parent.network(), m.net%networks)
}
func (m *member) domain() string    { return m.named("zone") + ".example.com" }
func (m *member) ttl() int          { return 60 + m.version }
func (m *member) arn() string       { return "arn:aws:iam::aws:policy/" + managed[m.edition%len(managed)] }
func (m *member) retention() string { return []string{"1", "3", "5", "7", "14", "30"}[m.version%6] }

func (m *member) policy() string {
	return fmt.Sprintf(`{"Version":"2012-10-17","Statement":[{"Sid":"V%d","Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}]}`, m.version)
}

// networks is how many ranges there are before they come again: no VPC has as many subnets, and VPCs may share a range.
const networks = 250
