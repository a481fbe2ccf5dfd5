package imports

import (
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, e := range allExamples {
		if id, err := Of(e.Type, e.ARN); err != nil || id != e.ID {
			t.Errorf("%s of %s: got %q, %v, want %s", e.Type, e.ARN, id, err, e.ID)
		}
		if types := Types(e.ARN); !slices.Contains(types, e.Type) || !slices.IsSorted(types) {
			t.Errorf("%s may be of %q, want %s among them", e.ARN, types, e.Type)
		}
	}
}

// TestPartitions shows that an id is the same in other partitions, but for those that name the partition.
func TestPartitions(t *testing.T) {
	for partition, domain := range map[string]string{
		"aws-cn": ".amazonaws.com.cn/", "aws-us-gov": ".amazonaws.com/", "aws-iso": ".c2s.ic.gov/",
	} {
		there := func(s string) string {
			s = strings.ReplaceAll(s, "arn:aws:", "arn:"+partition+":")
			return strings.ReplaceAll(s, ".amazonaws.com/", domain)
		}
		for _, e := range allExamples {
			if strings.Contains(e.ARN, ".amazonaws.com/") {
				continue // a service's principal, which is the same everywhere
			}
			if id, err := Of(e.Type, there(e.ARN)); err != nil || id != there(e.ID) {
				t.Errorf("%s of %s: got %q, %v, want %s", e.Type, there(e.ARN), id, err, there(e.ID))
			}
		}
	}
}

// TestOurTypes holds that estate_x takes what aws_x takes, but for keys that an import of ours would read as something else.
func TestOurTypes(t *testing.T) {
	for _, e := range allExamples {
		if id, err := Of("estate_"+strings.TrimPrefix(e.Type, "aws_"), e.ARN); err != nil || id != e.ID {
			t.Errorf("%s as one of ours: got %q, %v, want %s", e.ARN, id, err, e.ID)
		}
	}
	for _, c := range []example{
		{"estate_cloudwatch_log_group", "arn:aws:logs:eu-west-1:1:log-group:estate_cloudwatch_log_group.a", "id=estate_cloudwatch_log_group.a"},
		{"estate_cloudwatch_log_group", "arn:aws:logs:eu-west-1:1:log-group:module.a.estate_cloudwatch_log_group.a", "id=module.a.estate_cloudwatch_log_group.a"},
		{"estate_cloudwatch_log_group", "arn:aws:logs:eu-west-1:1:log-group:estate_vpc.a", "estate_vpc.a"},
		{"aws_cloudwatch_log_group", "arn:aws:logs:eu-west-1:1:log-group:aws_cloudwatch_log_group.a", "aws_cloudwatch_log_group.a"},
		{"estate_iam_role", "arn:aws:iam::1:role/id=x", "id=id=x"},
		{"aws_iam_role", "arn:aws:iam::1:role/id=x", "id=x"},
	} {
		if id, err := Of(c.Type, c.ARN); err != nil || id != c.ID {
			t.Errorf("%s of %s: got %q, %v, want %s", c.Type, c.ARN, id, err, c.ID)
		}
	}
}

func TestOtherNames(t *testing.T) {
	const balancer = "arn:aws:elasticloadbalancing:us-west-2:123456789012:loadbalancer/net/front/50dc6c495c0c9188"
	if id, err := Of("aws_alb", balancer); err != nil || id != balancer {
		t.Errorf("got %q, %v", id, err)
	}
	if types := Types(balancer); !slices.Equal(types, []string{"aws_lb"}) {
		t.Errorf("got %q: an object is of a type once", types)
	}
}

