package logs

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	logstypes "github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type logGroup struct {
	ARN         types.String `tfsdk:"arn"`
	Protected   types.Bool   `tfsdk:"deletion_protection_enabled"`
	KMSKeyID    attrs.ARN    `tfsdk:"kms_key_id"`
	Class       types.String `tfsdk:"log_group_class"`
	Name        types.String `tfsdk:"name"`
	NamePrefix  types.String `tfsdk:"name_prefix"`
	Retention   types.Int64  `tfsdk:"retention_in_days"`
	SkipDestroy types.Bool   `tfsdk:"skip_destroy"`
}

const (
	// groupNameLength is the longest name of a log group, suffixLength the generated part, which a prefix leaves room for.
	groupNameLength = 512
	suffixLength    = 26
	// pageSize is the greatest limit of DescribeLogGroups.
	pageSize = 50
)

// groupNamePattern holds the characters that names of log groups may have.
var groupNamePattern = regexp.MustCompile(`^[\w./#-]*$`)

const groupNameRule = "must consist of letters, digits and _./#-"

// LogGroup is a log group of CloudWatch Logs.
var LogGroup = engine.Of(engine.ResourceType[logGroup]{
	Name:    "cloudwatch_log_group",
	Service: "CloudWatch Logs",
	Doc: `A log group of CloudWatch Logs: log streams that share retention, encryption and access.

A refresh of more than a few groups lists all groups of the region, 50 a call, and reads the tags of its own, a call
for each: CloudWatch Logs neither filters by tag nor lists tags. A create without ` + "`name`" + `, and an import by address,
read the tags of every group of the region. An account-level retention policy shows as the group's own retention, and
every plan then as a change back.`,
	Tier:     engine.Named,
	Identity: []engine.Part{{Attr: "name", Prefix: "name_prefix", MaxLength: groupNameLength}},
	Tags:     tagging.Logs(groupARN),
	ListsAll: true,
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the log group, without the `:*` that stands for its streams."),
		"deletion_protection_enabled": attrs.OptionalComputedBool(
			"Whether AWS refuses to delete the group. To turn it off, write `false`; without the argument it stays as it is."),
		"kms_key_id": attrs.OptionalARN("ARN of the KMS key that encrypts new events. Default none: AWS's own key."),
		"log_group_class": attrs.OptionalComputedString(
			"Class of the group: `STANDARD`, `INFREQUENT_ACCESS`, `DELIVERY` or `ESSENTIALS`. Default `STANDARD`.",
			attrs.OneOf(logstypes.LogGroupClass("").Values()...)),
		"name": attrs.OptionalComputedString("Name of the log group, up to 512 characters. Generated when unset.",
			attrs.Length(1, groupNameLength), attrs.Matches(groupNamePattern, groupNameRule), attrs.Conflicts("name_prefix")),
		"name_prefix": attrs.OptionalComputedString("Start of the generated name, up to 486 characters. Default `terraform-`.",
			attrs.Length(1, groupNameLength-suffixLength), attrs.Matches(groupNamePattern, groupNameRule)),
		"retention_in_days": attrs.DefaultInt64(0,
			"Days that events are kept, one of AWS's steps from 1 to 3653. Default `0`: for ever, or two days in the class "+
				"`DELIVERY`, which has no other.",
			attrs.OneOfInt64(0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731,
				1096, 1827, 2192, 2557, 2922, 3288, 3653),
			attrs.ZeroWhere("log_group_class", string(logstypes.LogGroupClassDelivery), "AWS keeps its events for two days")),
		"skip_destroy": attrs.DefaultBool(false,
			"Whether a destroy leaves the group where it is, as `tofu_on_destroy = \"keep\"` does. Default `false`."),
	},
	Settings: []string{"skip_destroy"},
	Keeps:    "skip_destroy",
	Get:      getLogGroup,
	List:     listLogGroups,
	FillOne:  fillLogGroup,
	Create:   createLogGroup,
	Updates: []engine.Update[logGroup]{
		{Attrs: []string{"retention_in_days"}, Apply: setRetention},
		{Attrs: []string{"kms_key_id"}, Apply: setGroupKey},
		{Attrs: []string{"deletion_protection_enabled"}, Apply: setProtection},
		{Attrs: []string{"skip_destroy"}},
	},
	Delete: deleteLogGroup,
	Exists: exists,
	Busy:   busy,
})

