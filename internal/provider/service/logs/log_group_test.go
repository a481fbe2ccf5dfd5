package logs

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	logstypes "github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const (
	groupPrefix = "arn:aws:logs:eu-west-1:111122223333:log-group:"
	keyARN      = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
)

func wantCalls(t *testing.T, server *canned.AWS, want ...string) {
	t.Helper()
	if got := server.Calls(); !slices.Equal(got, want) {
		t.Errorf("calls\n got  %s\n want %s", strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

// page is an answer of DescribeLogGroups, with the token of the next page unless that is "".
func page(next string, names ...string) string {
	var groups []string
	for _, n := range names {
		groups = append(groups, `{"logGroupName":"`+n+`","arn":"`+groupPrefix+n+`:*","creationTime":1700000000000}`)
	}
	answer := `{"logGroups":[` + strings.Join(groups, ",") + `]`
	if next != "" {
		answer += `,"nextToken":"` + next + `"`
	}
	return answer + "}"
}

func TestLiveLogGroup(t *testing.T) {
	plain := func() engine.Live[logGroup] {
		return engine.Live[logGroup]{
			Key: engine.Key{"app"}, Created: time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC),
			Model: logGroup{
				ARN: types.StringValue(groupPrefix + "app"), Protected: types.BoolValue(false), KMSKeyID: attrs.NewARN(nil),
				Class: types.StringValue("STANDARD"), Name: types.StringValue("app"), Retention: types.Int64Value(0),
			},
		}
	}
	tests := []struct {
		name   string
		change func(*logstypes.LogGroup)
		want   func(*engine.Live[logGroup])
	}{
		{"plain", func(*logstypes.LogGroup) {}, func(*engine.Live[logGroup]) {}},
		{
			"all there is",
			func(g *logstypes.LogGroup) {
				g.LogGroupName, g.KmsKeyId = aws.String("p-0123456789abcdef0123456789"), aws.String(keyARN)
				g.RetentionInDays, g.DeletionProtectionEnabled = aws.Int32(30), aws.Bool(true)
				g.LogGroupClass, g.CreationTime = logstypes.LogGroupClassInfrequentAccess, nil
			},
			func(l *engine.Live[logGroup]) {
				l.Key, l.Created = engine.Key{"p-0123456789abcdef0123456789"}, time.Time{}
				l.Model.Name, l.Model.NamePrefix = types.StringValue("p-0123456789abcdef0123456789"), types.StringValue("p-")
				l.Model.KMSKeyID, l.Model.Retention = attrs.NewARN(aws.String(keyARN)), types.Int64Value(30)
				l.Model.Protected, l.Model.Class = types.BoolValue(true), types.StringValue("INFREQUENT_ACCESS")
			},
		},
		{
			"the retention of DELIVERY is AWS's own",
			func(g *logstypes.LogGroup) {
				g.LogGroupClass, g.RetentionInDays = logstypes.LogGroupClassDelivery, aws.Int32(2)
			},
			func(l *engine.Live[logGroup]) { l.Model.Class = types.StringValue("DELIVERY") },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := logstypes.LogGroup{
				Arn: aws.String(groupPrefix + "app:*"), LogGroupName: aws.String("app"), CreationTime: aws.Int64(1700000000000),
			}
			tt.change(&g)
			want := plain()
			tt.want(&want)
			if diff := cmp.Diff(want, liveLogGroup(g)); diff != "" {
				t.Errorf("want - got +\n%s", diff)
			}
		})
	}
}

func TestGetLogGroup(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"DescribeLogGroups": {
			page("more", "app-2"), page("more", "app", "app-1"), // found on the second page: the third is not asked for
			page("more", "app-1"), page("", "application"), // on none
			page("more", "app-1"), "!ServiceUnavailableException later", // a page is lost
			page("", "app"), page("", "app"), page("", "app"),
		},
		"ListTagsForResource": {
			`{"tags":{"tofu-estate":"prod"}}`, "", "!ResourceNotFoundException gone", "!AccessDeniedException no",
		},
	})
	k := engine.Key{"app"}
	l, err := getLogGroup(t.Context(), s, k)
	if err != nil || l.Key.String() != "app" || l.Tags["tofu-estate"] != "prod" || l.Partial {
		t.Errorf("got %+v, %v", l, err)
	}
	if _, err := getLogGroup(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("another's prefix: got %v, want not found", err)
	}
	if _, err := getLogGroup(t.Context(), s, k); err == nil || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a lost page: got %v, want the error alone", err)
	}
	if l, err := getLogGroup(t.Context(), s, k); err != nil || l.Tags == nil || len(l.Tags) > 0 {
		t.Errorf("without tags: got %v, %v; want an empty map, which says that there are none", l.Tags, err)
	}
	if _, err := getLogGroup(t.Context(), s, k); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("gone before its tags were read: got %v, want not found", err)
	}
	if _, err := getLogGroup(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
	const first = `DescribeLogGroups {"limit":50,"logGroupNamePrefix":"app"}`
	const second = `DescribeLogGroups {"limit":50,"logGroupNamePrefix":"app","nextToken":"more"}`
	const tags = `ListTagsForResource {"resourceArn":"` + groupPrefix + `app"}`
	wantCalls(t, server, first, second, tags, first, second, first, second, first, tags, first, tags, first, tags)
}

