package s3

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// getBucket reads the tags, which is all that a guard needs; fillBucket adds the rest. A bucket has no time of creation
// here: the one that ListBuckets shows changes with the bucket's policy.
func getBucket(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[bucket], error) {
	name := k.String()
	l := engine.Live[bucket]{Key: k, Owner: s.Account, Partial: true, Model: modelOf(s, name)}
	var err error
	if l.Tags, err = tagging.S3BucketTags(ctx, s, name); err == nil {
		return l, nil
	}
	foreign, err := refused(ctx, s, name, err)
	if foreign {
		return engine.Live[bucket]{
			Key: k, Owner: engine.OtherAccount, Tags: map[string]string{}, Model: bucket{Name: types.StringValue(name)},
		}, nil
	}
	return engine.Live[bucket]{}, err
}

// listBuckets lists the account's buckets in the session's region. The listing shows no tags, so that fillBucket adds
// them to the buckets that are asked for.
func listBuckets(ctx context.Context, s *cloud.Session, _ markers.Filter) iter.Seq2[engine.Live[bucket], error] {
	return func(yield func(engine.Live[bucket], error) bool) {
		p := s3.NewListBucketsPaginator(api(s), &s3.ListBucketsInput{BucketRegion: aws.String(s.Region)})
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				yield(engine.Live[bucket]{}, err)
				return
			}
			for _, b := range page.Buckets {
				name := aws.ToString(b.Name)
				l := engine.Live[bucket]{Key: engine.Key{name}, Owner: s.Account, Partial: true, Model: modelOf(s, name)}
				if l.Model.Region = attrs.String(b.BucketRegion); !yield(l, nil) {
					return
				}
			}
		}
	}
}

// fillBucket adds tags and region where they are not known yet, and the object lock.
func fillBucket(ctx context.Context, s *cloud.Session, l *engine.Live[bucket]) error {
	name := l.Key.String()
	if l.Tags == nil {
		tags, err := tagging.S3BucketTags(ctx, s, name)
		if err != nil {
			return fmt.Errorf("reading the tags of the bucket %s: %w", name, absent(err))
		}
		l.Tags = tags
	}
	if l.Model.Region.IsNull() {
		out, err := api(s).HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String(name)})
		if err != nil {
			foreign, err := refused(ctx, s, name, err)
			if foreign { // whose tags could be read by a provider that does not know its own account
				err = fmt.Errorf("the bucket %s belongs to another account", name)
			}
			return err
		}
		l.Model.Region = attrs.String(out.BucketRegion)
	}
	if region := l.Model.Region.ValueString(); region != "" && region != s.Region {
		return elsewhere(name, region, s.Region)
	}
	lock, err := objectLock(ctx, s, name)
	l.Model.ObjectLock = types.BoolValue(lock)
	return err
}

// noLockCodes are S3's words for a bucket without object lock, and for a region that lacks it.
var noLockCodes = []string{"ObjectLockConfigurationNotFoundError", "MethodNotAllowed", "NotImplemented"}

func objectLock(ctx context.Context, s *cloud.Session, name string) (bool, error) {
	out, err := api(s).GetObjectLockConfiguration(ctx, &s3.GetObjectLockConfigurationInput{Bucket: aws.String(name)})
	switch {
	case cloud.HasCode(err, noLockCodes...):
		return false, nil
	case err != nil:
		return false, absent(err)
	}
	c := out.ObjectLockConfiguration
	return c != nil && c.ObjectLockEnabled == s3types.ObjectLockEnabledEnabled, nil
}
