package functions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// The keys of IAM that policies about markers ask for. In such a key the name of a tag is compared without regard to case:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
const (
	resourceEstate = "aws:ResourceTag/" + markers.EstateKey // what the object carries
	requestEstate  = "aws:RequestTag/" + markers.EstateKey  // what the call would write
	tagKeys        = "aws:TagKeys"                          // which tags the call would write or remove
	principalARN   = "aws:PrincipalArn"                     // who calls; for a session, its role
)

// The sizes that AWS allows. IAM does not count white space, Organizations does:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
// https://docs.aws.amazon.com/organizations/latest/userguide/orgs_reference_limits.html
const (
	maxManagedPolicy        = 6144
	maxServiceControlPolicy = 5120
)

// statement is one statement of a policy document, in the order in which its members are written.
type statement struct {
	Sid       string
	Effect    string
	Action    []string
	Resource  []string
	Condition condition `json:",omitempty"`
}

// condition maps operators to keys to values; all of it has to hold. encoding/json writes maps in the order of their keys.
type condition map[string]map[string][]string

// document writes the statements as JSON without white space, which counts in some of AWS's limits, and which jsondecode
// makes readable. Equal statements are equal text.
func document(statements []statement) (string, error) {
	text, err := json.Marshal(struct {
		Version   string
		Statement []statement
	}{"2012-10-17", statements})
	return string(text), err
}

// fits is an error for a policy that is longer than AWS allows, white space aside.
func fits(policy, kind string, limit int) error {
	size := 0
	for _, r := range policy {
		if !unicode.IsSpace(r) {
			size++
		}
	}
	if size > limit {
		return fmt.Errorf("the policy would have %d characters, and %s may have %d", size, kind, limit)
	}
	return nil
}

// markerKeys are the keys of all tags that the provider writes as markers.
func markerKeys() []string {
	return append(slices.Clone(markers.AddressKeys[:]),
		markers.BindingKey, markers.EstateKey, markers.PendingKey, markers.ReleasedKey, markers.SlotKey)
}

// names are the words of a list of the table.
func names(list string) []string { return strings.Fields(list) }

// actions puts the service's name before each action of a list.
func actions(service, list string) []string {
	out := names(list)
	for i, action := range out {
		out[i] = service + ":" + action
	}
	return out
}