func TestListLogGroups(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"DescribeLogGroups": {
		page("more", "a", "b"), page("", "c"), page("more", "a"), "!ThrottlingException slow down",
	}})
	list := func() (names []string, last error) {
		for l, err := range listLogGroups(t.Context(), s, markers.Filter{Estates: []string{"prod"}}) {
			if last = err; err != nil {
				continue
			}
			if !l.Partial || l.Tags != nil {
				t.Errorf("%s: the listing tells no tags, and must say so: %+v", l.Key, l)
			}
			names = append(names, l.Key.String())
		}
		return names, last
	}
	if got, err := list(); err != nil || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := list(); cloud.Code(err) != "ThrottlingException" || !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q, %v; want the error after the first page", got, err)
	}
	const first, second = `DescribeLogGroups {"limit":50}`, `DescribeLogGroups {"limit":50,"nextToken":"more"}`
	wantCalls(t, server, first, second, first, second)
}

func TestCreateLogGroup(t *testing.T) {
	s, server := canned.New(t, canned.Answers{"CreateLogGroup": {"", "", "!ResourceAlreadyExistsException there"}})
	full := logGroup{
		Name: types.StringValue("app"), KMSKeyID: attrs.NewARN(aws.String(keyARN)), Class: types.StringValue("DELIVERY"),
		Protected: types.BoolValue(true), Retention: types.Int64Value(0),
	}
	k, err := createLogGroup(t.Context(), s, &full, markers.Tags{"tofu-estate": "prod"}, "")
	if err != nil || k.String() != "app" {
		t.Fatalf("got %s, %v", k, err)
	}
	least := logGroup{Name: types.StringValue("app"), KMSKeyID: attrs.NewARN(nil), Retention: types.Int64Value(30)}
	if _, err := createLogGroup(t.Context(), s, &least, nil, ""); err != nil {
		t.Error(err)
	}
	if _, err := createLogGroup(t.Context(), s, &least, nil, ""); !exists(err) {
		t.Errorf("got %v, want that it exists", err)
	}
	wantCalls(t, server,
		`CreateLogGroup {"deletionProtectionEnabled":true,"kmsKeyId":"`+keyARN+`","logGroupClass":"DELIVERY",`+
			`"logGroupName":"app","tags":{"tofu-estate":"prod"}}`,
		`CreateLogGroup {"logGroupName":"app"}`, `CreateLogGroup {"logGroupName":"app"}`)
}