// TestOfRefuses is about answers that are none: each error says why.
func TestOfRefuses(t *testing.T) {
	const ec2, rds = "arn:aws:ec2:eu-west-1:123456789012:", "arn:aws:rds:eu-west-1:123456789012:"
	for _, c := range []struct{ resourceType, arn, want string }{
		{"aws_vpc", "", `"" is no ARN`},
		{"aws_vpc", "vpc-1", `"vpc-1" is no ARN`},
		{"aws_vpc", "arn:aws:ec2:eu-west-1", "is no ARN"},
		{"aws_vpc", "arn:::::", "is not of aws_vpc, whose ARNs are arn:*:ec2:*:*:vpc/{id}"},
		{"aws_vpc", ec2 + "subnet/subnet-1", "subnet-1 is of aws_default_subnet or aws_subnet, not of aws_vpc"},
		{"estate_vpc", ec2 + "subnet/subnet-1", "not of estate_vpc"},
		{"aws_vpc", ec2 + "vpc/", "whose ARNs are"},
		{"aws_vpc", ec2 + "vpc/vpc-1/more", "whose ARNs are"},
		{"aws_vpc", ec2 + "vpc:vpc-1", "whose ARNs are"},
		{"aws_vpc", "arn:aws:rds:eu-west-1:123456789012:vpc/vpc-1", "whose ARNs are"},
		{"aws_vpc", "arn:aws:ec2:eu-west-1:123456789012:vpc", "whose ARNs are"},
		{"aws_cloudwatch_log_group", "arn:aws:logs:eu-west-1:1:log-group:a:log-stream:b", "log-group:{name:} or arn:*:logs:*:*:log-group:{name:}:*"},
		{"aws_lambda_function", "arn:aws:lambda:eu-west-1:1:function:f:7", "whose ARNs are"},
		{"aws_dynamodb_table", "arn:aws:dynamodb:eu-west-1:1:table/t/index/i", "whose ARNs are"},
		{"aws_s3_bucket", "arn:aws:s3:::bucket/key", "whose ARNs are"},
		{"aws_s3_bucket", "arn:aws:s3:eu-west-1:1:accesspoint/a", "whose ARNs are"},
		{"aws_sns_topic", "arn:aws:sns:eu-west-1:1:topic:0000-subscription", "whose ARNs are"},
		{"aws_sfn_state_machine", "arn:aws:states:eu-west-1:1:stateMachine:m:alias", "whose ARNs are"},
		{"aws_iam_role", "arn:aws:iam::1:role/path/", "whose ARNs are"},
		{"aws_apigatewayv2_domain_name", "arn:aws:apigateway:eu-west-1:1:/domainnames/a.example+b1", "is of aws_api_gateway_domain_name, not of"},
		{"aws_sqs_queue", "arn:aws:sqs::1:q", "import wants the region, and arn:aws:sqs::1:q tells none"},
		{"aws_sqs_queue", "arn:aws:sqs:eu-west-1::q", "import wants the account"},
		{"aws_sqs_queue", "arn:aws-mars:sqs:eu-west-1:1:q", "import wants the domain"},

		{"aws_key_pair", ec2 + "key-pair/key-0123456789abcdef0", "of aws_key_pair does not tell what import wants: it is the name"},
		{"aws_placement_group", ec2 + "placement-group/pg-1", "it is the name of the group"},
		{"aws_default_route_table", ec2 + "route-table/rtb-1", "it is the id of the VPC"},
		{"aws_db_proxy", rds + "db-proxy:prx-1", "resources/db_proxy#import"},
		{"aws_key_pair", rds + "db-proxy:prx-1", "is of aws_db_proxy, not of aws_key_pair"},
		{"aws_key_pair", "arn:aws:ec2:::none", "whose ARNs are arn:*:ec2:*:*:key-pair/{id}"},
		{"aws_ecs_service", "arn:aws:ecs:eu-west-1:1:service/old", "of before 2021 holds no cluster"},
		{"aws_ssm_parameter", "arn:aws:ssm:eu-west-1:1:parameter/one", "with or without a slash"},

		{"aws_iam_role_policy", "arn:aws:iam::1:role/r", "aws_iam_role_policy has no ARN: it is a part of a role"},
		{"estate_iam_role_policy_attachment", "arn:aws:iam::1:role/r", "estate_iam_role_policy_attachment has no ARN"},
		{"aws_route53_record", "", "it is a part of a zone"},
		{"aws_nothing", ec2 + "vpc/vpc-1", `"aws_nothing" is not known here: see https://registry.terraform.io/`},
		{"estate_nothing", ec2 + "vpc/vpc-1", `resources/nothing#import`},
		{"google_vpc", ec2 + "vpc/vpc-1", `"google_vpc" is no resource type of AWS`},
		{"vpc", ec2 + "vpc/vpc-1", "is no resource type of AWS"},
		{"", ec2 + "vpc/vpc-1", "is no resource type of AWS"},
		{"aws_", ec2 + "vpc/vpc-1", "is no resource type of AWS"},
		{"estate_", ec2 + "vpc/vpc-1", "is no resource type of AWS"},
	} {
		if id, err := Of(c.resourceType, c.arn); err == nil || id != "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: got %q, %v, want an error with %q", c.resourceType, c.arn, id, err, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	for arn, want := range map[string][]string{
		"":                                       nil,
		"vpc-1":                                  nil,
		"arn:aws:ec2:eu-west-1:1:nothing/n-1":    nil,
		"arn:aws:ec2:eu-west-1:1:vpc/vpc-1":      {"aws_default_vpc", "aws_vpc"},
		"arn:aws:ec2:eu-west-1:1:route-table/r":  {"aws_default_route_table", "aws_route_table"},
		"arn:aws:ec2:eu-west-1:1:key-pair/key-1": {"aws_key_pair"},
		"arn:aws-cn:rds:cn-north-1:1:cluster:c":  {"aws_docdb_cluster", "aws_neptune_cluster", "aws_rds_cluster"},
		"arn:aws:ssm:eu-west-1:1:parameter/one":  {"aws_ssm_parameter"},
		"arn:aws:iam::1:role/aws-service-role/s/n": {
			"aws_iam_role", "aws_iam_service_linked_role",
		},
	} {
		if got := Types(arn); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", arn, got, want)
		}
	}
}

// FuzzOf holds, for any two strings: no panic, an id or an error, and Types and Of of one mind.
func FuzzOf(f *testing.F) {
	for _, e := range allExamples {
		f.Add(e.Type, e.ARN)
	}
	for _, w := range withheld {
		f.Add(w.Type, strings.ReplaceAll(w.String(), "*", ""))
	}
	f.Add("estate_vpc", "arn:aws:ec2:::vpc/{id}")
	f.Add("", "arn:")
	f.Fuzz(func(t *testing.T, resourceType, arn string) {
		id, err := Of(resourceType, arn)
		if (id == "") == (err == nil) {
			t.Fatalf("Of(%q, %q) = %q, %v", resourceType, arn, id, err)
		}
		types := Types(arn)
		if once := slices.Compact(slices.Clone(types)); len(once) != len(types) {
			t.Fatalf("Types(%q) = %q, one of them twice", arn, types)
		}
		if name, _ := nameInAWS(resourceType); err == nil && !slices.Contains(types, name) {
			t.Fatalf("Of(%q, %q) = %q, but Types gives %q", resourceType, arn, id, types)
		}
		for _, name := range types {
			if id, err := Of(name, arn); (id == "") == (err == nil) || err != nil && strings.Contains(err.Error(), "not of "+name) {
				t.Fatalf("Types(%q) has %s, but Of gives %q, %v", arn, name, id, err)
			}
		}
	})
}
