package acceptance

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
)

var logsAdoptions = []adoption{
	{
		resourceType: "estate_cloudwatch_log_group", creates: "logs:CreateLogGroup",
		config: func(keys string) string {
			return `
resource "estate_cloudwatch_log_group" "a" {
  for_each          = toset(` + keys + `)
  tofu_address      = "estate_cloudwatch_log_group.a"
  tofu_key          = each.key
  name              = "denied-${each.key}"
  retention_in_days = 30
}
`
		},
		// Calls about tags name the group by its ARN.
		differ: func(ctx context.Context, a *AWS, name string) ([]string, error) {
			_, err := a.Logs.DeleteRetentionPolicy(ctx, &cloudwatchlogs.DeleteRetentionPolicyInput{LogGroupName: &name})
			if err != nil {
				return nil, err
			}
			arn, err := a.logGroupARN(ctx, name)
			return []string{arn}, err
		},
	},
}
