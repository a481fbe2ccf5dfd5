package tagging

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// IAMRole writes the tags of IAM roles, by the role's name. IAM compares tag keys without case and keeps the case
// that was written last.
var IAMRole engine.Tagger = iamRoleTags{}

type iamRoleTags struct{}

func (iamRoleTags) Write(ctx context.Context, s *cloud.Session, k engine.Key, set markers.Tags, remove []string) error {
	client := cloud.Client(s, "iam", func(c aws.Config) *iam.Client { return iam.NewFromConfig(c) })
	role := aws.String(k.String())
	if len(remove) > 0 {
		if _, err := client.UntagRole(ctx, &iam.UntagRoleInput{RoleName: role, TagKeys: remove}); err != nil {
			return fmt.Errorf("removing tags: %w", absent(err, "NoSuchEntity"))
		}
	}
	if len(set) > 0 {
		tags := each(set, func(key, value string) iamtypes.Tag { return iamtypes.Tag{Key: &key, Value: &value} })
		if _, err := client.TagRole(ctx, &iam.TagRoleInput{RoleName: role, Tags: tags}); err != nil {
			return fmt.Errorf("setting tags: %w", absent(err, "NoSuchEntity"))
		}
	}
	return nil
}

func (iamRoleTags) FoldsCase() bool { return true }

func (iamRoleTags) Limit() int { return 50 }
