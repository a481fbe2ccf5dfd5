package route53

import (
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

type record struct {
	Alias          []aliasTarget  `tfsdk:"alias"`
	AllowOverwrite types.Bool     `tfsdk:"allow_overwrite"`
	CIDR           []cidrPolicy   `tfsdk:"cidr_routing_policy"`
	Failover       []failover     `tfsdk:"failover_routing_policy"`
	FQDN           types.String   `tfsdk:"fqdn"`
	Geolocation    []geolocation  `tfsdk:"geolocation_routing_policy"`
	Geoproximity   []geoproximity `tfsdk:"geoproximity_routing_policy"`
	HealthCheck    types.String   `tfsdk:"health_check_id"`
	Latency        []latency      `tfsdk:"latency_routing_policy"`
	MultiValue     types.Bool     `tfsdk:"multivalue_answer_routing_policy"`
	Name           attrs.DNSName  `tfsdk:"name"`
	Records        types.Set      `tfsdk:"records"`
	SetIdentifier  types.String   `tfsdk:"set_identifier"`
	TTL            types.Int64    `tfsdk:"ttl"`
	Type           types.String   `tfsdk:"type"`
	Weighted       []weighted     `tfsdk:"weighted_routing_policy"`
	ZoneID         types.String   `tfsdk:"zone_id"`
}

type aliasTarget struct {
	EvaluateHealth types.Bool    `tfsdk:"evaluate_target_health"`
	Name           attrs.DNSName `tfsdk:"name"`
	ZoneID         types.String  `tfsdk:"zone_id"`
}

type cidrPolicy struct {
	Collection types.String `tfsdk:"collection_id"`
	Location   types.String `tfsdk:"location_name"`
}

type failover struct {
	Type types.String `tfsdk:"type"`
}

type geolocation struct {
	Continent   types.String `tfsdk:"continent"`
	Country     types.String `tfsdk:"country"`
	Subdivision types.String `tfsdk:"subdivision"`
}

type geoproximity struct {
	Region      types.String  `tfsdk:"aws_region"`
	Bias        types.Int64   `tfsdk:"bias"`
	Coordinates []coordinates `tfsdk:"coordinates"`
	LocalZone   types.String  `tfsdk:"local_zone_group"`
}

type coordinates struct {
	Latitude  types.String `tfsdk:"latitude"`
	Longitude types.String `tfsdk:"longitude"`
}

type latency struct {
	Region types.String `tfsdk:"region"`
}

type weighted struct {
	Weight types.Int64 `tfsdk:"weight"`
}

// recordTypes are the types of records that Route 53 has.
var recordTypes = r53types.RRType("").Values()

// Record is a set of records of one name and type.
var Record = engine.Of(engine.ResourceType[record]{
	Name:    "route53_record",
	Service: "Route 53",
	Doc: `The records of one name and type in a hosted zone, or of one set identifier among them.

They carry no tags. Their zone's marker guards them: the records of another estate's zone are never touched. A create that
finds the record there adopts an equal one and refuses another, unless ` + "`allow_overwrite`" + ` or ` + "`on_existing = \"adopt\"`" + `
says to overwrite it. Under ` + "`create_before_destroy`" + ` the record that was created or adopted is never deleted in the same run.

A name may be relative to the zone. To write the same name absolute where it was relative replaces the record. The NS and
SOA records of the zone itself can be overwritten, and stay when the resource is destroyed: Route 53 keeps them.

A change of routing policy deletes and creates the record in one step, so that it is never missing; one of type or set
identifier is a replacement, where hashicorp/aws makes it in one step too. Route 53 takes five
requests a second; a refresh reads eight records of a zone one by one, and lists the zone in pages of 300 for more.`,
	Tier: engine.Composed,
	Identity: []engine.Part{
		{Attr: "zone_id"}, {Attr: "name"}, {Attr: "type", Values: typeNames()}, {Attr: "set_identifier", Optional: true},
	},
	Separator:  "_",
	Global:     true,
	Timeouts:   engine.Timeouts{Create: changeLimit, Update: changeLimit, Delete: changeLimit},
	Attrs:      recordAttrs(),
	Blocks:     recordBlocks(),
	Settings:   []string{"allow_overwrite"},
	Overwrites: "allow_overwrite",
	Canonical:  canonicalRecord,
	Get:        getRecord,
	ListUnder:  listRecords,
	Create:     createRecord,
	Updates: []engine.Update[record]{
		{
			Attrs: append([]string{
				"alias", "health_check_id", "records", "ttl", "multivalue_answer_routing_policy",
			}, policyBlocks...),
			Apply: setRecord,
		},
		{Attrs: []string{"allow_overwrite"}},
	},
	Delete:   deleteRecord,
	Under:    "route53_zone",
	Parents:  recordParents,
	Exists:   func(err error) bool { return refusedFor(err, "already exists") },
	Busy:     busy,
	TooFresh: zoneTooFresh,
})

// zoneTooFresh tells whether a call does not know the zone: one that was made a moment ago is not known everywhere.
func zoneTooFresh(err error) bool { return cloud.HasCode(err, absentCodes...) }

func typeNames() []string {
	names := make([]string, len(recordTypes))
	for i, t := range recordTypes {
		names[i] = string(t)
	}
	return names
}

func recordAttrs() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"allow_overwrite": attrs.OptionalComputedBool(
			"Whether a create may overwrite the record that it finds, as `on_existing = \"adopt\"` does. Default `false`."),
		"fqdn":            attrs.ComputedString("Name of the record with that of its zone."),
		"health_check_id": attrs.OptionalString("ID of the health check on which the record depends.", attrs.NotEmpty()),
		"multivalue_answer_routing_policy": attrs.DefaultBool(false,
			"Whether the record is one of several whose values are answered together. Default `false`.",
			attrs.Conflicts(policyBlocks...), attrs.Requires("set_identifier")),
		"name": attrs.RequiredDNSName("Name of the record, with or without that of its zone; empty for the zone's own."),
		"records": attrs.OptionalStringSet("Values of the record. Those of a TXT record stand without their outer quotes, and `\\\"\\\"` parts "+
			"strings of up to 255 characters.", attrs.ExactlyOneOf("alias")),
		"set_identifier": attrs.OptionalString("What tells the record from others of its name and type; needed with a routing policy.",
			attrs.Length(1, 128)),
		"ttl":     attrs.OptionalInt64("How long resolvers may keep the record, in seconds; needed with `records`.", attrs.Conflicts("alias"), attrs.Requires("records")),
		"type":    attrs.RequiredString("Type of the record, such as `A`.", attrs.OneOf(recordTypes...)),
		"zone_id": attrs.RequiredString("ID of the hosted zone.", attrs.NotEmpty()),
	}
}

