package s3

import (
	"errors"
	"regexp"
	"strings"
	"time"

	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

type bucket struct {
	ARN                types.String `tfsdk:"arn"`
	Name               types.String `tfsdk:"bucket"`
	DomainName         types.String `tfsdk:"bucket_domain_name"`
	Namespace          types.String `tfsdk:"bucket_namespace"`
	Prefix             types.String `tfsdk:"bucket_prefix"`
	Region             types.String `tfsdk:"bucket_region"`
	RegionalDomainName types.String `tfsdk:"bucket_regional_domain_name"`
	ForceDestroy       types.Bool   `tfsdk:"force_destroy"`
	WebsiteZone        types.String `tfsdk:"hosted_zone_id"`
	ObjectLock         types.Bool   `tfsdk:"object_lock_enabled"`
}

// Lengths of a bucket's name, and of the generated part that a prefix must leave room for.
const (
	shortestName = 3
	longestName  = 63
	suffixLength = 26
)

var (
	// oldPattern holds names that buckets of before 2018 may have, in us-east-1; namePattern those that new ones may have.
	oldPattern    = regexp.MustCompile(`^[0-9A-Za-z._-]+$`)
	namePattern   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]|\.[a-z0-9-])*$`)
	prefixPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]|\.[a-z0-9-])*\.?$`)
	// otherKinds are names of directory buckets and access points: the SDK calls other endpoints for them.
	otherKinds = regexp.MustCompile(`(-|--x-s3|-s3alias|--ol-s3|--table-s3|\.mrap)$`)
)

const nameRule = "must consist of small letters, digits, hyphens and single dots, and begin with a letter or digit"

// Bucket is an S3 bucket for general purposes.
var Bucket = engine.Of(engine.ResourceType[bucket]{
	Name:    "s3_bucket",
	Service: "S3 (Simple Storage)",
	Doc: `An S3 bucket for general purposes. What a bucket has beside its name, such as policy and versioning, belongs to
resources of its own.

Names are shared by all accounts. Every call names the account that the bucket must belong to, so that a bucket of
another account is refused, whatever its tags say; with ` + "`skip_requesting_account_id`" + ` that account is not known, and
the bucket's tags are believed. A bucket of one's own that is in another region is refused as well.

A refresh reads each bucket in three calls: its tags, its region and its object lock. For more than eight buckets it
lists those of the region first, which saves the call for the region. S3 can neither filter the listing by tag nor show
tags in it: a generated name, and each create of a member of a ` + "`count`" + `, ask once for the tags of every bucket in the
region, so that a bucket whose tags may not be read stops them.

A bucket is made with its tags, and later they are changed one by one. That needs ` + "`s3:TagResource` and `s3:UntagResource`" + `.
Where S3 lacks these or denies them, the tags follow the create, and are written as a whole: read, merged and written, so that
what somebody else writes in that moment may be lost. A bucket with attribute-based access control switched on takes no such
writes. Nor are tags changed one by one where ` + "`endpoints`" + ` names an address of ` + "`s3` and none of `s3control`" + `.`,
	Tier:     engine.Named,
	Identity: []engine.Part{{Attr: "bucket", Prefix: "bucket_prefix", MaxLength: longestName}},
	Tags:     tagging.S3Bucket,
	ListsAll: true,
	Attrs: map[string]schema.Attribute{
		"arn": attrs.ComputedString("ARN of the bucket."),
		"bucket": attrs.OptionalComputedString("Name of the bucket, 3 to 63 characters. For a new one: small letters, "+
			"digits, hyphens and single dots. Generated when unset.",
			attrs.Length(shortestName, longestName),
			attrs.Matches(oldPattern, "must consist of letters, digits, dots, hyphens and underscores"),
			attrs.NotMatches(otherKinds, "must not end in a hyphen, nor as names of directory buckets, tables and access points do"),
			attrs.Conflicts("bucket_prefix")),
		"bucket_domain_name": attrs.ComputedString("Domain name of the bucket, without its region."),
		"bucket_namespace": attrs.OptionalComputedString("Namespace of the name: `global`, or `account-regional` for a name "+
			"that ends in `-ACCOUNT-REGION-an`, which no other account can take. Needs `bucket`. Default: the one that the name is of.",
			attrs.OneOf(s3types.BucketNamespaceAccountRegional, s3types.BucketNamespaceGlobal), attrs.Requires("bucket")),
		"bucket_prefix": attrs.OptionalComputedString("Start of the generated name, up to 37 characters. Default `terraform-`.",
			attrs.Length(1, longestName-suffixLength), attrs.Matches(prefixPattern, nameRule)),
		"bucket_region":               attrs.ComputedString("Region that the bucket is in."),
		"bucket_regional_domain_name": attrs.ComputedString("Domain name of the bucket, with its region."),
		"force_destroy": attrs.DefaultBool(false,
			"Whether a destroy deletes the objects first, with all their versions, locked ones included. Default `false`."),
		"hosted_zone_id": attrs.ComputedString("ID of the Route 53 zone of the region's website endpoint, for alias records."),
		"object_lock_enabled": attrs.OptionalComputedBool(
			"Whether object lock is on, which switches versioning on too. Default `false`."),
	},
	Settings: []string{"force_destroy"},
	Timeouts: engine.Timeouts{Create: 20 * time.Minute, Read: 20 * time.Minute, Update: 20 * time.Minute, Delete: time.Hour},
	Get:      getBucket,
	List:     listBuckets,
	FillOne:  fillBucket,
	Create:   createBucket,
	Updates:  []engine.Update[bucket]{{Attrs: []string{"force_destroy"}}},
	Delete:   deleteBucket,
	Exists:   exists,
	Busy:     busy,
})

// exists tells whether a create met a bucket, of whatever account.
func exists(err error) bool {
	return errors.Is(err, errExists) || cloud.HasCode(err, "BucketAlreadyExists", "BucketAlreadyOwnedByYou")
}

// busy waits for a create or delete of the same name that S3 has not settled yet, for objects that go on arriving, and for
// those that S3 cannot delete for the moment.
func busy(err error) bool {
	return errors.Is(err, errRefilled) || errors.Is(err, errStrained) || cloud.HasCode(err, "OperationAborted")
}

// regionalSuffix is the end of names in the account's own namespace of a region.
var regionalSuffix = regexp.MustCompile(`-[0-9]{12}(-[a-z0-9-]+)-an$`)

// namespaceOf tells the namespace that a name belongs to, which no call shows.
func namespaceOf(name, region string) s3types.BucketNamespace {
	if m := regionalSuffix.FindStringSubmatch(name); m != nil && strings.TrimPrefix(m[1], "-") == region {
		return s3types.BucketNamespaceAccountRegional
	}
	return s3types.BucketNamespaceGlobal
}

// modelOf is what follows from a bucket's name and the region that it was found in.
func modelOf(s *cloud.Session, name string) bucket {
	m := bucket{
		ARN:                types.StringValue(tagging.S3BucketARN(s, name)),
		Name:               types.StringValue(name),
		DomainName:         types.StringValue(name + ".s3." + s.DNSSuffix()),
		Namespace:          types.StringValue(string(namespaceOf(name, s.Region))),
		Prefix:             attrs.PrefixOf(name),
		RegionalDomainName: types.StringValue(name + ".s3." + s.Region + "." + s.DNSSuffix()),
	}
	if zone, ok := websiteZones[s.Region]; ok {
		m.WebsiteZone = types.StringValue(zone)
	}
	return m
}
