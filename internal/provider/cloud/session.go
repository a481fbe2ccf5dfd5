package cloud

import (
	"reflect"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
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

	mu      sync.Mutex
	clients map[clientKey]any
}

type clientKey struct {
	kind   reflect.Type
	region string
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

// Client returns the service client of the session's region, made by build at the first call and kept.
//
//	func api(s *cloud.Session) *ec2.Client {
//		return cloud.Client(s, "ec2", func(c aws.Config) *ec2.Client { return ec2.NewFromConfig(c) })
//	}
//
// service is the name in the provider's endpoints block; an endpoint given there becomes the config's BaseEndpoint.
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
	}
	c := build(config)
	s.shared.clients[key] = c
	return c
}
