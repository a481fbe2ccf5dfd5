package faultproxy

import (
	"net/http"
	"slices"
	"strings"
)

// object is what a call made, and how it is found in later answers.
type object struct {
	service string
	region  string // "" for services whose objects have none
	// reads are the actions whose answers show the object, and creates the one that made it.
	reads   []string
	creates string
	// fields are the children that the object's element has in those answers, by name.
	fields map[string]string
	// path is the one that reads of the object have; "" for any.
	path string
	// asked says of a read whether it asks for the object itself, so that its absence is an error; nil for never.
	asked func(Call) bool
	// missing is that error.
	missing failure
}

type failure struct {
	status        int
	code, message string
}

// is says that the element is the object.
func (o object) is(n *node) bool {
	for name, want := range o.fields {
		if !strings.EqualFold(bare(n.at(name).value()), bare(want)) {
			return false
		}
	}
	return true
}

// bare is what is the same of an id or name however it is written: Route 53 and moto write /change/C1 and C1, and a
// domain name with and without its last dot.
func bare(id string) string {
	id = strings.TrimPrefix(strings.TrimPrefix(id, "/change/"), "/hostedzone/")
	return strings.TrimSuffix(id, ".")
}

// shownBy says that the call's answer may show the object.
func (o object) shownBy(c Call) bool { return o.inReach(c) && slices.Contains(o.reads, c.Action) }

func (o object) inReach(c Call) bool {
	return c.Service == o.service && (o.region == "" || o.region == c.Region) &&
		(o.path == "" || o.path == strings.TrimSuffix(c.Path, "/"))
}

// made returns the objects that an answered call made, as far as the proxy knows such calls. An id is taken from the
// answer (EC2, Route 53, managed policies of IAM), a name from the request (other IAM, S3, Logs).
func made(c Call) []object {
	if c.Status >= http.StatusBadRequest || !c.Write {
		return nil
	}
	switch c.Service {
	case "ec2":
		return madeByEC2(c)
	case "iam":
		return madeByIAM(c)
	case "s3":
		return madeByS3(c)
	case "logs":
		return madeByLogs(c)
	case "route53":
		return madeByRoute53(c)
	}
	return nil
}

// ids returns the values of the outermost elements of that name in an answer, in order: in that to CreateSubnet, the
// subnet's id and no other.
func ids(t tree, name string) []string {
	var found []string
	level := t.root.children
	for len(found) == 0 && len(level) > 0 {
		var below []*node
		for _, n := range level {
			if n.local() == name && n.value() != "" {
				found = append(found, n.value())
			}
			below = append(below, n.children...)
		}
		level = below
	}
	return found
}

// ec2Kind is how EC2 speaks of one kind of object.
type ec2Kind struct{ id, reads, missing string }

// ec2Kinds names what the pattern of ec2KindOf gets wrong, by the call that makes it.
var ec2Kinds = map[string]ec2Kind{
	"CreateVpc":                     {"vpcId", "DescribeVpcs", "InvalidVpcID.NotFound"},
	"AllocateAddress":               {"allocationId", "DescribeAddresses", "InvalidAllocationID.NotFound"},
	"RunInstances":                  {"instanceId", "DescribeInstances", "InvalidInstanceID.NotFound"},
	"CreateSecurityGroup":           {"groupId", "DescribeSecurityGroups", "InvalidGroup.NotFound"},
	"AuthorizeSecurityGroupIngress": {"securityGroupRuleId", "DescribeSecurityGroupRules", "InvalidSecurityGroupRuleId.NotFound"},
	"AuthorizeSecurityGroupEgress":  {"securityGroupRuleId", "DescribeSecurityGroupRules", "InvalidSecurityGroupRuleId.NotFound"},
	"CreateVolume":                  {"volumeId", "DescribeVolumes", "InvalidVolume.NotFound"},
	"CreateSnapshot":                {"snapshotId", "DescribeSnapshots", "InvalidSnapshot.NotFound"},
	"CreateNatGateway":              {"natGatewayId", "DescribeNatGateways", "NatGatewayNotFound"},
	"CreateVpcEndpoint":             {"vpcEndpointId", "DescribeVpcEndpoints", "InvalidVpcEndpointId.NotFound"},
	"CreateLaunchTemplate":          {"launchTemplateId", "DescribeLaunchTemplates", "InvalidLaunchTemplateId.NotFound"},
	"CreateDhcpOptions":             {"dhcpOptionsId", "DescribeDhcpOptions", "InvalidDhcpOptionID.NotFound"},
}

