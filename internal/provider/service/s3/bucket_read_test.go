package s3

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/canned"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

const (
	tagSet  = "<Tagging><TagSet><Tag><Key>Name</Key><Value>a b</Value></Tag><Tag><Key>aws:x</Key><Value>1</Value></Tag></TagSet></Tagging>"
	noTags  = "!404 NoSuchTagSet The TagSet does not exist"
	locked  = "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"
	noLock  = "!404 ObjectLockConfigurationNotFoundError none"
	inWest1 = "@X-Amz-Bucket-Region: eu-west-1\n"
)

func isGone(err error) bool { return errors.Is(err, engine.ErrNotFound) }

// page is an answer to ListBuckets with a token for the next one.
func page(token string, names ...string) string {
	return strings.Replace(buckets(names...), "</ListAll", "<ContinuationToken>"+token+"</ContinuationToken></ListAll", 1)
}

func TestReadBucket(t *testing.T) {
	s, server := canned.New(t, canned.Answers{
		"GetBucketTagging": {tagSet}, "HeadBucket": {inWest1}, "GetObjectLockConfiguration": {locked},
	})
	l, err := getBucket(t.Context(), s, engine.Key{"b"})
	if err != nil {
		t.Fatal(err)
	}
	wantCalls(t, server, getTags) // all that a guard costs
	if err := fillBucket(t.Context(), s, &l); err != nil {
		t.Fatal(err)
	}
	wantCalls(t, server, getTags, head, getLock)
	want := engine.Live[bucket]{
		Key: engine.Key{"b"}, Owner: canned.Account, Partial: true,
		Tags: map[string]string{"Name": "a b", "aws:x": "1"},
		Model: bucket{
			ARN: types.StringValue("arn:aws:s3:::b"), Name: types.StringValue("b"),
			DomainName:         types.StringValue("b.s3.amazonaws.com"),
			Namespace:          types.StringValue("global"),
			Region:             types.StringValue("eu-west-1"),
			RegionalDomainName: types.StringValue("b.s3.eu-west-1.amazonaws.com"),
			WebsiteZone:        types.StringValue("Z1BKCTXD74EZPE"),
			ObjectLock:         types.BoolValue(true),
		},
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
}

func TestModelOf(t *testing.T) {
	s, _ := canned.New(t, nil)
	china := s.In("cn-north-1")
	china.Partition = "aws-cn"
	m := modelOf(china, "logs-abcdefghijklmnopqrstuvwxyz")
	for got, want := range map[types.String]string{
		m.ARN: "arn:aws-cn:s3:::logs-abcdefghijklmnopqrstuvwxyz", m.Prefix: "logs-",
		m.DomainName:         "logs-abcdefghijklmnopqrstuvwxyz.s3.amazonaws.com.cn",
		m.RegionalDomainName: "logs-abcdefghijklmnopqrstuvwxyz.s3.cn-north-1.amazonaws.com.cn",
		m.WebsiteZone:        "Z5CN8UMXT92WN",
	} {
		if got.ValueString() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if m := modelOf(s.In("xx-new-1"), "b"); !m.WebsiteZone.IsNull() {
		t.Errorf("a region without a zone has %s", m.WebsiteZone)
	}
}

func TestNamespaceOf(t *testing.T) {
	for name, want := range map[string]string{
		"logs": "global", "logs-111122223333-eu-west-1-an": "account-regional", "logs-111122223333-us-east-1-an": "global",
		"logs-11112222333-eu-west-1-an": "global", "logs-111122223333-eu-west-1-an-x": "global",
	} {
		if got := namespaceOf(name, "eu-west-1"); string(got) != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestFillBucket(t *testing.T) {
	region := types.StringValue("eu-west-1")
	tests := []struct {
		name    string
		live    engine.Live[bucket]
		answers canned.Answers
		calls   []string
		lock    bool
		says    string
		gone    bool
	}{
		{
			name: "listed", live: engine.Live[bucket]{Model: bucket{Region: region}},
			answers: canned.Answers{"GetBucketTagging": {noTags}, "GetObjectLockConfiguration": {noLock}},
			calls:   []string{getTags, getLock},
		},
		{
			name: "listed without its region", live: engine.Live[bucket]{},
			answers: canned.Answers{"GetBucketTagging": {noTags}, "HeadBucket": {inWest1}, "GetObjectLockConfiguration": {locked}},
			calls:   []string{getTags, head, getLock}, lock: true,
		},
		{
			name: "a region without object lock", live: engine.Live[bucket]{Tags: map[string]string{}, Model: bucket{Region: region}},
			answers: canned.Answers{"GetObjectLockConfiguration": {"!405 MethodNotAllowed no"}}, calls: []string{getLock},
		},
		{
			name: "tags that may not be read", live: engine.Live[bucket]{},
			answers: canned.Answers{"GetBucketTagging": {"!403 AccessDenied no"}}, calls: []string{getTags},
			says: "reading the tags of the bucket b: ",
		},
		{
			name: "gone since the listing", live: engine.Live[bucket]{},
			answers: canned.Answers{"GetBucketTagging": {"!404 NoSuchBucket no"}}, calls: []string{getTags}, gone: true, says: "NoSuchBucket",
		},
		{
			name: "gone since its tags", live: engine.Live[bucket]{Tags: map[string]string{}},
			answers: canned.Answers{"HeadBucket": {"!404 -"}}, calls: []string{head}, gone: true, says: "NotFound",
		},
		{
			name: "another account's, which lets its tags be read", live: engine.Live[bucket]{Tags: map[string]string{}},
			answers: canned.Answers{"HeadBucket": {"!403 -"}, "ListBuckets": {buckets("b-2")}}, calls: []string{head, listOwn},
			says: "the bucket b belongs to another account",
		},
		{
			name: "in another region, which an endpoint serves too", live: engine.Live[bucket]{Tags: map[string]string{}},
			answers: canned.Answers{"HeadBucket": {"@X-Amz-Bucket-Region: us-east-1\n"}}, calls: []string{head},
			says: "exists in us-east-1, and was looked for in eu-west-1",
		},
		{
			name: "a lock that may not be read", live: engine.Live[bucket]{Tags: map[string]string{}, Model: bucket{Region: region}},
			answers: canned.Answers{"GetObjectLockConfiguration": {"!403 AccessDenied no"}}, calls: []string{getLock}, says: "AccessDenied",
		},
		{
			name: "gone since its region", live: engine.Live[bucket]{Tags: map[string]string{}, Model: bucket{Region: region}},
			answers: canned.Answers{"GetObjectLockConfiguration": {"!404 NoSuchBucket no"}}, calls: []string{getLock}, gone: true, says: "NoSuchBucket",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, server := canned.New(t, tt.answers)
			l := tt.live
			l.Key = engine.Key{"b"}
			err := fillBucket(t.Context(), s, &l)
			wantCalls(t, server, tt.calls...)
			switch {
			case (err != nil) != (tt.says != "") || isGone(err) != tt.gone:
				t.Fatalf("got %v", err)
			case err != nil && !strings.Contains(err.Error(), tt.says):
				t.Errorf("%q is not in %v", tt.says, err)
			case err == nil && (l.Tags == nil || !l.Model.ObjectLock.Equal(types.BoolValue(tt.lock)) || !l.Model.Region.Equal(region)):
				t.Errorf("got %+v", l)
			}
		})
	}
}

func TestListBuckets(t *testing.T) {
	withRegion := strings.Replace(page("n", "a"), "</Name>", "</Name><BucketRegion>eu-west-1</BucketRegion>", 1)
	s, server := canned.New(t, canned.Answers{"ListBuckets": {withRegion, buckets("c"), page("n", "a"), "!503 SlowDown slowly"}})
	var names []string
	for l, err := range listBuckets(t.Context(), s, markers.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if !l.Partial || l.Tags != nil || l.Owner != canned.Account || l.Model.Region.IsNull() != (l.Key.String() == "c") {
			t.Errorf("got %+v", l)
		}
		names = append(names, l.Key.String())
	}
	if !slices.Equal(names, []string{"a", "c"}) {
		t.Errorf("listed %q", names)
	}
	// No call names an owner: the list is the caller's own.
	wantCalls(t, server, "ListBuckets GET /?bucket-region=eu-west-1", "ListBuckets GET /?bucket-region=eu-west-1&continuation-token=n")

	var last error
	for _, err := range listBuckets(t.Context(), s, markers.Filter{}) {
		last = err
	}
	if !cloud.HasCode(last, "SlowDown") {
		t.Errorf("a broken page ends the listing with %v", last)
	}
}
