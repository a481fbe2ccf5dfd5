package functions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// protectPolicy writes a policy that leaves markers to those who manage estates.
var protectPolicy = &pure{
	name: "protect_policy",
	definition: function.Definition{
		Summary: "A service control policy that leaves markers to the named principals",
		MarkdownDescription: "Returns the JSON of a service control policy that denies everybody but the named principals to write, change or " +
			"remove the marker tags (`tofu-estate`, `tofu-address` and so on). Where a call does not tell IAM which tags it touches " +
			"(`route53:ChangeTagsForResource`, `s3:PutBucketTagging`, and `ec2:DeleteTags` for all tags), it is denied with whatever tags.\n\n" +
			"A service control policy binds neither the organization's management account nor service-linked roles. The guide " +
			"[What an estate may touch](../guides/permissions-by-estate.md) says which services it covers and who else has to be named, such as roles " +
			"that copy tags to backups. No call to AWS has tried this policy: use it in a sandbox account first.",
		Parameters: []function.Parameter{function.ListParameter{
			Name: "principal_arns", ElementType: types.StringType,
			MarkdownDescription: "The ARNs of the roles and users that may write markers, in any order. A role is named by its own ARN, " +
				"`arn:aws:iam::111122223333:role/deploy`, with its path, and not by that of a session. `*` and `?` stand for any text and any " +
				"character in the account and in the name; a name of nothing else is an error.",
		}},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, args function.ArgumentsData) (any, *function.FuncError) {
		var elements []*string
		if err := args.Get(ctx, &elements); err != nil {
			return nil, err
		}
		principals, bad := listed(0, elements)
		if bad != nil {
			return nil, bad
		}
		if len(principals) == 0 {
			return nil, wrong(0, errors.New("no principal is given, and nobody could write markers, the provider included"))
		}
		slices.Sort(principals)
		principals = slices.Compact(principals)
		for _, arn := range principals {
			if err := checkPrincipal(arn); err != nil {
				return nil, wrong(0, err)
			}
		}
		policy, err := document(protect(principals))
		if err == nil {
			err = fits(policy, "a service control policy", maxServiceControlPolicy)
		}
		if err != nil {
			return nil, wrong(0, fmt.Errorf("%w; name several principals by one ARN with a wildcard", err))
		}
		return policy, nil
	},
}

// principalForm takes account and name with the wildcards of ArnLike, and the characters of IAM's names and paths.
var principalForm = regexp.MustCompile(`^arn:aws[a-z-]*:iam::(?:[0-9]{12}|[0-9*?]*\*[0-9*?]*):(?:root|(?:role|user)/([A-Za-z0-9+=,.@_/*?-]+))$`)

// checkPrincipal is an error for what aws:PrincipalArn never is, and for what it always is.
func checkPrincipal(arn string) error {
	if strings.HasPrefix(arn, "arn:") && strings.Contains(arn, ":assumed-role/") {
		return fmt.Errorf("%s is a session; name its role: arn:aws:iam::ACCOUNT:role/NAME, with its path", arn)
	}
	parts := principalForm.FindStringSubmatch(arn)
	if parts == nil {
		return fmt.Errorf("%q is the ARN of no role or user; one looks like arn:aws:iam::111122223333:role/deploy", arn)
	}
	if parts[1] != "" && strings.Trim(parts[1], "*?/") == "" {
		return fmt.Errorf("%s names everybody; give a part of the name", arn)
	}
	return nil
}

// protect denies all calls of the table that write or remove tags.
//
// ForAnyValue is false of a call that names no tags, so that creates without markers go on. Keys are compared without
// regard to case, as IAM's own tags are, where UntagRole of TOFU-ESTATE removes tofu-estate; StringLike would miss that. The
// tagging API (tag:TagResources) needs no statement: it also asks for the service's own action, which is denied. DeleteTags
// without tags removes all, and has no keys that the first statement could see.
func protect(principals []string) []statement {
	others := map[string][]string{principalARN: principals}
	var keyed, whole, bare []string
	for _, name := range slices.Sorted(maps.Keys(services)) {
		s := services[name]
		list := s.tags + " " + s.untags
		if s.deny != "" {
			list = s.deny
		}
		keyed = append(keyed, actions(name, list)...)
		whole = append(whole, actions(name, s.whole)...)
		bare = append(bare, actions(name, s.bare)...)
	}
	all := []string{"*"}
	return []statement{
		{Sid: "MarkerKeys", Effect: "Deny", Action: keyed, Resource: all, Condition: condition{
			"ArnNotLike":                         others,
			"ForAnyValue:StringEqualsIgnoreCase": {tagKeys: markerKeys()},
		}},
		{Sid: "AllTags", Effect: "Deny", Action: bare, Resource: all, Condition: condition{
			"ArnNotLike": others, "Null": {tagKeys: {"true"}},
		}},
		{Sid: "WholeTagSets", Effect: "Deny", Action: whole, Resource: all, Condition: condition{"ArnNotLike": others}},
	}
}
