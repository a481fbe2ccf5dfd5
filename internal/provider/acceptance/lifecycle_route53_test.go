package acceptance

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
)

// What the emulator answers where it cannot follow AWS.
const (
	noRecovery     = "moto answers 404 to UpdateHostedZoneFeatures, and shows no Features"
	noGeoproximity = "moto's record sets have no GeoProximityLocation: it is accepted and never shown"
	noCIDR         = "moto's record sets have no CidrRoutingConfig: it is accepted and never shown"
	oneRegion      = "a network's region changes with the network alone"
)

var route53Lifecycles = []lifecycle{
	{
		Type:  "estate_route53_zone",
		Setup: makeZoneParts,
		Edits: []edit{
			{Attr: "tags", Value: `{ Name = "changed", Stage = "test" }`},
			{Attr: "comment", Value: `"changed"`},
			{Attr: "force_destroy", Value: "true"},
			{Attr: "name", Value: `"changed.example.com"`, Replaces: true},
			{In: "full.tf", Attr: "timeouts.create", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.update", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"11m"`},
			{In: "full2.tf", Attr: "vpc.vpc_id", Value: "setup:vpc_id"},
			{In: "full3.tf", Attr: "delegation_set_id", Value: "setup:other_delegation_set_id", Replaces: true},
		},
		Unchanged: map[string]string{
			"vpc.vpc_region":              oneRegion,
			"enable_accelerated_recovery": noRecovery,
		},
		Unapplied: map[string]string{"full4.tf": noRecovery},
	},
	{
		Type:   "estate_route53_record",
		Setup:  makeRecordParts,
		Unread: []string{"allow_overwrite", "timeouts"},
		Edits: []edit{
			{Attr: "ttl", Value: "600"},
			{Attr: "records", Value: `["192.0.2.3"]`},
			{Attr: "name", Value: `"changed.example.com"`, Replaces: true},
			{Attr: "type", Value: `"TXT"`, Replaces: true},
			{Attr: "zone_id", Value: "setup:zone_id", Replaces: true},
			{In: "full.tf", Attr: "weighted_routing_policy.weight", Value: "20"},
			{In: "full.tf", Attr: "health_check_id", Value: "setup:other_health_check_id"},
			{In: "full.tf", Attr: "set_identifier", Value: `"changed"`, Replaces: true},
			{In: "full.tf", Attr: "allow_overwrite", Value: "true"},
			{In: "full.tf", Attr: "timeouts.create", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.update", Value: `"11m"`},
			{In: "full.tf", Attr: "timeouts.delete", Value: `"11m"`},
			{In: "full2.tf", Attr: "alias.name", Value: `"other.example.com"`},
			{In: "full2.tf", Attr: "alias.zone_id", Value: `"Z35SXDOTRQ7X7K"`},
			{In: "full2.tf", Attr: "alias.evaluate_target_health", Value: "true"},
			{In: "full3.tf", Attr: "failover_routing_policy.type", Value: `"SECONDARY"`},
			{In: "full4.tf", Attr: "geolocation_routing_policy.country", Value: `"CA"`},
			{In: "full4.tf", Attr: "geolocation_routing_policy.subdivision", Value: `"CA"`},
			{In: "full5.tf", Attr: "geolocation_routing_policy.continent", Value: `"AF"`},
			{In: "full6.tf", Attr: "latency_routing_policy.region", Value: `"eu-central-1"`},
		},
		Unchanged: map[string]string{
			"multivalue_answer_routing_policy":                  "a record with a set identifier needs a policy: without this one it is another record",
			"cidr_routing_policy.collection_id":                 noCIDR,
			"cidr_routing_policy.location_name":                 noCIDR,
			"geoproximity_routing_policy.aws_region":            noGeoproximity,
			"geoproximity_routing_policy.bias":                  noGeoproximity,
			"geoproximity_routing_policy.coordinates.latitude":  noGeoproximity,
			"geoproximity_routing_policy.coordinates.longitude": noGeoproximity,
			"geoproximity_routing_policy.local_zone_group":      noGeoproximity,
		},
		Unapplied: map[string]string{
			"full8.tf": noGeoproximity, "full9.tf": noGeoproximity, "full10.tf": noGeoproximity, "full11.tf": noCIDR,
		},
	},
}

// makeZoneParts makes a VPC and two delegation sets.
func makeZoneParts(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	vpc, err := makeVpc(ctx, a, "", nil)
	must(t, err)
	made := map[string]string{"vpc_id": vpc}
	for _, name := range []string{"delegation_set_id", "other_delegation_set_id"} {
		out, err := a.Route53.CreateReusableDelegationSet(ctx, &route53.CreateReusableDelegationSetInput{CallerReference: aws.String(name)})
		must(t, err)
		made[name] = strings.TrimPrefix(aws.ToString(out.DelegationSet.Id), "/delegationset/")
	}
	return made
}

// makeRecordParts makes two health checks and a zone of nobody's estate.
func makeRecordParts(ctx context.Context, t *testing.T, a *AWS) map[string]string {
	t.Helper()
	made := map[string]string{}
	for _, name := range []string{"health_check_id", "other_health_check_id"} {
		out, err := a.Route53.CreateHealthCheck(ctx, &route53.CreateHealthCheckInput{
			CallerReference: aws.String(name),
			HealthCheckConfig: &r53types.HealthCheckConfig{
				Type: r53types.HealthCheckTypeTcp, IPAddress: aws.String("192.0.2.1"), Port: aws.Int32(80),
			},
		})
		must(t, err)
		made[name] = aws.ToString(out.HealthCheck.Id)
	}
	out, err := a.Route53.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
		Name: aws.String("example.com"), CallerReference: aws.String("other"),
	})
	must(t, err)
	made["zone_id"] = strings.TrimPrefix(aws.ToString(out.HostedZone.Id), "/hostedzone/")
	return made
}
