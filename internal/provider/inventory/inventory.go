package inventory

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// inventorySource is data.estate_inventory: what lives in an account, as a list.
type inventorySource struct{ base }

var (
	_ datasource.DataSourceWithConfigure      = (*inventorySource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*inventorySource)(nil)
)

// inventoryModel is the data source's configuration and state.
type inventoryModel struct {
	Estate   types.String `tfsdk:"tofu_estate"`
	Regions  types.Set    `tfsdk:"regions"`
	Target   types.String `tfsdk:"target"`
	Types    types.Set    `tfsdk:"types"`
	Status   types.String `tfsdk:"status"`
	Objects  []object     `tfsdk:"objects"`
	Coverage []coverage   `tfsdk:"coverage"`
}

// Schema implements datasource.DataSource.
func (d *inventorySource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists every living object of an estate, or every unmarked object of the types that this provider serves.\n\n" +
			"Objects of served types come from their services' own listings, one for each type and region, with what has no tags under the " +
			"objects that it belongs to. All other types come from the Resource Groups Tagging API, whose index lags: those are not " +
			"`verified`. Each listing stands in `coverage`, and a failed one with the reason. Nothing is written.\n\n" + statusesDoc(),
		Attributes: map[string]schema.Attribute{
			"tofu_estate": estateAttribute(),
			"regions":     regionsAttribute(),
			"target": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only what this selects, as `-target` does: a module with all that is in it, a block or an instance. An object without tags goes with the one that it belongs to.",
			},
			"types": schema.SetAttribute{
				Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Only these resource types. `aws_vpc` and `estate_vpc` are one type. Fewer types take fewer calls and permissions; one that nothing lists stands in `coverage` as not complete.",
				Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.NoNullValues(), setvalidator.ValueStringsAre(typeName)},
			},
			"status": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only objects of one status, from the table above; without it `marked`, `malformed` and `by_parent`. `unmarked` lists what nobody has marked among the types that this provider serves, in place of the estate.",
				Validators:          []validator.String{stringvalidator.OneOf(statuses...)},
			},
			"objects": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The objects, sorted by type, region and id.",
				NestedObject: schema.NestedAttributeObject{Attributes: objectAttributes()},
			},
			"coverage": coverageAttribute(),
		},
	}
}

func estateAttribute() schema.Attribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: "Estate that is asked for; the provider's, with its `previous_estates`, when unset."}
}

func regionsAttribute() schema.Attribute {
	return schema.SetAttribute{
		Optional: true, ElementType: types.StringType,
		MarkdownDescription: "Regions that are looked at; the provider's when unset. Objects of global types are always looked for.",
		Validators:          []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.NoNullValues()},
	}
}

// typeName is the form of a resource type's name. Types of other providers have no objects in AWS, and a name without its prefix
// would find none.
var typeName = stringvalidator.RegexMatches(regexp.MustCompile(`^(aws|estate)_[a-z0-9_]+$`), `must be a resource type of AWS with its prefix, such as "aws_vpc"`)

// ValidateConfig implements datasource.DataSourceWithValidateConfig.
func (d *inventorySource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var m inventoryModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	if !m.Estate.IsNull() && !m.Estate.IsUnknown() {
		resp.Diagnostics.Append(diagnostics(checkEstate(m.Estate.ValueString()))...)
	}
	if _, err := m.selects(); err != nil {
		resp.Diagnostics.Append(badTarget(err))
	}
	if m.Status.ValueString() == statusUnmarked && (isSet(m.Estate) || isSet(m.Target)) {
		resp.Diagnostics.AddError("Unmarked objects have no address", "tofu_estate and target select by the marker, and "+
			"status = \"unmarked\" asks for what has none. Leave out one of them.")
	}
}

func isSet(s types.String) bool { return !s.IsNull() && !s.IsUnknown() }

// diagnostics is a list of the one, empty for nil.
func diagnostics(d diag.Diagnostic) diag.Diagnostics {
	if d == nil {
		return nil
	}
	return diag.Diagnostics{d}
}

func badTarget(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Bad target", fmt.Sprintf("%s.\n\nWrite a module, a block or an instance:\n  target = \"module.net\"", sentence(err)))
}

// selects is the target, nil for everything.
func (m inventoryModel) selects() (*markers.Target, error) {
	if !isSet(m.Target) {
		return nil, nil //nolint:nilnil // No target is an answer.
	}
	target, err := markers.ParseTarget(m.Target.ValueString())
	return &target, err
}

// Read implements datasource.DataSource.
func (d *inventorySource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m inventoryModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() || !d.ready(req, resp) {
		return
	}
	target, err := m.selects()
	if err != nil {
		resp.Diagnostics.Append(badTarget(err))
		return
	}
	q := query{regions: d.regions(texts(m.Regions)), types: texts(m.Types)}
	if resp.Diagnostics.Append(d.checkRegions(texts(m.Regions))...); resp.Diagnostics.HasError() {
		return
	}
	status := m.Status.ValueString()
	if status != statusUnmarked {
		q.estates = d.estates(m.Estate.ValueString())
	}
	seen, listings := (&survey{query: q, sources: d.sources, walk: d.walk}).see(ctx)
	m.Objects, m.Coverage = []object{}, cover(listings)
	for _, s := range seen {
		if s.foreign || !wanted(s, status) || target != nil && !s.under(*target) {
			continue
		}
		m.Objects = append(m.Objects, s.show(d.walk.Session.Region))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	resp.Diagnostics.Append(d.nobody(m.Estate, q.regions, seen)...)
	if failed := incomplete(m.Coverage); len(failed) > 0 {
		resp.Diagnostics.AddWarning("Incomplete inventory", "These listings failed, so that objects may be missing:\n"+
			strings.Join(failed, "\n")+"\n\ncoverage says so too. Grant what is missing, or name the types that are wanted:\n  types = [\"estate_vpc\"]")
	}
}

// wanted tells whether an object has the status that is asked for.
func wanted(s *sighting, status string) bool {
	is := s.status()
	switch status {
	case "":
		return is == statusMarked || is == statusMalformed || is == statusByParent
	case statusUnmarked:
		return is == statusUnmarked && !s.madeByAWS
	}
	return is == status
}

// under tells whether a target selects an object. One without tags goes with the object that it belongs to.
func (s *sighting) under(t markers.Target) bool {
	if s.parent != nil {
		return s.parent.under(t)
	}
	return s.marker.Decoded && t.Covers(s.marker.Address)
}

// incomplete are the listings that failed, a line each.
func incomplete(all []coverage) []string {
	var out []string
	for _, c := range all {
		if c.Complete {
			continue
		}
		what := read(c.Type)
		if what == "" {
			what = "Resource Groups Tagging API"
		}
		if c.Region != nil {
			what += " in " + *c.Region
		}
		out = append(out, "  - "+what+": "+read(c.Problem))
	}
	return out
}

// texts are the elements of a set or list that are known: while a configuration is validated, those that come from resources are not.
func texts(set interface{ Elements() []attr.Value }) []string {
	var out []string
	for _, element := range set.Elements() {
		if text, ok := element.(types.String); ok && isSet(text) {
			out = append(out, text.ValueString())
		}
	}
	return out
}
