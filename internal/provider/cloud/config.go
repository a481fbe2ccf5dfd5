package cloud

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
)

// openLimit bounds all of Open; a credential_process or a role chain may take its time.
const openLimit = 2 * time.Minute

// Config is what the provider block says about AWS access. Every field is optional: what is left out comes from
// the environment and the shared configuration files, as with the AWS command line.
type Config struct {
	// Version is the provider's own version and CLIVersion that of OpenTofu or Terraform, for the user agent.
	Version, CLIVersion string
	// UserAgent are further products for the user agent, each as "product/version (comment)".
	UserAgent []string

	Region                      string
	Profile                     string
	AccessKey, SecretKey, Token string
	SharedConfigFiles           []string
	SharedCredentialsFiles      []string
	// WebIdentity is a role that is assumed with the token of an identity provider in place of AWS credentials, nil
	// without one.
	WebIdentity *WebIdentity
	// AssumeRole are roles assumed one after the other, each with the credentials of the one before.
	AssumeRole []Role
	// AllowedAccountIDs and ForbiddenAccountIDs guard against the wrong account; at most one is given.
	AllowedAccountIDs, ForbiddenAccountIDs []string
	// Endpoints maps a service, by any of hashicorp/aws's names, to a URL.
	Endpoints map[string]string
	// UseFIPSEndpoint and UseDualStackEndpoint choose AWS's other addresses for services without a URL in Endpoints.
	// False leaves the choice to the environment and the shared configuration.
	UseFIPSEndpoint, UseDualStackEndpoint bool
	// STSRegion is the region of calls to STS, "" for Region.
	STSRegion string
	// S3USEast1Endpoint is "legacy" for S3's global address in us-east-1, "regional" or "" for that of the region.
	S3USEast1Endpoint string
	S3UsePathStyle    bool
	// CustomCABundle is a file of certificates, PEM, that are trusted besides the system's.
	CustomCABundle string
	// Insecure takes any certificate.
	Insecure bool
	// HTTPProxy and HTTPSProxy are URLs of proxies for calls by http and https: nil leaves them to the environment,
	// "" means none. HTTPProxy serves https too where nothing says which proxy does.
	HTTPProxy, HTTPSProxy *string
	// NoProxy lists hosts that are reached without a proxy, separated by commas.
	NoProxy string
	// MetadataEndpoint is the URL of the EC2 metadata service, MetadataEndpointMode "IPv4" or "IPv6".
	MetadataEndpoint, MetadataEndpointMode string
	// MaxRetries is the greatest number of attempts of one call. 0 means AWS_MAX_ATTEMPTS or max_attempts of the
	// shared configuration, else 25.
	MaxRetries int
	// RetryMode is "standard", "adaptive" or "".
	RetryMode string
	// TokenBucketCapacity bounds what the calls of one client may spend on being tried again; 0 means no bound.
	TokenBucketCapacity int
	// SkipMetadataAPICheck true keeps away from the EC2 metadata service, false insists on it, nil leaves it to
	// the environment.
	SkipMetadataAPICheck      *bool
	SkipCredentialsValidation bool
	SkipRegionValidation      bool
	SkipRequestingAccountID   bool
}

// Role is one assume_role block. Its fields are those of awsbase.AssumeRole.
type Role struct {
	RoleARN string
	// Duration is 15 minutes to 12 hours; 0 means AWS's default of one hour.
	Duration          time.Duration
	ExternalID        string
	Policy            string
	PolicyARNs        []string
	SessionName       string
	SourceIdentity    string
	Tags              map[string]string
	TransitiveTagKeys []string
}

// WebIdentity is the assume_role_with_web_identity block.
type WebIdentity struct {
	RoleARN string
	// Duration is 15 minutes to 12 hours; 0 means AWS's default of one hour.
	Duration    time.Duration
	Policy      string
	PolicyARNs  []string
	SessionName string
	// Token is the token itself and TokenFile a file that holds it; exactly one is given.
	Token, TokenFile string
}

// The environment variables that complete a WebIdentity. AWS has none for the token itself; hashicorp/aws reads this one.
const (
	roleVariable         = "AWS_ROLE_ARN"
	sessionNameVariable  = "AWS_ROLE_SESSION_NAME"
	identityFileVariable = "AWS_WEB_IDENTITY_TOKEN_FILE"
	identityVariable     = "TF_AWS_WEB_IDENTITY_TOKEN"
)

// s3EndpointVariable is AWS's variable for S3USEast1Endpoint; the SDK does not read it.
const s3EndpointVariable = "AWS_S3_US_EAST_1_REGIONAL_ENDPOINT"

// completed adds what the environment says and neither the SDK nor aws-sdk-go-base reads beside our settings. A token in
// the block keeps both variables for tokens away.
func (c Config) completed() Config {
	if c.S3USEast1Endpoint == "" {
		c.S3USEast1Endpoint = os.Getenv(s3EndpointVariable)
	}
	if c.WebIdentity == nil {
		return c
	}
	w := *c.WebIdentity
	w.RoleARN = cmp.Or(w.RoleARN, os.Getenv(roleVariable))
	w.SessionName = cmp.Or(w.SessionName, os.Getenv(sessionNameVariable))
	if w.Token == "" && w.TokenFile == "" {
		w.Token, w.TokenFile = os.Getenv(identityVariable), os.Getenv(identityFileVariable)
	}
	c.WebIdentity = &w
	return c
}

// Open checks the settings, finds credentials, assumes the roles, asks AWS for the account and compares it with
// the allowed and forbidden ones. Every error is a *ConfigError. The Session's Account is "" with
// SkipRequestingAccountID.
func Open(ctx context.Context, c Config) (*Session, error) {
	c = c.completed()
	urls, err := c.check()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(c.hideInLog(withLog(ctx)), openLimit)
	defer cancel()

	base := c.base(urls)
	_, config, diags := awsbase.GetAwsConfig(ctx, &base)
	if diags.HasError() {
		return nil, c.failure(urls, diags)
	}
	if config.Region == "" {
		return nil, noRegion()
	}
	if err := c.checkRegion("region", config.Region); err != nil {
		return nil, err
	}
	c.tune(&config)

	account, partition, diags := c.account(ctx, config, base)
	if diags.HasError() {
		return nil, c.failure(urls, diags)
	}
	if err := c.checkAccount(account); err != nil {
		return nil, err
	}
	s := New(config, account, config.Region)
	if partition != "" {
		s.Partition = partition
	}
	s.shared.endpoints, s.shared.pathStyle = urls, c.S3UsePathStyle
	s.shared.anyRegion = c.SkipRegionValidation
	s.shared.globalS3 = strings.EqualFold(c.S3USEast1Endpoint, legacyS3)
	return s, nil
}
