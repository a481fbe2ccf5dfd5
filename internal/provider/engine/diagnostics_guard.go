package engine

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// This file holds the diagnostics of guards, imports, moves and older states.

func refusedUpdate(about subject, v markers.Verdict, class markers.Classification, e markers.Expectation) diag.Diagnostic {
	return failure(guardSummary(v), fmt.Sprintf("%s was not changed: %s.", about, guardReason(v, class, e)), guardWays(about, v, false))
}

func refusedDelete(about subject, v markers.Verdict, class markers.Classification, e markers.Expectation) diag.Diagnostic {
	if v == markers.OtherInstance && e.Address == "" {
		return failure("Import not applied",
			fmt.Sprintf("%s was not deleted: it was imported and never applied, so that nothing says that it is this entry's (its marker says %s).", about, orElse(class.Observed.Address.String(), class.Observed.Value)),
			fmt.Sprintf("Apply once, which takes it over openly, or undo the import:\n  tofu state rm %s", about.target()))
	}
	return failure(guardSummary(v), fmt.Sprintf("%s was not deleted: %s.", about, guardReason(v, class, e)), guardWays(about, v, true))
}

func guardSummary(v markers.Verdict) string {
	switch v {
	case markers.OthersEstate:
		return "Object of another estate"
	case markers.OtherInstance, markers.MovedBound:
		return "Object of another address"
	case markers.Rebound:
		return "Object held by another state"
	case markers.Stripped, markers.StrippedBound:
		return "Marker missing"
	}
	return "Malformed marker"
}

func guardReason(v markers.Verdict, class markers.Classification, e markers.Expectation) string {
	o := class.Observed
	switch v {
	case markers.OthersEstate:
		return fmt.Sprintf("it belongs to the estate %q", o.Estate)
	case markers.OtherInstance, markers.MovedBound:
		return fmt.Sprintf("its marker says %s, and this entry expects %s", orElse(o.Address.String(), o.Value), orElse(e.Address, "another one"))
	case markers.Rebound:
		return fmt.Sprintf("another state entry holds it now (its tofu-binding is %s, this entry's is %s)", o.Binding, e.Binding)
	case markers.Stripped, markers.StrippedBound:
		return "its marker is gone or damaged since it was written, so that it may have been released"
	}
	return "its marker is malformed: " + orElse(class.Why, o.Problem)
}

func guardWays(about subject, v markers.Verdict, deleting bool) string {
	rm := fmt.Sprintf("  tofu state rm %s", about.target())
	switch v {
	case markers.OthersEstate:
		return "Drop it from the state:\n" + rm + "\nor remove the block with `removed { lifecycle { destroy = false } }`. If the estate was renamed, name the old one in the provider:\n  previous_estates = [\"OLD\"]"
	case markers.Rebound:
		return "Take it over again, or let go of it:\n" + rm + "\n  tofu apply\nor, while the configuration changes nothing else on it:\n  tofu apply -replace=" + about.target()
	case markers.MovedBound, markers.Stripped, markers.StrippedBound:
		if deleting {
			return "Write the marker again first, then destroy:\n  tofu apply\nor leave the object and drop the entry:\n  tofu_on_destroy = \"keep\""
		}
	}
	if v == markers.OtherInstance {
		return "If the object is not this entry's, as after an import of the wrong one, drop it from the state:\n" + rm + "\nIf it is, repair its tags."
	}
	return "Repair the object's tags, or drop it from the state:\n" + rm
}

func notDestroyed(about subject, class markers.Classification, e markers.Expectation) diag.Diagnostic {
	return warning("NOT destroyed: "+about.String(),
		fmt.Sprintf("%s was NOT destroyed, only dropped from the state: another state entry holds it now (its tofu-binding is %s, this entry's is %s).",
			about, class.Observed.Binding, e.Binding), "If nothing manages it any more, delete it by hand; else destroy it from the state that holds it.")
}

