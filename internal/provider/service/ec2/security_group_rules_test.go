package ec2

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// rule is one of an answer; more is what else stands in it.
func rule(id, group, egress, more string) string {
	return "<item><securityGroupRuleId>" + id + "</securityGroupRuleId><groupId>" + group + "</groupId><isEgress>" + egress +
		"</isEgress>" + more + "</item>"
}

func ruleSet(items ...string) string {
	return "<securityGroupRuleSet>" + strings.Join(items, "") + "</securityGroupRuleSet>"
}

const (
	toEveryIPv4 = "<ipProtocol>-1</ipProtocol><fromPort>-1</fromPort><toPort>-1</toPort><cidrIpv4>0.0.0.0/0</cidrIpv4>"
	toEveryIPv6 = "<ipProtocol>-1</ipProtocol><fromPort>-1</fromPort><toPort>-1</toPort><cidrIpv6>::/0</cidrIpv6>"
	described   = "<description>all out</description>"
	tagged      = "<tagSet><item><key>a</key><value>b</value></item></tagSet>"

	rulesOfGroup = "DescribeSecurityGroupRules Filter.1.Name=group-id Filter.1.Value.1=sg-1 MaxResults=1000"
	revokeIPv4   = "RevokeSecurityGroupEgress GroupId=sg-1 IpPermissions.1.IpProtocol=-1 IpPermissions.1.IpRanges.1.CidrIp=0.0.0.0/0"
	revokeIPv6   = "RevokeSecurityGroupEgress GroupId=sg-1 IpPermissions.1.IpProtocol=-1 IpPermissions.1.Ipv6Ranges.1.CidrIpv6=::/0"
)

// The emulator takes a range of IPv6 in a VPC without it for no range at all, and its rules show at once.
func TestRevokeDefaultEgress(t *testing.T) {
	const no = "!UnauthorizedOperation no"
	const none = "!InvalidPermission.NotFound The specified rule does not exist in this security group."
	tests := []struct {
		name   string
		rules  string
		revoke []string
		calls  []string
		fails  bool
	}{
		{
			"a new group", ruleSet(rule("sgr-4", "sg-1", "true", toEveryIPv4), rule("sgr-6", "sg-1", "true", toEveryIPv6)),
			[]string{"", ""}, []string{rulesOfGroup, revokeIPv4, revokeIPv6}, false,
		},
		{"rules that do not show yet", ruleSet(), []string{"", ""}, []string{rulesOfGroup, revokeIPv4, revokeIPv6}, false},
		{"again", ruleSet(), []string{none, none}, []string{rulesOfGroup, revokeIPv4, revokeIPv6}, false},
		{
			"a region that takes no IPv6 there", ruleSet(rule("sgr-4", "sg-1", "true", toEveryIPv4)),
			[]string{"", "!InvalidParameterValue The parameter remote-ipv6-range is not recognized"},
			[]string{rulesOfGroup, revokeIPv4, revokeIPv6}, false,
		},
		{
			"a rule with a description is somebody's", ruleSet(rule("sgr-4", "sg-1", "true", toEveryIPv4+described)),
			[]string{none}, []string{rulesOfGroup, revokeIPv6}, false,
		},
		{
			"so is one with tags", ruleSet(rule("sgr-6", "sg-1", "true", toEveryIPv6+tagged)),
			[]string{none}, []string{rulesOfGroup, revokeIPv4}, false,
		},
		{
			"rules that say something else",
			ruleSet(rule("sgr-1", "sg-1", "false", toEveryIPv4+tagged),
				rule("sgr-2", "sg-1", "true", strings.Replace(toEveryIPv4, ">-1<", ">tcp<", 1)+tagged)),
			[]string{"", ""}, []string{rulesOfGroup, revokeIPv4, revokeIPv6}, false,
		},
		{"the reading is denied", no, nil, []string{rulesOfGroup}, true},
		{"the first call is denied", ruleSet(), []string{no}, []string{rulesOfGroup, revokeIPv4}, true},
		{"the second call is denied", ruleSet(), []string{"", no}, []string{rulesOfGroup, revokeIPv4, revokeIPv6}, true},
		{"another parameter", ruleSet(), []string{"!InvalidParameterValue no"}, []string{rulesOfGroup, revokeIPv4}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, canned.Answers{"DescribeSecurityGroupRules": {tt.rules}, "RevokeSecurityGroupEgress": tt.revoke})
			if err := revokeDefaultEgress(t.Context(), s, engine.Key{"sg-1"}, &securityGroup{}); (err != nil) != tt.fails {
				t.Errorf("got %v, want an error: %t", err, tt.fails)
			}
			wantCalls(t, server, tt.calls...)
		})
	}
}

