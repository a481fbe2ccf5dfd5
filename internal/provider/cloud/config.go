package cloud

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
	"github.com/hashicorp/aws-sdk-go-base/v2/diag"
)

const (
	// defaultMaxRetries is hashicorp/aws's: throttling of a large estate outlasts the SDK's own three attempts.
	defaultMaxRetries = 25
	// openAttempts is how often Open tries an endpoint that refuses or is unknown: with 25 attempts a wrong
	// URL would look like a provider that hangs.
	openAttempts = 3
	// callAttempts is the same for later calls: a network may come back, but with 25 attempts a service that never
	// answers would be waited for for most of an hour.
	callAttempts = 5
	// openLimit bounds all of Open; a credential_process or a role chain may take its time.
	openLimit = 2 * time.Minute
	// answerLimit is how long a request may wait for the first byte of its answer. The SDK has no limit, so an
	// endpoint that accepts and never answers would hold a run for ever.
	answerLimit = 2 * time.Minute
)

// Config is what the provider block says about AWS access. Every field is optional: what is left out comes from
// the environment and the shared configuration files, as with the AWS command line.
type Config struct {
	// Version is the provider's own version, for the user agent.
	Version string

	Region                      string
	Profile                     string
	AccessKey, SecretKey, Token string
	SharedConfigFiles           []string
	SharedCredentialsFiles      []string
	// AssumeRole are roles assumed one after the other, each with the credentials of the one before.
	AssumeRole []Role
	// AllowedAccountIDs and ForbiddenAccountIDs guard against the wrong account; at most one is given.
	AllowedAccountIDs, ForbiddenAccountIDs []string
	// Endpoints maps a service, by any of hashicorp/aws's names, to a URL.
	Endpoints map[string]string
	// MaxRetries is the greatest number of attempts of one call. 0 means AWS_MAX_ATTEMPTS or max_attempts of the
	// shared configuration, else 25.
	MaxRetries int
	// RetryMode is "standard", "adaptive" or "".
	RetryMode string
	// SkipMetadataAPICheck true keeps away from the EC2 metadata service, false insists on it, nil leaves it to
	// the environment.
	SkipMetadataAPICheck      *bool
	SkipCredentialsValidation bool
	SkipRegionValidation      bool
	SkipRequestingAccountID   bool
	S3UsePathStyle            bool
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

// Open checks the settings, finds credentials, assumes the roles, asks AWS for the account and compares it with
// the allowed and forbidden ones. Every error is a *ConfigError. The Session's Account is "" with
// SkipRequestingAccountID.
func Open(ctx context.Context, c Config) (*Session, error) {
	urls, err := c.check()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(withLog(ctx), openLimit)
	defer cancel()

	base := c.base(urls)
	_, config, diags := awsbase.GetAwsConfig(ctx, &base)
	if diags.HasError() {
		return nil, c.failure(urls, diags)
	}
	if config.Region == "" {
		return nil, noRegion()
	}
	if err := c.checkRegion(config.Region); err != nil {
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
	return s, nil
}

// base translates the settings. Validation is left out: it would be called with the retries of service calls.
func (c Config) base(urls map[string]string) awsbase.Config {
	metadata := imds.ClientDefaultEnableState
	if skip := c.SkipMetadataAPICheck; skip != nil {
		metadata = imds.ClientEnabled
		if *skip {
			metadata = imds.ClientDisabled
		}
	}
	var roles []awsbase.AssumeRole // nil without roles: an empty chain would leave the library without credentials
	for _, r := range c.AssumeRole {
		roles = append(roles, awsbase.AssumeRole(r))
	}
	return awsbase.Config{
		AccessKey:                     c.AccessKey,
		SecretKey:                     c.SecretKey,
		Token:                         c.Token,
		AssumeRole:                    roles,
		CallerName:                    "the estate provider",
		EC2MetadataServiceEnableState: metadata,
		IamEndpoint:                   urls["iam"],
		SsoEndpoint:                   urls["sso"],
		StsEndpoint:                   urls["sts"],
		Logger:                        logger{},
		// Calls of credential providers keep this number; service calls get theirs from tune.
		MaxRetries:             min(c.MaxRetries, openAttempts),
		Profile:                c.Profile,
		Region:                 c.Region,
		RetryMode:              aws.RetryMode(c.RetryMode),
		SharedConfigFiles:      c.SharedConfigFiles,
		SharedCredentialsFiles: c.SharedCredentialsFiles,
		SkipCredsValidation:    true,
		// The library's debug log holds whole bodies, and those hold secrets; log.go writes our own.
		SuppressDebugLog: true,
		UserAgent: awsbase.UserAgentProducts{
			{Name: "terraform-provider-estate", Version: c.Version},
		},
	}
}

// tune sets what all service calls share: the number of attempts, the limit on answers, the log.
func (c Config) tune(config *aws.Config) {
	attempts := c.MaxRetries
	if attempts == 0 {
		attempts = config.RetryMaxAttempts
	}
	if attempts == 0 {
		attempts = defaultMaxRetries
	}
	retryer := config.Retryer
	config.RetryMaxAttempts = attempts
	config.Retryer = func() aws.Retryer {
		return hasty{secondGeneration(retry.AddWithMaxAttempts(retryer(), attempts)), callAttempts}
	}
	if client, ok := config.HTTPClient.(*awshttp.BuildableClient); ok {
		config.HTTPClient = client.WithTransportOptions(limitAnswers)
	}
	config.APIOptions = append(config.APIOptions, logCalls)
}

// account asks for the account that the credentials belong to, unless told not to. The credentials are validated
// by the same call.
func (c Config) account(ctx context.Context, config aws.Config, base awsbase.Config) (string, string, diag.Diagnostics) {
	base.SkipCredsValidation = c.SkipCredentialsValidation
	base.SkipRequestingAccountId = c.SkipRequestingAccountID
	retryer := config.Retryer
	config.Retryer = func() aws.Retryer { return hasty{secondGeneration(retryer()), openAttempts} }
	account, partition, diags := awsbase.GetAwsAccountIDAndPartition(ctx, config, &base)
	if c.SkipRequestingAccountID {
		account = ""
	}
	return account, partition, diags
}
