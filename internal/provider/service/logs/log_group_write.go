package logs

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	logstypes "github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// createLogGroup takes no token: CreateLogGroup has none, and the name admits one group. The retention follows as an
// Update.
func createLogGroup(ctx context.Context, s *cloud.Session, plan *logGroup, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	_, err := api(s).CreateLogGroup(ctx, &cloudwatchlogs.CreateLogGroupInput{
		DeletionProtectionEnabled: attrs.BoolPtr(plan.Protected),
		KmsKeyId:                  attrs.Ptr(plan.KMSKeyID),
		LogGroupClass:             logstypes.LogGroupClass(plan.Class.ValueString()),
		LogGroupName:              attrs.Ptr(plan.Name),
		Tags:                      tags,
	})
	return engine.Key{plan.Name.ValueString()}, err
}

func setRetention(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *logGroup) error {
	var err error
	if days := attrs.Int32Ptr(plan.Retention); aws.ToInt32(days) > 0 {
		_, err = api(s).PutRetentionPolicy(ctx, &cloudwatchlogs.PutRetentionPolicyInput{
			LogGroupName: aws.String(k.String()), RetentionInDays: days,
		})
	} else {
		_, err = api(s).DeleteRetentionPolicy(ctx, &cloudwatchlogs.DeleteRetentionPolicyInput{LogGroupName: aws.String(k.String())})
	}
	return absent(err)
}

// setGroupKey need not return errors bare: a key that is missing is an InvalidParameterException.
func setGroupKey(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *logGroup) error {
	var err error
	if key := attrs.Ptr(plan.KMSKeyID); key != nil {
		_, err = api(s).AssociateKmsKey(ctx, &cloudwatchlogs.AssociateKmsKeyInput{LogGroupName: aws.String(k.String()), KmsKeyId: key})
	} else {
		_, err = api(s).DisassociateKmsKey(ctx, &cloudwatchlogs.DisassociateKmsKeyInput{LogGroupName: aws.String(k.String())})
	}
	return absent(err)
}

func setProtection(ctx context.Context, s *cloud.Session, k engine.Key, _, plan *logGroup) error {
	_, err := api(s).PutLogGroupDeletionProtection(ctx, &cloudwatchlogs.PutLogGroupDeletionProtectionInput{
		LogGroupIdentifier: aws.String(k.String()), DeletionProtectionEnabled: aws.Bool(plan.Protected.ValueBool()),
	})
	return absent(err)
}

func deleteLogGroup(ctx context.Context, s *cloud.Session, k engine.Key, _ *logGroup) error {
	_, err := api(s).DeleteLogGroup(ctx, &cloudwatchlogs.DeleteLogGroupInput{LogGroupName: aws.String(k.String())})
	return absent(err)
}
