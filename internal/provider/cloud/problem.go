package cloud

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"
	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
	"github.com/hashicorp/aws-sdk-go-base/v2/diag"
	"github.com/hashicorp/aws-sdk-go-base/v2/endpoints"
)

// ConfigError is why Open failed, in the parts that a diagnostic needs.
type ConfigError struct {
	// Argument is the provider argument at fault, "" when the fault is not in one.
	Argument string
	// Summary is a short noun phrase.
	Summary string
	// Cause says what happened and why, in sentences.
	Cause string
	// Next is what to do, ending in an exact line.
	Next string
	// Err is the cause as an error, nil when the settings alone are at fault.
	Err error
}

// Error returns summary and cause in one line.
func (e *ConfigError) Error() string { return e.Summary + ": " + e.Cause }

// Unwrap returns the cause as an error.
func (e *ConfigError) Unwrap() error { return e.Err }

// Detail returns cause and next step as the text of a diagnostic.
func (e *ConfigError) Detail() string { return e.Cause + "\n\n" + e.Next }

// line sets an exact line off from the sentence before it.
func line(sentence, exact string) string { return sentence + "\n\n  " + exact }

func noRegion() error {
	return &ConfigError{
		Argument: "region", Summary: "No AWS region",
		Cause: "Neither the provider block, AWS_REGION, AWS_DEFAULT_REGION nor the shared configuration names a region.",
		Next:  line("Name it in the provider block, for example:", `region = "eu-west-1"`),
	}
}

func unknownRegion(region string) error {
	return &ConfigError{
		Argument: "region", Summary: "Unknown AWS region",
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

func badDuration(r Role) error {
	return &ConfigError{
		Argument: "assume_role", Summary: "Invalid role duration",
		Cause: fmt.Sprintf("The duration of %s is %s; AWS takes %s to %s.", r.RoleARN, r.Duration, minRoleDuration, maxRoleDuration),
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
		Cause: fmt.Sprintf("The endpoint of %s is %q, which is no http or https URL.", name, address),
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

const identityCommand = "aws sts get-caller-identity"

// failure turns what aws-sdk-go-base reports into one error: the first, since the others follow from it.
func (c Config) failure(urls map[string]string, diags diag.Diagnostics) error {
	first := diags.Errors()[0]
	err := errors.New(strings.TrimSpace(first.Summary() + " " + first.Detail()))
	if d, ok := first.(diag.DiagnosticWithErr); ok {
		err = d.Err()
	}
	e := &ConfigError{Err: err, Summary: "No access to AWS", Next: line("This asks AWS the same question:", c.command(identityCommand))}
	e.Cause = fmt.Sprintf("The provider could not find out whose credentials it has: %s.", words(err))
	switch {
	case IsExpired(err):
		e.Summary = "Expired AWS credentials"
		e.Cause = fmt.Sprintf("AWS says that the credentials have expired: %s.", words(err))
		e.Next = c.renewal(err)
	case IsUnreachable(err) && service(err) != "ec2imds":
		e.Summary = "AWS endpoint does not answer"
		e.Cause = fmt.Sprintf("The endpoint of %s gave no answer: %s.", service(err), words(err))
		e.Next = c.probe(urls, service(err))
	case awsbase.IsNoValidCredentialSourcesError(first):
		e.Summary = "No AWS credentials"
		e.Cause = fmt.Sprintf("Neither the provider block, the environment, the shared files nor an instance role gave credentials: %s.", words(err))
		e.Next = line("Name a profile in the provider block, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY:", `profile = "example"`)
	case awsbase.IsCannotAssumeRoleError(first):
		e.Argument = "assume_role"
		e.Summary = "Role cannot be assumed"
		e.Cause = fmt.Sprintf("Assuming %s failed: %s.", c.roles(), words(err))
		e.Next = line("The role's trust policy and the caller's own policy must both allow it. This asks AWS the same question:",
			c.command("aws sts assume-role --role-session-name check --role-arn "+c.AssumeRole[0].RoleARN))
	case HasCode(err, invalidCodes...):
		e.Summary = "Invalid AWS credentials"
		e.Cause = fmt.Sprintf("AWS does not accept the credentials: %s.", words(err))
	}
	return e
}

// words are AWS's own, with the code and the request id that AWS's support asks for.
func words(err error) string {
	text := strings.TrimRight(Message(err), ".\n ")
	if code := Code(err); code != "" {
		text = code + ": " + text
	}
	if id := RequestID(err); id != "" {
		text += " (request " + id + ")"
	}
	return text
}

// service is the name of the service whose call failed, "AWS" when err does not say.
func service(err error) string {
	var operation *smithy.OperationError
	if errors.As(err, &operation) {
		return operation.Service()
	}
	return "AWS"
}

func (c Config) roles() string {
	arns := make([]string, len(c.AssumeRole))
	for i, r := range c.AssumeRole {
		arns[i] = r.RoleARN
	}
	return strings.Join(arns, ", then ")
}

func (c Config) command(text string) string {
	if c.Profile != "" {
		text += " --profile " + c.Profile
	}
	return text
}

func (c Config) renewal(err error) string {
	var sso *ssocreds.InvalidTokenError
	if errors.As(err, &sso) || c.Profile != "" {
		return line("Log in again and repeat the run:", c.command("aws sso login"))
	}
	return line("Set new credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, or a profile) and repeat the run; this shows whether they are good:",
		identityCommand)
}

func (c Config) probe(urls map[string]string, service string) string {
	return line("Check endpoints, AWS_ENDPOINT_URL, the region and the proxy settings; this must print an HTTP status:",
		"curl -sSI "+c.address(urls, strings.ToLower(service)))
}

// address is where the SDK looks for the service, as far as settings and environment tell.
func (c Config) address(urls map[string]string, service string) string {
	for _, address := range []string{
		urls[service], os.Getenv("AWS_ENDPOINT_URL_" + strings.ToUpper(service)), os.Getenv("AWS_ENDPOINT_URL"),
	} {
		if address != "" {
			return address
		}
	}
	if c.Region == "" {
		return fmt.Sprintf("https://%s.amazonaws.com", service)
	}
	partition, _ := endpoints.PartitionForRegion(endpoints.DefaultPartitions(), c.Region)
	return fmt.Sprintf("https://%s.%s.%s", service, c.Region, cmp.Or(partition.DNSSuffix(), "amazonaws.com"))
}
