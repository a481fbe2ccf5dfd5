package inventory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/imports"
	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// Statuses of an object, in the attribute status.
const (
	statusMarked    = "marked"
	statusMalformed = "malformed"
	statusByParent  = "by_parent"
	statusUnmarked  = "unmarked"
	statusGone      = "gone"
)

var statuses = []string{statusMarked, statusMalformed, statusByParent, statusUnmarked, statusGone}

// meanings say what each status means, for the documentation.
var meanings = map[string]string{
	statusMarked:    "a living object with the estate's marker | yes",
	statusMalformed: "a living object with the estate's name and an address that cannot be read; `problem` says why | yes",
	statusByParent:  "an object without tags of its own, such as a role's inline policy, under a marked one | yes",
	statusUnmarked:  "nobody's, and not made by AWS itself: no tag names an estate | no, `status = \"unmarked\"` asks for these alone",
	statusGone:      "on its way out, or no longer there though the tagging API still shows it | no",
}

// statusesDoc is the table of the statuses for the documentation.
func statusesDoc() string {
	lines := []string{"| status | the object is | listed without `status` |", "|---|---|---|"}
	for _, status := range statuses {
		lines = append(lines, "| `"+status+"` | "+meanings[status]+" |")
	}
	return strings.Join(lines, "\n")
}

// object is one object as the data sources show it. Null is what the object does not have, or what is not known.
type object struct {
	Address    *string           `tfsdk:"address"`
	ModulePath *string           `tfsdk:"module_path"`
	Type       *string           `tfsdk:"type"`
	Name       *string           `tfsdk:"name"`
	Key        *string           `tfsdk:"key"`
	Slot       *int64            `tfsdk:"slot"`
	Estate     *string           `tfsdk:"estate"`
	ARN        *string           `tfsdk:"arn"`
	ID         *string           `tfsdk:"id"`
	ImportID   *string           `tfsdk:"import_id"`
	Region     *string           `tfsdk:"region"`
	Account    *string           `tfsdk:"account"`
	Created    *string           `tfsdk:"created"`
	Status     string            `tfsdk:"status"`
	Verified   bool              `tfsdk:"verified"`
	Problem    *string           `tfsdk:"problem"`
	Tags       map[string]string `tfsdk:"tags"`
}

