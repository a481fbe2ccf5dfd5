package engine

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file and its neighbours diagnostics_guard.go and diagnostics_data.go hold every diagnostic of the engine. The summary is a short noun phrase, constant for each kind; the
// detail says what happened to which object, why, and what to do next as an exact line.

// internalError is a fault of the provider itself.
func internalError(doing string, err error) diag.Diagnostic {
	return failure("Internal error", fmt.Sprintf("Error while %s: %s.", doing, err),
		"Please report this with the output of the same command under TF_LOG=debug.")
}

// callFailed reports an AWS call or wait that failed.
func callFailed(about subject, doing string, err error) diag.Diagnostic {
	next := "If the reason lies in the configuration, correct it. Then run the command again; nothing has to be cleaned up first."
	var tags errTags
	switch {
	case errors.As(err, &tags):
		return failure("Too many tags", fmt.Sprintf("%s was not changed: %s.", about, err),
			fmt.Sprintf("Remove %d from tags, from default_tags, or from the object.", tags.n-tags.limit))
	case cloud.IsExpired(err):
		next = "Renew the credentials and run the command again."
	case cloud.IsDenied(err):
		next = fmt.Sprintf("Allow the action %s to the role or user that runs this, and run the command again.", orElse(cloud.DeniedAction(err), "above"))
	case cloud.IsUnreachable(err):
		next = "Check endpoints, AWS_ENDPOINT_URL, the region and the proxy settings, and run the command again; nothing has to be cleaned up first."
	}
	return failure("AWS call failed", fmt.Sprintf("%s: error while %s.", about, doing), reason(err), next)
}

