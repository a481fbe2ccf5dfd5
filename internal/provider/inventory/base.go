package inventory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// DataSources returns the constructors of the package's data sources, over the types that the provider serves.
func DataSources(served []engine.Type, verifiers ...Verifier) []func() datasource.DataSource {
	from := sources{types: served, verifiers: verifiers}
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &inventorySource{base: base{sources: from, name: "inventory"}} },
		func() datasource.DataSource { return &objectSource{base: base{sources: from, name: "object"}} },
		func() datasource.DataSource { return &auditSource{base: base{sources: from, name: "audit"}} },
	}
}

// base is what the data sources share.
type base struct {
	sources
	name string
	walk *engine.Walk
}

// Metadata implements datasource.DataSource.
func (b *base) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.name
}

// Configure implements datasource.DataSourceWithConfigure.
func (b *base) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	if req.ProviderData == nil {
		return // the validate walk
	}
	walk, ok := req.ProviderData.(*engine.Walk)
	if !ok {
		resp.Diagnostics.AddError("Provider error", fmt.Sprintf("data.estate_%s was configured with %T.", b.name, req.ProviderData))
		return
	}
	b.walk = walk
}

// ready says whether the provider's configuration is known; where it is not, the read waits if the CLI can.
func (b *base) ready(req datasource.ReadRequest, resp *datasource.ReadResponse) bool {
	switch {
	case b.walk == nil:
		resp.Diagnostics.AddError("Provider error", fmt.Sprintf("data.estate_%s was read before the provider was configured.", b.name))
		return false
	case b.walk.Session != nil && !b.walk.Estate.IsUnknown():
		return true
	case req.ClientCapabilities.DeferralAllowed:
		resp.Deferred = &datasource.Deferred{Reason: datasource.DeferredReasonProviderConfigUnknown}
		return false
	}
	resp.Diagnostics.AddError("Provider configuration not known yet", fmt.Sprintf(
		"data.estate_%s cannot be read while arguments of the provider block are unknown: %s.\n\nApply what they come from first:\n  tofu apply -target=ADDRESS",
		b.name, strings.Join(b.walk.Unknown, ", ")))
	return false
}

// estates are the names that count as the estate that was asked for: the provider's own one has earlier names.
func (b *base) estates(asked string) []string {
	if own := b.walk.Estate.ValueString(); asked == "" || asked == own {
		return append([]string{own}, b.walk.PreviousEstates...)
	}
	return []string{asked}
}

// regions are those asked for, else the provider's.
func (b *base) regions(asked []string) []string {
	if len(asked) == 0 {
		return []string{b.walk.Session.Region}
	}
	out := slices.Clone(asked)
	slices.Sort(out)
	return slices.Compact(out)
}

// checkRegions reports names that are no region's: an endpoint that answers for whatever region would show an empty one.
func (b *base) checkRegions(regions []string) diag.Diagnostics {
	var out diag.Diagnostics
	for _, region := range regions {
		var bad *cloud.ConfigError
		if errors.As(b.walk.Session.CheckRegion("regions", region), &bad) {
			out.AddAttributeError(path.Root("regions"), bad.Summary, bad.Detail())
		}
	}
	return out
}

// nobody warns where another estate was asked for by name and nothing of it was seen: a name with a slip of the pen looks so too.
func (b *base) nobody(asked types.String, regions []string, seen []*sighting) diag.Diagnostics {
	name := asked.ValueString()
	if name == "" || name == b.walk.Estate.ValueString() || slices.ContainsFunc(seen, func(s *sighting) bool { return s.marker.Estate == name }) {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(path.Root("tofu_estate"), "Nothing of the estate", fmt.Sprintf(
		"No object of what was asked for, in %s, carries the estate %q. Where there should be some, check the name against the owner's provider block:\n  estate = %[2]q",
		strings.Join(regions, ", "), name))}
}

// checkEstate reports a name that is no estate's.
func checkEstate(name string) diag.Diagnostic {
	if err := markers.CheckEstate(name); err != nil {
		return diag.NewErrorDiagnostic("Bad estate name", fmt.Sprintf("%s.\n\nWrite the name as the owner's provider block has it:\n  estate = \"NAME\"", sentence(err)))
	}
	return nil
}

// sentence is an error as the beginning of a sentence.
func sentence(err error) string { return begun(err.Error()) }

// problem says why a listing failed, with AWS's words and the permission that was missing.
func problem(err error) string {
	text := cloud.Message(err)
	if code := cloud.Code(err); code != "" {
		text = code + ": " + text
	}
	if action := cloud.DeniedAction(err); cloud.IsDenied(err) && action != "" {
		text += " (missing permission: " + action + ")"
	}
	return text
}
