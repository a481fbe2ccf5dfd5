package acceptance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// This file is for a live AWS account in the emulator's place: `make testacc` and `make sweep`.

const (
	// liveVariable makes the tests of this package those of a live account.
	liveVariable = "ESTATE_TESTACC"
	// AccountVariable names the variable that holds the id of the account that tests may fill and a sweep may empty.
	AccountVariable = "ESTATE_TESTACC_ACCOUNT"
)

// OpenLive opens the account that the settings and the environment give credentials for. It refuses any but the one that is
// named, so that credentials of the wrong shell reach nothing.
func OpenLive(ctx context.Context, account string, c cloud.Config) (*cloud.Session, error) {
	if account == "" {
		return nil, errors.New(AccountVariable + " is not set: it holds the id of the AWS account that the tests may fill and " +
			"empty, and no other is touched")
	}
	c.AllowedAccountIDs = []string{account}
	s, err := cloud.Open(ctx, c)
	var problem *cloud.ConfigError
	switch {
	case errors.As(err, &problem) && problem.Argument == "allowed_account_ids":
		return nil, fmt.Errorf("the credentials are not those of the account %s, which %s names; nothing was touched: %w",
			account, AccountVariable, err)
	case err != nil:
		return nil, fmt.Errorf("no access to the account %s: %w", account, err)
	case s.Account != account:
		return nil, fmt.Errorf("the credentials are those of the account %s, and %s names %s; nothing was touched",
			s.Account, AccountVariable, account)
	}
	return s, nil
}

// LiveSandbox is a live account as workspaces use it. settings are the NAME=value by which the CLIs reach it. It has no
// proxy, and so no journal.
func (h *Harness) LiveSandbox(s *cloud.Session, settings []string) *Sandbox {
	return &Sandbox{Harness: h, Account: s.Account, AWS: liveAWS(s), settings: settings}
}

// LiveSettings are the caller's own settings of AWS access, for the CLIs.
func LiveSettings() []string {
	settings := []string{"HOME=" + os.Getenv("HOME")} // profiles and logins are found from there
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "AWS_") {
			settings = append(settings, v)
		}
	}
	return settings
}

// liveAWS are raw clients of a session's account and region.
func liveAWS(s *cloud.Session) *AWS {
	return &AWS{
		EC2:     cloud.Client(s, "ec2", func(c aws.Config) *ec2.Client { return ec2.NewFromConfig(c) }),
		IAM:     cloud.Client(s, "iam", func(c aws.Config) *iam.Client { return iam.NewFromConfig(c) }),
		Logs:    cloud.Client(s, "logs", func(c aws.Config) *cloudwatchlogs.Client { return cloudwatchlogs.NewFromConfig(c) }),
		Route53: cloud.Client(s, "route53", func(c aws.Config) *route53.Client { return route53.NewFromConfig(c) }),
		S3: cloud.Client(s, "s3", func(c aws.Config) *s3.Client {
			return s3.NewFromConfig(c, func(o *s3.Options) { o.UsePathStyle = s.PathStyle() })
		}),
		Regions: []string{s.Region},
	}
}

// NewRun names a run of tests: the start of its estates' names, which a sweep looks for.
func NewRun() string {
	return engine.SweepPrefix + time.Now().UTC().Format("20060102-150405") + "-" + newSuffix()
}

// newSuffix is a word that no other test of the account has used.
func newSuffix() string { return strings.ToLower(rand.Text()[:8]) }
