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
	"github.com/hashicorp/aws-sdk-go-base/v2/useragent"
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
	// answerLimit is how long a request may wait for the first byte of its answer. The SDK has no limit, so an
	// endpoint that accepts and never answers would hold a run for ever.
	answerLimit = 2 * time.Minute
	// homepage stands in the user agent, for those who read logs of calls.
	homepage = "https://github.com/tofu-estate/terraform-provider-estate"
)

// base translates the settings. Validation is left out: it would be called with the retries of service calls.
func (c Config) base(urls map[string]string) awsbase.Config {
	var roles []awsbase.AssumeRole // nil without roles: an empty chain would leave the library without credentials
	for _, r := range c.AssumeRole {
		roles = append(roles, awsbase.AssumeRole(r))
	}
	return awsbase.Config{
		AccessKey:                      c.AccessKey,
		SecretKey:                      c.SecretKey,
		Token:                          c.Token,
		AssumeRole:                     roles,
		AssumeRoleWithWebIdentity:      c.WebIdentity.base(),
		CallerName:                     "the estate provider",
		CustomCABundle:                 c.CustomCABundle,
		EC2MetadataServiceEnableState:  c.metadataState(),
		EC2MetadataServiceEndpoint:     c.MetadataEndpoint,
		EC2MetadataServiceEndpointMode: c.MetadataEndpointMode,
		HTTPProxy:                      withScheme(c.HTTPProxy),
		HTTPSProxy:                     withScheme(c.HTTPSProxy),
		HTTPProxyMode:                  awsbase.HTTPProxyModeLegacy, // as hashicorp/aws v6: http_proxy serves https too
		IamEndpoint:                    urls["iam"],
		SsoEndpoint:                    urls["sso"],
		StsEndpoint:                    urls["sts"],
		StsRegion:                      c.STSRegion,
		Insecure:                       c.Insecure,
		Logger:                         logger{},
		// Calls of credential providers keep this number; service calls get theirs from tune.
		MaxRetries:             min(c.MaxRetries, openAttempts),
		NoProxy:                c.NoProxy,
		Profile:                c.Profile,
		Region:                 c.Region,
		RetryMode:              aws.RetryMode(c.RetryMode),
		SharedConfigFiles:      c.SharedConfigFiles,
		SharedCredentialsFiles: c.SharedCredentialsFiles,
		SkipCredsValidation:    true,
		// The library's debug log holds whole bodies, and those hold secrets; log.go writes our own.
		SuppressDebugLog:               true,
		TokenBucketRateLimiterCapacity: c.TokenBucketCapacity,
		UseDualStackEndpoint:           c.UseDualStackEndpoint,
		UseFIPSEndpoint:                c.UseFIPSEndpoint,
		UserAgent:                      c.products(),
	}
}

func (c Config) metadataState() imds.ClientEnableState {
	switch {
	case c.SkipMetadataAPICheck == nil:
		return imds.ClientDefaultEnableState
	case *c.SkipMetadataAPICheck:
		return imds.ClientDisabled
	default:
		return imds.ClientEnabled
	}
}

// base translates the block; nil stays nil.
func (w *WebIdentity) base() *awsbase.AssumeRoleWithWebIdentity {
	if w == nil {
		return nil
	}
	return &awsbase.AssumeRoleWithWebIdentity{
		RoleARN:              w.RoleARN,
		Duration:             w.Duration,
		Policy:               w.Policy,
		PolicyARNs:           w.PolicyARNs,
		SessionName:          w.SessionName,
		WebIdentityToken:     w.Token,
		WebIdentityTokenFile: w.TokenFile,
	}
}

// products are what the user agent names beside the SDK: this provider, the CLI that runs it, and the block's user_agent. The
// protocol tells a provider the CLI's version and not which CLI it is. What TF_APPEND_USER_AGENT holds follows them.
func (c Config) products() awsbase.UserAgentProducts {
	all := awsbase.UserAgentProducts{{Name: "terraform-provider-estate", Version: c.Version, Comment: "+" + homepage}}
	if c.CLIVersion != "" {
		all = append(all, awsbase.UserAgentProduct{Name: "cli", Version: c.CLIVersion, Comment: "OpenTofu or Terraform"})
	}
	return append(all, useragent.FromSlice(c.UserAgent)...)
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
	config.APIOptions = append(config.APIOptions, logCalls, c.hideInErrors)
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
