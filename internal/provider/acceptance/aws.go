package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
)

// Keys of the markers that the assertions look at. They are written out here, and not taken from the provider, so
// that a change of the contract fails a test.
const (
	TagEstate  = "tofu-estate"
	TagAddress = "tofu-address"
	TagSlot    = "tofu-slot"
	TagBinding = "tofu-binding"
)

// Credentials that the emulator does not check.
const (
	accessKey = "AKIAIOSFODNN7EXAMPLE"
	secretKey = "not-a-secret"
)

// AWS are raw clients of one account.
type AWS struct {
	EC2     *ec2.Client
	IAM     *iam.Client
	Logs    *cloudwatchlogs.Client
	Route53 *route53.Client
	S3      *s3.Client
	// Regions are where objects are looked for. A region costs the emulator a second the first time it is asked
	// for, so that tests add those that they use.
	Regions []string
}

// eachRegion calls f with the EC2 client of each region until it returns an error.
func (a *AWS) eachRegion(f func(*ec2.Client) error) error {
	for _, region := range a.Regions {
		options := a.EC2.Options()
		options.Region = region
		if err := f(ec2.New(options)); err != nil {
			return err
		}
	}
	return nil
}

// Object is one AWS object as a raw call shows it.
type Object struct {
	// Type is the resource type that manages such objects, such as estate_vpc.
	Type string
	// ID is what the resource's id attribute holds.
	ID string
	// Tags are all its tags.
	Tags map[string]string
}

// String returns the object with its tags, on one line.
func (o Object) String() string { return fmt.Sprintf("%s %s %v", o.Type, o.ID, o.Tags) }

func newAWS(endpoint string) *AWS {
	config := aws.Config{
		Region:       Region,
		BaseEndpoint: aws.String(endpoint),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: secretKey}, nil
		}),
	}
	return &AWS{
		EC2: ec2.NewFromConfig(config), IAM: iam.NewFromConfig(config), Logs: cloudwatchlogs.NewFromConfig(config),
		Route53: route53.NewFromConfig(config),
		S3:      s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true }),
		Regions: []string{Region},
	}
}

// Objects returns every object in the account whose kind the tests know and that can carry tags, sorted by type and
// id. Those that AWS makes by itself, such as the default VPC, are among them.
func (a *AWS) Objects(ctx context.Context) ([]Object, error) {
	var all []Object
	for _, kind := range Kinds {
		if kind.List == nil {
			continue
		}
		objects, err := kind.List(ctx, a)
		if err != nil {
			return nil, err
		}
		all = append(all, objects...)
	}
	slices.SortFunc(all, func(x, y Object) int {
		return strings.Compare(x.Type+" "+x.ID, y.Type+" "+y.ID)
	})
	return all, nil
}

// Estate returns the objects that carry the estate's marker.
func (a *AWS) Estate(ctx context.Context, estate string) ([]Object, error) {
	all, err := a.Objects(ctx)
	return slices.DeleteFunc(all, func(o Object) bool { return o.Tags[TagEstate] != estate }), err
}

// MustEstate returns the estate's objects and fails t where AWS cannot be asked.
func (a *AWS) MustEstate(ctx context.Context, t T, estate string) []Object {
	t.Helper()
	objects, err := a.Estate(ctx, estate)
	if err != nil {
		t.Fatalf("listing the estate %s: %v", estate, err)
	}
	return objects
}

// MustHold fails t unless the estate has exactly n objects of the type.
func (a *AWS) MustHold(ctx context.Context, t T, estate, resourceType string, n int) []Object {
	t.Helper()
	objects := slices.DeleteFunc(a.MustEstate(ctx, t, estate), func(o Object) bool { return o.Type != resourceType })
	if len(objects) != n {
		t.Fatalf("the estate %s has %d objects of %s, want %d: %v", estate, len(objects), resourceType, n, objects)
	}
	return objects
}

// isCode says whether err is an API error with one of the codes.
func isCode(err error, codes ...string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode())
}
