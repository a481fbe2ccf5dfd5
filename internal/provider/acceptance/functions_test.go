package acceptance

import (
	"encoding/json"
	"os"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// contract is what the reference implementation of the marker contract answers, as far as functions can be asked it.
type contract struct {
	Escape []struct {
		Address string  `json:"address"`
		Tag     string  `json:"tag"`
		Back    *string `json:"unescapes_to"`
	} `json:"escape"`
	Unescape []struct {
		Tag     string  `json:"tag"`
		Address *string `json:"address"`
	} `json:"unescape"`
	Keys []struct {
		Key      string `json:"key"`
		Valid    bool   `json:"valid"`
		Rendered string `json:"rendered_address"`
	} `json:"for_each_key"`
	ASCII []struct {
		Key   string `json:"key"`
		Valid bool   `json:"valid"`
	} `json:"for_each_key_ascii"`
	Estates []struct {
		Name  string `json:"name"`
		Valid bool   `json:"valid"`
	} `json:"estate"`
	Slots []struct {
		Value string  `json:"value"`
		Valid bool    `json:"valid"`
		N     float64 `json:"n"`
	} `json:"slot"`
	Chains []struct {
		Address string            `json:"address"`
		Fits    bool              `json:"fits"`
		Decoded string            `json:"decoded"`
		Tags    map[string]string `json:"tags"`
	} `json:"continuation"`
	Malformed []struct {
		Malformed bool              `json:"malformed"`
		Why       string            `json:"why"`
		Tags      map[string]string `json:"tags"`
	} `json:"malformed"`
}

// shortParts are the vectors in which a part of an address is followed by another and not full. The reference joins them; here
// the marker is malformed, since a lost or stale tail looks so.
var shortParts = map[string]bool{"short primary with -2 still concatenates": true, "-2 empty, -3 set": true}

// contractConfiguration asks the functions everything that is in vectors.json. Errors become null.
const contractConfiguration = `
locals {
  v = jsondecode(file("vectors.json"))
}

output "escape"   { value = [for c in local.v.escape : provider::estate::escape_address(c.address)] }
output "unescape" { value = [for c in local.v.unescape : try(provider::estate::unescape_address(c.tag), null)] }
output "back"     { value = [for c in local.v.escape : try(provider::estate::unescape_address(c.tag), null)] }
output "keys"     { value = [for c in local.v.for_each_key : try(provider::estate::address("", "aws_subnet", "this", c.key), null)] }
output "ascii"    { value = [for c in local.v.for_each_key_ascii : can(provider::estate::address("", "aws_subnet", "this", c.key))] }
output "estates"  { value = [for c in local.v.estate : can(provider::estate::marker_tags(c.name, "aws_vpc.a"))] }
output "slots" {
  value = [for c in local.v.slot : provider::estate::parse_marker({ tofu-estate = "e", tofu-address = "aws_eip.a:0", tofu-slot = c.value }).slot]
}
output "given" {
  value = [for c in local.v.slot : c.valid ? provider::estate::marker_tags("e", "aws_eip.a[0]", c.n)["tofu-slot"] : null]
}
output "read" {
  value = [for c in local.v.continuation : provider::estate::parse_marker(merge(c.tags, { tofu-estate = "e" })).address]
}
output "chains"    { value = [for c in local.v.continuation : try(provider::estate::marker_tags("e", c.address), null)] }
output "malformed" { value = [for c in local.v.malformed : provider::estate::parse_marker(c.tags).status] }
`

// TestFunctionsKeepTheContract asks the functions, through the CLIs, what the reference implementation was asked.
func TestFunctionsKeepTheContract(t *testing.T) {
	const file = "../../markers/testdata/markers.json"
	text, err := os.ReadFile(file)
	must(t, err)
	var want contract
	must(t, json.Unmarshal(text, &want))
	eachCLI(t, func(t *testing.T, w *Workspace) {
		must(t, w.CopyFile(file, "vectors.json"))
		start(t, w, "functions", contractConfiguration)
		w.Apply(t.Context()).Must(t)
		got := answers{t: t}
		must(t, json.Unmarshal([]byte(w.Run(t.Context(), "output", "-json").Must(t).Stdout), &got.outputs))
		for i, c := range want.Escape {
			got.is("escape", i, c.Address, c.Tag)
			got.is("back", i, c.Tag, c.Back)
		}
		for i, c := range want.Unescape {
			got.is("unescape", i, c.Tag, c.Address)
		}
		for i, c := range want.Keys {
			if c.Valid {
				got.is("keys", i, c.Key, norm.NFC.String(c.Rendered)) // the CLIs normalise every string
			} else {
				got.is("keys", i, c.Key, nil)
			}
		}
		for i, c := range want.ASCII {
			got.is("ascii", i, c.Key, c.Valid)
		}
		for i, c := range want.Estates {
			got.is("estates", i, c.Name, c.Valid)
		}
		for i, c := range want.Slots {
			if c.Valid {
				got.is("slots", i, c.Value, c.N)
				got.is("given", i, c.N, c.Value)
			} else {
				got.is("slots", i, c.Value, nil)
			}
		}
		for i, c := range want.Chains {
			c.Tags["tofu-estate"] = "e"
			if c.Fits {
				got.is("read", i, c.Tags, c.Decoded)
				got.is("chains", i, c.Address, c.Tags)
			} else {
				got.is("chains", i, c.Address, nil) // stricter than the reference, which cuts
			}
		}
		for i, c := range want.Malformed {
			status := "marked"
			_, stricter := shortParts[c.Why]
			if c.Malformed || stricter {
				status = "malformed"
			}
			got.is("malformed", i, c.Tags, status)
		}
	})
}

// answers are the outputs of a configuration, lists all of them.
type answers struct {
	t       *testing.T
	outputs map[string]struct {
		Value []any `json:"value"`
	}
}

// is compares one element of an output with what is wanted, as JSON.
func (a answers) is(output string, n int, asked, want any) {
	a.t.Helper()
	all := a.outputs[output].Value
	if n >= len(all) {
		a.t.Fatalf("the output %s has %d elements, so that none answers %v", output, len(all), asked)
	}
	got, err := json.Marshal(all[n])
	must(a.t, err)
	wanted, err := json.Marshal(want)
	must(a.t, err)
	if string(got) != string(wanted) {
		a.t.Errorf("%s of %v is %s, want %s", output, asked, got, wanted)
	}
}
