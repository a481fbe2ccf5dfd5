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

			"region":                      text("AWS region. Also `AWS_REGION`, `AWS_DEFAULT_REGION` or the shared configuration."),
			"profile":                     text("Profile in the shared configuration and credentials files. Also `AWS_PROFILE`."),
			"access_key":                  text("AWS access key. Also `AWS_ACCESS_KEY_ID`."),
			"secret_key":                  secret("AWS secret key. Also `AWS_SECRET_ACCESS_KEY`."),
			"token":                       secret("Session token of temporary credentials. Also `AWS_SESSION_TOKEN`."),
			"shared_config_files":         paths("Shared configuration files. Default `~/.aws/config`; also `AWS_CONFIG_FILE`."),
			"shared_credentials_files":    paths("Shared credentials files. Default `~/.aws/credentials`; also `AWS_SHARED_CREDENTIALS_FILE`."),
			"allowed_account_ids":         texts("Accounts that the provider may work in. Excludes `forbidden_account_ids`."),
			"forbidden_account_ids":       texts("Accounts that the provider must not work in. Excludes `allowed_account_ids`."),
			"max_retries":                 schema.Int64Attribute{Optional: true, MarkdownDescription: "Greatest number of attempts of one call. Default 25; also `AWS_MAX_ATTEMPTS`."},
			"retry_mode":                  text("How calls are tried again: `standard` (default) or `adaptive`. Also `AWS_RETRY_MODE`."),
			"skip_credentials_validation": flag("Do not check the credentials by a call to STS."),
			"skip_metadata_api_check":     text("`true` keeps away from the EC2 metadata service, `false` insists on it."),
			"skip_region_validation":      flag("Take regions that this version of the provider does not know."),
			"skip_requesting_account_id":  flag("Do not ask for the account id. The check that objects are in the account of the state is then off."),
			"s3_use_path_style":           flag("Write the bucket's name in the path of S3 URLs instead of the host name."),
		},
		Blocks: map[string]schema.Block{
			"assume_role":  assumeRoleBlock(),
			"default_tags": defaultTagsBlock(),
			"ignore_tags":  ignoreTagsBlock(),
			"endpoints":    endpointsBlock(),
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

func defaultTagsBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Tags for all objects. A tag in a resource's `tags` wins over one of the same key here.",
		Validators:          []validator.List{listvalidator.SizeAtMost(1)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"tags": tags("The tags."),
		}},
	}
}

func ignoreTagsBlock() schema.Block {
	return schema.ListNestedBlock{
		MarkdownDescription: "Tags that are neither shown nor removed.",
		Validators:          []validator.List{listvalidator.SizeAtMost(1)},
		NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
			"keys":         texts("Keys of tags to ignore."),
			"key_prefixes": texts("Prefixes of keys of tags to ignore."),
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
