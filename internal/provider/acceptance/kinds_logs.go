package acceptance

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
)

var logsKinds = []Kind{
	{
		Type: "estate_cloudwatch_log_group", Exists: logGroupExists, List: listLogGroups, Make: makeLogGroup,
		Tag: tagLogGroup, Untag: untagLogGroup,
	},
}

func logGroupExists(ctx context.Context, a *AWS, name string) (bool, error) {
	groups, err := listLogGroups(ctx, a)
	for _, g := range groups {
		if g.ID == name {
			return true, nil
		}
	}
	return false, err
}

func listLogGroups(ctx context.Context, a *AWS) ([]Object, error) {
	var out []Object
	for _, region := range a.Regions {
		options := a.Logs.Options()
		options.Region = region
		client := cloudwatchlogs.New(options)
		pages := cloudwatchlogs.NewDescribeLogGroupsPaginator(client, &cloudwatchlogs.DescribeLogGroupsInput{})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return nil, err
			}
			for _, g := range page.LogGroups { // without tags, on AWS too
				answer, err := client.ListTagsForResource(ctx, &cloudwatchlogs.ListTagsForResourceInput{ResourceArn: g.LogGroupArn})
				if err != nil {
					return nil, err
				}
				out = append(out, Object{"estate_cloudwatch_log_group", aws.ToString(g.LogGroupName), answer.Tags})
			}
		}
	}
	return out, nil
}

func makeLogGroup(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error) {
	_, err := a.Logs.CreateLogGroup(ctx, &cloudwatchlogs.CreateLogGroupInput{LogGroupName: aws.String(name), Tags: tags})
	return name, err
}

func tagLogGroup(ctx context.Context, a *AWS, name string, tags map[string]string) error {
	arn, err := a.logGroupARN(ctx, name)
	if err != nil {
		return err
	}
	_, err = a.Logs.TagResource(ctx, &cloudwatchlogs.TagResourceInput{ResourceArn: &arn, Tags: tags})
	return err
}

func untagLogGroup(ctx context.Context, a *AWS, name string, keys ...string) error {
	arn, err := a.logGroupARN(ctx, name)
	if err != nil {
		return err
	}
	_, err = a.Logs.UntagResource(ctx, &cloudwatchlogs.UntagResourceInput{ResourceArn: &arn, TagKeys: keys})
	return err
}

// logGroupARN is the ARN by which a log group's tags are called.
func (a *AWS) logGroupARN(ctx context.Context, name string) (string, error) {
	answer, err := a.Logs.DescribeLogGroups(ctx, &cloudwatchlogs.DescribeLogGroupsInput{LogGroupNamePrefix: aws.String(name)})
	if err != nil {
		return "", err
	}
	for _, g := range answer.LogGroups { // in the order of their names: the shortest is first
		if aws.ToString(g.LogGroupName) == name {
			return aws.ToString(g.LogGroupArn), nil
		}
	}
	return "", fmt.Errorf("no log group is called %s", name)
}
