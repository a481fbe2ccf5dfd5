package engine

import "errors"

// dataDiagnostics are the diagnostics of data sources, for TestEveryDiagnostic.
func dataDiagnostics(k *kind) map[string][]spoken {
	about := subject{kind: "data.estate_widget", id: "widget-1"}
	me, why := []string{"data.estate_widget", "widget-1"}[:2:2], errors.New("the reason")
	return map[string][]spoken{
		"notAsked":   {{notAsked(about, k), me, []string{`tofu_address = "estate_widget.NAME"`, `tofu_estate = "ESTATE"`, `id = "…"`, "tags = {", "filter {"}}},
		"askedTwice": {{askedTwice(about, []string{"id", "tags"}), append(me, "by id, by tags"), []string{"Keep one of them", "  id\n", "  tags"}}},
		"keyIncomplete": {
			{keyIncomplete(about, []string{"left", "right"}), me, []string{"Give all of it: left, right"}},
		},
		"goesWithAddress": {{goesWithAddress(about, attrKey), append(me, "tofu_key"), []string{"Remove tofu_key", `tofu_address = "…"`}}},
		"badQuestion": {
			{badQuestion(about, k, attrAddress, why), append(me, "tofu_address", "the reason"), []string{`tofu_address = "estate_widget.NAME"`}},
			{badQuestion(about, k, attrKey, why), append(me, "tofu_key", "the reason"), []string{`tofu_key = "KEY"`}},
			{badQuestion(about, k, attrEstate, why), append(me, "tofu_estate", "the reason"), []string{`tofu_estate = "ESTATE"`}},
		},
		"markerKeyAsked": {{markerKeyAsked(about, "tofu-slot"), append(me, "tofu-slot"), []string{`Remove "tofu-slot"`, `tofu_address = "…"`}}},
		"addressNotFound": {
			{
				addressNotFound(about, "network", testRegion, atA, []string{"widget-7"}), append(me, `"network"`, testRegion, atA, "widget-7"),
				[]string{"tofu_estate", "region", "tofu state list", "tofu apply"},
			},
			{addressNotFound(about, "network", testRegion, atA, nil), append(me, `"network"`, testRegion, atA), []string{"tofu apply"}},
		},
		"keyNotFound":     {{keyNotFound(about, testRegion, "It is on its way out."), append(me, testRegion, "on its way out"), []string{`tofu_address = "…"`}}},
		"nothingFound":    {{nothingFound(about, "the tag a = b", testRegion), append(me, "the tag a = b", testRegion), []string{`tofu_address = "…"`}}},
		"severalFound":    {{severalFound(about, "the tag a = b", []string{"widget-2"}), append(me, "the tag a = b", "widget-2"), []string{"by its key", "tofu-estate"}}},
		"notThisAccounts": {{notThisAccounts(about, "222", "111"), append(me, "222", "111"), []string{"provider = estate.ALIAS"}}},
	}
}
