package route53

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// getZone leaves the name servers of a private zone to fillZone.
func getZone(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[zone], error) {
	out, err := api(s).GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: aws.String(k.String())})
	if err != nil {
		return departingZone(ctx, s, k, absent(err))
	}
	l := liveZone(s, *out.HostedZone)
	describeZone(&l.Model, out)
	l.Partial = l.Model.private()
	if l.Tags, err = zoneTags(ctx, s, k.String()); err != nil {
		return l, err
	}
	state, reason, err := arrival(ctx, s, k.String())
	if state != engine.Ready {
		l.State, l.Reason = state, reason
	}
	return l, err
}

// departingZone answers for a zone that cannot be read: one that this session has deleted is pending until all name servers
// know.
func departingZone(ctx context.Context, s *cloud.Session, k engine.Key, failure error) (engine.Live[zone], error) {
	if !errors.Is(failure, engine.ErrNotFound) {
		return engine.Live[zone]{}, failure
	}
	state, reason, err := arrival(ctx, s, deleted(k))
	if state == engine.Ready {
		return engine.Live[zone]{}, cmp.Or(err, failure)
	}
	name, _ := remember(s).zoneName(k.String())
	l := liveZone(s, r53types.HostedZone{Id: aws.String(k.String()), Name: aws.String(name)})
	l.State, l.Reason = state, reason
	return l, nil
}

// zoneTags reads the tags of one zone.
func zoneTags(ctx context.Context, s *cloud.Session, id string) (map[string]string, error) {
	out, err := api(s).ListTagsForResource(ctx, &route53.ListTagsForResourceInput{
		ResourceType: r53types.TagResourceTypeHostedzone, ResourceId: aws.String(id),
	})
	if err != nil {
		return nil, absent(err)
	}
	return tagMap(out.ResourceTagSet), nil
}

// zonesPage is the greatest MaxItems of ListHostedZones, tagsPage the most zones whose tags one call shows.
const (
	zonesPage = 100
	tagsPage  = 10
)

// listZones leaves out networks, name servers and delegation set, which fillZone adds.
func listZones(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[engine.Live[zone], error] {
	return func(yield func(engine.Live[zone], error) bool) {
		pages := route53.NewListHostedZonesPaginator(api(s), &route53.ListHostedZonesInput{MaxItems: aws.Int32(zonesPage)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(engine.Live[zone]{}, err)
				return
			}
			for some := range slices.Chunk(page.HostedZones, tagsPage) {
				tags, err := tagsOfZones(ctx, s, some)
				if err != nil {
					yield(engine.Live[zone]{}, err)
					return
				}
				for _, z := range some {
					l := liveZone(s, z)
					l.Partial = true
					if l.Tags = tags[l.Key.String()]; l.Tags == nil {
						continue // it has gone since
					}
					if !yield(l, nil) {
						return
					}
				}
			}
		}
	}
}

// tagsOfZones reads the tags of up to ten zones by id; one that has gone meanwhile is left out. Route 53 then refuses the
// whole call, so that each is asked for alone.
func tagsOfZones(ctx context.Context, s *cloud.Session, zones []r53types.HostedZone) (map[string]map[string]string, error) {
	tags := make(map[string]map[string]string, len(zones))
	ids := make([]string, len(zones))
	for i, z := range zones {
		ids[i] = zoneID(aws.ToString(z.Id))
	}
	out, err := api(s).ListTagsForResources(ctx, &route53.ListTagsForResourcesInput{
		ResourceType: r53types.TagResourceTypeHostedzone, ResourceIds: ids,
	})
	switch {
	case err == nil:
		for _, set := range out.ResourceTagSets {
			tags[aws.ToString(set.ResourceId)] = tagMap(&set)
		}
		return tags, nil
	case !errors.Is(absent(err), engine.ErrNotFound):
		return nil, err
	}
	for _, id := range ids {
		one, err := zoneTags(ctx, s, id)
		switch {
		case err == nil:
			tags[id] = one
		case !errors.Is(err, engine.ErrNotFound):
			return nil, err
		}
	}
	return tags, nil
}

// fillZone adds what a listing leaves out. A private zone has no delegation set: its NS record says who serves it.
func fillZone(ctx context.Context, s *cloud.Session, l *engine.Live[zone]) error {
	id := l.Key.String()
	if l.Model.NameServers.IsNull() && !l.Model.private() {
		out, err := api(s).GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: aws.String(id)})
		if err != nil {
			return absent(err)
		}
		describeZone(&l.Model, out)
	}
	if !l.Model.private() {
		return nil
	}
	name := l.Model.Name.ValueString()
	out, err := api(s).ListResourceRecordSets(ctx, &route53.ListResourceRecordSetsInput{
		HostedZoneId: aws.String(id), StartRecordName: aws.String(name), StartRecordType: r53types.RRTypeNs, MaxItems: aws.Int32(1),
	})
	if err != nil {
		return absent(err)
	}
	for _, r := range out.ResourceRecordSets {
		if r.Type == r53types.RRTypeNs && attrs.CanonicalName(aws.ToString(r.Name)) == name {
			var servers []string
			for _, v := range r.ResourceRecords {
				servers = append(servers, aws.ToString(v.Value))
			}
			l.Model.serve(servers)
		}
	}
	return nil
}