func deleteSkipped(about subject) diag.Diagnostic {
	return warning("NOT destroyed: "+about.String(),
		fmt.Sprintf("%s was created or changed in this run under the same key, so that deleting the old entry would delete the new object. The entry was dropped.", about),
		"Nothing has to be done. To replace such an object, take create_before_destroy away first.")
}

func destroyRefused(about subject) diag.Diagnostic {
	return failure("Destroy refused", fmt.Sprintf("%s: tofu_on_destroy is \"refuse\".", about),
		"Change it and apply, then destroy:\n  tofu_on_destroy = \"delete\"")
}

// replacesKept names the argument that keeps the object, its value and the one that would let it go.
func replacesKept(about subject, argument, value, other string) diag.Diagnostic {
	return failure("Replacement of a kept object",
		fmt.Sprintf("%s must be replaced, and %s is %s: the old object would stand in the new one's way.", about, argument, value),
		fmt.Sprintf("To keep the old object, whose marker stays on it, and make a new one, drop the entry:\n  tofu state rm %s\n  tofu apply\n"+
			"To have the old one destroyed, set %s to %s and apply first. Else undo the change that forces the replacement.",
			about.target(), argument, other))
}

func parentForeign(about subject, p Parent, why string) diag.Diagnostic {
	return failure("Parent of another estate",
		fmt.Sprintf("%s: the %s %s that it belongs to is not this estate's: %s. Nothing was changed.", about, p.Type, p.ID, why),
		"Manage it in that estate, or have its owner release the parent.")
}

// recreated: the entry's object is gone, and another holds its name.
func recreated(about subject) diag.Diagnostic {
	return failure("Object replaced by another",
		fmt.Sprintf("%s: the object of this entry was deleted, and another was made under its name since. It was not touched.", about),
		fmt.Sprintf("Drop the entry; then import the new object, or choose another name:\n  tofu state rm %s", about.target()))
}

func goneSincePlan(about subject) diag.Diagnostic {
	return failure("Object gone", fmt.Sprintf("%s no longer exists.", about), "Plan again:\n  tofu apply")
}

func changedSincePlan(about subject, attrs []string) diag.Diagnostic {
	return failure("Object changed since the plan",
		fmt.Sprintf("%s differs from the plan in what cannot be changed in place: %s. Nothing was changed.", about, joinWords(attrs)), "Plan again:\n  tofu apply")
}

func addressHeld(about subject, other string) diag.Diagnostic {
	return failure("Address in use",
		fmt.Sprintf("%s would take an address that the live object %s carries, which no state entry seen so far in this plan holds.", about, other),
		"Use another address, or bring that object in first, or take its tofu-estate tag off. If two entries swap their addresses, go by a third one in two applies.")
}

func secondHolder(about subject, other string) diag.Diagnostic {
	return warning("Second object with the address",
		fmt.Sprintf("%s and %s both carry this estate and address. This entry holds the first; the other is a leftover of a replacement, or another run has made it.", about, other),
		"Unless another state holds it, delete the other, or take its tofu-estate tag off.")
}

// readWarnings say what a refresh has seen.
func readWarnings(about subject, v markers.Verdict, class markers.Classification, e markers.Expectation) diag.Diagnostics {
	var out diag.Diagnostics
	switch {
	case v == markers.Rebound:
		out.Append(warning("Object held by another state", fmt.Sprintf("%s: %s. A change is refused, and a destroy drops the entry only.", about, guardReason(v, class, e)),
			guardWays(about, v, false)))
	case v == markers.OursUnbound && e.Binding != "":
		out.Append(warning("Binding missing", fmt.Sprintf("%s carries the marker without tofu-binding.", about), "Nothing has to be done: the next change writes it."))
	case class.Kind == markers.Ours && class.Older:
		out.Append(warning("Older marker", fmt.Sprintf("%s: %s.", about, class.Why), "Nothing has to be done: the next change rewrites it."))
	}
	if class.Observed.Pending != "" {
		out.Append(warning("Creation not finished", fmt.Sprintf("%s carries tofu-pending: steps of its creation have not run. The next change runs them; until then it may not be what the configuration says.", about),
			"To make it again instead:\n  tofu apply -replace="+about.target()))
	}
	if class.Observed.SlotProblem != "" {
		out.Append(warning("Bad slot", fmt.Sprintf("%s: tofu-slot: %s.", about, class.Observed.SlotProblem), "Apply: a count member then gets a slot again."))
	}
	return out
}

