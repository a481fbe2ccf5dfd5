package inventory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// auditSource is data.estate_audit: what is declared beside what lives.
type auditSource struct{ base }

var (
	_ datasource.DataSourceWithConfigure      = (*auditSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*auditSource)(nil)
)

// auditModel is the data source's configuration and state.
type auditModel struct {
	Estate    types.String     `tfsdk:"tofu_estate"`
	Addresses types.List       `tfsdk:"addresses"`
	Regions   types.Set        `tfsdk:"regions"`
	Grace     types.String     `tfsdk:"grace"`
	Findings  []finding        `tfsdk:"findings"`
	Counts    map[string]int64 `tfsdk:"counts"`
	Coverage  []coverage       `tfsdk:"coverage"`
}

// finding is one object, or one declared address without an object, in its class.
type finding struct {
	Class    string  `tfsdk:"class"`
	Address  *string `tfsdk:"address"`
	Type     *string `tfsdk:"type"`
	ID       *string `tfsdk:"id"`
	ARN      *string `tfsdk:"arn"`
	ImportID *string `tfsdk:"import_id"`
	Region   *string `tfsdk:"region"`
	Account  *string `tfsdk:"account"`
	Created  *string `tfsdk:"created"`
	Verified bool    `tfsdk:"verified"`
	Reason   string  `tfsdk:"reason"`
}

// defaultGrace is how old an object has to be before it counts as an orphan. An apply marks an object in its create call, and
// may declare its address to nobody until it is over.
const defaultGrace = 15 * time.Minute

// Schema implements datasource.DataSource.
func (d *auditSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(doc string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Compares what an estate declares with what lives, and says of each object and of each address which class it is of. " +
			"Nothing is written.\n\nEach object that its service's own listing or the Resource Groups Tagging API shows, and each declared address " +
			"without an object, is one finding:\n\n" + classesDoc() +
			"\n\nObjects that nobody marked are findings only where AWS made them or the provider let go of them; `estate_inventory` with " +
			"`status = \"unmarked\"` lists the others.",
		Attributes: map[string]schema.Attribute{
			"tofu_estate": estateAttribute(),
			// A list: the framework compares each element of a set with each other one, which takes minutes for a large estate.
			"addresses": schema.ListAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Addresses of all instances that the estate declares, as `tofu state list` shows them. Data sources among them are left out; `aws_vpc.a` and `estate_vpc.a` are one address.",
				Validators:          []validator.List{listvalidator.NoNullValues()},
			},
			"regions": regionsAttribute(),
			"grace": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "How old an object without a declaration has to be before it counts as an orphan, as a number with a unit, such as `1h` or `90m`; 15 minutes when unset. The time is that of the creation or of the binding, whichever is later; an object that tells neither is old.",
			},
			"findings": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The findings, sorted by class, type, address, region and id.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"class":     text("Class of the finding, from the table above."),
					"address":   text("Address that the object's marker names, or that is declared; null where the marker cannot be read or there is none."),
					"type":      text("Resource type that the address names; without an address that of the object. Null where neither is known."),
					"id":        text("Identifier of the object in its service; null for those that the tagging API alone showed, and without an object."),
					"arn":       text("ARN of the object; null for types that have none, and without an object."),
					"import_id": text("What `import` of that resource type wants, with `@` and the region for another region than the provider's; null where the listing cannot tell."),
					"region":    text("Region of the object; null for global types."),
					"account":   text("Account of the object."),
					"created":   text("Time of creation, in RFC 3339; null where the listing does not tell."),
					"verified":  schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the service's own listing showed the object."},
					"reason":    text("Why it is of this class."),
				}},
			},
			"counts":   schema.MapAttribute{Computed: true, ElementType: types.Int64Type, MarkdownDescription: "Number of findings of each class, 0 included."},
			"coverage": coverageAttribute(),
		},
	}
}

// ValidateConfig implements datasource.DataSourceWithValidateConfig.
func (d *auditSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var m auditModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	if isSet(m.Estate) {
		resp.Diagnostics.Append(diagnostics(checkEstate(m.Estate.ValueString()))...)
	}
	if _, err := m.grace(); err != nil {
		resp.Diagnostics.AddError("Bad grace period", sentence(err)+".\n\nWrite a duration:\n  grace = \"15m\"")
	}
	if _, err := declared(texts(m.Addresses)); err != nil {
		resp.Diagnostics.AddError("Bad address", sentence(err)+".\n\nWrite addresses as a state list shows them:\n  addresses = [\"aws_vpc.main\"]")
	}
}

// grace reads the grace period.
func (m auditModel) grace() (time.Duration, error) {
	if !isSet(m.Grace) {
		return defaultGrace, nil
	}
	d, err := time.ParseDuration(m.Grace.ValueString())
	switch {
	case err != nil:
		return 0, fmt.Errorf("grace is %q, and that is no duration of at most 290 years", m.Grace.ValueString())
	case d < 0:
		return 0, fmt.Errorf("grace is %s, and that is negative", d)
	}
	return d, nil
}

// declared parses the declared addresses. Data sources and ephemeral resources are no managed objects.
func declared(all []string) ([]markers.Address, error) {
	var out []markers.Address
	for _, text := range all {
		mode, a, err := markers.ParseInstance(text)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		if mode == markers.Managed {
			out = append(out, a)
		}
	}
	return out, nil
}

// Read implements datasource.DataSource.
func (d *auditSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m auditModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() || !d.ready(req, resp) {
		return
	}
	grace, err := m.grace()
	addresses, bad := declared(texts(m.Addresses))
	if err = cmp.Or(err, bad); err != nil {
		resp.Diagnostics.AddError("Bad argument", sentence(err)+".")
		return
	}
	if resp.Diagnostics.Append(d.checkRegions(texts(m.Regions))...); resp.Diagnostics.HasError() {
		return
	}
	regions, estates := d.regions(texts(m.Regions)), d.estates(m.Estate.ValueString())
	// Everything of the served types, whoever's it is, and what the tagging API knows of the estate.
	all := &survey{query: query{regions: regions}, sources: d.sources, walk: d.walk}
	seen, listings := all.see(ctx)
	ours := &survey{query: query{regions: regions, estates: estates}, sources: d.sources, walk: d.walk, hits: all.hits}
	others, asked := ours.beyond(ctx, seen, listings)
	a := audit{
		estates: estates, addresses: addresses, grace: grace, now: time.Now(), home: d.walk.Session.Region, served: d.sources.types,
		seen: append(seen, others...), listings: append(listings, asked...),
	}
	m.Findings, m.Coverage = a.run(), cover(a.listings)
	m.Counts = map[string]int64{}
	for class := range classes {
		m.Counts[class] = 0
	}
	for _, f := range m.Findings {
		m.Counts[f.Class]++
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(d.nobody(m.Estate, regions, a.seen)...)
	if failed := incomplete(m.Coverage); len(failed) > 0 {
		resp.Diagnostics.AddWarning("Incomplete audit", "These listings failed, and what they would show is of the class unscanned:\n"+strings.Join(failed, "\n"))
	}
}

// classesDoc is the table of the classes for the documentation.
func classesDoc() string {
	lines := []string{"| class | what it is | what to do |", "|---|---|---|"}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		lines = append(lines, fmt.Sprintf("| `%s` | %s | %s |", class, classes[class].means, classes[class].next))
	}
	return strings.Join(lines, "\n")
}
