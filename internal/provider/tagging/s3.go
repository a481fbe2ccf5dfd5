package tagging

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// S3Bucket writes the tags of S3 buckets, by the bucket's name. S3 Control changes single tags; where it cannot or may not,
// S3 itself writes the whole set, which is read, merged and put back, with the tags of others and of AWS in it. What
// somebody else writes between those two calls is lost, and no condition on the call can prevent it.
var S3Bucket engine.Tagger = s3BucketTags{}

type s3BucketTags struct{}

func (s3BucketTags) Write(ctx context.Context, s *cloud.Session, k engine.Key, set markers.Tags, remove []string) error {
	control := s3Control(s)
	if control == nil {
		return writeTagSet(ctx, s, k.String(), set, remove)
	}
	err := changeTags(ctx, s, control, k.String(), set, remove)
	if !leavesToS3(err) {
		return err
	}
	whole := writeTagSet(ctx, s, k.String(), set, remove)
	if whole != nil && cloud.IsDenied(err) {
		return fmt.Errorf("%w; writing the whole set failed too: %w", err, whole)
	}
	return whole
}

// writeTagSet reads, merges and puts back.
func writeTagSet(ctx context.Context, s *cloud.Session, bucket string, set markers.Tags, remove []string) error {
	now, err := S3BucketTags(ctx, s, bucket)
	if err != nil {
		return fmt.Errorf("reading the tags to be kept: %w", absent(err, noBucket))
	}
	tags := markers.Tags(maps.Clone(now))
	for _, key := range remove {
		delete(tags, key)
	}
	maps.Copy(tags, set)
	switch {
	case maps.Equal(tags, now):
		return nil
	case len(tags) == 0:
		if _, err := S3Client(s).DeleteBucketTagging(ctx, &s3.DeleteBucketTaggingInput{Bucket: aws.String(bucket)}); err != nil {
			return fmt.Errorf("removing tags: %w", absent(err, noBucket))
		}
		return nil
	}
	// AWS's own tags (aws:…) go along unchanged: S3 takes a set without them for an attempt to remove them.
	_, err = S3Client(s).PutBucketTagging(ctx, &s3.PutBucketTaggingInput{
		Bucket: aws.String(bucket), Tagging: &s3types.Tagging{TagSet: S3Tags(tags)},
	})
	if err != nil {
		return fmt.Errorf("setting tags: %w", absent(err, noBucket))
	}
	return nil
}

// noBucket is S3's word for a bucket that does not exist.
const noBucket = "NoSuchBucket"

func (s3BucketTags) FoldsCase() bool { return false }

func (s3BucketTags) Limit() int { return 50 }

// S3Tags turns tags into what the S3 SDK takes.
func S3Tags(tags markers.Tags) []s3types.Tag {
	return each(tags, func(key, value string) s3types.Tag { return s3types.Tag{Key: &key, Value: &value} })
}

// S3BucketTags returns a bucket's tags, an empty map where it has none.
func S3BucketTags(ctx context.Context, s *cloud.Session, bucket string) (map[string]string, error) {
	out, err := S3Client(s).GetBucketTagging(ctx, &s3.GetBucketTaggingInput{Bucket: aws.String(bucket)})
	if cloud.HasCode(err, "NoSuchTagSet") {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	tags := make(map[string]string, len(out.TagSet))
	for _, t := range out.TagSet {
		tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return tags, nil
}

// S3Client returns the session's one client of S3. Each of its calls names the account that the bucket must belong to,
// so that S3 refuses, with status 403, to read or change a bucket of another one: names are shared by all accounts, and
// the owner of a bucket that holds ours could put our tags on it and let us read them.
func S3Client(s *cloud.Session) *s3.Client {
	return cloud.Client(s, "s3", func(c aws.Config) *s3.Client {
		return s3.NewFromConfig(c, func(o *s3.Options) {
			o.UsePathStyle = s.PathStyle()
			o.APIOptions = append(slices.Clone(o.APIOptions), nameOwner(s.Account))
		})
	})
}

// ownerless are the operations that are about no existing bucket and take no owner.
var ownerless = []string{"CreateBucket", "ListBuckets"}

// nameOwner adds the expected owner to requests, before they are signed. It is not known to a provider that was told not
// to ask for its account.
func nameOwner(account string) func(*middleware.Stack) error {
	return func(stack *middleware.Stack) error {
		return stack.Build.Add(middleware.BuildMiddlewareFunc("ExpectedBucketOwner",
			func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
				r, ok := in.Request.(*smithyhttp.Request)
				if !ok {
					return middleware.BuildOutput{}, middleware.Metadata{}, errors.New("the request to S3 takes no header")
				}
				if account != "" && !slices.Contains(ownerless, awsmiddleware.GetOperationName(ctx)) {
					r.Header.Set("X-Amz-Expected-Bucket-Owner", account)
				}
				return next.HandleBuild(ctx, in)
			}), middleware.After)
	}
}
