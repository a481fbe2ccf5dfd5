package acceptance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
)

var route53Kinds = []Kind{
	{Type: "estate_route53_zone", Exists: zoneExists, List: listZones, Make: makeZone, Tag: tagZone, Untag: untagZone},
	{Type: "estate_route53_record", Exists: recordExists},
}

func zoneExists(ctx context.Context, a *AWS, id string) (bool, error) {
	_, err := a.Route53.GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: aws.String(id)})
	return found(err, "NoSuchHostedZone")
}

func listZones(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	pages := route53.NewListHostedZonesPaginator(a.Route53, &route53.ListHostedZonesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, z := range page.HostedZones {
			id := strings.TrimPrefix(aws.ToString(z.Id), "/hostedzone/")
			answer, err := a.Route53.ListTagsForResource(ctx, &route53.ListTagsForResourceInput{
				ResourceType: r53types.TagResourceTypeHostedzone, ResourceId: aws.String(id),
			})
			if err != nil {
				return nil, err
			}
			tags := map[string]string{}
			for _, t := range answer.ResourceTagSet.Tags {
				tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
			out = append(out, Object{"estate_route53_zone", id, tags})
		}
	}
	return out, nil
}

func makeZone(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error) {
	out, err := a.Route53.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
		Name: aws.String(name + ".example.net"), CallerReference: aws.String("raw " + name),
	})
	if err != nil {
		return "", err
	}
	id := strings.TrimPrefix(aws.ToString(out.HostedZone.Id), "/hostedzone/")
	if len(tags) == 0 {
		return id, nil
	}
	return id, tagZone(ctx, a, id, tags)
}

func tagZone(ctx context.Context, a *AWS, id string, tags map[string]string) error {
	in := &route53.ChangeTagsForResourceInput{ResourceType: r53types.TagResourceTypeHostedzone, ResourceId: aws.String(id)}
	for k, v := range tags {
		in.AddTags = append(in.AddTags, r53types.Tag{Key: aws.String(k), Value: aws.String(v)})
	}
	_, err := a.Route53.ChangeTagsForResource(ctx, in)
	return err
}

func untagZone(ctx context.Context, a *AWS, id string, keys ...string) error {
	_, err := a.Route53.ChangeTagsForResource(ctx, &route53.ChangeTagsForResourceInput{
		ResourceType: r53types.TagResourceTypeHostedzone, ResourceId: aws.String(id), RemoveTagKeys: keys,
	})
	return err
}

func recordExists(ctx context.Context, a *AWS, id string) (bool, error) {
	zone, _, _ := strings.Cut(id, "_")
	records, err := a.Records(ctx, zone)
	if isCode(err, "NoSuchHostedZone") {
		return false, nil
	}
	return slices.ContainsFunc(records, func(r string) bool {
		name, rest, _ := strings.Cut(r, " ")
		kind, set, _ := strings.Cut(rest, " ")
		set, _, _ = strings.Cut(set, ":")
		own := func(name string) bool { return id == strings.TrimSuffix(zone+"_"+name+"_"+kind+"_"+set, "_") }
		short, _, _ := strings.Cut(name, ".")
		return own(name) || own(short)
	}), err
}

// Records returns the records of a zone but its own NS and SOA, each as "name type set: ttl values", sorted.
func (a *AWS) Records(ctx context.Context, zone string) ([]string, error) {
	var out []string
	pages := route53.NewListResourceRecordSetsPaginator(a.Route53, &route53.ListResourceRecordSetsInput{HostedZoneId: aws.String(zone)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, r := range page.ResourceRecordSets {
			if r.Type == r53types.RRTypeNs || r.Type == r53types.RRTypeSoa {
				continue
			}
			line := fmt.Sprintf("%s %s %s: %d", strings.TrimSuffix(aws.ToString(r.Name), "."), r.Type, aws.ToString(r.SetIdentifier), aws.ToInt64(r.TTL))
			for _, v := range r.ResourceRecords {
				line += " " + aws.ToString(v.Value)
			}
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out, nil
}
