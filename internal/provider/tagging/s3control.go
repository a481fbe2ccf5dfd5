package tagging

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3control"
	controltypes "github.com/aws/aws-sdk-go-v2/service/s3control/types"
	smithyendpoints "github.com/aws/smithy-go/endpoints"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// S3BucketARN is the ARN of a bucket.
func S3BucketARN(s *cloud.Session, bucket string) string {
	return "arn:" + s.Partition + ":s3:::" + bucket
}

// changeTags changes single tags of a bucket. The calls name the account that the bucket must belong to.
func changeTags(ctx context.Context, s *cloud.Session, control *s3control.Client, bucket string, set markers.Tags, remove []string) error {
	account, arn := aws.String(s.Account), aws.String(S3BucketARN(s, bucket))
	if len(remove) > 0 {
		_, err := control.UntagResource(ctx, &s3control.UntagResourceInput{AccountId: account, ResourceArn: arn, TagKeys: remove})
		if err != nil {
			return fmt.Errorf("removing tags: %w", err)
		}
	}
	if len(set) > 0 {
		tags := each(set, func(key, value string) controltypes.Tag { return controltypes.Tag{Key: &key, Value: &value} })
		_, err := control.TagResource(ctx, &s3control.TagResourceInput{AccountId: account, ResourceArn: arn, Tags: tags})
		if err != nil {
			return fmt.Errorf("setting tags: %w", err)
		}
	}
	return nil
}

// leavesToS3 tells whether S3 itself may do what S3 Control did not: regions and partitions without these calls answer 405 or
// 501, policies that were written before them deny them, and what only resembles S3 looks for a bucket of the path's name.
// That a bucket is gone is for S3 to say.
func leavesToS3(err error) bool {
	var answer *awshttp.ResponseError
	unknown := errors.As(err, &answer) &&
		slices.Contains([]int{http.StatusMethodNotAllowed, http.StatusNotImplemented}, answer.HTTPStatusCode())
	return unknown || cloud.IsDenied(err) || cloud.HasCode(err, noBucket, "NoSuchResource")
}

// s3Control returns the session's one client of S3 Control; nil where the account is not known, which every call names, and
// where S3 has an endpoint of its own and S3 Control has none: they would be two services.
func s3Control(s *cloud.Session) *s3control.Client {
	if s.Account == "" {
		return nil
	}
	control := cloud.Client(s, "s3control", func(c aws.Config) *s3control.Client {
		return s3control.NewFromConfig(c, func(o *s3control.Options) {
			o.EndpointResolverV2 = withoutAccount{s3control.NewDefaultEndpointResolverV2()}
		})
	})
	if S3Client(s).Options().BaseEndpoint != nil && control.Options().BaseEndpoint == nil {
		return nil
	}
	return control
}

// withoutAccount takes the account off the host names of endpoints that the settings name. AWS's own, those of VPCs among
// them, answer under a name for each account; 127.0.0.1 and others do not, and find the account in the header.
type withoutAccount struct{ s3control.EndpointResolverV2 }

// ResolveEndpoint implements s3control.EndpointResolverV2.
func (w withoutAccount) ResolveEndpoint(ctx context.Context, p s3control.EndpointParameters) (smithyendpoints.Endpoint, error) {
	e, err := w.EndpointResolverV2.ResolveEndpoint(ctx, p)
	host := e.URI.Hostname()
	if err != nil || p.Endpoint == nil || strings.Contains(host, ".amazonaws.") || strings.HasSuffix(host, ".api.aws") {
		return e, err
	}
	e.URI.Host = strings.TrimPrefix(e.URI.Host, aws.ToString(p.AccountId)+".")
	return e, nil
}
