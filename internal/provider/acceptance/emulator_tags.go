package acceptance

import (
	"context"
	"encoding/xml"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// newBucket is what a create call of S3 says of tags.
type newBucket struct {
	Tags struct {
		Tag []struct{ Key, Value string }
	}
}

// KeepBucketTags gives a new bucket the tags of its create call, which AWS keeps and the emulator drops, before the answer
// goes back. A call to make a bucket that is there already changes nothing. It is a rule of the sandbox's proxy, so that faults
// for such calls have to strike in a proxy in front of it.
func KeepBucketTags(ctx context.Context, s *Sandbox) {
	var tags sync.Map
	create := func(c faultproxy.Call) bool {
		var in newBucket
		if c.Name() != "s3:CreateBucket" || xml.Unmarshal(c.RequestBody, &in) != nil {
			return false
		}
		set := []s3types.Tag{}
		for _, t := range in.Tags.Tag {
			set = append(set, s3types.Tag{Key: aws.String(t.Key), Value: aws.String(t.Value)})
		}
		tags.Store(strings.Trim(c.Path, "/"), set)
		return true
	}
	s.Proxy.On(create, faultproxy.Edit(func(body []byte) []byte {
		tags.Range(func(name, value any) bool {
			bucket, _ := name.(string)
			set, _ := value.([]s3types.Tag)
			// Where the create call failed there is no bucket, or one that has its tags: the case judges what is there.
			_, _ = s.AWS.S3.PutBucketTagging(ctx, &s3.PutBucketTaggingInput{Bucket: aws.String(bucket), Tagging: &s3types.Tagging{TagSet: set}})
			tags.Delete(name)
			return true
		})
		return body
	}))
}
