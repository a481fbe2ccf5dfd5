// Package cloud is access to AWS: the provider block's settings become a Session, a Session gives service clients
// on demand, and errors of calls are read here. It knows no service and no resource type, and it imports no
// service client beyond those that aws-sdk-go-base needs to find credentials and the account.
package cloud

import (
	"context"
	"reflect"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/aws-sdk-go-base/v2/endpoints"
)

// Session is access to one AWS account in one region. It is safe for concurrent use.
type Session struct {
	// Account is the account id, "" when the provider was told not to ask for it.
	Account string
	// Partition is "aws", "aws-cn" or "aws-us-gov".
	Partition string
	// Region is the region that clients of this Session call.
	Region string

	shared *shared
}

// shared is what the Sessions of all regions of one provider configuration have in common.
type shared struct {
	config    aws.Config
	endpoints map[string]string
	pathStyle bool
	// globalS3 makes S3 in us-east-1 answer at its global address.
	globalS3 bool
	// anyRegion switches the check of regions' names off.
	anyRegion bool

	mu      sync.Mutex
	clients map[clientKey]any

	memos memos
}

type clientKey struct {
	kind   reflect.Type
	region string
}

// New returns a Session over a configuration that is complete already: nothing is looked up, validated or called.
// Open is for the provider block; New is for programs and tests that bring their own configuration.
func New(config aws.Config, account, region string) *Session {
	return &Session{
		Account:   account,
		Partition: partitionOf(region),
		Region:    region,
		shared:    &shared{config: config, clients: map[clientKey]any{}},
	}
}

// partitionOf returns the region's partition, "aws" for regions that no partition claims.
func partitionOf(region string) string {
	if p, ok := endpoints.PartitionForRegion(endpoints.DefaultPartitions(), region); ok {
		return p.ID()
	}
	return endpoints.AwsPartitionID
}

// DNSSuffix is the end of host names in the session's partition, such as "amazonaws.com".
func (s *Session) DNSSuffix() string {
	for _, p := range endpoints.DefaultPartitions() {
		if p.ID() == s.Partition {
			return p.DNSSuffix()
		}
	}
	return "amazonaws.com"
}

// In returns a Session of the same account in another region; "" means the same region.
func (s *Session) In(region string) *Session {
	if region == "" || region == s.Region {
		return s
	}
	other := *s
	other.Region = region
	return &other
}

// CheckRegion returns why a name in an argument cannot be a region's, or nil; skip_region_validation lets every name pass.
func (s *Session) CheckRegion(argument, region string) error {
	return Config{SkipRegionValidation: s.shared.anyRegion}.checkRegion(argument, region)
}

// PathStyle reports whether s3_use_path_style is on: the bucket's name stands in the path, not in the host name.
func (s *Session) PathStyle() bool { return s.shared.pathStyle }

// Client returns the service client of the session's region, made by build at the first call and kept.
//
//	func api(s *cloud.Session) *ec2.Client {
//		return cloud.Client(s, "ec2", func(c aws.Config) *ec2.Client { return ec2.NewFromConfig(c) })
//	}
//
// service is the name in the provider's endpoints block; an endpoint given there becomes the config's BaseEndpoint
// and wins over the AWS_ENDPOINT_URL variables, which the service's own constructor reads.
func Client[C any](s *Session, service string, build func(aws.Config) C) C {
	key := clientKey{reflect.TypeFor[C](), s.Region}
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	if c, ok := s.shared.clients[key].(C); ok {
		return c
	}
	config := s.shared.config.Copy()
	config.Region = s.Region
	if url := s.shared.endpoints[service]; url != "" {
		config.BaseEndpoint = aws.String(url)
		// Constructors ask the sources again and would put AWS_ENDPOINT_URL_<SERVICE> over BaseEndpoint.
		config.ConfigSources = append([]any{endpointSource(url)}, config.ConfigSources...)
	} else if service == "s3" && s.Region == endpoints.UsEast1RegionID && s.shared.globalS3 {
		config.Region = endpoints.AwsGlobalRegionID // the SDK's name for the global address; it signs for us-east-1
	}
	c := build(config)
	s.shared.clients[key] = c
	return c
}

// endpointSource is a configuration source that knows one endpoint, and that AWS's FIPS and dual-stack addresses are not
// wanted beside it: a URL that the block names wins over them, and the SDK refuses both at once.
type endpointSource string

// GetServiceBaseEndpoint is the method by which the SDK asks a source for a service's endpoint.
func (e endpointSource) GetServiceBaseEndpoint(context.Context, string) (string, bool, error) {
	return string(e), true, nil
}

// GetUseFIPSEndpoint is the method by which the SDK asks whether FIPS addresses are wanted.
func (endpointSource) GetUseFIPSEndpoint(context.Context) (aws.FIPSEndpointState, bool, error) {
	return aws.FIPSEndpointStateDisabled, true, nil
}

// GetUseDualStackEndpoint is the method by which the SDK asks whether dual-stack addresses are wanted.
func (endpointSource) GetUseDualStackEndpoint(context.Context) (aws.DualStackEndpointState, bool, error) {
	return aws.DualStackEndpointStateDisabled, true, nil
}
