package engine

import "maps"

// guardCase is a row of the guard's table, with what each operation does about it.
type guardCase struct {
	name string
	// imported says that the state comes from an import: it has never bound the object.
	imported bool
	// disturb makes the object what the row says; nil leaves it alone.
	disturb func(w *world, id string)
	// read: the words of a warning or error, and the marker that the state then shows.
	readErr, readWarn       []string
	readEstate, readAddress string
	removed                 bool
	// planErr and updateErr are the words of a refusal at plan and apply; none: the change is made.
	planErr, updateErr []string
	// fresh says that the update writes another binding than the object had.
	fresh bool
	// deleteErr refuses, deleteWarn lets go without deleting; neither: it is deleted.
	deleteErr, deleteWarn []string
	importErr             []string
	// noImport and noDelete are rows that an operation cannot meet.
	noImport, noDelete bool
}

func toTags(change func(tags map[string]string) map[string]string) func(*world, string) {
	return func(w *world, id string) {
		w.edit("widget", id, func(th *thing) { th.tags = change(maps.Clone(th.tags)) })
	}
}

func guardCases() []guardCase {
	tags := func(t map[string]string) func(map[string]string) map[string]string {
		return func(map[string]string) map[string]string { return t }
	}
	set := func(key, value string) func(map[string]string) map[string]string {
		return func(t map[string]string) map[string]string { return tagsWith(t, key, value) }
	}
	const c = "estate_widget.c"
	return []guardCase{
		{
			name: "gone", disturb: func(w *world, id string) { w.erase("widget", id) }, removed: true,
			updateErr: []string{"Object gone", "no longer exists", "tofu apply"}, importErr: []string{"Object not found", "ADDRESS"},
		},
		{
			name: "on its way out", disturb: func(w *world, id string) { w.edit("widget", id, func(th *thing) { th.state = Gone }) }, removed: true,
			updateErr: []string{"Object gone"}, importErr: []string{"Object is being deleted"}, noDelete: true,
		},
		{name: "ours and our binding", readEstate: testEstate, readAddress: atA},
		{
			name: "ours without binding", disturb: toTags(set("tofu-binding", "")), readEstate: testEstate, readAddress: atA,
			readWarn: []string{"Binding missing", atA},
		},
		{
			name: "ours and another binding", disturb: toTags(set("tofu-binding", otherBinding)), readEstate: testEstate, readAddress: atA,
			readWarn: []string{"Object held by another state", otherBinding, "tofu state rm '" + atA + "'"},
			planErr:  []string{"Object held by another state", "was not changed"}, updateErr: []string{"Object held by another state", otherBinding, "tofu state rm"},
			deleteWarn: []string{"NOT destroyed", otherBinding},
		},
		{
			name: "ours and bound, imported", imported: true, readEstate: testEstate, readAddress: atA, fresh: true,
			deleteErr: []string{"Import not applied", "was not deleted", "tofu state rm '" + atA + "'"},
		},
		{
			name: "a third address with our binding", disturb: toTags(set("tofu-address", c)), readEstate: testEstate, readAddress: c,
			deleteErr: []string{"Object of another address", c, "Write the marker again first"}, noImport: true,
		},
		{
			name: "another address and binding", disturb: toTags(tags(marked(c, otherBinding))), readEstate: testEstate, readAddress: c,
			planErr: []string{"Object of another address", c, atA}, updateErr: []string{"Object of another address", c, atA, "tofu state rm"},
			deleteErr: []string{"Object of another address", c, "was not deleted"},
		},
		{
			name: "another address, imported", imported: true, disturb: toTags(tags(marked(c, otherBinding))), readEstate: testEstate, readAddress: c,
			planErr: []string{"Object of another address", c}, deleteErr: []string{"Import not applied", "was not deleted"},
		},
		{
			name: "an address that ours is the beginning of", disturb: toTags(tags(marked(atA+"b", ""))), readEstate: testEstate, readAddress: atA + "b",
			planErr: []string{"Object of another address"}, updateErr: []string{"Object of another address"},
			deleteErr: []string{"Object of another address"},
		},
		{
			name: "another estate's with our binding", disturb: toTags(set("tofu-estate", "dev")), readEstate: "dev", readAddress: atA,
			planErr:   []string{"Object of another estate", `"dev"`, "tofu state rm '" + atA + "'", "removed", "previous_estates"},
			updateErr: []string{"Object of another estate", `"dev"`}, deleteErr: []string{"Object of another estate", `"dev"`, "was not deleted"},
			importErr: []string{"Object of another estate", `"dev"`, "previous_estates"},
		},
		{
			name: "an estate that ours is the beginning of", disturb: toTags(set("tofu-estate", testEstate+"-2")), readEstate: testEstate + "-2", readAddress: atA,
			planErr: []string{"Object of another estate"}, updateErr: []string{"Object of another estate"},
			deleteErr: []string{"Object of another estate"}, importErr: []string{"Object of another estate"},
		},
		{
			name: "the estate tag is gone, our binding stands", disturb: toTags(set("tofu-estate", "")),
			deleteErr: []string{"Marker missing", "Write the marker again first", `tofu_on_destroy = "keep"`}, noImport: true,
		},
		{
			name: "malformed with our binding", disturb: toTags(set("tofu-address", "nonsense")), readEstate: testEstate, readAddress: "nonsense",
			deleteErr: []string{"Marker missing", "was not deleted"}, importErr: []string{"Malformed marker", "nonsense"},
		},
		{
			name: "malformed with another binding", disturb: toTags(tags(marked("nonsense", otherBinding))), readEstate: testEstate, readAddress: "nonsense",
			planErr: []string{"Malformed marker", "was not changed"}, updateErr: []string{"Malformed marker", "nonsense"},
			deleteErr: []string{"Malformed marker", "was not deleted"}, importErr: []string{"Malformed marker"},
		},
		{
			name: "another type's address", disturb: toTags(tags(marked("estate_nest.a", otherBinding))), readEstate: testEstate, readAddress: "estate_nest.a",
			planErr: []string{"Malformed marker", "estate_nest"}, updateErr: []string{"Malformed marker"},
			deleteErr: []string{"Malformed marker"}, importErr: []string{"Malformed marker"},
		},
		{
			name: "stripped or released", disturb: toTags(tags(map[string]string{"Name": "x"})),
			deleteErr: []string{"Marker missing", "may have been released", `tofu_on_destroy = "keep"`}, noImport: true,
		},
		{
			name: "unmarked, imported", imported: true, disturb: toTags(tags(map[string]string{"Name": "x"})), fresh: true,
		},
		{
			name: "another account's", disturb: func(w *world, id string) { w.edit("widget", id, func(th *thing) { th.owner = foreignAccountID }) },
			readErr: []string{"Object of another account", foreignAccountID}, updateErr: []string{"Object of another account", foreignAccountID},
			deleteErr: []string{"Object of another account", foreignAccountID}, importErr: []string{"Object of another account", foreignAccountID},
		},
		{
			name: "unreadable", disturb: func(w *world, _ string) { w.deny("widget.Get"); w.deny("widget.List") },
			readErr: []string{"AWS call failed", "AccessDenied", "the state is unchanged"}, updateErr: []string{"AWS call failed", "AccessDenied", "nothing was changed"},
			deleteErr: []string{"AWS call failed", "AccessDenied", "nothing was deleted"}, importErr: []string{"AWS call failed", "AccessDenied"},
		},
	}
}
