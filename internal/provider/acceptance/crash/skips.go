package main

import "slices"

// skip is a class of cases that are not run, with the reason.
type skip struct {
	why string
	is  func(trial) bool
}

// skips are all of them: what a state alone can know. Every other case is run.
var skips = []skip{
	{
		why: "renamed by moved, and the state is lost before the marker is rewritten: no configuration says the old address any more",
		is:  func(t trial) bool { return t.op == rename && t.sub.tier == marked && t.lost && !t.past() },
	},
	{
		why: "replaced under another name, and the state is lost before the old object is deleted: what has a name is looked for by it alone",
		is:  func(t trial) bool { return t.sub.tier == named && t.changesKey() && t.lost && !t.past() },
	},
	{
		why: "replaced under another key, and the state is lost before the old object is deleted: without a marker nothing says whose it is",
		is:  func(t trial) bool { return t.sub.tier == composed && t.changesKey() && t.lost && !t.past() },
	},
}

// changesKey tells whether the operation makes an object that is found by another name than the old one.
func (t trial) changesKey() bool { return slices.Contains(t.sub.keyed, t.op) }

// past tells whether the operation gets beyond the call by which the old object goes, or gets its new address.
func (t trial) past() bool {
	return t.at > t.parting || t.at == t.parting && t.fault.done || t.fault.attempts == allAttempts
}

// skipReason is why a case is not run, "" where it is.
func skipReason(t trial) string {
	for _, s := range skips {
		if s.is(t) {
			return s.why
		}
	}
	return ""
}