func TestLogGroupUpdates(t *testing.T) {
	gone := "!ResourceNotFoundException gone"
	s, server := canned.New(t, canned.Answers{
		"PutRetentionPolicy": {"", gone}, "DeleteRetentionPolicy": {"", gone},
		"AssociateKmsKey": {"", "!InvalidParameterException no such key"}, "DisassociateKmsKey": {"", gone},
		"PutLogGroupDeletionProtection": {"", "", gone}, "DeleteLogGroup": {"", gone},
	})
	ctx, k := t.Context(), engine.Key{"app"}
	days := func(n int64) *logGroup { return &logGroup{Retention: types.Int64Value(n)} }
	key := func(arn *string) *logGroup { return &logGroup{KMSKeyID: attrs.NewARN(arn)} }
	protect := func(on bool) *logGroup { return &logGroup{Protected: types.BoolValue(on)} }
	for _, err := range []error{
		setRetention(ctx, s, k, nil, days(30)), setRetention(ctx, s, k, nil, days(0)),
		setGroupKey(ctx, s, k, nil, key(aws.String(keyARN))), setGroupKey(ctx, s, k, nil, key(nil)),
		setProtection(ctx, s, k, nil, protect(true)), setProtection(ctx, s, k, nil, protect(false)),
		deleteLogGroup(ctx, s, k, nil),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	wantCalls(t, server,
		`PutRetentionPolicy {"logGroupName":"app","retentionInDays":30}`, `DeleteRetentionPolicy {"logGroupName":"app"}`,
		`AssociateKmsKey {"kmsKeyId":"`+keyARN+`","logGroupName":"app"}`, `DisassociateKmsKey {"logGroupName":"app"}`,
		`PutLogGroupDeletionProtection {"deletionProtectionEnabled":true,"logGroupIdentifier":"app"}`,
		`PutLogGroupDeletionProtection {"deletionProtectionEnabled":false,"logGroupIdentifier":"app"}`,
		`DeleteLogGroup {"logGroupName":"app"}`)
	for what, err := range map[string]error{
		"PutRetentionPolicy": setRetention(ctx, s, k, nil, days(30)), "DeleteRetentionPolicy": setRetention(ctx, s, k, nil, days(0)),
		"DisassociateKmsKey": setGroupKey(ctx, s, k, nil, key(nil)), "DeleteLogGroup": deleteLogGroup(ctx, s, k, nil),
		"PutLogGroupDeletionProtection": setProtection(ctx, s, k, nil, protect(true)),
	} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%s: got %v, want not found", what, err)
		}
	}
	if err := setGroupKey(ctx, s, k, nil, key(aws.String(keyARN))); err == nil || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("a missing key: got %v, want the error alone", err)
	}
}

func TestLogGroupErrors(t *testing.T) {
	for code, want := range map[string]struct{ absent, exists, busy bool }{
		"ResourceNotFoundException":      {absent: true},
		"ResourceAlreadyExistsException": {exists: true},
		"OperationAbortedException":      {busy: true},
		"LimitExceededException":         {},
		"AccessDeniedException":          {},
		"ValidationException":            {}, // a deletion of what is protected
	} {
		err := &smithy.GenericAPIError{Code: code}
		if errors.Is(absent(err), engine.ErrNotFound) != want.absent || exists(err) != want.exists || busy(err) != want.busy {
			t.Errorf("%s: absent %v, exists %t, busy %t", code, absent(err), exists(err), busy(err))
		}
	}
}

func TestGroupARN(t *testing.T) {
	s, _ := canned.New(t, canned.Answers{"DescribeLogGroups": {page("", "app"), page(""), "!AccessDeniedException no"}})
	k := engine.Key{"app"}
	if got, err := groupARN(t.Context(), s, k); got != groupPrefix+"app" || err != nil {
		t.Errorf("of a known account: got %s, %v", got, err)
	}
	s.Account = ""
	if got, err := groupARN(t.Context(), s, k); got != groupPrefix+"app" || err != nil {
		t.Errorf("of an account that was not asked for: got %s, %v", got, err)
	}
	if got, err := groupARN(t.Context(), s, k); got != "" || !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("got %s, %v; want not found", got, err)
	}
	if _, err := groupARN(t.Context(), s, k); !cloud.IsDenied(err) {
		t.Errorf("got %v, want the denial", err)
	}
	s.Account, s.Partition, s.Region = "444455556666", "aws-cn", "cn-north-1"
	if got, _ := groupARN(t.Context(), s, k); got != "arn:aws-cn:logs:cn-north-1:444455556666:log-group:app" {
		t.Errorf("in China: got %s", got)
	}
}
