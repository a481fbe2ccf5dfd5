package main

const (
	guardFile  = engineDir + "/guard.go"
	updateFile = engineDir + "/update.go"
	deleteFile = engineDir + "/delete.go"
	readFile   = engineDir + "/read.go"
)

// ofGuards break what is believed, and what is asked before a change or a deletion.
var ofGuards = []mutation{
	{
		breaks: "the guard believes the attributes, which a refresh has rewritten, instead of private state", section: 5, file: guardFile,
		old: `if e != nil {
		return e.marker()
	}`,
		new: `_ = e`,
		dir: engineDir, tests: []string{"TestRefreshDoesNotLaunderASwap"},
	},
	{
		breaks: "a refresh takes the binding from the object", section: 5, file: readFile,
		old: `next[attrSlot] = rawSlot(o.Slot)
	if o.Status`,
		new: `next[attrSlot] = rawSlot(o.Slot)
	next[attrBinding] = str(o.Binding)
	if o.Status`,
		dir: engineDir, tests: []string{"TestRefreshBeforeADeleteWithoutPrivateState", "TestReadKeepsTheExpectation"},
	},
	{
		breaks: "an estate is worked on with another account's credentials", section: 5, file: engineDir + "/resource.go",
		old: `if e == nil || e.Account == "" || r.account() == "" || e.Account == r.account() {`,
		new: `if e == nil || e.Account != "" || r.account() != "" {`,
		dir: engineDir, tests: []string{"TestAnotherAccount", "TestWrongAccount"},
	},
	{
		breaks: "an update goes ahead whatever the verdict", section: 9, file: updateFile,
		old: `if verdict.OnUpdate() == markers.Refuse {`,
		new: `if verdict.OnUpdate() == markers.Refuse && false {`,
		dir: engineDir, tests: []string{"TestGuardTable"},
	},
	{
		breaks: "the guard of an update asks the listing instead of AWS", section: 9, file: updateFile,
		old: `l, err := c.get(ctx, c.s, c.key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone`,
		new: `l, err := c.walk.index(c.kind, c.s).read(ctx, c.key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone`,
		dir: engineDir, tests: []string{"TestGuardsReadPastTheIndex"},
	},
	{
		breaks: "the guard of a deletion asks the listing instead of AWS", section: 9, file: deleteFile,
		old: `l, err := r.get(ctx, s, key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone`,
		new: `l, err := r.walk.index(r.kind, s).read(ctx, key)
	switch {
	case isGone(err) || err == nil && (l.state == Gone`,
		dir: engineDir, tests: []string{"TestGuardsReadPastTheIndex"},
	},
	{
		breaks: "a deletion that AWS refused for a while is repeated without a guard", section: 9, file: deleteFile,
		old: `if tries++; tries > 1 {`,
		new: `if tries++; tries < 1 {`,
		dir: engineDir, tests: []string{"TestEachTryOfADeleteIsGuarded"},
	},
	{
		breaks: "a name that somebody else has made anew is deleted", section: 9, file: guardFile,
		old: `l.created.Unix() != e.Created`,
		new: `l.created.Unix() < e.Created`,
		dir: engineDir, tests: []string{"TestNamedObjectMadeAgainByAnother"},
	},
	{
		breaks: "objects without tags are changed below another estate's parent", section: 9, file: guardFile,
		old: `if r.parents == nil || key == nil {`,
		new: `if r.parents == nil || key == nil || key != nil {`,
		dir: engineDir, tests: []string{"TestParentsGuard"},
	},
	{
		breaks: "the second half of a replacement deletes the object that the first has just made", section: 9, file: deleteFile,
		old: `if r.walk.hasWritten(r.objectID(s, key)) {
			resp`,
		new: `if r.walk.hasWritten(r.objectID(s, key)) && false {
			resp`,
		dir: engineDir, tests: []string{"TestComposedDeleteIsSkippedAfterItsOwnCreate"},
	},
	{
		breaks: "an update that fails leaves state and object with different bindings", section: 9, file: updateFile,
		old: `c.save(ctx, c.ownPart(c.prior))
	}
	if len(due)`,
		new: `}
	if len(due)`,
		dir: engineDir, tests: []string{"TestUpdateFailingAtEachStep"},
	},
	{
		breaks: "release destroys the object", section: 9, file: deleteFile,
		old: `if r.onDestroy(prior) == onDestroyRelease {`,
		new: `if r.onDestroy(prior) == onDestroyRelease && false {`,
		dir: engineDir, tests: []string{"TestOnDestroy"},
	},
	{
		breaks: "the objects of a renamed estate are another's", section: 9, file: walkFile,
		old: `return append([]string{w.Estate.ValueString()}, w.PreviousEstates...)`,
		new: `return []string{w.Estate.ValueString()}`,
		dir: engineDir, tests: []string{"TestEstateRename", "TestPreviousEstates"},
	},
}
