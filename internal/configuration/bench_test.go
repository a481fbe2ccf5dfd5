package configuration_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// large writes a tree of 10,000 instances in 200 instances of one module, as an estate of many sites would have them.
func large(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	files := map[string]string{
		"main.tf": `
locals {
  sites = { for n in range(200) : format("site-%03d", n) => { index = n, zones = ["a", "b", "c"] } }
}
module "site" {
  source      = "./site"
  for_each    = local.sites
  tofu_module = "module.site[\"${each.key}\"]."
  name        = each.key
  zones       = each.value.zones
}
output "names" {
  value = { for k, s in module.site : k => s.names }
}
`,
		"site/main.tf": `
variable "tofu_module" { type = string }
variable "name" { type = string }
variable "zones" { type = list(string) }
locals {
  hosts = { for n in range(36) : "${var.name}-${n}" => { zone = var.zones[n % length(var.zones)], tags = merge({ Site = var.name }, { N = n }) } }
}
resource "terraform_data" "main" {
  input = "${var.tofu_module}terraform_data.main"
}
resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = terraform_data.main.id
}
resource "terraform_data" "host" {
  for_each = local.hosts
  input    = { zone = terraform_data.zone[each.value.zone].id, tags = each.value.tags, address = "${var.tofu_module}terraform_data.host" }
}
resource "terraform_data" "spare" {
  count = 10
  input = count.index
}
output "names" { value = [for h in terraform_data.host : h.input.tags] }
`,
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// expandAll reads and expands the tree in a folder, and works every value of it out where all is asked for.
func expandAll(dir string, all bool) (int, error) {
	t, diags := configuration.Load(dir)
	if diags.HasErrors() {
		return 0, diags
	}
	values, diags := configuration.ReadValues(t, nil, nil)
	if diags.HasErrors() {
		return 0, diags
	}
	e := configuration.Evaluate(t, configuration.Options{Values: values, Functions: language(dir)})
	if all {
		e.Validate()
	}
	n := len(e.List().Instances)
	if diags := e.Diagnostics(); diags.HasErrors() {
		return n, diags
	}
	return n, nil
}

// BenchmarkAddresses is the expansion of 10,000 instances in 200 instances of a module. It shall take less than a second and
// 300 MB.
func BenchmarkAddresses(b *testing.B) { benchmark(b, false) }

// BenchmarkCheck works out every argument of the same tree too.
func BenchmarkCheck(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, all bool) {
	dir := large(b)
	b.ReportAllocs()
	for b.Loop() {
		if n, err := expandAll(dir, all); err != nil || n != 10_000 {
			b.Fatalf("%d instances: %v", n, err)
		}
	}
}

// TestLargeTree holds the expansion to its counts. How long it takes is a benchmark's to say.
func TestLargeTree(t *testing.T) {
	n, err := expandAll(large(t), true)
	if err != nil || n != 10_000 {
		t.Fatalf("%d instances: %v", n, err)
	}
}
