package cloud

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What is wrong with the settings of credentials, accounts, endpoints and retries, before or after AWS was asked. Those of the
// network are in network.go, those of web identities in identity.go.

func noRegion() error {
	return &ConfigError{
		Argument: "region", Summary: "No AWS region",
		Cause: "Neither the provider block, AWS_REGION, AWS_DEFAULT_REGION nor the shared configuration names a region.",
		Next:  line("Name it in the provider block, for example:", `region = "eu-west-1"`),
	}
}

func unknownRegion(argument, region string) error {
	return &ConfigError{
		Argument: argument, Summary: "Unknown AWS region",
		Cause: fmt.Sprintf("%q is no region that this version of the provider knows.", region),
		Next:  line("Correct it; where the region is new or the endpoint is not AWS's, switch the check off:", "skip_region_validation = true"),
	}
}

func bothAccountLists() error {
	return &ConfigError{
		Argument: "forbidden_account_ids", Summary: "Conflicting account lists",
		Cause: "allowed_account_ids and forbidden_account_ids exclude each other.",
		Next:  line("Remove one; a list of allowed accounts is the stronger guard:", `allowed_account_ids = ["111122223333"]`),
	}
}

func accountNotAsked(list string) error {
	return &ConfigError{
		Argument: list, Summary: "Account check without an account",
		Cause: fmt.Sprintf("%s needs the account id, and skip_requesting_account_id forbids asking for it.", list),
		Next:  line(fmt.Sprintf("Remove %s, or write:", list), "skip_requesting_account_id = false"),
	}
}

func badMaxRetries(n int) error {
	return &ConfigError{
		Argument: "max_retries", Summary: "Invalid max_retries",
		Cause: fmt.Sprintf("max_retries is %d, and a call cannot be tried a negative number of times.", n),
		Next:  line("Write the greatest number of attempts:", fmt.Sprintf("max_retries = %d", defaultMaxRetries)),
	}
}

func badRetryMode(mode string) error {
	return &ConfigError{
		Argument: "retry_mode", Summary: "Invalid retry_mode",
		Cause: fmt.Sprintf(`retry_mode is %q; it may be "standard" or "adaptive".`, mode),
		Next:  line("Write:", `retry_mode = "standard"`),
	}
}

func badTokenBucket(n int) error {
	return &ConfigError{
		Argument: "token_bucket_rate_limiter_capacity", Summary: "Invalid token bucket",
		Cause: fmt.Sprintf("token_bucket_rate_limiter_capacity is %d, and a bucket holds no negative number of tokens.", n),
		Next:  line("Remove it for calls that are tried again without a bound, or write the SDK's own:", "token_bucket_rate_limiter_capacity = 500"),
	}
}

func halfKey(missing, given string) error {
	return &ConfigError{
		Argument: given, Summary: "Incomplete AWS key",
		Cause: fmt.Sprintf("%s is set and %s is not; the provider block never completes a key from the environment.", given, missing),
		Next:  line(fmt.Sprintf("Set %s too, or better use a profile:", missing), `profile = "example"`),
	}
}

func noRoleARN() error {
	return &ConfigError{
		Argument: "assume_role", Summary: "Role without an ARN",
		Cause: "An assume_role block has no role_arn. Without it the provider would act as somebody else than the block means.",
		Next:  line("Remove the block or write:", `role_arn = "arn:aws:iam::111122223333:role/example"`),
	}
}

func badDuration(block, role string, d time.Duration) error {
	return &ConfigError{
		Argument: block, Summary: "Invalid role duration",
		Cause: fmt.Sprintf("The duration of %s is %s; AWS takes %s to %s.", role, d, minRoleDuration, maxRoleDuration),
		Next:  line("Write, for example:", `duration = "1h"`),
	}
}

func unknownEndpoint(name string) error {
	return &ConfigError{
		Argument: "endpoints", Summary: "Unknown service in endpoints",
		Cause: fmt.Sprintf("endpoints names the service %q, which the provider does not know.", name),
		Next:  line("Use hashicorp/aws's name of the service, for example:", `ec2 = "http://localhost:4566"`),
	}
}

func badEndpoint(name, address string) error {
	return &ConfigError{
		Argument: "endpoints", Summary: "Invalid endpoint",
		Cause: fmt.Sprintf("The endpoint of %s is %q, which is no http or https URL.", name, withoutUser(address)),
		Next:  line("Write scheme and host:", name+` = "http://localhost:4566"`),
	}
}

func twoEndpoints(service, name string) error {
	return &ConfigError{
		Argument: "endpoints", Summary: "Two endpoints for one service",
		Cause: fmt.Sprintf("%s is another name of %s, and both have a URL of their own.", name, service),
		Next:  line(fmt.Sprintf("Remove %s and keep:", name), service+` = "…"`),
	}
}

func notAllowed(account string, allowed []string) error {
	return &ConfigError{
		Argument: "allowed_account_ids", Summary: "Wrong AWS account",
		Cause: fmt.Sprintf("The credentials belong to account %s; allowed_account_ids holds %s.", account, list(allowed)),
		Next:  line("Nothing was changed. Use credentials of an allowed account; this shows whose they are:", identityCommand),
	}
}

func forbidden(account string, accounts []string) error {
	return &ConfigError{
		Argument: "forbidden_account_ids", Summary: "Wrong AWS account",
		Cause: fmt.Sprintf("The credentials belong to account %s; forbidden_account_ids holds %s.", account, list(accounts)),
		Next:  line("Nothing was changed. Use credentials of another account; this shows whose they are:", identityCommand),
	}
}

func list(ids []string) string { return strings.Join(slices.Sorted(slices.Values(ids)), ", ") }
