package acceptance

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
)

var s3Kinds = []Kind{
	{Type: "estate_s3_bucket", Exists: bucketExists, List: listBuckets, Make: makeBucket, Tag: tagBucket, Untag: untagBucket},
}

// bucketExists looks among the account's own buckets: the emulator shows those of other accounts to everybody.
func bucketExists(ctx context.Context, a *AWS, name string) (bool, error) {
	names, err := bucketNames(ctx, a)
	return slices.Contains(names, name), err
}

// bucketNames are the account's buckets, in all regions.
func bucketNames(ctx context.Context, a *AWS) ([]string, error) {
	var out []string
	pages := s3.NewListBucketsPaginator(a.S3, &s3.ListBucketsInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, b := range page.Buckets {
			out = append(out, aws.ToString(b.Name))
		}
	}
	return out, nil
}

func listBuckets(ctx context.Context, a *AWS) ([]Object, error) {
	names, err := bucketNames(ctx, a)
	if err != nil {
		return nil, err
	}
	var out []Object
	for _, name := range names {
		tags, err := bucketTags(ctx, a, name)
		if err != nil {
			return nil, err
		}
		out = append(out, Object{"estate_s3_bucket", name, tags})
	}
	return out, nil
}

func bucketTags(ctx context.Context, a *AWS, name string) (map[string]string, error) {
	tags := map[string]string{}
	out, err := a.S3.GetBucketTagging(ctx, &s3.GetBucketTaggingInput{Bucket: aws.String(name)})
	if err != nil {
		if isCode(err, "NoSuchTagSet") {
			err = nil
		}
		return tags, err
	}
	for _, t := range out.TagSet {
		tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return tags, nil
}

func makeBucket(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error) {
	return name, makeBucketIn(ctx, a, name, a.S3.Options().Region, tags)
}

// makeBucketIn makes a bucket in a region.
func makeBucketIn(ctx context.Context, a *AWS, name, region string, tags map[string]string) error {
	options := a.S3.Options()
	options.Region = region
	in := &s3.CreateBucketInput{Bucket: aws.String(name)}
	if region != "us-east-1" { // which no constraint may name
		in.CreateBucketConfiguration = &s3types.CreateBucketConfiguration{
			LocationConstraint: s3types.BucketLocationConstraint(region),
		}
	}
	if _, err := s3.New(options).CreateBucket(ctx, in); err != nil || len(tags) == 0 {
		return err
	}
	return tagBucket(ctx, a, name, tags)
}

// tagBucket adds tags to those that are there: S3 writes the whole set.
func tagBucket(ctx context.Context, a *AWS, name string, tags map[string]string) error {
	all, err := bucketTags(ctx, a, name)
	if err != nil {
		return err
	}
	maps.Copy(all, tags)
	return putBucketTags(ctx, a, name, all)
}

func untagBucket(ctx context.Context, a *AWS, name string, keys ...string) error {
	all, err := bucketTags(ctx, a, name)
	if err != nil {
		return err
	}
	for _, key := range keys {
		delete(all, key)
	}
	return putBucketTags(ctx, a, name, all)
}

func putBucketTags(ctx context.Context, a *AWS, name string, tags map[string]string) error {
	set := []s3types.Tag{}
	for k, v := range tags {
		set = append(set, s3types.Tag{Key: aws.String(k), Value: aws.String(v)})
	}
	_, err := a.S3.PutBucketTagging(ctx, &s3.PutBucketTaggingInput{Bucket: aws.String(name), Tagging: &s3types.Tagging{TagSet: set}})
	return err
}
