package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// Every diagnostic of the provider block is in this file: a noun phrase, then what is wrong and why, then an exact
// line.

func missingEstate(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("estate"), "Missing estate",
		"The provider does not know which estate its objects belong to: neither the argument estate nor "+
			estateVariable+" is set. There is no default, since it would let two configurations own the same objects.\n\n"+
			"Write in the provider block, for example:\n\n  estate = \"networking-${terraform.workspace}\"\n\nor set it for this shell:\n\n  export "+
			estateVariable+"=networking-prod")
}

func badEstate(diags *diag.Diagnostics, at path.Path, source string, err error) {
	diags.AddAttributeError(at, "Invalid estate name",
		fmt.Sprintf("%s is not valid: %s. A name is a lower-case letter, then lower-case letters, digits and hyphens, at most 128 characters: [a-z][a-z0-9-]{0,127}.\n\n"+
			"Write, for example:\n\n  %s", source, err, map[string]string{
			"estate":           `estate = "networking-prod"`,
			"previous_estates": `previous_estates = ["networking-old"]`,
			estateVariable:     "export " + estateVariable + "=networking-prod",
		}[source]))
}

func presentEstate(diags *diag.Diagnostics, name string) {
	diags.AddAttributeError(path.Root("previous_estates"), "Estate among its previous names",
		fmt.Sprintf("previous_estates holds %q, which is the estate's present name.\n\n"+
			"Give estate the new name and list the old ones only:\n\n  previous_estates = [\"networking-old\"]", name))
}

func badOnExisting(diags *diag.Diagnostics, value, source string) {
	next := `on_existing = "adopt"`
	if source == onExistingVariable {
		next = "unset " + onExistingVariable
	}
	diags.AddAttributeError(path.Root("on_existing"), "Invalid on_existing",
		fmt.Sprintf("%s is %q; it may be \"adopt\", \"error\" or \"create\".\n\nWrite:\n\n  %s", source, value, next))
}

func markerInDefaultTags(diags *diag.Diagnostics, key, source string) {
	next := "Remove the key; the estate is named by:\n\n  estate = \"networking-prod\""
	if source != "default_tags" {
		next = "Run without the variable:\n\n  env -u " + source + " tofu plan"
	}
	diags.AddAttributeError(path.Root("default_tags"), "Marker key in default_tags",
		fmt.Sprintf("%s holds %q, a key by which the provider marks whose an object is; it writes that tag itself.\n\n%s", source, key, next))
}

func markerIgnored(diags *diag.Diagnostics, how, key string) {
	diags.AddAttributeError(path.Root("ignore_tags"), "Marker key in ignore_tags",
		fmt.Sprintf("In ignore_tags, or in its variables, %s. That matches %q, a key by which the provider marks whose an object is; it cannot be ignored.\n\n"+
			"Narrow it to keys of other tools, for example:\n\n  key_prefixes = [\"kubernetes.io/\"]", how, key))
}

func defaultTagIgnored(diags *diag.Diagnostics, key, how string) {
	diags.AddAttributeError(path.Root("default_tags"), "Default tag that is ignored",
		fmt.Sprintf("default_tags holds %q, and in ignore_tags %s. A tag cannot be written and ignored at once: every plan would show it as a change.\n\n"+
			"Remove it from one of them, for example:\n\n  ignore_tags { keys = [] }", key, how))
}

func badDuration(diags *diag.Diagnostics, block string, number int, value string) {
	diags.AddAttributeError(path.Root(block).AtListIndex(number).AtName("duration"), "Invalid role duration",
		fmt.Sprintf("The duration %q is no number with a unit.\n\nWrite, for example:\n\n  duration = \"1h\"", value))
}

func badMetadataCheck(diags *diag.Diagnostics, value string) {
	diags.AddAttributeError(path.Root("skip_metadata_api_check"), "Invalid skip_metadata_api_check",
		fmt.Sprintf("skip_metadata_api_check is %q; it may be \"true\" or \"false\".\n\nWrite:\n\n  skip_metadata_api_check = true", value))
}

// noAccess reports what cloud.Open returned.
func noAccess(diags *diag.Diagnostics, err error) {
	var problem *cloud.ConfigError
	switch {
	case !errors.As(err, &problem):
		diags.AddError("No access to AWS", fmt.Sprintf("%s.\n\nThis asks AWS whose the credentials are:\n\n  aws sts get-caller-identity", err))
	case problem.Argument == "":
		diags.AddError(problem.Summary, problem.Detail())
	default:
		diags.AddAttributeError(path.Root(problem.Argument), problem.Summary, problem.Detail())
	}
}

func unknownSettings(diags *diag.Diagnostics, names []string) {
	diags.AddWarning("Provider configuration not known yet",
		fmt.Sprintf("Known only during apply: %s. Existing objects cannot be checked in this plan: what it shows as a create may turn out to be an adoption, and drift is not seen.\n\n"+
			"For a plan that tells, apply first what those values come from:\n\n  tofu apply -target=ADDRESS", strings.Join(names, ", ")))
}

func accountCheckOff(diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("skip_requesting_account_id"), "Account check off",
		"With skip_requesting_account_id the provider does not know which account it works in, and cannot see that an object of the state is in another one.\n\n"+
			"To switch the check on:\n\n  skip_requesting_account_id = false")
}
