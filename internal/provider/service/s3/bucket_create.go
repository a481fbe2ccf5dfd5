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

// createBucket hands S3 the tags with the bucket; some emulators drop them, and the engine then writes them.
func createBucket(ctx context.Context, s *cloud.Session, plan *bucket, tags markers.Tags, _ engine.Token) (engine.Key, error) {
	name := plan.Name.ValueString()
	in := &s3.CreateBucketInput{
		Bucket:                     aws.String(name),
		ObjectLockEnabledForBucket: attrs.BoolPtr(plan.ObjectLock),
		CreateBucketConfiguration:  &s3types.CreateBucketConfiguration{Tags: tagging.S3Tags(tags)},
	}
	namespace := namespaceOf(name, s.Region)
	if asked := plan.Namespace.ValueString(); asked != "" && asked != string(namespace) {
		return nil, fmt.Errorf("bucket_namespace is %q, and %q is a name of the namespace %q: names of the account's own "+
			"namespace, and no others, end in -%s-%s-an", asked, name, namespace, s.Account, s.Region)
	}
	if namespace == s3types.BucketNamespaceAccountRegional {
		in.BucketNamespace = namespace
	}
	if s.Region != lenientRegion {
		in.CreateBucketConfiguration.LocationConstraint = s3types.BucketLocationConstraint(s.Region)
	} else if err := stillFree(ctx, s, name); err != nil {
		return nil, err
	}
	if _, err := api(s).CreateBucket(ctx, in); err != nil {
		return nil, err
	}
	return engine.Key{name}, nil
}

// stillFree asks for the name immediately before a create in the lenient region. An unmarked bucket that was made since the
// engine looked would otherwise pass for the new one, and be tagged. What remains is the moment between two calls.
func stillFree(ctx context.Context, s *cloud.Session, name string) error {
	_, err := api(s).HeadBucket(ctx, &s3.HeadBucketInput{Bucket: aws.String(name)})
	switch {
	case err == nil || cloud.IsDenied(err) || regionOf(err) != "":
		return errExists // the engine reads it and finds out whose it is
	case cloud.HasCode(err, absentCodes...):
		return nil
	}
	return err
}