// ec2KindOf derives the rest: CreateRouteTable makes a routeTableId that DescribeRouteTables shows.
func ec2KindOf(action string) (ec2Kind, bool) {
	if k, ok := ec2Kinds[action]; ok {
		return k, true
	}
	noun, ok := strings.CutPrefix(action, "Create")
	if !ok || noun == "" || noun == "Tags" {
		return ec2Kind{}, false
	}
	return ec2Kind{strings.ToLower(noun[:1]) + noun[1:] + "Id", "Describe" + noun + "s", "Invalid" + noun + "ID.NotFound"}, true
}

func madeByEC2(c Call) []object {
	kind, known := ec2KindOf(c.Action)
	t, ok := parse(c.protocol, c.ResponseBody)
	if !known || !ok {
		return nil
	}
	var out []object
	for _, id := range ids(t, kind.id) {
		asked := func(c Call) bool { return c.Action != "DescribeTags" && hasParam(c, id, "Filter.") }
		out = append(out,
			object{
				service: "ec2", region: c.Region, creates: c.Action, reads: []string{kind.reads},
				fields: map[string]string{kind.id: id}, asked: asked,
				missing: failure{http.StatusBadRequest, kind.missing, "The ID '" + id + "' does not exist"},
			})
	}
	return out
}

// hasParam says that a parameter whose name does not begin so has the value.
func hasParam(c Call, value, except string) bool {
	for name, values := range c.Params {
		if !strings.HasPrefix(name, except) && slices.Contains(values, value) {
			return true
		}
	}
	return false
}

// iamNouns are the kinds of IAM that a name identifies, with what lists them beside GetAccountAuthorizationDetails.
var iamNouns = map[string]string{
	"Role": "ListRoles", "User": "ListUsers", "Group": "ListGroups", "InstanceProfile": "ListInstanceProfiles",
}

func madeByIAM(c Call) []object {
	noun := strings.TrimPrefix(c.Action, "Create")
	lists, named := iamNouns[noun]
	param, field := noun+"Name", noun+"Name"
	id := c.Params.Get(param)
	if noun == "Policy" {
		lists, param, field = "ListPolicies", "PolicyArn", "Arn"
		if t, ok := parse(c.protocol, c.ResponseBody); ok {
			id = t.root.at("CreatePolicyResult/Policy/Arn").value()
		}
	}
	if !named && noun != "Policy" || id == "" {
		return nil
	}
	return []object{{
		service: "iam", creates: c.Action, reads: []string{lists, "GetAccountAuthorizationDetails"},
		fields: map[string]string{field: id},
		asked:  func(c Call) bool { return c.Params.Get(param) == id },
		missing: failure{http.StatusNotFound, "NoSuchEntity",
			"The " + strings.ToLower(noun) + " with name " + id + " cannot be found."},
	}}
}

func madeByS3(c Call) []object {
	if c.Action != "CreateBucket" {
		return nil
	}
	bucket := c.bucket
	return []object{{
		service: "s3", creates: c.Action, reads: []string{"ListBuckets"}, fields: map[string]string{"Name": bucket},
		asked: func(c Call) bool {
			return c.bucket == bucket || strings.HasSuffix(c.Path, "arn:aws:s3:::"+bucket)
		},
		missing: failure{http.StatusNotFound, "NoSuchBucket", "The specified bucket does not exist"},
	}}
}

func madeByLogs(c Call) []object {
	name := c.Params.Get("logGroupName")
	if c.Action != "CreateLogGroup" || name == "" {
		return nil
	}
	return []object{{
		service: "logs", region: c.Region, creates: c.Action, reads: []string{"DescribeLogGroups"},
		fields: map[string]string{"logGroupName": name},
		asked: func(c Call) bool {
			arn := strings.TrimSuffix(c.Params.Get("resourceArn"), ":*")
			return c.Params.Get("logGroupName") == name || strings.HasSuffix(arn, ":log-group:"+name)
		},
		missing: failure{http.StatusBadRequest, "ResourceNotFoundException", "The specified log group does not exist."},
	}}
}
