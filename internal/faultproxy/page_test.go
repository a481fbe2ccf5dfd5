package faultproxy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// numbered repeats a format with the numbers from 0 to 4.
func numbered(format string) string {
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// paged is a listing of five objects, which the SDK's paginator walks. Each page is the ids of its items.
type paged struct {
	action, body string
	walk         func(context.Context, *Proxy) ([][]string, error)
}

// paginator is what the SDK's paginators have in common.
type paginator[Out, Opts any] interface {
	HasMorePages() bool
	NextPage(context.Context, ...func(*Opts)) (*Out, error)
}

func walk[Out, Opts any](ctx context.Context, p paginator[Out, Opts], ids func(*Out) []string) ([][]string, error) {
	var pages [][]string
	for p.HasMorePages() && len(pages) < 20 {
		out, err := p.NextPage(ctx)
		if err != nil {
			return pages, err
		}
		pages = append(pages, ids(out))
	}
	return pages, nil
}

var pagedListings = []paged{
	{"ec2:DescribeVpcs", `<DescribeVpcsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId>` +
		`<vpcSet>` + numbered(`<item><vpcId>%d</vpcId><cidrBlockAssociationSet><item/></cidrBlockAssociationSet></item>`) +
		`</vpcSet></DescribeVpcsResponse>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			return walk(ctx, ec2.NewDescribeVpcsPaginator(ec2Client(p), nil), func(o *ec2.DescribeVpcsOutput) []string {
				ids := make([]string, 0, len(o.Vpcs))
				for _, v := range o.Vpcs {
					ids = append(ids, aws.ToString(v.VpcId))
				}
				return ids
			})
		}},
	{"ec2:DescribeSecurityGroups", `<DescribeSecurityGroupsResponse><securityGroupInfo>` +
		numbered(`<item><groupId>%d</groupId><groupDescription>a &amp; b</groupDescription></item>`) +
		`</securityGroupInfo><nextToken/></DescribeSecurityGroupsResponse>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			all := ec2.NewDescribeSecurityGroupsPaginator(ec2Client(p), nil)
			return walk(ctx, all, func(o *ec2.DescribeSecurityGroupsOutput) []string {
				ids := make([]string, 0, len(o.SecurityGroups))
				for _, g := range o.SecurityGroups {
					if aws.ToString(g.Description) == "a & b" {
						ids = append(ids, aws.ToString(g.GroupId))
					}
				}
				return ids
			})
		}},
	{"iam:GetAccountAuthorizationDetails", `<GetAccountAuthorizationDetailsResponse><GetAccountAuthorizationDetailsResult>` +
		`<UserDetailList><member><UserName>0</UserName></member></UserDetailList><GroupDetailList/><RoleDetailList>` +
		`<member><RoleName>1</RoleName><AttachedManagedPolicies/></member><member><RoleName>2</RoleName></member></RoleDetailList>` +
		`<Policies><member><PolicyName>3</PolicyName></member><member><PolicyName>4</PolicyName></member></Policies>` +
		`<IsTruncated>false</IsTruncated></GetAccountAuthorizationDetailsResult></GetAccountAuthorizationDetailsResponse>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			return walk(ctx, iam.NewGetAccountAuthorizationDetailsPaginator(iamClient(p), nil),
				func(o *iam.GetAccountAuthorizationDetailsOutput) []string {
					var ids []string
					for _, u := range o.UserDetailList {
						ids = append(ids, aws.ToString(u.UserName))
					}
					for _, r := range o.RoleDetailList {
						ids = append(ids, aws.ToString(r.RoleName))
					}
					for _, p := range o.Policies {
						ids = append(ids, aws.ToString(p.PolicyName))
					}
					return ids
				})
		}},
	{"iam:ListAttachedRolePolicies", `<ListAttachedRolePoliciesResponse><ListAttachedRolePoliciesResult><AttachedPolicies>` +
		numbered(`<member><PolicyName>%d</PolicyName></member>`) + `</AttachedPolicies></ListAttachedRolePoliciesResult>` +
		`</ListAttachedRolePoliciesResponse>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			in := &iam.ListAttachedRolePoliciesInput{RoleName: aws.String("app")}
			return walk(ctx, iam.NewListAttachedRolePoliciesPaginator(iamClient(p), in),
				func(o *iam.ListAttachedRolePoliciesOutput) []string {
					var ids []string
					for _, a := range o.AttachedPolicies {
						ids = append(ids, aws.ToString(a.PolicyName))
					}
					return ids
				})
		}},
	{"s3:ListBuckets", `<ListAllMyBucketsResult><Owner><ID>o</ID></Owner><Buckets>` +
		numbered(`<Bucket><Name>%d</Name></Bucket>`) +
		`</Buckets></ListAllMyBucketsResult>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			return walk(ctx, s3.NewListBucketsPaginator(s3Client(p), nil), func(o *s3.ListBucketsOutput) []string {
				var ids []string
				for _, b := range o.Buckets {
					ids = append(ids, aws.ToString(b.Name))
				}
				return ids
			})
		}},
	{"route53:ListHostedZones", `<ListHostedZonesResponse><HostedZones>` + numbered(`<HostedZone><Id>%d</Id></HostedZone>`) +
		`</HostedZones><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems></ListHostedZonesResponse>`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			all := route53.NewListHostedZonesPaginator(route53Client(p), nil)
			return walk(ctx, all, func(o *route53.ListHostedZonesOutput) []string {
				var ids []string
				for _, z := range o.HostedZones {
					ids = append(ids, aws.ToString(z.Id))
				}
				return ids
			})
		}},
	{"logs:DescribeLogGroups", `{"logGroups":[` + strings.TrimSuffix(numbered(`{"logGroupName":"%d"},`), ",") + `]}`,
		func(ctx context.Context, p *Proxy) ([][]string, error) {
			return walk(ctx, cloudwatchlogs.NewDescribeLogGroupsPaginator(logsClient(p), nil),
				func(o *cloudwatchlogs.DescribeLogGroupsOutput) []string {
					var ids []string
					for _, g := range o.LogGroups {
						ids = append(ids, aws.ToString(g.LogGroupName))
					}
					return ids
				})
		}},
}

func TestPaginate(t *testing.T) {
	for _, l := range pagedListings {
		t.Run(l.action, func(t *testing.T) {
			p, f := before(t, map[string]string{l.action: l.body})
			rule := p.On(Action(l.action), Paginate(2))
			pages, err := l.walk(t.Context(), p)
			if got := fmt.Sprint(pages); got != "[[0 1] [2 3] [4]]" || err != nil {
				t.Errorf("pages %s, %v", got, err)
			}
			if f.count(l.action) != 1 || p.Count(Action(l.action)) != 3 {
				t.Errorf("AWS was asked %d times", f.count(l.action))
			}
			rule.Times(rule.Hits() + 1) // used up after one page: the rest comes in one
			if pages, err := l.walk(t.Context(), p); fmt.Sprint(pages) != "[[0 1] [2 3 4]]" || err != nil {
				t.Errorf("pages %s after the rule, %v", pages, err)
			}
			rule.Remove()
			p.On(Action(l.action), Paginate(5))
			if pages, err := l.walk(t.Context(), p); len(pages) != 1 || err != nil {
				t.Errorf("a page that holds all: %s, %v", pages, err)
			}
		})
	}
}

func TestEmptyPage(t *testing.T) {
	for _, l := range pagedListings {
		t.Run(l.action, func(t *testing.T) {
			p, f := before(t, map[string]string{l.action: l.body})
			p.On(Action(l.action), EmptyPage())
			pages, err := l.walk(t.Context(), p)
			if got := fmt.Sprint(pages); got != "[[] [0 1 2 3 4]]" || err != nil || f.count(l.action) != 1 {
				t.Errorf("pages %s, %v; AWS was asked %d times", got, err, f.count(l.action))
			}
		})
	}
}

// What upstream cut itself goes on where upstream says, after the last part.
func TestPaginateKeepsUpstreamsToken(t *testing.T) {
	l := pagedListings[0]
	body := strings.Replace(l.body, "</vpcSet>", "</vpcSet><nextToken>theirs</nextToken>", 1)
	p, f := before(t, map[string]string{l.action: body})
	p.On(And(Action(l.action), Not(Contains("theirs"))), Paginate(3))
	p.On(Contains("theirs"), Edit(func([]byte) []byte { return []byte(l.body) }))
	pages, err := l.walk(t.Context(), p)
	if got := fmt.Sprint(pages); got != "[[0 1 2] [3 4] [0 1 2 3 4]]" || err != nil || f.count(l.action) != 2 {
		t.Errorf("pages %s, %v; AWS was asked %d times", got, err, f.count(l.action))
	}
}

func TestPagesOfWhatIsNoListing(t *testing.T) {
	p, f := before(t, everything())
	p.On(Action("ec2:*"), Paginate(1))
	p.On(Any(), EmptyPage())
	for _, service := range []string{"ec2", "iam", "logs"} {
		if err := direct[service](t.Context(), p); err != nil {
			t.Errorf("%s: %v", service, err)
		}
	}
	f.set("iam:GetRole", canned{status: 404, body: `<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>`})
	if _, code := refused(direct["iam"](t.Context(), p)); code != "NoSuchEntity" {
		t.Errorf("an error is changed to %s", code)
	}
	want := "1 ec2:DescribeVpcAttribute 200 [paginate (no listing known)]\n2 iam:GetRole 200 [empty page (no listing known)]\n" +
		"3 logs:ListTagsForResource 200 [empty page (no listing known)]\n4 iam:GetRole 404 NoSuchEntity [empty page]\n"
	if got := Format(p.Journal()); got != want {
		t.Errorf("journal:\n%s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a page of nothing was taken")
		}
	}()
	Paginate(0)
}

func TestPagesAreOfWhatIsSeen(t *testing.T) {
	all := everything()
	p, _ := before(t, all)
	p.On(Writes(), HideNewest(1))
	p.On(Action("ec2:DescribeVpcs"), Paginate(1))
	_ = one["ec2"](t.Context(), p)
	var got []string
	for range 2 {
		pages, err := pagedListings[0].walk(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(pages))
	}
	if !slices.Equal(got, []string{"[[vpc-0]]", "[[vpc-0] [vpc-1]]"}) {
		t.Errorf("pages %s", got)
	}
}
