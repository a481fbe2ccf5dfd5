package ec2

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

func interfaceSet(n int) string {
	var out strings.Builder
	out.WriteString("<networkInterfaceSet><item><networkInterfaceId>eni-0</networkInterfaceId><interfaceType>interface</interfaceType><status>available</status></item>")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&out, "<item><networkInterfaceId>eni-%d</networkInterfaceId><description>AWS Lambda VPC ENI-%d</description><status>in-use</status></item>", i, i)
	}
	return out.String() + "</networkInterfaceSet>"
}

// A refusal that lasts names the interfaces that hold the object. They are not asked for before, and not needed.
func TestHolders(t *testing.T) {
	const refused = "!DependencyViolation The object has dependencies and cannot be deleted."
	deletes := map[string]struct {
		answers canned.Answers
		filter  string
		call    func(*cloud.Session) error
	}{
		"a subnet": {canned.Answers{"DeleteSubnet": {refused}}, "Filter.1.Name=subnet-id Filter.1.Value.1=x-1", func(s *cloud.Session) error {
			return deleteSubnet(t.Context(), s, engine.Key{"x-1"}, &subnet{})
		}},
		"a group": {canned.Answers{"DeleteSecurityGroup": {refused}}, "Filter.1.Name=group-id Filter.1.Value.1=x-1", func(s *cloud.Session) error {
			return deleteSecurityGroup(t.Context(), s, engine.Key{"x-1"}, &securityGroup{})
		}},
	}
	for name, tt := range deletes {
		s, server := canned.New(t, tt.answers)
		tt.answers["DescribeNetworkInterfaces"] = []string{interfaceSet(2), interfaceSet(8), "<networkInterfaceSet/>", "!UnauthorizedOperation no"}
		err := tt.call(s)
		var lasting engine.Lasting
		if !busyDependency(err) || !errors.As(err, &lasting) || len(server.Calls()) != 1 {
			t.Fatalf("%s: got %v after %q", name, err, server.Calls())
		}
		for _, want := range []string{
			"cannot be deleted. Network interfaces hold it: eni-0 (interface, available), eni-1 (AWS Lambda VPC ENI-1, in-use). " +
				"Those of AWS services go by themselves, Lambda's within 45 minutes, for which a destroy waits with: timeouts { delete = \"45m\" }",
			"eni-4 (AWS Lambda VPC ENI-4, in-use), and 3 more. Those",
			"The object has dependencies and cannot be deleted.", "The object has dependencies and cannot be deleted.",
		} {
			got := lasting.Lasted(t.Context())
			if cloud.Code(got) != "DependencyViolation" || !strings.HasSuffix(cloud.Message(got), want) && !strings.Contains(cloud.Message(got), want) {
				t.Errorf("%s: got %v, want %s", name, got, want)
			}
		}
		if got := server.Calls()[1]; got != "DescribeNetworkInterfaces "+tt.filter+" MaxResults=1000" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
