package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// configSchema is the provider block. Names, value types and block syntax are those of hashicorp/aws v6, so that a
// block moves over by adding estate. Values are checked by check and by cloud.Open, whose errors also name the way
// out, and hold for values from the environment too.
func configSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Manages AWS objects that carry their own address as tags.",
		Attributes: map[string]schema.Attribute{
			"estate":           text("Name of the estate that the objects belong to: a lower-case letter, then lower-case letters, digits and hyphens, 128 characters at most. Required here or as the environment variable `TOFU_ESTATE`; this argument wins. There is no default."),
			"previous_estates": texts("Earlier names of the estate. Objects that carry one of them count as ours and get the present name with their next update."),
			"on_existing":      text("What a create does when the object exists already: `adopt` takes it over when it is ours (default), `error` stops, `create` makes another beside it. The environment variable `TOFU_ON_EXISTING` wins over this argument, for one run."),

			"region":                             text("AWS region. Also `AWS_REGION`, `AWS_DEFAULT_REGION` or the shared configuration."),
			"profile":                            text("Profile in the shared configuration and credentials files. Also `AWS_PROFILE`."),
			"access_key":                         text("AWS access key. Also `AWS_ACCESS_KEY_ID`."),
			"secret_key":                         secret("AWS secret key. Also `AWS_SECRET_ACCESS_KEY`."),
			"token":                              secret("Session token of temporary credentials. Also `AWS_SESSION_TOKEN`."),
			"shared_config_files":                paths("Shared configuration files. Default `~/.aws/config`; also `AWS_CONFIG_FILE`."),
			"shared_credentials_files":           paths("Shared credentials files. Default `~/.aws/credentials`; also `AWS_SHARED_CREDENTIALS_FILE`."),
			"allowed_account_ids":                texts("Accounts that the provider may work in. Excludes `forbidden_account_ids`."),
			"forbidden_account_ids":              texts("Accounts that the provider must not work in. Excludes `allowed_account_ids`."),
			"max_retries":                        number("Greatest number of attempts of one call. Default 25; also `AWS_MAX_ATTEMPTS`."),
			"retry_mode":                         text("How calls are tried again: `standard` (default) or `adaptive`. Also `AWS_RETRY_MODE`."),
			"token_bucket_rate_limiter_capacity": number("Tokens that the calls of one service and region may spend on being tried again: a further try costs 5, after a time-out 10. Without it there is no bound."),
			"skip_credentials_validation":        flag("Do not check the credentials by a call to STS."),
			"skip_metadata_api_check":            text("`true` keeps away from the EC2 metadata service, `false` insists on it."),
			"skip_region_validation":             flag("Take regions that this version of the provider does not know."),
			"skip_requesting_account_id":         flag("Do not ask for the account id. The check that objects are in the account of the state is then off."),
			"ec2_metadata_service_endpoint":      text("URL of the EC2 metadata service. Also `AWS_EC2_METADATA_SERVICE_ENDPOINT`, and that alone where the region comes from there too."),
			"ec2_metadata_service_endpoint_mode": text("How the EC2 metadata service is reached where no URL says so: `IPv4` (default) or `IPv6`. Also `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE`."),
			"sts_region":                         text("Region of calls to STS. Default `region`."),
			"use_fips_endpoint":                  flag("Call the FIPS endpoints. Also `AWS_USE_FIPS_ENDPOINT`. A service that has none in the region needs a URL in `endpoints`, where a URL wins over this argument."),
			"use_dualstack_endpoint":             flag("Call the endpoints that have IPv6 addresses too. Also `AWS_USE_DUALSTACK_ENDPOINT`. A URL in `endpoints` wins."),
			"s3_use_path_style":                  flag("Write the bucket's name in the path of S3 URLs instead of the host name."),
			"s3_us_east_1_regional_endpoint":     text("Where S3 is called in `us-east-1`: `regional` (default) at the region's address, `legacy` at `s3.amazonaws.com`, which hashicorp/aws v6 still has as its default and calls deprecated. Also `AWS_S3_US_EAST_1_REGIONAL_ENDPOINT`."),
			"http_proxy":                         text("URL of a proxy for calls by http, and by https where neither `https_proxy` nor `HTTPS_PROXY` says another. Also `HTTP_PROXY`, which is for http alone."),
			"https_proxy":                        text("URL of a proxy for calls by https, empty for none. Also `HTTPS_PROXY`."),
			"no_proxy":                           text("Hosts that are called without a proxy, separated by commas: names, addresses and CIDRs, with or without a port, or `*`. Also `NO_PROXY`."),
			"custom_ca_bundle":                   text("File of certificates (PEM) to trust besides the system's. Also `AWS_CA_BUNDLE`."),
			"insecure":                           flag("Take any certificate. Whoever is on the way may then read and change every call."),
			"user_agent":                         paths("Products to add to the user agent of every call, each as `product/version (comment)`, where version and comment may be left out. What `TF_APPEND_USER_AGENT` holds is added after them."),
		},
		Blocks: map[string]schema.Block{
			"assume_role":                   assumeRoleBlock(),
			"assume_role_with_web_identity": webIdentityBlock(),
			"default_tags":                  defaultTagsBlock(),
			"ignore_tags":                   ignoreTagsBlock(),
			"endpoints":                     endpointsBlock(),
		},
	}
}

func assumeRoleBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Role to assume before calling AWS. Several blocks form a chain: each role is assumed with the credentials of the one before.",
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"role_arn":            text("ARN of the role."),
			"duration":            text("Duration of the session, `15m` to `12h`. Default one hour."),
			"external_id":         text("External identifier that the role's trust policy may ask for."),
			"policy":              text("Policy (JSON) that narrows the session's permissions."),
			"policy_arns":         texts("ARNs of policies that narrow the session's permissions."),
			"session_name":        text("Name of the session."),
			"source_identity":     text("Source identity of the session."),
			"tags":                tags("Tags of the session."),
			"transitive_tag_keys": texts("Keys of session tags that later sessions of the chain inherit."),
		}},
	}
}

func webIdentityBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Role to assume with the token of an OpenID Connect provider, in place of AWS credentials. With `assume_role` beside it, the chain begins with this role.",
		Validators:          []validator.List{listvalidator.SizeAtMost(1)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"role_arn":                text("ARN of the role. Also `AWS_ROLE_ARN`."),
			"duration":                text("Duration of the session, `15m` to `12h`. Default one hour."),
			"policy":                  text("Policy (JSON) that narrows the session's permissions."),
			"policy_arns":             texts("ARNs of policies that narrow the session's permissions."),
			"session_name":            text("Name of the session. Also `AWS_ROLE_SESSION_NAME`."),
			"web_identity_token":      secret("The token. Also `TF_AWS_WEB_IDENTITY_TOKEN`. Excludes `web_identity_token_file`; better that, since it reads the file again when the session ends."),
			"web_identity_token_file": text("File that holds the token. Also `AWS_WEB_IDENTITY_TOKEN_FILE`. Excludes `web_identity_token`."),
		}},
	}
}

func defaultTagsBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Tags for all objects. A tag in a resource's `tags` wins over one of the same key here.",
		Validators:          []validator.List{listvalidator.SizeAtMost(1)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"tags": tags("The tags. Also one environment variable for each, `TF_AWS_DEFAULT_TAGS_<key>`; this argument wins."),
		}},
	}
}

func ignoreTagsBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Tags that are neither shown nor removed.",
		Validators:          []validator.List{listvalidator.SizeAtMost(1)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"keys":         texts("Keys of tags to ignore, besides those in `TF_AWS_IGNORE_TAGS_KEYS`, which separates them by commas."),
			"key_prefixes": texts("Prefixes of keys of tags to ignore, besides those in `TF_AWS_IGNORE_TAGS_KEY_PREFIXES`, which separates them by commas."),
		}},
	}
}

func endpointsBlock() schema.Block {
	services := map[string]schema.Attribute{}
	for _, name := range cloud.EndpointNames() {
		services[name] = text("URL of the service.")
	}
	return schema.SetNestedBlock{
		MarkdownDescription: "URLs of services that are not at AWS's own addresses. They win over `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_<SERVICE>`.",
		NestedObject:        schema.NestedBlockObject{Attributes: services},
	}
}

func text(doc string) schema.Attribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc}
}

func secret(doc string) schema.Attribute {
	return schema.StringAttribute{Optional: true, Sensitive: true, MarkdownDescription: doc}
}

func number(doc string) schema.Attribute {
	return schema.Int64Attribute{Optional: true, MarkdownDescription: doc}
}

func flag(doc string) schema.Attribute {
	return schema.BoolAttribute{Optional: true, MarkdownDescription: doc}
}

func texts(doc string) schema.Attribute {
	return schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc}
}

func paths(doc string) schema.Attribute {
	return schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc}
}

func tags(doc string) schema.Attribute {
	return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc}
}
