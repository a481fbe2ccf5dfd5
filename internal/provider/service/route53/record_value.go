package route53

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// absolute is the canonical name of a record whose name may be relative to that of its zone.
func absolute(name, zone string) string {
	name = attrs.CanonicalName(name)
	switch {
	case name == "" || name == ".":
		return zone
	case zone == "." || name == zone || strings.HasSuffix(name, "."+zone):
		return name
	}
	return name + "." + zone
}

// isApex tells whether a record is one of the two that Route 53 gives to each zone and never lets go of.
func isApex(r *r53types.ResourceRecordSet, zone string) bool {
	return (r.Type == r53types.RRTypeNs || r.Type == r53types.RRTypeSoa) && r.SetIdentifier == nil &&
		attrs.CanonicalName(aws.ToString(r.Name)) == zone
}

// quoted are the types whose values Route 53 wants in quotes, and the configuration has without.
func quoted(t r53types.RRType) bool { return t == r53types.RRTypeTxt || t == r53types.RRTypeSpf }

func quote(t r53types.RRType, value string) string {
	if quoted(t) {
		return `"` + value + `"`
	}
	return value
}

func unquote(t r53types.RRType, value string) string {
	if quoted(t) && len(value) > 1 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`) {
		return value[1 : len(value)-1]
	}
	return value
}

// recordSet is what a model asks for under an absolute name.
func recordSet(m *record, name string) *r53types.ResourceRecordSet {
	r := &r53types.ResourceRecordSet{
		Name:          aws.String(name),
		Type:          r53types.RRType(m.Type.ValueString()),
		SetIdentifier: attrs.Ptr(m.SetIdentifier),
		HealthCheckId: attrs.Ptr(m.HealthCheck),
		TTL:           m.TTL.ValueInt64Pointer(),
	}
	for _, v := range attrs.Strings(m.Records) {
		r.ResourceRecords = append(r.ResourceRecords, r53types.ResourceRecord{Value: aws.String(quote(r.Type, v))})
	}
	for _, a := range m.Alias {
		r.AliasTarget = &r53types.AliasTarget{
			DNSName: attrs.Ptr(a.Name), EvaluateTargetHealth: a.EvaluateHealth.ValueBool(), HostedZoneId: attrs.Ptr(a.ZoneID),
		}
	}
	route(m, r)
	return r
}

// route adds the routing policy.
func route(m *record, r *r53types.ResourceRecordSet) {
	if m.MultiValue.ValueBool() {
		r.MultiValueAnswer = aws.Bool(true)
	}
	for _, p := range m.CIDR {
		r.CidrRoutingConfig = &r53types.CidrRoutingConfig{CollectionId: attrs.Ptr(p.Collection), LocationName: attrs.Ptr(p.Location)}
	}
	for _, p := range m.Failover {
		r.Failover = r53types.ResourceRecordSetFailover(p.Type.ValueString())
	}
	for _, p := range m.Geolocation {
		r.GeoLocation = &r53types.GeoLocation{
			ContinentCode: attrs.Ptr(p.Continent), CountryCode: attrs.Ptr(p.Country), SubdivisionCode: attrs.Ptr(p.Subdivision),
		}
	}
	for _, p := range m.Geoproximity {
		r.GeoProximityLocation = &r53types.GeoProximityLocation{
			AWSRegion: attrs.Ptr(p.Region), Bias: attrs.Int32Ptr(p.Bias), LocalZoneGroup: attrs.Ptr(p.LocalZone),
		}
		for _, c := range p.Coordinates {
			r.GeoProximityLocation.Coordinates = &r53types.Coordinates{Latitude: attrs.Ptr(c.Latitude), Longitude: attrs.Ptr(c.Longitude)}
		}
	}
	for _, p := range m.Latency {
		r.Region = r53types.ResourceRecordSetRegion(p.Region.ValueString())
	}
	for _, p := range m.Weighted {
		r.Weight = p.Weight.ValueInt64Pointer()
	}
}

// policyOf names the kind of a record's routing policy, "" for none.
func policyOf(r *r53types.ResourceRecordSet) string {
	switch {
	case r.CidrRoutingConfig != nil:
		return "CIDR"
	case r.Failover != "":
		return "failover"
	case r.GeoLocation != nil:
		return "geolocation"
	case r.GeoProximityLocation != nil:
		return "geoproximity"
	case r.Region != "":
		return "latency"
	case aws.ToBool(r.MultiValueAnswer):
		return "multivalue"
	case r.Weight != nil:
		return "weighted"
	}
	return ""
}

// liveRecord is what Route 53 shows, under the key by which it was asked for.
func liveRecord(k engine.Key, r r53types.ResourceRecordSet) engine.Live[record] {
	m := record{
		Alias: []aliasTarget{}, CIDR: []cidrPolicy{}, Failover: []failover{}, Geolocation: []geolocation{},
		Geoproximity: []geoproximity{}, Latency: []latency{}, Weighted: []weighted{},
		FQDN:          types.StringValue(attrs.CanonicalName(aws.ToString(r.Name))),
		HealthCheck:   attrs.String(r.HealthCheckId),
		MultiValue:    types.BoolValue(aws.ToBool(r.MultiValueAnswer)),
		Name:          attrs.DNSName{StringValue: types.StringValue(k[1])},
		SetIdentifier: attrs.String(r.SetIdentifier),
		TTL:           types.Int64PointerValue(r.TTL),
		Type:          types.StringValue(string(r.Type)),
		ZoneID:        types.StringValue(k[0]),
	}
	var values []string
	for _, v := range r.ResourceRecords {
		values = append(values, unquote(r.Type, aws.ToString(v.Value)))
	}
	m.Records = attrs.StringSet(values)
	if a := r.AliasTarget; a != nil {
		m.TTL = types.Int64Null() // an alias has its target's
		m.Alias = append(m.Alias, aliasTarget{
			EvaluateHealth: types.BoolValue(a.EvaluateTargetHealth), Name: attrs.NewDNSName(a.DNSName), ZoneID: attrs.String(a.HostedZoneId),
		})
	}
	routed(&m, r)
	return engine.Live[record]{Key: k, Model: m}
}

// routed adds the routing policy.
func routed(m *record, r r53types.ResourceRecordSet) {
	if p := r.CidrRoutingConfig; p != nil {
		m.CIDR = append(m.CIDR, cidrPolicy{attrs.String(p.CollectionId), attrs.String(p.LocationName)})
	}
	if r.Failover != "" {
		m.Failover = append(m.Failover, failover{attrs.String(&r.Failover)})
	}
	if p := r.GeoLocation; p != nil {
		m.Geolocation = append(m.Geolocation, geolocation{
			attrs.String(p.ContinentCode), attrs.String(p.CountryCode), attrs.String(p.SubdivisionCode),
		})
	}
	if p := r.GeoProximityLocation; p != nil {
		near := geoproximity{
			Region: attrs.String(p.AWSRegion), Bias: types.Int64Value(int64(aws.ToInt32(p.Bias))), Coordinates: []coordinates{},
			LocalZone: attrs.String(p.LocalZoneGroup),
		}
		if c := p.Coordinates; c != nil {
			near.Coordinates = append(near.Coordinates, coordinates{attrs.String(c.Latitude), attrs.String(c.Longitude)})
		}
		m.Geoproximity = append(m.Geoproximity, near)
	}
	if r.Region != "" {
		m.Latency = append(m.Latency, latency{attrs.String(&r.Region)})
	}
	if r.Weight != nil {
		m.Weighted = append(m.Weighted, weighted{types.Int64PointerValue(r.Weight)})
	}
}