// policyBlocks are the routing policies that have a block.
var policyBlocks = []string{
	"cidr_routing_policy", "failover_routing_policy", "geolocation_routing_policy", "geoproximity_routing_policy",
	"latency_routing_policy", "weighted_routing_policy",
}

func recordBlocks() map[string]schema.Block {
	text := func(doc string) schema.StringAttribute { return attrs.OptionalString(doc, attrs.NotEmpty()) }
	blocks := map[string]schema.Block{
		"alias": attrs.OneBlock("What the record is an alias of, in place of `records`.", map[string]schema.Attribute{
			"evaluate_target_health": schema.BoolAttribute{Required: true, MarkdownDescription: "Whether the record is healthy as long as its target is."},
			"name":                   attrs.RequiredDNSName("Domain name of the target.", attrs.Length(1, 1024)),
			"zone_id":                attrs.RequiredString("ID of the hosted zone of the target.", attrs.Length(1, idLength)),
		}),
	}
	policy := func(name, doc string, attributes map[string]schema.Attribute) schema.ListNestedBlock {
		var others []string
		for _, other := range append([]string{"multivalue_answer_routing_policy"}, policyBlocks...) {
			if other != name {
				others = append(others, other)
			}
		}
		return attrs.OneBlock(doc, attributes, attrs.Conflicts(others...), attrs.Requires("set_identifier"))
	}
	for name, b := range map[string]struct {
		doc        string
		attributes map[string]schema.Attribute
	}{
		"cidr_routing_policy": {"The networks of resolvers that get the record.", map[string]schema.Attribute{
			"collection_id": attrs.RequiredString("ID of the CIDR collection.", attrs.NotEmpty()),
			"location_name": attrs.RequiredString("Name of a location of the collection; `*` for all others.", attrs.NotEmpty()),
		}},
		"failover_routing_policy": {"Whether the record serves, or stands in for the one that does.", map[string]schema.Attribute{
			"type": attrs.RequiredString("`PRIMARY` or `SECONDARY`.", attrs.OneOf(r53types.ResourceRecordSetFailover("").Values()...)),
		}},
		"geolocation_routing_policy": {"Where users are that get the record.", map[string]schema.Attribute{
			"continent":   text("Two letters of a continent."),
			"country":     text("Two letters of a country; `*` for all others."),
			"subdivision": text("Code of a part of the country."),
		}},
		"latency_routing_policy": {"The region whose latency to users decides.", map[string]schema.Attribute{
			"region": attrs.RequiredString("Name of the region.", attrs.OneOf(r53types.ResourceRecordSetRegion("").Values()...)),
		}},
		"weighted_routing_policy": {"The share of answers that name the record.", map[string]schema.Attribute{
			"weight": schema.Int64Attribute{Required: true, MarkdownDescription: "Weight of the record among those of its name and type, up to 255."},
		}},
	} {
		blocks[name] = policy(name, b.doc, b.attributes)
	}
	near := policy("geoproximity_routing_policy", "The place to which users have to be near.", map[string]schema.Attribute{
		"aws_region":       text("Name of a region."),
		"bias":             attrs.DefaultInt64(0, "How much larger or smaller the area is to be, from -99 to 99. Default `0`.", attrs.Between(-99, 99)),
		"local_zone_group": text("Name of a local zone group."),
	})
	near.NestedObject.Blocks = map[string]schema.Block{"coordinates": schema.SetNestedBlock{
		MarkdownDescription: "The place, where it is neither a region nor a local zone.",
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"latitude":  attrs.RequiredString("Degrees to the north, with two decimals at most.", attrs.NotEmpty()),
			"longitude": attrs.RequiredString("Degrees to the east, with two decimals at most.", attrs.NotEmpty()),
		}},
	}}
	blocks["geoproximity_routing_policy"] = near
	return blocks
}