const (
	referringIngress = "DescribeSecurityGroups Filter.1.Name=ip-permission.group-id Filter.1.Value.1=sg-1 MaxResults=1000"
	referringEgress  = "DescribeSecurityGroups Filter.1.Name=egress.ip-permission.group-id Filter.1.Value.1=sg-1 MaxResults=1000"
	deleteGroup      = "DeleteSecurityGroup GroupId=sg-1"
)

func referTo(id string) string {
	return "<referencedGroupInfo><groupId>" + id + "</groupId></referencedGroupInfo>"
}

func TestDeleteSecurityGroup(t *testing.T) {
	groups := func(ids ...string) string {
		var items strings.Builder
		for _, id := range ids {
			items.WriteString("<item><groupId>" + id + "</groupId></item>")
		}
		return "<securityGroupInfo>" + items.String() + "</securityGroupInfo>"
	}
	t.Run("rules stay", func(t *testing.T) {
		s, server := canned.New(t, canned.Answers{"DeleteSecurityGroup": {""}})
		if err := deleteSecurityGroup(t.Context(), s, engine.Key{"sg-1"}, &securityGroup{RevokeRules: types.BoolValue(false)}); err != nil {
			t.Fatal(err)
		}
		wantCalls(t, server, deleteGroup)
	})
	t.Run("rules go first", func(t *testing.T) {
		s, server := canned.New(t, canned.Answers{
			// A group that refers to ours in both directions is asked for once.
			"DescribeSecurityGroups": {groups("sg-1", "sg-2"), groups("sg-2", "sg-3")},
			"DescribeSecurityGroupRules": {ruleSet(
				rule("sgr-1", "sg-1", "true", toEveryIPv4), rule("sgr-2", "sg-1", "false", referTo("sg-1")),
				rule("sgr-3", "sg-1", "true", referTo("sg-9")),
				rule("sgr-4", "sg-2", "false", referTo("sg-1")), rule("sgr-5", "sg-2", "false", referTo("sg-3")),
				rule("sgr-6", "sg-2", "true", toEveryIPv4), rule("sgr-7", "sg-3", "true", referTo("sg-1")),
			)},
			"RevokeSecurityGroupEgress":  {"", ""},
			"RevokeSecurityGroupIngress": {"", "!InvalidGroup.NotFound The security group 'sg-2' does not exist"},
			"DeleteSecurityGroup":        {""},
		})
		if err := deleteSecurityGroup(t.Context(), s, engine.Key{"sg-1"}, &securityGroup{RevokeRules: types.BoolValue(true)}); err != nil {
			t.Fatal(err)
		}
		wantCalls(t, server, referringIngress, referringEgress,
			"DescribeSecurityGroupRules Filter.1.Name=group-id Filter.1.Value.1=sg-1 Filter.1.Value.2=sg-2 Filter.1.Value.3=sg-3 MaxResults=1000",
			"RevokeSecurityGroupEgress GroupId=sg-1 SecurityGroupRuleId.1=sgr-1 SecurityGroupRuleId.2=sgr-3",
			"RevokeSecurityGroupIngress GroupId=sg-1 SecurityGroupRuleId.1=sgr-2",
			"RevokeSecurityGroupIngress GroupId=sg-2 SecurityGroupRuleId.1=sgr-4",
			"RevokeSecurityGroupEgress GroupId=sg-3 SecurityGroupRuleId.1=sgr-7",
			deleteGroup)
	})
	t.Run("a rule went meanwhile", func(t *testing.T) {
		s, _ := canned.New(t, canned.Answers{
			"DescribeSecurityGroups":     {groups(), groups()},
			"DescribeSecurityGroupRules": {ruleSet(rule("sgr-1", "sg-1", "false", ""))},
			"RevokeSecurityGroupIngress": {"!InvalidSecurityGroupRuleId.NotFound The security group rule ID 'sgr-1' does not exist"},
		})
		err := deleteSecurityGroup(t.Context(), s, engine.Key{"sg-1"}, &securityGroup{RevokeRules: types.BoolValue(true)})
		if err == nil || errors.Is(err, engine.ErrNotFound) || !busySecurityGroup(err) {
			t.Errorf("got %v, want what makes the engine try again", err)
		}
	})
	for _, call := range []string{"DescribeSecurityGroups", "DescribeSecurityGroupRules", "RevokeSecurityGroupIngress"} {
		t.Run(call+" is denied", func(t *testing.T) {
			answers := canned.Answers{
				"DescribeSecurityGroups":     {groups(), groups()},
				"DescribeSecurityGroupRules": {ruleSet(rule("sgr-1", "sg-1", "false", ""))},
			}
			answers[call] = []string{"!UnauthorizedOperation no"}
			s, _ := canned.New(t, answers)
			err := deleteSecurityGroup(t.Context(), s, engine.Key{"sg-1"}, &securityGroup{RevokeRules: types.BoolValue(true)})
			if err == nil || errors.Is(err, engine.ErrNotFound) || busySecurityGroup(err) {
				t.Errorf("got %v, want the denial", err)
			}
		})
	}
}
