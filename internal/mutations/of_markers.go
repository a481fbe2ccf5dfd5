package main

// The packages whose tests are asked, and the files that are broken more than once.
const (
	markersDir = "internal/markers"
	engineDir  = "internal/provider/engine"

	judgeFile    = markersDir + "/judge.go"
	classifyFile = markersDir + "/classify.go"
)

// ofMarkers break what tags mean: whose an object is, and the table of verdicts.
var ofMarkers = []mutation{
	{
		breaks: "no fence: bindings are not compared", section: 6, file: judgeFile,
		old: `same := found != "" && found == e.Binding`,
		new: `same := found != ""`,
		dir: engineDir, tests: []string{"TestFenceKeepsAnAdoptedObjectAlive", "TestStateFromBeforeARebinding", "TestGuardTable"},
	},
	{
		breaks: "the old entry of an adopted object destroys it", section: 6, file: judgeFile,
		old: `Rebound: {read: Warn, update: Refuse, remove: Forget`,
		new: `Rebound: {read: Warn, update: Refuse, remove: Go`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "the old entry of an adopted object goes on changing it", section: 6, file: judgeFile,
		old: `Rebound: {read: Warn, update: Refuse`,
		new: `Rebound: {read: Warn, update: Go`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "an entry that was imported and never applied destroys what another entry has bound", section: 9, file: judgeFile,
		old: `OursUnexpected: {read: TakeNothing, update: GoRebind, remove: Forget`,
		new: `OursUnexpected: {read: TakeNothing, update: GoRebind, remove: Go`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "an object whose marker is gone, and that was bound once, is deleted", section: 9, file: judgeFile,
		old: `Stripped: {read: ShowDrift, update: GoRewrite, remove: Refuse, imported: Fail},
	// Imported`,
		new: `Stripped: {read: ShowDrift, update: GoRewrite, remove: Go, imported: Fail},
	// Imported`,
		dir: engineDir, tests: []string{"TestGuardTable"},
	},
	{
		breaks: "an object with a damaged marker is deleted", section: 9, file: judgeFile,
		old: `StrippedBound: {read: ShowDrift, update: GoRewrite, remove: Refuse`,
		new: `StrippedBound: {read: ShowDrift, update: GoRewrite, remove: Go`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "another instance's object is changed", section: 9, file: judgeFile,
		old: `OtherInstance: {read: ShowDrift, update: Refuse`,
		new: `OtherInstance: {read: ShowDrift, update: GoRewrite`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "another estate's object is changed", section: 9, file: judgeFile,
		old: `OthersEstate: {read: ShowDrift, update: Refuse`,
		new: `OthersEstate: {read: ShowDrift, update: GoRewrite`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "another estate's object is imported", section: 9, file: judgeFile,
		old: `OthersEstate: {read: ShowDrift, update: Refuse, remove: Refuse, imported: Fail`,
		new: `OthersEstate: {read: ShowDrift, update: Refuse, remove: Refuse, imported: Allow`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "a verdict that is in no table allows", section: 9, file: judgeFile,
		old: `func (v Verdict) OnDelete() Action { return rows[v].remove }`,
		new: `func (v Verdict) OnDelete() Action {
	if r, ok := rows[v]; ok {
		return r.remove
	}
	return Go
}`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "a binding that was never written counts as seen on the object", section: 7, file: judgeFile,
		old: `e.Unwritten && found == ""`,
		new: `e.Unwritten`,
		dir: markersDir, tests: []string{"TestVerdicts"},
	},
	{
		breaks: "every estate is ours", section: 9, file: classifyFile,
		old: `case !slices.Contains(q.Estates, o.Estate):`,
		new: `case !slices.Contains(q.Estates, o.Estate) && false:`,
		dir: markersDir, tests: []string{"TestClassify", "TestVerdicts"},
	},
	{
		breaks: "addresses are looked for inside the tag instead of compared", section: 2, file: markersDir + "/match.go",
		old: `case value == Escape(text):`,
		new: `case strings.Contains(value, Escape(text)):`,
		dir: markersDir, needs: "strings", tests: []string{"TestMatchesWhole"},
	},
	{
		breaks: "an older escaping is taken for ours where it is today's of another address", section: 2, file: markersDir + "/match.go",
		old: `case Canonical(value):`,
		new: `case Canonical(value) && false:`,
		dir: markersDir, tests: []string{"TestMatchVectors"},
	},
	{
		breaks: "a malformed address makes an object nobody's", section: 7, file: classifyFile,
		old: `case o.Status == StatusMalformed:
		c.Kind, c.Why = Malformed, o.Problem`,
		new: `case o.Status == StatusMalformed:
		c.Kind, c.Why = Unmarked, o.Problem`,
		dir: markersDir, tests: []string{"TestClassify", "TestVerdicts"},
	},
	{
		breaks: "the left-over end of a longer address is read as part of a shorter one", section: 2, file: markersDir + "/parts.go",
		old: `i < last && n != MaxValue`,
		new: `i < last && n > MaxValue`,
		dir: markersDir, tests: []string{"TestMalformedVectors"},
	},
	{
		breaks: "parts of a longer address stay on the object", section: 2, file: markersDir + "/marker.go",
		old: `remove = append(remove, key)`,
		new: `_ = key`,
		dir: markersDir, tests: []string{"TestMarkerDiff"},
	},
	{
		breaks: "bindings made at one time are equal", section: 6, file: markersDir + "/binding.go",
		old: `_, _ = rand.Read(random[:])`,
		new: `_ = rand.Reader`,
		dir: markersDir, tests: []string{"TestBinding"},
	},
	{
		breaks: "two members of a count hold one slot", section: 10, file: markersDir + "/slots.go",
		old: `if slot == index || m.Index < index`,
		new: `if m.Index < index`,
		dir: markersDir, tests: []string{"TestAssignSlot"},
	},
}
