package cloud

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
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

const identityCommand = "aws sts get-caller-identity"

// failure turns what aws-sdk-go-base reports into one error: the first, since the others follow from it.
func (c Config) failure(urls map[string]string, diags diag.Diagnostics) error {
	first := diags.Errors()[0]
	err := errors.New(strings.TrimSpace(first.Summary() + " " + first.Detail()))
	if d, ok := first.(diag.DiagnosticWithErr); ok {
		err = d.Err()
	}
	e := &ConfigError{Err: err, Summary: "No access to AWS", Next: line("This asks AWS the same question:", c.command(identityCommand))}
	e.Cause = fmt.Sprintf("The provider could not find out whose credentials it has: %s.", c.words(err))
	switch {
	case isMissingRegion(err):
		return noRegion()
	case operation(err) == webIdentityCall && !IsUnreachable(err):
		c.explainIdentity(e, err)
	case IsExpired(err):
		e.Summary = "Expired AWS credentials"
		e.Cause = fmt.Sprintf("AWS says that the credentials have expired: %s.", c.words(err))
		e.Next = c.renewal(err)
	case IsUnreachable(err) && service(err) != "ec2imds":
		e.Summary = "AWS endpoint does not answer"
		e.Cause = fmt.Sprintf("The endpoint of %s gave no answer: %s.", service(err), c.words(err))
		e.Next = c.probe(urls, err)
	case awsbase.IsNoValidCredentialSourcesError(first):
		e.Summary = "No AWS credentials"
		e.Cause = fmt.Sprintf("Neither the provider block, the environment, the shared files nor an instance role gave credentials: %s.", c.words(err))
		e.Next = line("Name a profile in the provider block, or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY:", `profile = "example"`)
	case awsbase.IsCannotAssumeRoleError(first):
		e.Argument = "assume_role"
		e.Summary = "Role cannot be assumed"
		e.Cause = fmt.Sprintf("Assuming %s failed: %s.", c.roles(), c.words(err))
		e.Next = line("The role's trust policy and the caller's own policy must both allow it. This asks AWS the same question:",
			c.command("aws sts assume-role --role-session-name check --role-arn "+c.AssumeRole[0].RoleARN))
	case HasCode(err, invalidCodes...):
		e.Summary = "Invalid AWS credentials"
		e.Cause = fmt.Sprintf("AWS does not accept the credentials: %s.", c.words(err))
	}
	return e
}

// isMissingRegion tells whether a call needed a region before one was known, or EC2's metadata service was the last to ask for
// it. The SDK has no error of its own for the first.
func isMissingRegion(err error) bool {
	return Code(err) == "" && strings.Contains(err.Error(), "Missing Region") || service(err) == "ec2imds" && operation(err) == "GetRegion"
}

// words are AWS's own, with the code and the request id that AWS's support asks for.
func (c Config) words(err error) string {
	text := strings.TrimRight(c.hide(Message(err)), ".\n ")
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

// operation is the name of the call that failed, "" when err does not say.
func operation(err error) string {
	var operation *smithy.OperationError
	if errors.As(err, &operation) {
		return operation.Operation()
	}
	return ""
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

func (c Config) probe(urls map[string]string, err error) string {
	address := c.address(urls, strings.ToLower(service(err)))
	var called *url.Error
	if errors.As(err, &called) {
		if u, err := url.Parse(called.URL); err == nil && u.Host != "" {
			address = u.Scheme + "://" + u.Host
		}
	}
	return line("Check endpoints, AWS_ENDPOINT_URL, the region and the proxy settings; this must print an HTTP status:", "curl -sSI "+withoutUser(address))
}

// address is where the SDK looks for the service, as far as settings and environment tell. It is for errors that do not hold
// the URL that was called.
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
