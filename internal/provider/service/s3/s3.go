// Package s3 describes the resource types of the S3 API: buckets.
//
// Each type has files of its own; this one holds what types of this service share. A bucket's name is unique among all
// accounts of a partition, so that every call names the account that the bucket must belong to (tagging.S3Client), and a
// refusal is examined for whose the bucket is.
//
// The package lacks the bucket's sub-resources (policy, versioning, encryption and so on), objects, and the types'
// behaviour, which the engine derives.
package s3

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// absentCodes are S3's words for buckets that do not exist. The answer to HEAD has no body, and its code is the status's
// text.
var absentCodes = []string{"NoSuchBucket", "NotFound"}

func api(s *cloud.Session) *s3.Client { return tagging.S3Client(s) }

// absent adds engine.ErrNotFound to errors by which S3 says that the bucket does not exist.
func absent(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// refused says what an error of a call about a bucket means: that there is no such bucket, that it is in another region,
// or that it is another account's (foreign). Any other error is returned as it is.
func refused(ctx context.Context, s *cloud.Session, bucket string, err error) (foreign bool, _ error) {
	if region := regionOf(err); region != "" && region != s.Region {
		return false, elsewhere(bucket, region, s.Region)
	}
	if !cloud.IsDenied(err) || byOurPolicies(err) {
		return false, absent(err)
	}
	// S3 answers a missing permission and an unexpected owner alike. Only the list of our own buckets tells them apart.
	ours, unknown := isOurs(ctx, s, bucket)
	switch {
	case unknown != nil:
		return false, fmt.Errorf("the name %q belongs to a bucket of another account, or %s is not allowed: "+
			"S3 refuses both alike, and %s, which tells them apart, failed (%s). Use another name in the first case, "+
			"and allow the action in the second. S3 says: %s",
			bucket, cloud.DeniedAction(err), "s3:ListAllMyBuckets", cloud.Message(unknown), cloud.Message(err))
	case ours:
		return false, err
	}
	return true, nil
}

// byOurPolicies tells whether S3 says that it is the caller's own policies that forbid a call. It says which policies do for
// buckets of the caller's account and organization alone, and not in answers to HEAD ("Troubleshoot access denied errors in
// Amazon S3", S3's user guide).
func byOurPolicies(err error) bool {
	return strings.Contains(cloud.Message(err), "identity-based policy")
}

// isOurs looks for a bucket among those of our own account, in all regions.
func isOurs(ctx context.Context, s *cloud.Session, bucket string) (bool, error) {
	p := s3.NewListBucketsPaginator(api(s), &s3.ListBucketsInput{Prefix: aws.String(bucket)})
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return false, err
		}
		for _, b := range page.Buckets {
			if aws.ToString(b.Name) == bucket {
				return true, nil
			}
		}
	}
	return false, nil
}

// regionOf is the bucket's region where an error answer tells it: S3 sends requests to the wrong region away with it.
func regionOf(err error) string {
	var answer *awshttp.ResponseError
	if !errors.As(err, &answer) || answer.Response == nil {
		return ""
	}
	return answer.Response.Header.Get("X-Amz-Bucket-Region")
}

// elsewhere refuses a bucket of another region: its name is taken, and what is done here would not reach it.
func elsewhere(bucket, region, here string) error {
	return fmt.Errorf("the bucket %q exists in %s, and was looked for in %s: set region = %q on the resource, or use another name",
		bucket, region, here, region)
}
