// Package ec2 describes the resource types of the EC2 API: VPCs with their subnets, security groups and internet
// gateways, and Elastic IP addresses.
//
// Each type has a file of its own; this one holds what they share. The package lacks the types' behaviour, which the
// engine derives, and writes tags only in create calls: later changes are tagging.EC2's.
package ec2

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const (
	// filterValues is the greatest number of values that EC2 takes in one filter.
	filterValues = 200
	// pageSize is the greatest MaxResults of most Describe calls.
	pageSize = 1000
)

// absentCodes are EC2's words for objects that do not exist.
var absentCodes = []string{
	"InvalidVpcID.NotFound", "InvalidAllocationID.NotFound", "InvalidSubnetID.NotFound", "InvalidGroup.NotFound",
	"InvalidInternetGatewayID.NotFound", "InvalidSecurityGroupID.NotFound",
}

func api(s *cloud.Session) *ec2.Client {
	return cloud.Client(s, "ec2", func(c aws.Config) *ec2.Client { return ec2.NewFromConfig(c) })
}

// absent adds engine.ErrNotFound to errors by which EC2 says that the object does not exist.
func absent(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// says reports whether err has one of EC2's codes and holds text: some codes stand for passing and lasting causes alike.
func says(err error, code, text string) bool {
	return cloud.HasCode(err, code) && strings.Contains(cloud.Message(err), text)
}

// specification is the tags of a create call.
func specification(kind ec2types.ResourceType, tags markers.Tags) []ec2types.TagSpecification {
	if len(tags) == 0 {
		return nil
	}
	spec := ec2types.TagSpecification{ResourceType: kind}
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		spec.Tags = append(spec.Tags, ec2types.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
	}
	return []ec2types.TagSpecification{spec}
}

// marked are the filters of a listing: the estates and the address that are asked for, or everything. Neither names of
// estates nor escaped addresses hold the characters that EC2 takes for wildcards.
func marked(f markers.Filter) []ec2types.Filter {
	var by []ec2types.Filter
	if len(f.Estates) > 0 {
		by = append(by, filter("tag:"+markers.EstateKey, f.Estates...))
	}
	if f.Address != "" {
		by = append(by, filter("tag:"+markers.AddressKeys[0], f.Address))
	}
	return by
}

// asked returns the planned value for a request, nil where the plan leaves things as they are or to EC2.
func asked(prior, plan types.String) *string {
	if plan.ValueString() == prior.ValueString() {
		return nil
	}
	return attrs.Ptr(plan)
}

// askedBlock is the IPv6 block that the plan names, nil where it is the present one or left to EC2.
func askedBlock(ctx context.Context, prior, plan attrs.CIDR) *string {
	if same, _ := plan.StringSemanticEquals(ctx, prior); same {
		return nil
	}
	return attrs.Ptr(plan)
}

// busyDependency waits for what still hangs on the object.
func busyDependency(err error) bool { return cloud.HasCode(err, "DependencyViolation") }

// vpcTooFresh tells whether a call does not know the VPC: one that was made a moment ago is not known everywhere.
func vpcTooFresh(err error) bool { return cloud.HasCode(err, "InvalidVpcID.NotFound") }

func filter(name string, values ...string) ec2types.Filter {
	return ec2types.Filter{Name: aws.String(name), Values: values}
}

func tagMap(tags []ec2types.Tag) map[string]string {
	out := make(map[string]string, len(tags))
	for _, t := range tags {
		out[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return out
}

// only returns the one object of a Describe by id. An empty answer means that there is none.
func only[T, M any](found []T, k engine.Key, live func(T) engine.Live[M]) (engine.Live[M], error) {
	if len(found) == 0 {
		return engine.Live[M]{}, fmt.Errorf("%w: EC2 answered nothing for %s", engine.ErrNotFound, k)
	}
	return live(found[0]), nil
}

// pager is an EC2 paginator. It goes on while there is a token, also after an empty page.
type pager[O any] interface {
	HasMorePages() bool
	NextPage(ctx context.Context, opts ...func(*ec2.Options)) (O, error)
}

// pages yields what every page holds.
func pages[O, T any](ctx context.Context, p pager[O], items func(O) []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// search makes a type's Search of its listing: the filters of a data source are EC2's own.
func search[M any](
	list func(context.Context, *cloud.Session, ...ec2types.Filter) iter.Seq2[engine.Live[M], error],
) func(context.Context, *cloud.Session, []engine.Filter) iter.Seq2[engine.Live[M], error] {
	return func(ctx context.Context, s *cloud.Session, filters []engine.Filter) iter.Seq2[engine.Live[M], error] {
		by := make([]ec2types.Filter, len(filters))
		for i, f := range filters {
			by[i] = filter(f.Name, f.Values...)
		}
		return list(ctx, s, by...)
	}
}

// lives maps what a listing yields.
func lives[T, M any](found iter.Seq2[T, error], live func(T) engine.Live[M]) iter.Seq2[engine.Live[M], error] {
	return func(yield func(engine.Live[M], error) bool) {
		for item, err := range found {
			if err != nil {
				yield(engine.Live[M]{}, err)
				return
			}
			if !yield(live(item), nil) {
				return
			}
		}
	}
}
