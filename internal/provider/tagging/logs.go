package tagging

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// Logs writes the tags of objects of CloudWatch Logs, by the ARN that arn makes of a key. It is the ARN without ":*".
func Logs(arn func(ctx context.Context, s *cloud.Session, k engine.Key) (string, error)) engine.Tagger {
	return logsTags{arn}
}

type logsTags struct {
	arn func(ctx context.Context, s *cloud.Session, k engine.Key) (string, error)
}

func (t logsTags) Write(ctx context.Context, s *cloud.Session, k engine.Key, set markers.Tags, remove []string) error {
	client := cloud.Client(s, "logs", func(c aws.Config) *cloudwatchlogs.Client { return cloudwatchlogs.NewFromConfig(c) })
	arn, err := t.arn(ctx, s, k)
	if err != nil {
		return fmt.Errorf("finding the ARN to tag: %w", err)
	}
	if len(remove) > 0 {
		if _, err := client.UntagResource(ctx, &cloudwatchlogs.UntagResourceInput{ResourceArn: &arn, TagKeys: remove}); err != nil {
			return fmt.Errorf("removing tags: %w", absent(err, "ResourceNotFoundException"))
		}
	}
	if len(set) > 0 {
		if _, err := client.TagResource(ctx, &cloudwatchlogs.TagResourceInput{ResourceArn: &arn, Tags: set}); err != nil {
			return fmt.Errorf("setting tags: %w", absent(err, "ResourceNotFoundException"))
		}
	}
	return nil
}

func (logsTags) FoldsCase() bool { return false }

func (logsTags) Limit() int { return 50 }
