package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// hashicorp/aws cannot be installed without a registry, so that a provider of this file stands in for it where import blocks of
// aws_ types are planned. It knows types from a table that the test writes, takes the id that a CLI hands to its import, notes it,
// and reads the object with exactly that id from the table; an id that is not there does not exist. It makes no AWS call and no
// object. What is real in such a test is all that comes before: the objects, the inventory, its import ids, and how each CLI
// evaluates the import blocks and plans the imports.
//
// It is this test binary, started by the CLI through a script that names the table.

// standInVariable names the table to the binary that serves it.
const standInVariable = "ESTATE_STAND_IN"

// standInTable is what the stand-in knows.
type standInTable struct {
	// Arguments are the names of the arguments of each type, all of them strings but tags.
	Arguments map[string][]string `json:"arguments"`
	// Objects are what a read shows, by type and import id.
	Objects map[string]map[string]standInObject `json:"objects"`
}

// standInObject is one object as hashicorp/aws would show it.
type standInObject struct {
	// Arguments are its values, Tags all its tags.
	Arguments map[string]string `json:"arguments"`
	Tags      map[string]string `json:"tags"`
}

// add puts an object into the table.
func (s *standInTable) add(resourceType, id string, o standInObject) {
	if s.Objects == nil {
		s.Objects, s.Arguments = map[string]map[string]standInObject{}, map[string][]string{}
	}
	if s.Objects[resourceType] == nil {
		s.Objects[resourceType] = map[string]standInObject{}
	}
	s.Objects[resourceType][id] = o
	for name := range o.Arguments {
		if !slices.Contains(s.Arguments[resourceType], name) {
			s.Arguments[resourceType] = append(s.Arguments[resourceType], name)
		}
	}
}

// standIn gives a workspace a mirror in which the stand-in, with this table, is hashicorp/aws. It returns a function that reads
// which ids its import was handed since the last call, as "TYPE ID", sorted.
func standIn(t *testing.T, w *Workspace, table standInTable) (imported func() []string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for hashicorp/aws is started by a shell script")
	}
	dir := t.TempDir()
	text, err := json.Marshal(table)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "table.json"), text, 0o644))
	self, err := os.Executable()
	must(t, err)
	script := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s'\n", standInVariable, filepath.Join(dir, "table.json"), self)
	var patterns []string
	for _, host := range registryHosts {
		patterns = append(patterns, fmt.Sprintf("%q", host+"/hashicorp/aws"))
		version := mirrored["hashicorp/aws"]
		folder := filepath.Join(dir, host, "hashicorp", "aws", version, runtime.GOOS+"_"+runtime.GOARCH)
		must(t, os.MkdirAll(folder, 0o755))
		must(t, os.WriteFile(filepath.Join(folder, "terraform-provider-aws_v"+version), []byte(script), 0o755))
	}
	aws := strings.Join(patterns, ", ")
	estate := strings.ReplaceAll(aws, "hashicorp/aws", "tofu-estate/estate")
	config := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path    = %q\n    include = [%s]\n  }\n"+
		"  filesystem_mirror {\n    path    = %q\n    include = [%s]\n  }\n}\n", dir, aws, w.mirror, estate)
	must(t, os.WriteFile(cliConfig(dir), []byte(config), 0o644))
	w.Env = append(w.Env, "TF_CLI_CONFIG_FILE="+cliConfig(dir))
	notes := filepath.Join(dir, importNotes)
	return func() []string {
		text, err := os.ReadFile(notes)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		must(t, err)
		must(t, os.Remove(notes))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		slices.Sort(lines)
		return lines
	}
}

// importNotes is the file beside the table into which the stand-in writes what its import is handed.
const importNotes = "imported"

// serveStandIn serves the stand-in until the CLI ends it.
func serveStandIn(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p := &standInProvider{notes: filepath.Join(filepath.Dir(file), importNotes)}
	if err := json.Unmarshal(text, &p.table); err != nil {
		return err
	}
	return providerserver.Serve(context.Background(), func() provider.Provider { return p },
		providerserver.ServeOpts{Address: "registry.terraform.io/hashicorp/aws", ProtocolVersion: 6})
}

// standInProvider is the stand-in.
type standInProvider struct {
	table standInTable
	notes string
}

func (p *standInProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "aws"
}

func (p *standInProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{"region": providerschema.StringAttribute{Optional: true}}}
}

func (p *standInProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (p *standInProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p *standInProvider) Resources(context.Context) []func() resource.Resource {
	var out []func() resource.Resource
	for name := range p.table.Objects {
		out = append(out, func() resource.Resource { return &standInResource{p, name} })
	}
	return out
}

// standInResource is one type of the table.
type standInResource struct {
	*standInProvider
	name string
}

var _ resource.ResourceWithImportState = (*standInResource)(nil)

func (r *standInResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.name
}

func (r *standInResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":   schema.StringAttribute{Computed: true},
		"tags": schema.MapAttribute{Optional: true, Computed: true, ElementType: types.StringType},
	}}
	for _, name := range r.table.Arguments[r.name] {
		resp.Schema.Attributes[name] = schema.StringAttribute{Optional: true, Computed: true}
	}
}

func (r *standInResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	file, err := os.OpenFile(r.notes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(r.name + " " + req.ID + "\n")
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		resp.Diagnostics.AddError("Noting the import", err.Error())
		return
	}
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
}

func (r *standInResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	o, ok := r.table.Objects[r.name][id.ValueString()]
	if !ok {
		resp.State.RemoveResource(ctx)
		return
	}
	for name, v := range o.Arguments {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), v)...)
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("tags"), o.Tags)...)
}

func (r *standInResource) Create(_ context.Context, _ resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.AddError("The stand-in makes no object", r.name)
}

func (r *standInResource) Update(_ context.Context, _ resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.AddError("The stand-in changes no object", r.name)
}

func (r *standInResource) Delete(_ context.Context, _ resource.DeleteRequest, resp *resource.DeleteResponse) {
	resp.Diagnostics.AddError("The stand-in deletes no object", r.name)
}
