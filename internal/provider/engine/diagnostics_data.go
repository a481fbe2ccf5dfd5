package engine

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// This file holds the diagnostics of data sources, in the form that diagnostics.go describes.

func notAsked(about subject, k *kind) diag.Diagnostic {
	return failure("No object asked for", fmt.Sprintf("%s: nothing says which object is meant.", about),
		"Say it in one way:\n  "+strings.Join(k.waysToAsk(), "\n  "))
}

// waysToAsk are the arguments that name an object, as lines to paste.
func (k *kind) waysToAsk() []string {
	var key []string
	for _, p := range k.identity {
		if !p.Optional {
			key = append(key, p.Attr+` = "…"`)
		}
	}
	ways := []string{
		fmt.Sprintf("tofu_address = \"%s.NAME\"    # and tofu_estate = \"ESTATE\" for another estate's", k.fullName()),
		strings.Join(key, ", "), `tags = { Name = "…" }`,
	}
	if k.search != nil {
		ways = append(ways, "filter {\n    name   = \"…\"\n    values = [\"…\"]\n  }")
	}
	return ways
}

func askedTwice(about subject, given []string) diag.Diagnostic {
	return failure("Object asked for in several ways",
		fmt.Sprintf("%s: it is asked for by %s. Each may mean another object.", about, strings.Join(given, ", by ")),
		fmt.Sprintf("Keep one of them:\n  %s", strings.Join(given, "\n  ")))
}

func keyIncomplete(about subject, names []string) diag.Diagnostic {
	return failure("Incomplete key", fmt.Sprintf("%s: a part of the object's key is missing.", about),
		fmt.Sprintf("Give all of it: %s.", joinWords(names)))
}

func goesWithAddress(about subject, name string) diag.Diagnostic {
	next := "Remove " + name + ", or ask by the address:\n  tofu_address = \"…\""
	return diag.WithPath(path.Root(name), failure("Useless "+name,
		fmt.Sprintf("%s: %s says nothing about an object that is asked for in another way than by its address.", about, name), next))
}

// badQuestion reports a tofu_address, tofu_key or tofu_estate that no object can carry.
func badQuestion(about subject, k *kind, name string, err error) diag.Diagnostic {
	next := map[string]string{
		attrAddress: fmt.Sprintf("Write the address that the resource has in its own configuration, with its modules:\n"+
			"  tofu_address = \"%s.NAME\"", k.fullName()),
		attrKey: "Write the instance key of that resource, here or in tofu_address:\n" +
			"  tofu_key = \"KEY\"    # or a number under count",
		attrEstate: "Write the estate as its own provider block does:\n  tofu_estate = \"ESTATE\"",
	}[name]
	return diag.WithPath(path.Root(name), failure("Bad "+name, fmt.Sprintf("%s: %s: %s.", about, name, err), next))
}

func markerKeyAsked(about subject, key string) diag.Diagnostic {
	return diag.WithPath(path.Root(attrTags), failure("Marker key in tags",
		fmt.Sprintf("%s: the tag %q belongs to the marker, whose text is escaped and may have an older form.", about, key),
		fmt.Sprintf("Remove %q from tags, and ask by the marker itself:\n  tofu_address = \"…\"\n  tofu_estate  = \"…\"", key)))
}

func addressNotFound(about subject, estate, place, address string, damaged []string) diag.Diagnostic {
	return failure("Object not found",
		fmt.Sprintf("%s: no living object of the estate %q in %s carries the address %s.", about, estate, place, address),
		listed("These carry a marker of that estate that cannot be read; it may be one of them:", damaged),
		"Check tofu_estate, tofu_address, tofu_key, region and account. Where that estate is applied, this lists its addresses:\n"+
			"  tofu state list\nIf it is not there, apply it first:\n  tofu apply")
}

func keyNotFound(about subject, place, why string) diag.Diagnostic {
	return failure("Object not found", fmt.Sprintf("%s does not exist in %s.", about, place), why,
		"Check the key, the region and the account, or ask by the address, which stays when the object is replaced:\n"+
			"  tofu_address = \"…\"")
}

func nothingFound(about subject, asked, place string) diag.Diagnostic {
	return failure("Object not found", fmt.Sprintf("%s: no living object in %s has %s.", about, place, asked),
		"Check the values, the region and the account, or ask by the address:\n  tofu_address = \"…\"")
}

func severalFound(about subject, asked string, found []string) diag.Diagnostic {
	return failure("Several objects found", fmt.Sprintf("%s: more than one living object has %s.", about, asked), bullets(found),
		"Say more, or ask for one of them by its key. "+
			"If they share an estate and an address, one is a leftover: delete it, or take its tofu-estate tag off.")
}

func notThisAccounts(about subject, owner, ours string) diag.Diagnostic {
	return failure("Object of another account",
		fmt.Sprintf("%s belongs to %s, and the provider works in %s. It was not read.", about, accountWords(owner),
			orElse(ours, "the account of its credentials")),
		"Read it by a provider block with credentials of that account:\n  provider = estate.ALIAS")
}

// wording is what a data source asked for, as messages say it.
func (r *reader) wording(q inquiry) string {
	var parts []string
	if !q.address.IsZero() {
		parts = append(parts, "the address "+q.address.String())
	}
	if estates := r.estateOf(q); len(estates) > 0 {
		parts = append(parts, fmt.Sprintf("the estate %q", estates[0]))
	}
	for _, key := range sortedKeys(q.tags) {
		parts = append(parts, fmt.Sprintf("the tag %s = %q", key, q.tags[key]))
	}
	for _, f := range q.filters {
		parts = append(parts, fmt.Sprintf("%s among %q", f.Name, f.Values))
	}
	return strings.Join(parts, ", ")
}
