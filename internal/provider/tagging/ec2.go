package tagging

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// EC2 writes the tags of everything that the EC2 API makes, VPCs among them, by the object's id.
var EC2 engine.Tagger = ec2Tags{}

type ec2Tags struct{}

func (ec2Tags) Write(ctx context.Context, s *cloud.Session, k engine.Key, set markers.Tags, remove []string) error {
	client := cloud.Client(s, "ec2", func(c aws.Config) *ec2.Client { return ec2.NewFromConfig(c) })
	if len(remove) > 0 {
		// Without a value AWS deletes the key whatever it holds.
		tags := make([]ec2types.Tag, len(remove))
		for i, key := range remove {
			tags[i] = ec2types.Tag{Key: &key}
		}
		if _, err := client.DeleteTags(ctx, &ec2.DeleteTagsInput{Resources: k, Tags: tags}); err != nil {
			return fmt.Errorf("removing tags: %w", absentEC2(err))
		}
	}
	if len(set) > 0 {
		tags := each(set, func(key, value string) ec2types.Tag { return ec2types.Tag{Key: &key, Value: &value} })
		if _, err := client.CreateTags(ctx, &ec2.CreateTagsInput{Resources: k, Tags: tags}); err != nil {
			return fmt.Errorf("setting tags: %w", absentEC2(err))
		}
	}
	return nil
}

func (ec2Tags) FoldsCase() bool { return false }

func (ec2Tags) Limit() int { return 50 }

// absentEC2 knows EC2's codes: one for each kind of object, and one for what it takes for no id at all.
func absentEC2(err error) error {
	if code := cloud.Code(err); strings.HasSuffix(code, ".NotFound") || code == "InvalidID" {
		return absent(err, code)
	}
	return err
}
