package cloud

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/hashicorp/aws-sdk-go-base/v2/validation"
)

// The shortest and the longest session that STS gives out.
const (
	minRoleDuration = 15 * time.Minute
	maxRoleDuration = 12 * time.Hour
)

// check finds what is wrong with the settings before anything is called. It returns the endpoints by the services'
// first names.
func (c Config) check() (map[string]string, error) {
	if c.Region != "" {
		if err := c.checkRegion("region", c.Region); err != nil {
			return nil, err
		}
	}
	if c.STSRegion != "" {
		if err := c.checkRegion("sts_region", c.STSRegion); err != nil {
			return nil, err
		}
	}
	switch {
	case len(c.AllowedAccountIDs) > 0 && len(c.ForbiddenAccountIDs) > 0:
		return nil, bothAccountLists()
	case len(c.AllowedAccountIDs) > 0 && c.SkipRequestingAccountID:
		return nil, accountNotAsked("allowed_account_ids")
	case len(c.ForbiddenAccountIDs) > 0 && c.SkipRequestingAccountID:
		return nil, accountNotAsked("forbidden_account_ids")
	case c.MaxRetries < 0:
		return nil, badMaxRetries(c.MaxRetries)
	case c.TokenBucketCapacity < 0:
		return nil, badTokenBucket(c.TokenBucketCapacity)
	case c.AccessKey != "" && c.SecretKey == "":
		return nil, halfKey("secret_key", "access_key")
	case c.AccessKey == "" && c.SecretKey != "":
		return nil, halfKey("access_key", "secret_key")
	case c.AccessKey == "" && c.Token != "":
		return nil, halfKey("access_key", "token")
	}
	if c.RetryMode != "" {
		if _, err := aws.ParseRetryMode(c.RetryMode); err != nil {
			return nil, badRetryMode(c.RetryMode)
		}
	}
	for _, r := range c.AssumeRole {
		if r.RoleARN == "" {
			return nil, noRoleARN()
		}
		if err := checkDuration("assume_role", r.RoleARN, r.Duration); err != nil {
			return nil, err
		}
	}
	if err := c.checkIdentity(); err != nil {
		return nil, err
	}
	if err := c.checkNetwork(); err != nil {
		return nil, err
	}
	return c.checkEndpoints()
}

func checkDuration(block, role string, d time.Duration) error {
	if d != 0 && (d < minRoleDuration || d > maxRoleDuration) {
		return badDuration(block, role, d)
	}
	return nil
}

func (c Config) checkRegion(argument, region string) error {
	if c.SkipRegionValidation || validation.SupportedRegion(region) == nil {
		return nil
	}
	return unknownRegion(argument, region)
}

// checkAccount compares the account found with the lists.
func (c Config) checkAccount(account string) error {
	if len(c.AllowedAccountIDs) > 0 && !slices.Contains(c.AllowedAccountIDs, account) {
		return notAllowed(account, c.AllowedAccountIDs)
	}
	if slices.Contains(c.ForbiddenAccountIDs, account) {
		return forbidden(account, c.ForbiddenAccountIDs)
	}
	return nil
}
