package provider

import (
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// access translates the settings of AWS access; all are known.
func (b block) access(diags *diag.Diagnostics) cloud.Config {
	c := cloud.Config{
		UserAgent:                 known(b.UserAgent),
		Region:                    b.Region.ValueString(),
		Profile:                   b.Profile.ValueString(),
		AccessKey:                 b.AccessKey.ValueString(),
		SecretKey:                 b.SecretKey.ValueString(),
		Token:                     b.Token.ValueString(),
		SharedConfigFiles:         known(b.SharedConfigFiles),
		SharedCredentialsFiles:    known(b.SharedCredentialsFiles),
		AllowedAccountIDs:         known(b.AllowedAccountIDs),
		ForbiddenAccountIDs:       known(b.ForbiddenAccountIDs),
		Endpoints:                 map[string]string{},
		UseFIPSEndpoint:           b.UseFIPSEndpoint.ValueBool(),
		UseDualStackEndpoint:      b.UseDualStackEndpoint.ValueBool(),
		STSRegion:                 b.STSRegion.ValueString(),
		S3USEast1Endpoint:         b.S3USEast1Endpoint.ValueString(),
		S3UsePathStyle:            b.S3UsePathStyle.ValueBool(),
		CustomCABundle:            b.CustomCABundle.ValueString(),
		Insecure:                  b.Insecure.ValueBool(),
		HTTPProxy:                 b.HTTPProxy.ValueStringPointer(),
		HTTPSProxy:                b.HTTPSProxy.ValueStringPointer(),
		NoProxy:                   b.NoProxy.ValueString(),
		MetadataEndpoint:          b.MetadataEndpoint.ValueString(),
		MetadataEndpointMode:      b.MetadataEndpointMode.ValueString(),
		MaxRetries:                int(b.MaxRetries.ValueInt64()),
		RetryMode:                 b.RetryMode.ValueString(),
		TokenBucketCapacity:       int(b.TokenBucketCapacity.ValueInt64()),
		SkipCredentialsValidation: b.SkipCredentialsValidation.ValueBool(),
		SkipRegionValidation:      b.SkipRegionValidation.ValueBool(),
		SkipRequestingAccountID:   b.SkipRequestingAccountID.ValueBool(),
	}
	if text := b.SkipMetadataAPICheck.ValueString(); text != "" {
		skip, err := strconv.ParseBool(text)
		if err != nil {
			badMetadataCheck(diags, text)
		}
		c.SkipMetadataAPICheck = &skip
	}
	if o := first(b.AssumeRoleWithWebIdentity); o != nil {
		c.WebIdentity = webIdentity(o, diags)
	}
	for i, o := range b.AssumeRole.Elements() {
		c.AssumeRole = append(c.AssumeRole, role(i, o, diags))
	}
	for _, o := range b.Endpoints.Elements() {
		// Once for all services: each call of Attributes copies the whole object.
		for name, v := range attributes(o) {
			if url, ok := v.(types.String); ok && url.ValueString() != "" {
				c.Endpoints[name] = url.ValueString()
			}
		}
	}
	return c
}

// role translates one assume_role block.
func role(number int, o attr.Value, diags *diag.Diagnostics) cloud.Role {
	text := func(name string) string { return member[types.String](o, name).ValueString() }
	r := cloud.Role{
		RoleARN:           text("role_arn"),
		ExternalID:        text("external_id"),
		Policy:            text("policy"),
		PolicyARNs:        known(member[types.Set](o, "policy_arns")),
		SessionName:       text("session_name"),
		SourceIdentity:    text("source_identity"),
		TransitiveTagKeys: known(member[types.Set](o, "transitive_tag_keys")),
		Tags:              map[string]string{},
	}
	for key, v := range member[types.Map](o, "tags").Elements() {
		if s, ok := v.(types.String); ok && !s.IsNull() {
			r.Tags[key] = s.ValueString()
		}
	}
	r.Duration = duration("assume_role", number, o, diags)
	return r
}

// webIdentity translates the assume_role_with_web_identity block.
func webIdentity(o attr.Value, diags *diag.Diagnostics) *cloud.WebIdentity {
	text := func(name string) string { return member[types.String](o, name).ValueString() }
	return &cloud.WebIdentity{
		RoleARN:     text("role_arn"),
		Duration:    duration("assume_role_with_web_identity", 0, o, diags),
		Policy:      text("policy"),
		PolicyARNs:  known(member[types.Set](o, "policy_arns")),
		SessionName: text("session_name"),
		Token:       text("web_identity_token"),
		TokenFile:   text("web_identity_token_file"),
	}
}

// duration reads the duration of the numbered block; 0 stands for none.
func duration(block string, number int, o attr.Value, diags *diag.Diagnostics) time.Duration {
	text := member[types.String](o, "duration").ValueString()
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		badDuration(diags, block, number, text)
	}
	return d
}