// objectAttributes is the schema of object.
func objectAttributes() map[string]schema.Attribute {
	text := func(doc string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	return map[string]schema.Attribute{
		"address":     text("Address that the marker names; null without one that can be read."),
		"module_path": text("Address of the module in it, empty for the root module; null without an address."),
		"type":        text("Resource type that the address names; without an address that of the object, with the prefix `estate_` where this provider serves it. Null where neither is known."),
		"name":        text("Name of the block; null without an address."),
		"key":         text("Instance key of `count` or `for_each`, as a string; null without one."),
		"slot":        schema.Int64Attribute{Computed: true, MarkdownDescription: "Number that no other living member of the same `count` has; null where the tags hold none."},
		"estate":      text("Estate that owns the object; null for unmarked objects and those without tags."),
		"arn":         text("ARN; null for types that have none."),
		"id":          text("Identifier of the object in its service; null for those that the tagging API alone showed, of which `arn` and `import_id` tell more."),
		"import_id":   text("What `import` of that resource type wants, with `@` and the region for another region than the provider's. Null where the listing cannot tell."),
		"region":      text("Region; null for global types."),
		"account":     text("Account id; null where neither the listing nor the ARN tells."),
		"created":     text("Time of creation, in RFC 3339; null where the listing does not tell."),
		"status":      text("One of `" + strings.Join(statuses, "`, `") + "`."),
		"verified":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the service's own listing showed the object. False for those that the Resource Groups Tagging API alone showed, which lags by minutes."},
		"problem":     text("What is wrong with the object or its marker, or why there is no `import_id`; else null."),
		"tags":        schema.MapAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tags, without the marker; null for types without tags."},
	}
}

// status says what a sighting is.
func (s *sighting) status() string {
	switch {
	case s.gone != "":
		return statusGone
	case s.parent != nil:
		return statusByParent
	case s.marker.Status == markers.StatusMalformed:
		return statusMalformed
	case s.marker.Status == markers.StatusMarked:
		return statusMarked
	}
	return statusUnmarked
}

// show is a sighting as a data source shows it. home is the provider's region.
func (s *sighting) show(home string) object {
	o := object{
		Estate: known(s.marker.Estate), ARN: known(s.arn), ID: known(s.id), Region: known(s.region), Account: known(s.account),
		Type: known(s.kind), Status: s.status(), Verified: s.verified,
		Problem: known(cmp.Or(s.gone, s.marker.Problem, s.marker.SlotProblem)),
	}
	if s.tags != nil {
		o.Tags = markers.Strip(s.tags, s.foldsCase())
	}
	if !s.created.IsZero() {
		o.Created = known(s.created.UTC().Format(time.RFC3339))
	}
	if a := s.marker.Address; s.marker.Decoded && s.marker.Estate != "" {
		o.Address, o.Type, o.Name = known(a.String()), known(a.Type), known(a.Name)
		path := modulePath(a)
		o.ModulePath, o.Key = &path, keyOf(a.Index)
		if s.marker.Slot != nil {
			slot := int64(*s.marker.Slot)
			o.Slot = &slot
		}
	}
	id, err := s.importID()
	switch {
	case err != nil && o.Problem == nil:
		o.Problem = known(err.Error())
	case err == nil:
		if s.region != "" && s.region != home {
			id += "@" + s.region
		}
		o.ImportID = &id
	}
	return o
}

// keyOf is an index as text, null without one.
func keyOf(i markers.Index) *string {
	switch i.Kind {
	case markers.CountIndex:
		number := strconv.FormatUint(i.Number, 10)
		return &number
	case markers.KeyIndex:
		return &i.Key
	}
	return nil
}

// importID is what an import of the object wants, as the resource type that its address names, else as the type that it is of.
// What has no ARN is of a served type, whose id it is.
func (s *sighting) importID() (string, error) {
	typ := cmp.Or(s.marker.Address.Type, s.kind)
	switch {
	case s.arn == "" && s.id != "":
		return s.id, nil
	case typ == "":
		return "", fmt.Errorf("the resource type of %s is not known", s.arn)
	}
	return imports.Of(typ, s.arn)
}

// foldsCase tells whether the object's service compares tag keys without case: IAM alone does.
func (s *sighting) foldsCase() bool { return strings.HasPrefix(plain(s.kind), "iam_") }

// modulePath is the address of the module that holds an instance.
func modulePath(a markers.Address) string {
	steps := make([]string, len(a.Module))
	for i, step := range a.Module {
		steps[i] = "module." + step.Name + step.Index.String()
	}
	return strings.Join(steps, ".")
}

// known is null for a text that is not there.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// coverage is one listing as the data sources show it.
type coverage struct {
	Type     *string `tfsdk:"type"`
	Region   *string `tfsdk:"region"`
	API      string  `tfsdk:"api"`
	Objects  int64   `tfsdk:"objects"`
	Complete bool    `tfsdk:"complete"`
	Problem  *string `tfsdk:"problem"`
}

// APIs of a listing, in the attribute api.
const (
	apiService = "service"
	apiTagging = "tagging"
)

// coverageAttribute is the schema of the listings.
func coverageAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Computed: true,
		MarkdownDescription: "Each listing that was made or failed, so that nothing is left out silently. A type or region that does not " +
			"stand here was not looked at.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"type":     schema.StringAttribute{Computed: true, MarkdownDescription: "Resource type; null for the tagging API, which serves many."},
			"region":   schema.StringAttribute{Computed: true, MarkdownDescription: "Region; null for global types."},
			"api":      schema.StringAttribute{Computed: true, MarkdownDescription: "`service`, the service's own listing, or `tagging`, the Resource Groups Tagging API."},
			"objects":  schema.Int64Attribute{Computed: true, MarkdownDescription: "How many objects it showed that no other listing had."},
			"complete": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it answered in full."},
			"problem":  schema.StringAttribute{Computed: true, MarkdownDescription: "Why it did not, with the permission that is missing; else null."},
		}},
	}
}

// cover shows listings.
func cover(listings []listing) []coverage {
	out := []coverage{}
	for _, l := range listings {
		c := coverage{Type: known(l.kind), Region: known(l.region), API: apiService, Objects: int64(l.objects), Complete: l.err == nil}
		if why := unseen(""); l.kind == "" || errors.As(l.err, &why) {
			c.API = apiTagging
		}
		if l.err != nil {
			c.Problem = known(problem(l.err))
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b coverage) int {
		return cmp.Or(cmp.Compare(a.API, b.API), cmp.Compare(read(a.Type), read(b.Type)), cmp.Compare(read(a.Region), read(b.Region)))
	})
	return out
}

func read(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