func getLogGroup(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[logGroup], error) {
	g, err := findLogGroup(ctx, s, k.String())
	if err != nil {
		return engine.Live[logGroup]{}, err
	}
	l := liveLogGroup(g)
	return l, fillLogGroup(ctx, s, &l)
}

// findLogGroup searches the groups whose names begin with name, for no call reads one.
func findLogGroup(ctx context.Context, s *cloud.Session, name string) (logstypes.LogGroup, error) {
	for g, err := range describeLogGroups(ctx, s, &name) {
		if err != nil || aws.ToString(g.LogGroupName) == name {
			return g, err
		}
	}
	return logstypes.LogGroup{}, fmt.Errorf("%w: no log group is called %s", engine.ErrNotFound, name)
}

// describeLogGroups yields the groups whose names begin with prefix, all where it is nil, and ends with the first error.
func describeLogGroups(ctx context.Context, s *cloud.Session, prefix *string) iter.Seq2[logstypes.LogGroup, error] {
	return func(yield func(logstypes.LogGroup, error) bool) {
		p := cloudwatchlogs.NewDescribeLogGroupsPaginator(api(s), &cloudwatchlogs.DescribeLogGroupsInput{
			LogGroupNamePrefix: prefix, Limit: aws.Int32(pageSize),
		})
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				yield(logstypes.LogGroup{}, absent(err))
				return
			}
			for _, g := range page.LogGroups {
				if !yield(g, nil) {
					return
				}
			}
		}
	}
}

// listLogGroups leaves the tags out, which fillLogGroup adds.
func listLogGroups(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[engine.Live[logGroup], error] {
	return func(yield func(engine.Live[logGroup], error) bool) {
		for g, err := range describeLogGroups(ctx, s, nil) {
			l := liveLogGroup(g)
			l.Partial = true
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// fillLogGroup adds the tags, for one group a call. It is no Fill, which would ask for those of every group of the
// account, such as one for each Lambda function.
func fillLogGroup(ctx context.Context, s *cloud.Session, l *engine.Live[logGroup]) error {
	out, err := api(s).ListTagsForResource(ctx, &cloudwatchlogs.ListTagsForResourceInput{ResourceArn: attrs.Ptr(l.Model.ARN)})
	if err != nil {
		return absent(err)
	}
	l.Tags = out.Tags
	if l.Tags == nil {
		l.Tags = map[string]string{} // told, and none
	}
	return nil
}

func liveLogGroup(g logstypes.LogGroup) engine.Live[logGroup] {
	// Regions with one class alone leave it out.
	class := cmp.Or(g.LogGroupClass, logstypes.LogGroupClassStandard)
	l := engine.Live[logGroup]{
		Key: engine.Key{aws.ToString(g.LogGroupName)},
		Model: logGroup{
			ARN:        types.StringValue(strings.TrimSuffix(aws.ToString(g.Arn), ":*")),
			Protected:  types.BoolValue(aws.ToBool(g.DeletionProtectionEnabled)),
			KMSKeyID:   attrs.NewARN(g.KmsKeyId),
			Class:      types.StringValue(string(class)),
			Name:       attrs.String(g.LogGroupName),
			NamePrefix: attrs.PrefixOf(aws.ToString(g.LogGroupName)),
			Retention:  types.Int64Value(int64(aws.ToInt32(g.RetentionInDays))),
		},
	}
	if g.CreationTime != nil {
		l.Created = time.UnixMilli(*g.CreationTime).UTC()
	}
	if class == logstypes.LogGroupClassDelivery {
		// AWS shows 2, which no configuration may ask for, and refuses to set or delete it.
		l.Model.Retention = types.Int64Value(0)
	}
	return l
}

// groupARN names a log group for the calls about tags. Where the provider was told not to ask for the account, the group
// tells.
func groupARN(ctx context.Context, s *cloud.Session, k engine.Key) (string, error) {
	if s.Account != "" {
		return fmt.Sprintf("arn:%s:logs:%s:%s:log-group:%s", s.Partition, s.Region, s.Account, k), nil
	}
	g, err := findLogGroup(ctx, s, k.String())
	return strings.TrimSuffix(aws.ToString(g.Arn), ":*"), err
}
