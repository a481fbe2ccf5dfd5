package main

import (
	"context"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// keepBucketTags gives a new bucket the tags of its create call, which AWS keeps and the emulator drops, before the answer
// goes back. A call to make a bucket that is there already changes nothing.
func keepBucketTags(ctx context.Context, s *site) {
	var tags sync.Map
	create := func(c faultproxy.Call) bool {
		given := acceptance.BucketTags(c)
		if given == nil {
			return false
		}
		set := []s3types.Tag{}
		for k, v := range given {
			set = append(set, s3types.Tag{Key: aws.String(k), Value: aws.String(v)})
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