// configurationUnknown: AWS is needed and the provider's configuration is not known.
func configurationUnknown(about subject, names []string) diag.Diagnostic {
	return failure("Provider configuration unknown",
		fmt.Sprintf("%s: this needs AWS, and the provider's %s is not known.", about, orElse(joinWords(names), "estate")),
		"Give the argument a value that is known before anything is created, or create what it refers to first:\n  tofu apply -target=…")
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// notRefreshed: the plan cannot look, because the provider's configuration is unknown.
func notRefreshed(names []string) diag.Diagnostic {
	return warning("Existing objects not checked",
		fmt.Sprintf("The provider's %s is known only after apply, so that this plan shows the state without asking AWS.",
			orElse(joinWords(names), "configuration")), knownFirst)
}

func createsUnchecked(about subject, what string) diag.Diagnostic {
	return warning("Existing objects not checked",
		fmt.Sprintf("%s: %s is known only after apply. Whether this adopts an existing object or creates one is decided at apply.", about, what), knownFirst)
}

// knownFirst is the way out of values that a plan does not know.
const knownFirst = "To see it in the plan, create what the value comes from first:\n  tofu apply -target=…"

func stateUnreadable(about subject, err error) diag.Diagnostic {
	return failure("Unreadable state", fmt.Sprintf("%s: %s.", about, err),
		"Use the provider version that wrote the state, or a newer one:\n  tofu init -upgrade")
}

func stateIncomplete(about subject) diag.Diagnostic {
	return failure("Incomplete state", fmt.Sprintf("%s: the state does not hold the object's key.", about),
		fmt.Sprintf("Drop the entry and apply; an object with this address is then found by its marker:\n  tofu state rm %s\n  tofu apply", about.target()))
}

func otherAccount(about subject, want, have string) diag.Diagnostic {
	return failure("Wrong AWS account",
		fmt.Sprintf("%s is in the account %s, and the provider is configured for the account %s. Nothing was read or changed.", about, want, have),
		"Use credentials of the account "+want+", or assume a role in it.")
}

func otherRegion(about subject, was, now string) diag.Diagnostic {
	return failure("Changed provider region",
		fmt.Sprintf("%s is in %s, and the provider's region is now %s. A changed default would replace the object, so it is not followed.", about, was, now),
		fmt.Sprintf("Set the provider's region back to %s, or say where the object is:\n  region = %q", was, was))
}

func foreignAccount(about subject, owner, ours string) diag.Diagnostic {
	return failure("Object of another account",
		fmt.Sprintf("%s belongs to %s, and the provider works in %s. It was not touched.", about, accountWords(owner), orElse(ours, "the account of its credentials")),
		fmt.Sprintf("Drop it from the state:\n  tofu state rm %s", about.target()))
}

// badAttribute reports a bad tofu_address or tofu_key.
func badAttribute(about subject, err error) diag.Diagnostic {
	var a *attributeError
	name := attrAddress
	if errors.As(err, &a) {
		name, err = a.name, a.err
	}
	next := fmt.Sprintf("Write the block's own address, behind the module's path where it stands in one:\n  tofu_address = \"${var.tofu_module}%s.NAME\"", about.kind)
	if name == attrKey {
		next = "Give a key that a tag can carry, in this argument alone:\n  tofu_key = each.key    # or count.index"
	}
	return diag.WithPath(path.Root(name), failure("Bad "+name, fmt.Sprintf("%s: %s: %s.", about, name, err), next))
}

func unknownAddress(about subject, name string) diag.Diagnostic {
	return diag.WithPath(path.Root(name), failure("Unknown "+name,
		fmt.Sprintf("%s: %s is known only after apply. It is the object's identity, so that a plan needs it.", about.kind, name),
		fmt.Sprintf("Build %s from literals, variables, each.key and count.index alone.", name)))
}

func declaredTwice(about subject) diag.Diagnostic {
	return diag.WithPath(path.Root(attrAddress), failure("Duplicate address",
		fmt.Sprintf("Two instances say the address %s. One object can have one owner.", about.address),
		"Give each instance its own:\n  tofu_key = each.key    # under for_each, or count.index under count\nand in a module that is called twice start the address with ${var.tofu_module}."))
}

func addressTaken(about subject, err error) diag.Diagnostic {
	return failure("Duplicate address", fmt.Sprintf("%s: %s. Nothing was created.", about, err),
		"Give each instance an address of its own; under count or for_each set tofu_key, and in modules start with ${var.tofu_module}.")
}

func markerKeyInTags(about subject, key string) diag.Diagnostic {
	return diag.WithPath(path.Root(attrTags), failure("Marker key in tags",
		fmt.Sprintf("%s: the tag %q belongs to the marker, which this provider writes itself.", about, key),
		fmt.Sprintf("Remove %q from tags (and marker_tags, if the resource came from hashicorp/aws).", key)))
}

func awsKeyInTags(about subject, key string) diag.Diagnostic {
	return diag.WithPath(path.Root(attrTags), failure("Reserved tag key",
		fmt.Sprintf("%s: the tag %q begins with aws:, which only AWS may write.", about, key), fmt.Sprintf("Remove %q from tags.", key)))
}

func ignoredKeyInTags(about subject, key string) diag.Diagnostic {
	return diag.WithPath(path.Root(attrTags), failure("Ignored tag key",
		fmt.Sprintf("%s: the tag %q is in tags, and the provider's ignore_tags ignores it.", about, key),
		fmt.Sprintf("Remove %q from tags or from ignore_tags.", key)))
}

func tooManyTags(about subject, n, markers, limit int) diag.Diagnostic {
	return diag.WithPath(path.Root(attrTags), failure("Too many tags",
		fmt.Sprintf("%s would carry %d tags, of which %d are the marker's; AWS takes %d. Nothing was created or changed.", about, n, markers, limit),
		fmt.Sprintf("Remove %d from tags or default_tags.", n-limit)))
}

// Creates.

// collision: held is the object that the state holds and that is to be replaced, "" where it holds none.
func collision(about subject, found []string, held string) diag.Diagnostic {
	way := ""
	if held != "" {
		way = fmt.Sprintf("The state holds %s, and it is tainted. If it is the one, see to the others as above, and keep it:\n  tofu untaint %s\n  tofu apply\n"+
			"If it is not, delete it and drop its entry; an apply then adopts the other:\n  tofu state rm %s", held, about.target(), about.target())
	}
	return failure("Two objects with one address",
		fmt.Sprintf("%s: more than one live object carries this estate and address, and nothing says which is the one. Nothing was changed.", about),
		bullets(found),
		"Decide which one it is (CloudTrail says who made or tagged each), and take the tofu-estate tag off the others:\n  aws resourcegroupstaggingapi untag-resources --tag-keys tofu-estate --region REGION --resource-arn-list ARN", way)
}

// losesAddress: two runs made an object each for one address, and the other's has the older binding.
func losesAddress(about subject, other, id string) diag.Diagnostic {
	return failure("Two objects with one address",
		fmt.Sprintf("%s: another run has made an object for the same address at the same time. Its tofu-binding is the older one, so that it keeps the address and this one gives way. It was not touched:", about),
		bullets([]string{other}),
		fmt.Sprintf("Let the other run end, and lock the state. To leave the address to %s, delete this run's object and drop its entry; an apply then adopts the other:\n  tofu state rm %s\n"+
			"To keep this run's, see that no state holds the other and delete it, or take its tofu-estate tag off. Then:\n  tofu untaint %s    # where it is tainted\n  tofu apply",
			id, about.target(), about.target()))
}

// keepsAddress: the same, seen by the run whose binding is the older one.
func keepsAddress(about subject, others []string) diag.Diagnostic {
	return warning("Second object with the address",
		fmt.Sprintf("%s: another run has made an object for the same address at the same time. Its tofu-binding is the younger one, so that this one keeps the address, and the next plan of the other run is refused. It was not touched:", about),
		bullets(others),
		"Let the other run end, and lock the state. If no state holds the other, delete it, or take its tofu-estate tag off.")
}

func inTheWay(about subject, id string, class markers.Classification) diag.Diagnostic {
	if class.Kind == markers.Malformed {
		return failure("Malformed marker in the way",
			fmt.Sprintf("%s: %s carries a marker of this estate that cannot be read: %s. It may be this very object, so nothing was created; it was not touched.", about, id, class.Why),
			fmt.Sprintf("Repair its tags. If it is this object:\n  tofu-address = %s\nIf it is not, take its tofu-estate tag off.", escapedAddress(about.address)))
	}
	next := "Choose another name or range, or have its owner let go of it:\n  tofu_on_destroy = \"release\"    # there, then apply and destroy"
	if class.Kind == markers.OtherAddress {
		next += "\nIf this block was renamed before its tags were, write its old address for one apply, then rename it again:\n  tofu_address = " + fmt.Sprintf("%q", orElse(class.Observed.Address.String(), class.Observed.Value))
	}
	return failure("Object of another owner",
		fmt.Sprintf("%s: %s exists and is not this instance's: %s. It was not touched.", about, id, class.Why),
		next)
}

// answerLost: whether a create call was carried out is not known. looking is why its object could not be looked for, or that it did
// not show in time.
func answerLost(about subject, err, looking error) diag.Diagnostic {
	var late errTimeout
	blind := ""
	if looking != nil && !errors.As(looking, &late) {
		blind = "Its object could not be looked for. " + reason(looking)
	}
	return failure("Answer lost",
		fmt.Sprintf("%s: the answer to the create call was lost, and no object of it shows yet. It was not tried again, which could make a second one.", about), reason(err), blind,
		"Apply again: if the object was made, it is then found by its marker.\n  tofu apply")
}

// createdOthers: the service answered a create with an object that was there already.
func createdOthers(about subject, why string) diag.Diagnostic {
	return failure("Object of another owner",
		fmt.Sprintf("%s: the create call answered with an object that existed already and is not this instance's: %s. It was not touched, and is not in the state.", about, why),
		"If another run has just made it, apply again, and it is found by its marker. Else choose another name.")
}

func escapedAddress(address string) string {
	if a, err := markers.Parse(address); err == nil {
		return a.Escaped()
	}
	return address
}

func unmarkedInTheWay(about subject, id string) diag.Diagnostic {
	return failure("Unmarked object in the way",
		fmt.Sprintf("%s: %s exists and carries no marker, so that nobody says whose it is. It was not touched.", about, id),
		fmt.Sprintf("If it is yours, import it:\n  tofu import %s %s\nor let this create take it over:\n  adopt_unmarked = true", about.target(), id))
}

// unknownRegion: the region argument names none.
func unknownRegion(about subject, bad *cloud.ConfigError) diag.Diagnostic {
	return failure("Unknown AWS region", fmt.Sprintf("%s: %s", about, bad.Cause), bad.Next)
}

// looksAlike says at plan that unmarked objects look like the one that will be created.
func looksAlike(about subject, ids, found []string) diag.Diagnostic {
	return warning("Unmarked object looks alike",
		fmt.Sprintf("%s will be created. An object that nobody has marked looks like it, and may be the one whose marker was taken off:", about),
		bullets(found),
		fmt.Sprintf("If it is the one, import it:\n  tofu import %s %s\nor let this create take it over:\n  adopt_unmarked = true\nIf another is meant, say so:\n  on_existing = \"create\"", about.target(), ids[0]))
}

func severalAlike(about subject, found []string) diag.Diagnostic {
	return failure("Several unmarked objects look alike",
		fmt.Sprintf("%s: adopt_unmarked is on, and several objects that nobody has marked look like it. None was touched.", about), bullets(found),
		fmt.Sprintf("Import the one:\n  tofu import %s ID", about.target()))
}

// alikeDiffers: the only look-alike cannot become what is wanted.
func alikeDiffers(about subject, ds []difference) diag.Diagnostic {
	return failure("Unmarked object differs",
		fmt.Sprintf("%s: adopt_unmarked is on, and the object that looks like it differs in what cannot be changed in place. It was not touched.", about), differenceLines(ds),
		"Change the configuration to what the object is, or make another, without adopt_unmarked:\n  on_existing = \"create\"")
}

// alikeTwice: two instances of one plan would adopt one object.
func alikeTwice(about subject, other string) diag.Diagnostic {
	return failure("One object for two instances",
		fmt.Sprintf("%s looks like what %s is to be too, and adopt_unmarked is on for both. It was not touched.", about, other),
		fmt.Sprintf("Import it for the one whose it is:\n  tofu import %s %s", about.target(), about.id))
}

func existsRefused(about subject, found []string) diag.Diagnostic {
	return failure("Object exists",
		fmt.Sprintf("%s: on_existing is \"error\", and an object with this address exists.", about), bullets(found),
		"To take it over:\n  TOFU_ON_EXISTING=adopt tofu apply\nTo make another beside it, in its block:\n  on_existing = \"create\"")
}

func nameTaken(about subject, found []string) diag.Diagnostic {
	return failure("Name in use",
		fmt.Sprintf("%s: on_existing is \"create\" (here, in the provider block or by TOFU_ON_EXISTING), but the object's name is fixed and in use.", about), bullets(found),
		"Leave that out to adopt it, or destroy it first, or use a name prefix.")
}

func nameDiffers(about subject, ds []difference) diag.Diagnostic {
	return failure("Existing object differs",
		fmt.Sprintf("%s: an object with its name exists, and differs in what cannot be changed in place. It was not touched.", about), differenceLines(ds),
		"Change the configuration to what the object is, or delete the object, or use another name or a name prefix.")
}

func composedDiffers(about subject, ds []difference) diag.Diagnostic {
	return failure("Existing object differs",
		fmt.Sprintf("%s: it exists already and says something else. It carries no marker, so that nobody says whose it is. It was not touched.", about), differenceLines(ds),
		"Make the configuration equal, or import it, or overwrite it by asking for that on the resource:\n  on_existing = \"adopt\"")
}

func existsFailed(about subject, id, why string) diag.Diagnostic {
	return failure("Failed object",
		fmt.Sprintf("%s: %s carries this address, and AWS reports that it has failed: %s.", about, id, orElse(why, "AWS gives no reason")),
		"Repair or delete it, or make another beside it, in its block:\n  on_existing = \"create\"")
}

func scheduledInTheWay(about subject, id, why string, canRestore bool) diag.Diagnostic {
	next := "Wait until it is gone, or use another name."
	if canRestore {
		next = "Wait until it is gone, or take it back:\n  restore = true"
	}
	return failure("Object scheduled for deletion",
		fmt.Sprintf("%s: %s holds the name until AWS deletes it: %s.", about, id, orElse(why, "AWS gives no date")), next)
}

func plannedGone(about subject, id string) diag.Diagnostic {
	return failure("Planned object gone",
		fmt.Sprintf("%s: the plan adopts %s, which is gone or no longer fits. Nothing was changed.", about, id), "Plan again:\n  tofu apply")
}

func createUnfinished(about subject, err error) diag.Diagnostic {
	return failure("Create not finished",
		fmt.Sprintf("%s was created, and its id is in the state, but it was not brought to what is planned.", about), reason(err),
		fmt.Sprintf("The next apply replaces it. If it only was slow, or a permission was missing, keep it:\n  tofu untaint %s\n  tofu apply", about.target()))
}

func adoptionFailed(about subject, err error) diag.Diagnostic {
	return failure("Adoption not finished",
		fmt.Sprintf("%s exists and is this instance's, but it could not be brought to what is planned. It is alive, and not in the state.", about), reason(err),
		"Remove the cause and apply again: the object is then found by its marker.")
}

// bindingKept: the adoption failed, and so did taking its binding back.
func bindingKept(about subject, old string, err error) diag.Diagnostic {
	return warning("Binding not given back",
		fmt.Sprintf("%s carries the tofu-binding of the adoption that failed, and not %s any more. A state entry that holds it, as under create_before_destroy, is refused.", about, old), reason(err),
		fmt.Sprintf("If an entry holds it still, let go of it and apply again:\n  tofu state rm %s\n  tofu apply", about.target()))
}

// adopts says what will be adopted; the plan shows the ids. The plan call of an apply cannot tell the create half of a
// replacement under create_before_destroy from a recovery, so that the text fits both. It names no environment
// variable: that would speak to every instance that the state has lost, and double each.
func adopts(about subject, k *kind, what string, fixed bool, tied, dependants, beside []string) diag.Diagnostic {
	return warning("Existing "+about.kind+" will be adopted",
		fmt.Sprintf("%s exists already %s; it is adopted, not created (%s). If a replacement of it was asked for, it does not happen; %s",
			about, k.proof(), what, forcing(fixed)), listed("These carry the same address too; the slot decided:", tied),
		listed("These hang on it, and the configuration of the object itself does not speak of them:", dependants),
		listed("These carry the same address and differ in what cannot be changed in place:", beside))
}

// makesSecond says that on_existing = "create" leaves an object with the address beside the new one.
func makesSecond(about subject, beside []string) diag.Diagnostic {
	return warning("Second "+about.kind+" will be created",
		fmt.Sprintf("%s: on_existing is \"create\", and these carry the address already. The new object is another; they stay, unless this run replaces them:", about), bullets(beside),
		"To adopt instead, leave on_existing (and TOFU_ON_EXISTING) out.")
}

func adoptsOwn(about subject) diag.Diagnostic {
	return warning("Existing "+about.kind+" carries the address",
		fmt.Sprintf("%s carries this address. If it still exists when this instance is created, it is adopted. To get a new object under create_before_destroy, in its block for one apply:\n  on_existing = \"create\"",
			about))
}

func adoptsOrCreates(about subject) diag.Diagnostic {
	return warning("Existing "+about.kind+" carries the address",
		fmt.Sprintf("%s carries this address, but what the configuration asks for is not fully known. Whether it is adopted or another is created is decided at apply.", about), knownFirst)
}

// predecessor says at plan that an object of ours differs in what cannot be changed. certain makes it an error.
func predecessor(about subject, ds []difference, certain bool) diag.Diagnostic {
	parts := []string{
		fmt.Sprintf("%s: an object with this address exists, and differs in what cannot be changed in place. An apply creates another beside it.", about),
		differenceLines(ds),
		"If it is the one, change the configuration to what it is, and an apply takes it over. If another is meant, say so:\n  on_existing = \"create\"\nTo refuse this always: on_existing = \"error\".",
	}
	if certain {
		return failure("Existing "+about.kind+" differs", parts...)
	}
	return warning("Existing "+about.kind+" differs", parts...)
}

func changesHands(about subject, giver, taker string) diag.Diagnostic {
	return failure("Object changes hands",
		fmt.Sprintf("%s: one plan gives the object up at %s, whose block leaves or says another address now, and adopts it for another block, which says %s. Whether it would survive depends on the order.", about, giver, taker),
		"If the block was renamed, say so:\n  moved {\n    from = OLD_ADDRESS\n    to   = NEW_ADDRESS\n  }\nElse apply in two steps, or write the new block's own tofu_address.\nIf nothing was renamed, a replacement was cut off. To keep the object:\n  tofu state rm "+about.target()+"\n  tofu apply\nor, for a new one, in its block for one apply:\n  on_existing = \"create\"")
}

// keyHeldTwice: two state entries, or an entry and a new block, name one object that no tag tells apart.
func keyHeldTwice(about subject) diag.Diagnostic {
	return failure("One object in two entries",
		fmt.Sprintf("%s is named by two entries of this configuration or its state. Destroying one would destroy the other's object.", about),
		"Give each block a key of its own, or drop the entry that is too many:\n  tofu state rm ADDRESS\nA leftover of a replacement that was cut off goes the same way.")
}
