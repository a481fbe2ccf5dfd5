package s3

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// lenientRegion is the one region in which a create of a bucket that the account has already succeeds, and resets the
// bucket's access control list. It is also the one that no location constraint names.
const lenientRegion = "us-east-1"

// errExists says of the lenient region what S3 itself says elsewhere: BucketAlreadyOwnedByYou.
var errExists = errors.New("a bucket of this name exists already")

// createBucket hands S3 the tags with the bucket. Where it takes none there, or drops them as some emulators do, the engine
// writes them afterwards.
func createBucket(ctx context.Context, s *cloud.Session, plan *bucket, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	name := plan.Name.ValueString()
	if !namePattern.MatchString(name) {
		return nil, fmt.Errorf("the name %q %s: S3 has buckets of other names from before 2018, and makes none", name, nameRule)
	}
	in := &s3.CreateBucketInput{
		Bucket:                     aws.String(name),
		ObjectLockEnabledForBucket: attrs.BoolPtr(plan.ObjectLock),
		CreateBucketConfiguration:  configuration(s.Region, tags),
	}
	namespace := namespaceOf(name, s.Region)
	if asked := plan.Namespace.ValueString(); asked != "" && asked != string(namespace) {
		return nil, fmt.Errorf("bucket_namespace is %q, and %q is a name of the namespace %q: names of the account's own "+
			"namespace, and no others, end in -%s-%s-an", asked, name, namespace, s.Account, s.Region)
	}
	if namespace == s3types.BucketNamespaceAccountRegional {
		in.BucketNamespace = namespace
	}
	free, err := stillFree(ctx, s, name)
	if err != nil {
		return nil, err
	}
	if !free && len(tags) == 0 {
		return nil, errExists
	}
	if _, err = api(s).CreateBucket(ctx, in); len(tags) > 0 && refusesTags(err) {
		err = createUntagged(ctx, s, in, free, err)
	}
	if err != nil {
		return nil, err
	}
	return engine.Key{name}, nil
}

// createUntagged makes the call again without the tags, for which it was refused.
func createUntagged(ctx context.Context, s *cloud.Session, in *s3.CreateBucketInput, free bool, refusal error) error {
	if !free {
		return fmt.Errorf("S3 takes no tags with the bucket, and without them it would hand out one that exists; "+
			"allow s3:TagResource, or s3:ListBucket to tell whether it does: %w", refusal)
	}
	in.CreateBucketConfiguration = configuration(s.Region, nil)
	if _, err := api(s).CreateBucket(ctx, in); err != nil {
		return fmt.Errorf("%w (this call was made without tags, since S3 said before: %s)", err, cloud.Message(refusal))
	}
	return nil
}

// configuration is the body of a create, nil where nothing is to be said: S3 takes no empty one.
func configuration(region string, tags markers.Tags) *s3types.CreateBucketConfiguration {
	if region == lenientRegion && len(tags) == 0 {
		return nil
	}
	c := &s3types.CreateBucketConfiguration{}
	if len(tags) > 0 { // an empty set would be sent too, and refused like any other
		c.Tags = tagging.S3Tags(tags)
	}
	if region != lenientRegion {
		c.LocationConstraint = s3types.BucketLocationConstraint(region)
	}
	return c
}

// refusesTags tells whether a create failed for the tags in it: regions and partitions where S3 does not know them there call
// the argument unsupported or the body malformed, and policies may lack the action that they need beside s3:CreateBucket.
func refusesTags(err error) bool {
	return cloud.HasCode(err, "UnsupportedArgument", "MalformedXML") || cloud.DeniedAction(err) == "s3:TagResource"
}

// stillFree asks for the name immediately before a create in the lenient region, and errs where it is taken. An unmarked
// bucket that was made since the engine looked would otherwise pass for the new one, and be tagged. What remains is the
// moment between two calls. A denial that tells no region, as those about buckets do, says nothing: not free, and no error.
func stillFree(ctx context.Context, s *cloud.Session, name string) (free bool, _ error) {
	if s.Region != lenientRegion {
		return true, nil
	}
	_, err := api(s).HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String(name)})
	switch {
	case cloud.HasCode(err, absentCodes...):
		return true, nil
	case err == nil || regionOf(err) != "":
		return false, errExists // the engine reads it and finds out whose it is
	case cloud.IsDenied(err):
		return false, nil // a create with tags is refused where there is a bucket, in this region too
	}
	return false, err
}
