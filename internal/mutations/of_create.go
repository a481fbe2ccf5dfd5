package main

const (
	createFile = engineDir + "/create.go"
	decideFile = engineDir + "/decide.go"
	findFile   = engineDir + "/find.go"
	makeFile   = engineDir + "/make.go"
	walkFile   = engineDir + "/walk.go"
)

// ofCreate break what a create looks for, decides and leaves behind.
var ofCreate = []mutation{
	{
		breaks: "one address is claimed twice in a walk", section: 7, file: walkFile,
		old: `if where, taken := w.claims[key]; taken {`,
		new: `if where, taken := w.claims[key]; taken && false {`,
		dir: engineDir, tests: []string{"TestClaimsInCreate", "TestClaims"},
	},
	{
		breaks: "access denied means that there is no object", section: 7, file: engineDir + "/index.go",
		old: `func isGone(err error) bool { return errors.Is(err, ErrNotFound) }`,
		new: `func isGone(err error) bool { return errors.Is(err, ErrNotFound) || cloud.IsDenied(err) }`,
		dir: engineDir, tests: []string{"TestNothingIsCreatedWhereALookUpFails", "TestReadFailureLeavesTheState"},
	},
	{
		breaks: "a page that fails ends the listing", section: 7, file: engineDir + "/index.go",
		old: `if err != nil {
				return nil, err
			}
			found = append(found, l)`,
		new: `if err != nil {
				break
			}
			found = append(found, l)`,
		dir: engineDir, tests: []string{"TestNothingIsCreatedWhereALookUpFails"},
	},
	{
		breaks: "an object that another account shares with us is adopted", section: 7, file: findFile,
		old: `if foreign(l, s) {
			continue
		}
		class := markers.Classify(l.tags, r.question(want.address))
		switch class.Kind {`,
		new: `class := markers.Classify(l.tags, r.question(want.address))
		switch class.Kind {`,
		dir: engineDir, tests: []string{"TestCreateTableOfMarkedTypes"},
	},
	{
		breaks: "a name that another account holds is adopted", section: 7, file: findFile,
		old: `if foreign(l, s) {
		f.blocking, f.class = l, foreignClass(l)
		return nil
	}
	if !r.tagged()`,
		new: `if !r.tagged()`,
		dir: engineDir, tests: []string{"TestCreateTableOfNamedTypes"},
	},
	{
		breaks: "a predecessor is adopted, as if what differs could change", section: 7, file: findFile,
		old: `if len(m.differs) == 0 {
		f.candidates`,
		new: `if len(m.differs) >= 0 {
		f.candidates`,
		dir: engineDir, tests: []string{"TestCreateTableOfMarkedTypes", "TestImmutableChangeCreatesBesideAndDeletesTheOld"},
	},
	{
		breaks: "an object that is being deleted is adopted", section: 7, file: findFile,
		old: `case r.isDead(l):
		return nil
	case l.state == Failed:`,
		new: `case l.state == Failed:`,
		dir: engineDir, tests: []string{"TestCreateTableOfMarkedTypes"},
	},
	{
		breaks: "an object of ours with a malformed address does not stop a create", section: 7, file: findFile,
		old: `if malformed != nil && len(f.candidates)`,
		new: `if false && malformed != nil && len(f.candidates)`,
		dir: engineDir, tests: []string{"TestCreateTableOfMarkedTypes"},
	},
	{
		breaks: "an object that was released is taken back", section: 7, file: findFile,
		old: `return markers.IsKey(key, r.foldsCase()) }) {`,
		new: `return key != markers.ReleasedKey && markers.IsKey(key, r.foldsCase()) }) {`,
		dir: engineDir, tests: []string{"TestReleasedIsNotCutOff"},
	},
	{
		breaks: "a second candidate is passed over in silence", section: 7, file: decideFile,
		old: `case len(f.candidates) > 1:
		return decision{}, collision(about, r.describe(r.regionIn(want.whole), f.candidates), r.heldOf(r.regionIn(want.whole), f.candidates))
	case len(f.candidates) == 1:`,
		new: `case len(f.candidates) > 0:`,
		dir: engineDir, tests: []string{"TestCreateTableOfMarkedTypes"},
	},
	{
		breaks: "an unmarked object under our name is adopted without being asked for", section: 7, file: decideFile,
		old: `if !flag(want.whole[attrAdoptUnmarked]) {`,
		new: `if !flag(want.whole[attrAdoptUnmarked]) && false {`,
		dir: engineDir, tests: []string{"TestCreateTableOfNamedTypes"},
	},
	{
		breaks: "adopt_unmarked takes another estate's object too", section: 7, file: decideFile,
		old: `if f.class.Kind != markers.Unmarked {`,
		new: `if f.class.Kind != markers.Unmarked && f.class.Kind != markers.OtherEstate {`,
		dir: engineDir, tests: []string{"TestCreateTableOfNamedTypes"},
	},
	{
		breaks: "a Composed object that says something else is overwritten", section: 7, file: decideFile,
		old: `case want.named && want.mode == Adopt && len(m.differs) == 0:`,
		new: `case want.mode == Adopt && len(m.differs) == 0:`,
		dir: engineDir, tests: []string{"TestCreateTableOfComposedTypes"},
	},
	{
		breaks: "what a plan did not show is done at apply", section: 8, file: createFile,
		old: `problem = c.checkPlanned(d)`,
		new: `problem = nil`,
		dir: engineDir, tests: []string{"TestCandidateChangesBetweenPlanAndApply"},
	},
	{
		breaks: "a new object is recorded only once everything has gone well", section: 7, file: createFile,
		old: `c.record(ctx, key, withoutUnknown(c.want.own))
	var l *live`,
		new: `var l *live`,
		dir: engineDir, tests: []string{"TestNothingGoesAfterTheCreate"},
	},
	{
		breaks: "what a create call answers is ours, whatever its marker says", section: 7, file: createFile,
		old: `case foreign(l, c.s):
		return errTaken{foreignClass(l).Why}
	case o.Status`,
		new: `case true:
		return nil
	case o.Status`,
		dir: engineDir, tests: []string{"TestNamedCreateRaces"},
	},
	{
		breaks: "an object that exists already is taken for the one of this call", section: 7, file: makeFile,
		old: `if c.tagged() && markers.Observe(l.tags, c.foldsCase()).Binding == c.marker.Binding {`,
		new: `if c.tagged() {`,
		dir: engineDir, tests: []string{"TestNamedCreateRaces"},
	},
	{
		breaks: "a create call whose answer was lost is sent again", section: 7, file: makeFile,
		old: `if !c.repeatable() {
		ctx = cloud.Unrepeated(ctx)
	}`,
		new: ``,
		dir: engineDir, tests: []string{"TestCreatesThatMayBeRepeated"},
	},
	{
		breaks: "the client token is derived from the binding, which is new in each run", section: 7, file: makeFile,
		old: `c.marker.Estate, address, holders, try)`,
		new: `c.marker.Estate, address, holders, try+c.marker.Binding)`,
		dir: engineDir, tests: []string{"TestLostAnswerMakesNoSecondObject"},
	},
	{
		breaks: "generated names are random", section: 7, file: engineDir + "/names.go", needs: "crypto/rand",
		old: `address, fmt.Sprint(n)}`,
		new: `address, fmt.Sprint(n), rand.Text()}`,
		dir: engineDir, tests: []string{"TestGeneratedNameIsAFunction", "TestCrashLosesNoName"},
	},
	{
		breaks: "a slot is the member's rank at its create", section: 10, file: engineDir + "/slots.go",
		old: `slot, err := markers.AssignSlot(a.Index.Number, members)`,
		new: `slot, err := uint32(len(members)), error(nil)`,
		dir: engineDir, tests: []string{"TestSlotsInEveryOrder"},
	},
	{
		breaks: "a member of a count is found by its slot instead of its address", section: 10, file: findFile,
		old: `for _, l := range ix.concerned(lives, r.question(want.address)) {
		if foreign(l, s) {
			continue
		}
		class := markers.Classify(l.tags, r.question(want.address))
		switch class.Kind {
		case markers.Ours:`,
		new: `for _, l := range lives {
		if foreign(l, s) {
			continue
		}
		class := markers.Classify(l.tags, r.question(want.address))
		if o := class.Observed; class.Kind == markers.OtherAddress && want.address.Slotted() && o.Decoded && o.Slot != nil &&
			uint64(*o.Slot) == want.address.Index.Number && markers.SameAddress(o.Address.Block(), want.address.Block()) {
			class.Kind = markers.Ours
		}
		switch class.Kind {
		case markers.Ours:`,
		dir: engineDir, tests: []string{"TestSlotsOutOfOrder"},
	},
}
