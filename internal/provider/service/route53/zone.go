package route53

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type zone struct {
	ARN           types.String  `tfsdk:"arn"`
	Comment       types.String  `tfsdk:"comment"`
	DelegationSet types.String  `tfsdk:"delegation_set_id"`
	Accelerated   types.Bool    `tfsdk:"enable_accelerated_recovery"`
	ForceDestroy  types.Bool    `tfsdk:"force_destroy"`
	Name          attrs.DNSName `tfsdk:"name"`
	NameServers   types.List    `tfsdk:"name_servers"`
	PrimaryServer types.String  `tfsdk:"primary_name_server"`
	VPCs          []zoneVPC     `tfsdk:"vpc"`
	ZoneID        types.String  `tfsdk:"zone_id"`
}

type zoneVPC struct {
	ID     types.String `tfsdk:"vpc_id"`
	Region types.String `tfsdk:"vpc_region"`
}

// private tells whether the zone answers to networks alone: only such a zone has any.
func (z *zone) private() bool { return len(z.VPCs) > 0 }

// defaultComment is hashicorp/aws's.
const defaultComment = "Managed by Terraform"

// idLength is the longest id of a zone, and of a delegation set.
const idLength = 32

// Zone is a hosted zone.
var Zone = engine.Of(engine.ResourceType[zone]{
	Name:    "route53_zone",
	Service: "Route 53",
	Doc: `A hosted zone: the records of a domain, for the internet or, with ` + "`vpc`" + `, for networks alone.

Two zones may have one name, so that a zone is found by its marker alone. Route 53 makes it without tags, which are
written next; a zone that was cut off before that is known by its caller reference.

Route 53 takes five requests a second. A refresh costs two calls a zone, three for a private one. A look-up, and a refresh
of more than eight zones, list the account: a call for each hundred zones and one for the tags of each ten, then one or two
for each zone that is asked for.`,
	Tier:            engine.Marked,
	Tags:            tagging.Route53Zone,
	TagsAfterCreate: true,
	TakesToken:      true,
	Global:          true,
	ListsAll:        true,
	Timeouts:        engine.Timeouts{Create: changeLimit, Update: changeLimit, Delete: changeLimit},
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the zone."),
		"comment": attrs.DefaultString(defaultComment, "Comment on the zone, up to 256 characters. Default `"+defaultComment+"`.",
			attrs.Length(0, 256)),
		"delegation_set_id": attrs.OptionalString("ID of the reusable delegation set whose name servers serve the zone. Default new ones.",
			attrs.Length(1, idLength), attrs.Conflicts("vpc")),
		"enable_accelerated_recovery": attrs.OptionalComputedBool(
			"Whether records can be changed within an hour while us-east-1 is not available. Default `false`."),
		"force_destroy": attrs.DefaultBool(false,
			"Whether a destroy deletes all records of the zone first, whoever made them, and ends the signing of answers. Default `false`."),
		"name":                attrs.RequiredDNSName("Name of the zone, such as `example.com`.", attrs.Length(1, 1024)),
		"name_servers":        attrs.ComputedStringList("Name servers of the zone, in the order of their names."),
		"primary_name_server": attrs.ComputedString("Name server that the zone's SOA record names."),
		"zone_id":             attrs.ComputedString("ID of the zone."),
	},
	Blocks: map[string]schema.Block{"vpc": schema.SetNestedBlock{
		MarkdownDescription: "Networks that a private zone answers to. It has one at least, and a public zone none: Route 53 makes neither of the other.",
		Validators:          []validator.Set{attrs.Conflicts("delegation_set_id")},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"vpc_id":     attrs.RequiredString("ID of the VPC.", attrs.NotEmpty()),
			"vpc_region": attrs.OptionalComputedString("Region of the VPC. Default the provider's.", attrs.NotEmpty()),
		}},
	}},
	Settings: []string{"force_destroy"},
	Get:      getZone,
	List:     listZones,
	Alike:    []string{"name"},
	FillOne:  fillZone,
	Create:   createZone,
	Updates: []engine.Update[zone]{
		{Attrs: []string{"comment"}, Apply: setZoneComment},
		{Attrs: []string{"vpc"}, Apply: setZoneVPCs},
		{Attrs: []string{"enable_accelerated_recovery"}, Apply: setZoneRecovery},
		{Attrs: []string{"force_destroy"}},
	},
	Delete: deleteZone,
	Exists: func(err error) bool { return cloud.HasCode(err, "HostedZoneAlreadyExists") },
	Busy:   busy,
})
