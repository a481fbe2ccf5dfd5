package inventory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// objectSource is data.estate_object: the one object that carries an address, whatever its type.
type objectSource struct{ base }

var (
	_ datasource.DataSourceWithConfigure      = (*objectSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*objectSource)(nil)
)

// objectModel is the data source's configuration and state.
type objectModel struct {
	Estate   types.String      `tfsdk:"tofu_estate"`
	Address  types.String      `tfsdk:"tofu_address"`
	Regions  types.Set         `tfsdk:"regions"`
	ID       *string           `tfsdk:"id"`
	ARN      *string           `tfsdk:"arn"`
	ImportID *string           `tfsdk:"import_id"`
	Region   *string           `tfsdk:"region"`
	Account  *string           `tfsdk:"account"`
	Slot     *int64            `tfsdk:"slot"`
	Verified *bool             `tfsdk:"verified"`
	Tags     map[string]string `tfsdk:"tags"`
}

// Schema implements datasource.DataSource.
func (d *objectSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	shown := objectAttributes()
	attributes := map[string]schema.Attribute{
		"tofu_estate": estateAttribute(),
		"tofu_address": schema.StringAttribute{
			Required: true, MarkdownDescription: "Address of the instance, with its index, such as `module.net[\"a\"].aws_subnet.this[0]`.",
		},
		"regions": regionsAttribute(),
	}
	for _, name := range []string{"id", "arn", "import_id", "region", "account", "slot", "verified", "tags"} {
		attributes[name] = shown[name]
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Finds the one living object of any type that carries an address. None and several are errors.\n\n" +
			"A type that this provider serves, or its twin in hashicorp/aws, is looked for in its service's own listing; any other in the " +
			"Resource Groups Tagging API, which knows a new object only after some minutes. Nothing is written.",
		Attributes: attributes,
	}
}

// ValidateConfig implements datasource.DataSourceWithValidateConfig.
func (d *objectSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var m objectModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	if isSet(m.Estate) {
		resp.Diagnostics.Append(diagnostics(checkEstate(m.Estate.ValueString()))...)
	}
	if isSet(m.Address) {
		address, err := markers.Parse(m.Address.ValueString())
		if err != nil {
			resp.Diagnostics.Append(badAddress(err))
			return
		}
		resp.Diagnostics.Append(d.findable(address)...)
	}
}

// findable reports an address of a type whose objects carry no address.
func (d *objectSource) findable(address markers.Address) diag.Diagnostics {
	served := d.serves(address.Type)
	if served == nil || served.Tagged() {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("tofu_address"), "Type without tags", fmt.Sprintf(
		"Objects of %s carry no tags, so that no address is written on them.\n\nRead one by the arguments of its own data source:\n  data \"estate_%s\" %q {}",
		address.Type, served.Name(), address.Name))}
}

func badAddress(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Bad address", fmt.Sprintf("%s.\n\nWrite it as a state list shows it:\n  tofu_address = \"aws_vpc.main\"", sentence(err)))
}

// Read implements datasource.DataSource.
func (d *objectSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m objectModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() || !d.ready(req, resp) {
		return
	}
	address, err := markers.Parse(m.Address.ValueString())
	if err != nil {
		resp.Diagnostics.Append(badAddress(err))
		return
	}
	resp.Diagnostics.Append(d.findable(address)...)
	if resp.Diagnostics.Append(d.checkRegions(texts(m.Regions))...); resp.Diagnostics.HasError() {
		return
	}
	q := query{
		estates: d.estates(m.Estate.ValueString()), regions: d.regions(texts(m.Regions)), types: []string{address.Type},
		ownOnly: d.serves(address.Type) != nil,
	}
	seen, listings := (&survey{query: q, sources: d.sources, walk: d.walk}).see(ctx)
	var found []*sighting
	for _, s := range seen {
		is := markers.Classify(s.tags, markers.Question{Estates: q.estates, Address: address, FoldCase: s.foldsCase()}).Kind
		if is == markers.Ours && s.gone == "" && !s.foreign && !s.copied() {
			found = append(found, s)
		}
	}
	failed := incomplete(cover(listings))
	switch {
	case len(found) == 0 && len(failed) > 0:
		resp.Diagnostics.AddError("Object not looked for everywhere", fmt.Sprintf("Nothing that carries %s of the estate %s was seen, and these listings failed:\n%s",
			address, q.estates[0], strings.Join(failed, "\n")))
	case len(found) == 0:
		resp.Diagnostics.AddError("No such object", fmt.Sprintf("No living object in %s carries %s of the estate %s.\n\nList what the estate holds:\n  data \"estate_inventory\" \"all\" {}",
			strings.Join(q.regions, ", "), address, q.estates[0]))
	case len(found) > 1:
		resp.Diagnostics.AddError("Several objects of one address", fmt.Sprintf("%d living objects carry %s of the estate %s:\n%s\n\nTake the marker off all but one%s",
			len(found), address, q.estates[0], strings.Join(lines(found), "\n"), orRegion(found)))
	default:
		o := found[0].show(d.walk.Session.Region)
		m.ID, m.ARN, m.ImportID, m.Region, m.Account = o.ID, o.ARN, o.ImportID, o.Region, o.Account
		m.Slot, m.Verified, m.Tags = o.Slot, &o.Verified, o.Tags
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
		if len(failed) > 0 {
			resp.Diagnostics.AddWarning("Object not looked for everywhere", fmt.Sprintf(
				"%s carries %s of the estate %s. Whether it is the only one is not known, as these listings failed:\n%s",
				found[0], address, q.estates[0], strings.Join(failed, "\n")))
		}
	}
}

// orRegion is the second way out of a collision, where its objects are in several regions.
func orRegion(found []*sighting) string {
	first := found[0].region
	if slices.ContainsFunc(found, func(s *sighting) bool { return s.region != first }) {
		return fmt.Sprintf(", or name the region:\n  regions = [%q]", first)
	}
	return "."
}

// lines describe objects, one each.
func lines(found []*sighting) []string {
	out := make([]string, len(found))
	for i, s := range found {
		out[i] = "  - " + s.String()
	}
	return out
}

// String names the object as messages do.
func (s *sighting) String() string {
	name := s.arn
	if name == "" {
		name = s.id
	}
	if s.region != "" {
		name += " in " + s.region
	}
	if !s.created.IsZero() {
		name += ", created " + s.created.UTC().Format("2006-01-02 15:04:05") + " UTC"
	}
	return name
}
