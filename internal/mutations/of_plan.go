package main

const (
	planFile       = engineDir + "/plan.go"
	planUpdateFile = engineDir + "/plan_update.go"
)

// ofPlan break what a plan shows and refuses.
var ofPlan = []mutation{
	{
		breaks: "the id of an object that will be adopted is planned unknown, and its children are replaced", section: 8, file: planFile,
		old: `plan[attrID] = str(r.idOf(l.key))`,
		new: `plan[attrID] = unknown(plan[attrID])`,
		dir: engineDir, tests: []string{"TestLostParentDoesNotReplaceItsChildren"},
	},
	{
		breaks: "a plan whose create adopts what another instance gives up goes through", section: 8, file: planFile,
		old: `case r.tagged() && conflict:`,
		new: `case r.tagged() && conflict && false:`,
		dir: engineDir, tests: []string{"TestRenameWithoutMoved"},
	},
	{
		breaks: "one address on two instances is planned", section: 8, file: engineDir + "/validate.go",
		old: `!r.walk.declare(r.fullName(), a):`,
		new: `!r.walk.declare(r.fullName(), a) && false:`,
		dir: engineDir, tests: []string{"TestDuplicateAddresses"},
	},
	{
		breaks: "two entries keep one object without tags", section: 9, file: planUpdateFile,
		old: `if r.walk.keeps(r.objectID(r.session(r.regionIn(prior)), key)) {`,
		new: `if r.walk.keeps(r.objectID(r.session(r.regionIn(prior)), key)) && false {`,
		dir: engineDir, tests: []string{"TestOneKeyInTwoEntries"},
	},
	{
		breaks: "a plan shows an update that the apply will refuse", section: 8, file: planUpdateFile,
		old: `case changed && !replaced && verdict.OnUpdate() == markers.Refuse:`,
		new: `case changed && !replaced && verdict.OnUpdate() == markers.Refuse && false:`,
		dir: engineDir, tests: []string{"TestGuardTable"},
	},
	{
		breaks: "a changed default region replaces an estate", section: 5, file: planUpdateFile,
		old: `if r.walk.Session != nil && was != "" && was != r.walk.Session.Region {
			return otherRegion(about, was, r.walk.Session.Region)
		}`,
		new: `if r.walk.Session != nil && was != "" && was != r.walk.Session.Region {
			plan[attrRegion] = str(r.walk.Session.Region)
			*replace = append(*replace, attrRegion)
		}`,
		dir: engineDir, tests: []string{"TestRegions"},
	},
	{
		breaks: "a rename that was cut off leaves the old address expected for good", section: 9, file: planUpdateFile,
		old: `writtenBinding(prior[attrBinding]) == "" || expectsOther(e, a)`,
		new: `writtenBinding(prior[attrBinding]) == ""`,
		dir: engineDir, tests: []string{"TestRenameCutOff"},
	},
}
