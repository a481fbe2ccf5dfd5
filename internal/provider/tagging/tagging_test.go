package tagging_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// logs tags what an ARN of the test's own making names.
var logs = tagging.Logs(func(_ context.Context, _ *cloud.Session, k engine.Key) (string, error) {
	if k.String() == "gone" {
		return "", engine.ErrNotFound
	}
	return "arn:" + k.String(), nil
})

func TestWrite(t *testing.T) {
	both := canned.Answers{"DeleteTags": {""}, "CreateTags": {""}, "UntagRole": {""}, "TagRole": {""}}
	tests := []struct {
		name    string
		tagger  engine.Tagger
		key     engine.Key
		set     markers.Tags
		remove  []string
		answers canned.Answers
		want    []string
	}{
		{
			"EC2 removes, then sets in order", tagging.EC2, engine.Key{"vpc-1"},
			markers.Tags{"tofu-estate": "prod", "Name": "a b"}, []string{"tofu-address-2", "old"}, both,
			[]string{
				"DeleteTags ResourceId.1=vpc-1 Tag.1.Key=tofu-address-2 Tag.2.Key=old",
				"CreateTags ResourceId.1=vpc-1 Tag.1.Key=Name Tag.1.Value=a b Tag.2.Key=tofu-estate Tag.2.Value=prod",
			},
		},
		{
			"EC2 sets an empty value", tagging.EC2, engine.Key{"vpc-1"}, markers.Tags{"Name": ""}, nil,
			canned.Answers{"CreateTags": {""}},
			[]string{"CreateTags ResourceId.1=vpc-1 Tag.1.Key=Name Tag.1.Value="},
		},
		{"EC2 has nothing to do", tagging.EC2, engine.Key{"vpc-1"}, nil, nil, nil, nil},
		{
			"IAM removes, then sets in order", tagging.IAMRole, engine.Key{"app"},
			markers.Tags{"b": "2", "a": "1"}, []string{"old"}, both,
			[]string{
				"UntagRole RoleName=app TagKeys.member.1=old",
				"TagRole RoleName=app Tags.member.1.Key=a Tags.member.1.Value=1 Tags.member.2.Key=b Tags.member.2.Value=2",
			},
		},
		{
			"IAM only removes", tagging.IAMRole, engine.Key{"app"}, nil, []string{"old"},
			canned.Answers{"UntagRole": {""}}, []string{"UntagRole RoleName=app TagKeys.member.1=old"},
		},
		{
			"Logs removes, then sets", logs, engine.Key{"app"}, markers.Tags{"Name": ""}, []string{"old"},
			canned.Answers{"UntagResource": {""}, "TagResource": {""}},
			[]string{
				`UntagResource {"resourceArn":"arn:app","tagKeys":["old"]}`,
				`TagResource {"resourceArn":"arn:app","tags":{"Name":""}}`,
			},
		},
		{
			"Logs only sets", logs, engine.Key{"app"}, markers.Tags{"a": "1"}, nil,
			canned.Answers{"TagResource": {""}}, []string{`TagResource {"resourceArn":"arn:app","tags":{"a":"1"}}`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answers := canned.Answers{}
			for k, v := range tt.answers {
				answers[k] = slices.Clone(v)
			}
			s, server := canned.New(t, answers)
			if err := tt.tagger.Write(t.Context(), s, tt.key, tt.set, tt.remove); err != nil {
				t.Fatal(err)
			}
			if got := server.Calls(); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A failed removal must not be followed by the new value: the two would be read together.
func TestWriteStopsAfterAFailedRemoval(t *testing.T) {
	denied := "!UnauthorizedOperation not authorized to perform: ec2:DeleteTags"
	s, server := canned.New(t, canned.Answers{"DeleteTags": {denied}, "UntagRole": {"!AccessDenied no"}, "UntagResource": {"!AccessDeniedException no"}})
	err := tagging.EC2.Write(t.Context(), s, engine.Key{"vpc-1"}, markers.Tags{"a": "1"}, []string{"b"})
	if !cloud.IsDenied(err) {
		t.Errorf("EC2: got %v, want the denial", err)
	}
	err = tagging.IAMRole.Write(t.Context(), s, engine.Key{"app"}, markers.Tags{"a": "1"}, []string{"b"})
	if !cloud.IsDenied(err) {
		t.Errorf("IAM: got %v, want the denial", err)
	}
	err = logs.Write(t.Context(), s, engine.Key{"app"}, markers.Tags{"a": "1"}, []string{"b"})
	if !cloud.IsDenied(err) {
		t.Errorf("Logs: got %v, want the denial", err)
	}
	if n := len(server.Calls()); n != 3 {
		t.Errorf("%d calls were made, want the three removals: %q", n, server.Calls())
	}
}

// Without an ARN there is nothing to tag.
func TestLogsNeedsTheARN(t *testing.T) {
	s, server := canned.New(t, nil)
	err := logs.Write(t.Context(), s, engine.Key{"gone"}, markers.Tags{"a": "1"}, []string{"b"})
	if !errors.Is(err, engine.ErrNotFound) || len(server.Calls()) > 0 {
		t.Errorf("got %v after %q", err, server.Calls())
	}
}

func TestShapes(t *testing.T) {
	if tagging.EC2.FoldsCase() || logs.FoldsCase() || !tagging.IAMRole.FoldsCase() {
		t.Error("IAM alone compares keys without case")
	}
	if tagging.EC2.Limit() != 50 || tagging.IAMRole.Limit() != 50 || logs.Limit() != 50 {
		t.Error("all take 50 tags")
	}
}

// What was made a moment ago may not be there for the tagging call yet. The engine waits for that, and for nothing else.
func TestAbsentObjects(t *testing.T) {
	for name, tt := range map[string]struct {
		tagger engine.Tagger
		call   string
		answer string
		gone   bool
	}{
		"EC2, a group":      {tagging.EC2, "CreateTags", "!InvalidGroup.NotFound no", true},
		"EC2, any id":       {tagging.EC2, "CreateTags", "!InvalidID no", true},
		"EC2, a denial":     {tagging.EC2, "CreateTags", "!UnauthorizedOperation no", false},
		"IAM":               {tagging.IAMRole, "TagRole", "!NoSuchEntity no", true},
		"IAM, a denial":     {tagging.IAMRole, "TagRole", "!AccessDenied no", false},
		"Route 53":          {tagging.Route53Zone, "ChangeTagsForResource", "!NoSuchHostedZone no", true},
		"Route 53, a limit": {tagging.Route53Zone, "ChangeTagsForResource", "!InvalidInput no", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := canned.New(t, canned.Answers{tt.call: {tt.answer}})
			err := tt.tagger.Write(t.Context(), s, engine.Key{"x"}, markers.Tags{"a": "1"}, nil)
			if err == nil || errors.Is(err, engine.ErrNotFound) != tt.gone {
				t.Errorf("got %v", err)
			}
		})
	}
}
