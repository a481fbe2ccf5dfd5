package s3

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// Reasons for which the engine guards and tries again.
var (
	// errRefilled says that objects came while the bucket was emptied.
	errRefilled = errors.New("objects are written to the bucket while it is emptied")
	// errStrained says that S3 deleted some objects of a batch, and others not for the moment.
	errStrained = errors.New("S3 cannot delete some of the objects for the moment")
	// passingCodes are S3's words for the latter, about single objects in an answer of status 200.
	passingCodes = []string{"InternalError", "ServiceUnavailable", "SlowDown"}
)

// deleteBucket deletes the bucket, and its objects first where the configuration asked for it.
func deleteBucket(ctx context.Context, s *cloud.Session, k engine.Key, prior *bucket) error {
	name := aws.String(k.String())
	force := prior.ForceDestroy.ValueBool()
	if force {
		if err := emptyBucket(ctx, s, name, prior.ObjectLock.ValueBool()); err != nil {
			return absent(err)
		}
	}
	_, err := api(s).DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: name})
	switch {
	case cloud.HasCode(err, "BucketNotEmpty") && force:
		return fmt.Errorf("%w: %w", errRefilled, err)
	case cloud.HasCode(err, "BucketNotEmpty"):
		return fmt.Errorf("the bucket holds objects, or old versions of them, and force_destroy is off. Empty it, or set "+
			"force_destroy = true and apply before the destroy. S3 says: %s", cloud.Message(err))
	}
	return absent(err)
}

// emptyBucket deletes all versions of all objects, and their delete markers, in S3's own batches: a page of the listing is
// one call. What is deleted meanwhile shifts no page, since a page begins behind the last key of the one before.
func emptyBucket(ctx context.Context, s *cloud.Session, bucket *string, locked bool) error {
	// Keys may hold what XML cannot, so that they are asked for as they would stand in a URL.
	// The markers of the next page are encoded as well, which is why the SDK's paginator will not do: it hands them back so.
	in := &s3.ListObjectVersionsInput{Bucket: bucket, EncodingType: s3types.EncodingTypeUrl}
	for {
		page, err := api(s).ListObjectVersions(ctx, in)
		if err != nil {
			return fmt.Errorf("listing the objects: %w", err)
		}
		batch, err := versionsOf(page)
		if err != nil {
			return err
		}
		if err := deleteVersions(ctx, s, bucket, batch, locked); err != nil {
			return err
		}
		if !aws.ToBool(page.IsTruncated) {
			return nil
		}
		key, err := decoded(page, page.NextKeyMarker)
		if err != nil {
			return err
		}
		next, id := aws.ToString(key), aws.ToString(page.NextVersionIdMarker)
		if next == aws.ToString(in.KeyMarker) && id == aws.ToString(in.VersionIdMarker) {
			return fmt.Errorf("listing the objects: S3 has more, and begins the next page where this one began, at %q", next)
		}
		in.KeyMarker, in.VersionIdMarker = key, page.NextVersionIdMarker
	}
}

// versionsOf are the versions and delete markers of a page.
func versionsOf(page *s3.ListObjectVersionsOutput) ([]s3types.ObjectIdentifier, error) {
	var all []s3types.ObjectIdentifier
	for _, v := range page.Versions {
		all = append(all, s3types.ObjectIdentifier{Key: v.Key, VersionId: v.VersionId})
	}
	for _, m := range page.DeleteMarkers {
		all = append(all, s3types.ObjectIdentifier{Key: m.Key, VersionId: m.VersionId})
	}
	for i := range all {
		key, err := decoded(page, all[i].Key)
		if err != nil {
			return nil, err
		}
		all[i].Key = key
	}
	return all, nil
}

// decoded is a key or marker of a page as it is. S3 says whether it has encoded them; emulators may not have.
func decoded(page *s3.ListObjectVersionsOutput, key *string) (*string, error) {
	if page.EncodingType != s3types.EncodingTypeUrl {
		return key, nil
	}
	plain, err := url.QueryUnescape(aws.ToString(key))
	if err != nil {
		return nil, fmt.Errorf("decoding the key of an object: %w", err)
	}
	return &plain, nil
}

// deleteVersions deletes a page of versions: in one call, but for keys that XML cannot hold.
func deleteVersions(ctx context.Context, s *cloud.Session, bucket *string, batch []s3types.ObjectIdentifier, locked bool) error {
	var plain []s3types.ObjectIdentifier
	for _, o := range batch {
		if inXML(aws.ToString(o.Key)) {
			plain = append(plain, o)
			continue
		}
		if err := deleteVersion(ctx, s, bucket, o, locked); err != nil {
			return err
		}
	}
	if len(plain) == 0 {
		return nil
	}
	out, err := api(s).DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: bucket, Delete: &s3types.Delete{Objects: plain, Quiet: aws.Bool(true)}, BypassGovernanceRetention: bypass(locked),
	})
	if err != nil {
		return fmt.Errorf("deleting objects: %w", err)
	}
	var passing error // the others come first: what does not pass needs no waiting
	for _, failed := range out.Errors {
		o := s3types.ObjectIdentifier{Key: failed.Key, VersionId: failed.VersionId}
		code := aws.ToString(failed.Code)
		says := fmt.Sprintf("S3 did not delete the object %s: %s: %s", named(o), code, aws.ToString(failed.Message))
		switch {
		case slices.Contains(passingCodes, code):
			passing = fmt.Errorf("%w: %s", errStrained, says)
		case locked && code == "AccessDenied":
			if err := release(ctx, s, bucket, o); err != nil {
				return err
			}
		default:
			// As an answer to the call, so that a message about a denial can name the missing action.
			return &smithy.OperationError{
				ServiceID: s3.ServiceID, OperationName: "DeleteObjects", Err: &smithy.GenericAPIError{Code: code, Message: says},
			}
		}
	}
	return passing
}

// release takes the legal hold off a locked version, which is one of the reasons for a denial, and deletes it.
func release(ctx context.Context, s *cloud.Session, bucket *string, o s3types.ObjectIdentifier) error {
	_, err := api(s).PutObjectLegalHold(ctx, &s3.PutObjectLegalHoldInput{
		Bucket: bucket, Key: o.Key, VersionId: o.VersionId,
		LegalHold: &s3types.ObjectLockLegalHold{Status: s3types.ObjectLockLegalHoldStatusOff},
	})
	if err != nil {
		return fmt.Errorf("taking the legal hold off the object %s: %w", named(o), err)
	}
	return deleteVersion(ctx, s, bucket, o, true)
}

func deleteVersion(ctx context.Context, s *cloud.Session, bucket *string, o s3types.ObjectIdentifier, locked bool) error {
	_, err := api(s).DeleteObject(ctx, &s3.DeleteObjectInput{
		Bucket: bucket, Key: o.Key, VersionId: o.VersionId, BypassGovernanceRetention: bypass(locked),
	})
	if err != nil {
		return fmt.Errorf("deleting the object %s: %w", named(o), err)
	}
	return nil
}

// bypass asks to go past retention in governance mode. In a bucket without object lock S3 knows no such thing.
func bypass(locked bool) *bool {
	if !locked {
		return nil
	}
	return aws.Bool(true)
}

func named(o s3types.ObjectIdentifier) string {
	return fmt.Sprintf("%q (version %s)", aws.ToString(o.Key), aws.ToString(o.VersionId))
}

// inXML tells whether every character of a key may stand in XML 1.0.
func inXML(key string) bool {
	for _, r := range key {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
		case r < ' ' || r == '\uFFFE' || r == '\uFFFF':
			return false
		}
	}
	return true
}