func badImportID(about subject, form string, err error) diag.Diagnostic {
	return failure("Bad import id", fmt.Sprintf("%s: the id %q: %s.", about.kind, about.id, err),
		fmt.Sprintf("Give an address, or the object's own id:\n  tofu import ADDRESS %s", form))
}

func importMissing(about subject, region, form string) diag.Diagnostic {
	return failure("Object not found", fmt.Sprintf("No %s %q exists in %s of this account.", about.kind, about.id, region),
		fmt.Sprintf("Check id, account and region:\n  tofu import ADDRESS %s", form))
}

func importAddressMissing(about subject, estate, region string) diag.Diagnostic {
	return failure("Object not found",
		fmt.Sprintf("No live %s of the estate %q in %s carries the address %q.", about.kind, estate, region, about.id),
		"Import it by its own id:\n  tofu import ADDRESS ID")
}

func importDead(about subject, why string) diag.Diagnostic {
	return failure("Object is being deleted", fmt.Sprintf("%s is on its way out: %s.", about, orElse(why, "AWS gives no reason")), "Import another object, or create a new one with an apply.")
}

func importRefused(about subject, class markers.Classification) diag.Diagnostic {
	if class.Kind == markers.OtherEstate {
		return failure("Object of another estate", fmt.Sprintf("%s was not imported: it belongs to the estate %q.", about, class.Observed.Estate),
			"Have its owner let go of it first (tofu_on_destroy = \"release\"). If that estate was renamed to this one, name it in the provider:\n  previous_estates = [\""+class.Observed.Estate+"\"]")
	}
	return failure("Malformed marker", fmt.Sprintf("%s was not imported: its marker cannot be read: %s.", about, class.Why),
		"Repair its tags, or take its tofu-estate tag off, and import again.")
}

func moveUnreadable(about subject, source, why string) diag.Diagnostic {
	return failure("Unreadable state", fmt.Sprintf("%s: the state of the moved %s cannot be read: %s.", about.kind, source, why),
		"Take the moved block out, drop the old entry, which leaves the object alone, and import the object instead:\n"+
			"  tofu state rm OLD_ADDRESS\n  tofu import ADDRESS ID")
}

// movedElsewhere reports an object that is not where a state without a region is taken to mean it. To take that for a
// deletion would make a second one.
func movedElsewhere(about subject, region string) diag.Diagnostic {
	return failure("Object not found after a move",
		fmt.Sprintf("%s was moved in with a state that does not say its region, and there is no such object in %s, the provider's. Nothing was changed.", about, region),
		"Where it is in another region, give the block a provider of that region. Where it was deleted, drop the old entry and apply:\n"+
			"  tofu state rm OLD_ADDRESS\n  tofu apply")
}

func upgradeFailed(about subject, from, to int64, tagged bool, err error) diag.Diagnostic {
	way := "Drop the entry, and import the object, whose entry is then of today's version:\n  tofu state rm ADDRESS\n  tofu import ADDRESS ID"
	if tagged {
		way = "Drop the entry and apply; the object is then found by its marker:\n  tofu state rm ADDRESS\n  tofu apply"
	}
	return failure("Unreadable state",
		fmt.Sprintf("%s: the state of version %d cannot be brought to version %d: %s. Nothing was changed.", about.kind, from, to, err), way)
}