// liveZone is what both a listing and a read show of a zone.
func liveZone(s *cloud.Session, z r53types.HostedZone) engine.Live[zone] {
	id := zoneID(aws.ToString(z.Id))
	remember(s).nameZone(id, z.Name)
	l := engine.Live[zone]{Key: engine.Key{id}, Token: engine.Token(aws.ToString(z.CallerReference))}
	l.Model = zone{
		ARN:         types.StringValue(arn.ARN{Partition: s.Partition, Service: "route53", Resource: "hostedzone/" + id}.String()),
		Comment:     types.StringValue(""),
		Accelerated: types.BoolValue(false),
		Name:        attrs.NewDNSName(z.Name),
		NameServers: attrs.StringList(nil),
		VPCs:        []zoneVPC{},
		ZoneID:      types.StringValue(id),
	}
	if z.Config != nil {
		l.Model.Comment = types.StringValue(aws.ToString(z.Config.Comment))
	}
	if z.Features != nil {
		status := string(z.Features.AcceleratedRecoveryStatus)
		l.Model.Accelerated = types.BoolValue(strings.HasPrefix(status, "ENABL") && status != string(r53types.AcceleratedRecoveryStatusEnableFailed) ||
			status == string(r53types.AcceleratedRecoveryStatusDisableFailed))
		l.State, l.Reason = recovery(s, id, z.Features)
	}
	return l
}

// recovery is the state of a zone whose accelerated recovery is being switched. A failure counts for the run that asked
// for the change; to others the zone serves as before.
func recovery(s *cloud.Session, id string, f *r53types.HostedZoneFeatures) (engine.State, string) {
	m := remember(s)
	m.mu.Lock()
	asked := m.asked[id]
	m.mu.Unlock()
	switch status := f.AcceleratedRecoveryStatus; {
	case strings.HasPrefix(string(status), "ENABLING"), strings.HasPrefix(string(status), "DISABLING"):
		return engine.Pending, "accelerated recovery is " + string(status)
	case asked && strings.HasSuffix(string(status), "FAILED"):
		reason := "accelerated recovery is " + string(status)
		if f.FailureReasons != nil {
			reason = fmt.Sprintf("%s: %s", reason, aws.ToString(f.FailureReasons.AcceleratedRecovery))
		}
		return engine.Failed, reason
	}
	return engine.Ready, ""
}

// describeZone adds what GetHostedZone alone shows.
func describeZone(z *zone, out *route53.GetHostedZoneOutput) {
	if out.DelegationSet != nil {
		id := strings.TrimPrefix(aws.ToString(out.DelegationSet.Id), "/delegationset/")
		z.DelegationSet = attrs.String(&id)
		z.serve(out.DelegationSet.NameServers)
	}
	for _, v := range out.VPCs {
		z.VPCs = append(z.VPCs, zoneVPC{ID: attrs.String(v.VPCId), Region: attrs.String(&v.VPCRegion)})
	}
}

// serve records the name servers, of which Route 53 names the primary one first.
func (z *zone) serve(servers []string) {
	if len(servers) > 0 {
		z.PrimaryServer = types.StringValue(servers[0])
	}
	z.NameServers = attrs.StringList(slices.Sorted(slices.Values(servers)))
}

func tagMap(set *r53types.ResourceTagSet) map[string]string {
	out := map[string]string{}
	if set == nil {
		return out
	}
	for _, t := range set.Tags {
		out[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return out
}
