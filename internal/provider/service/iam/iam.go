// Package iam describes the resource types of the IAM API: roles and their inline policies.
//
// Each type has a file of its own; this one holds what they share. IAM is global, has no idempotency tokens, and cannot
// filter a listing by tag: the types list the account as a whole, with GetAccountAuthorizationDetails, the one call
// that shows roles with their tags and policies.
//
// The package lacks the types' behaviour, which the engine derives.
package iam

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// pageSize is the greatest MaxItems of IAM's listings.
const pageSize = 1000

// suffixLength is the length of the generated part of a name, which a prefix must leave room for.
const suffixLength = 26

// absentCodes are IAM's words for objects that do not exist.
var absentCodes = []string{"NoSuchEntity"}

// namePattern holds the characters that names of roles and policies may have.
var namePattern = regexp.MustCompile(`^[\w+=,.@-]*$`)

const nameRule = "must consist of letters, digits and _+=,.@-"

func api(s *cloud.Session) *iam.Client {
	return cloud.Client(s, "iam", func(c aws.Config) *iam.Client { return iam.NewFromConfig(c) })
}

// absent adds engine.ErrNotFound to errors by which IAM says that the object does not exist.
func absent(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// tooFresh tells whether a call does not know the role or policy that it names: one that was made a moment ago is not known
// everywhere. AWS's own policies always are.
func tooFresh(err error) bool {
	return cloud.HasCode(err, absentCodes...) && !strings.Contains(cloud.Message(err), ":iam::aws:policy/")
}

// present drops errors by which IAM says that what is to go has gone already.
func present(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return nil
	}
	return err
}

// document decodes a policy: IAM answers the JSON as it would stand in a URL.
func document(p *string) (attrs.Policy, error) {
	text, err := url.PathUnescape(aws.ToString(p))
	if err != nil {
		return attrs.Policy{}, fmt.Errorf("decoding the policy document that IAM answered: %w", err)
	}
	return attrs.NewPolicy(&text), nil
}

// roles returns all roles of the account with their tags and policies: one listing for every type that shows a part of
// a role.
func roles(ctx context.Context, s *cloud.Session) ([]iamtypes.RoleDetail, error) {
	return cloud.Memo(s, "iam roles", func() ([]iamtypes.RoleDetail, error) {
		p := iam.NewGetAccountAuthorizationDetailsPaginator(api(s), &iam.GetAccountAuthorizationDetailsInput{
			Filter: []iamtypes.EntityType{iamtypes.EntityTypeRole}, MaxItems: aws.Int32(pageSize),
		})
		var all []iamtypes.RoleDetail
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, page.RoleDetailList...)
		}
		return all, nil
	})
}

func tagMap(tags []iamtypes.Tag) map[string]string {
	out := make(map[string]string, len(tags))
	for _, t := range tags {
		out[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return out
}
