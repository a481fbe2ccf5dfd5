package cloud

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// This file takes secrets out of texts that a diagnostic or the log shows. What travels in a call is known by the form in
// which an error quotes it (redact), what the settings hold by its value (Config.hide).

// hidden stands in a secret's place.
const hidden = "(hidden)"

// quoted are the forms in which errors bring secrets back; the first group stays, and the last where there are two.
var quoted = []*regexp.Regexp{
	// Where a signature is wrong AWS quotes the canonical request, and others quote the headers as they came.
	regexp.MustCompile(`(?i)(x-amz-security-token["']?\s*[:=]\s*["']?)[^\s'"&<,;]+()`),
	regexp.MustCompile(`(?i)(signature["']?\s*[:=]\s*["']?)[0-9a-f]{64}\b()`),
	regexp.MustCompile(`(?i)(proxy-authorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?)[^\s'"&<,;]+()`),
	// The parameters of STS that are secrets, as a form.
	regexp.MustCompile(`(?i)(\b(?:WebIdentityToken|ExternalId)=)[^\s'"&<]+()`),
	// A user and a password in a URL, as of a proxy.
	regexp.MustCompile(`(://)[^\s/@'"]+(@)`),
	// The SDK quotes what a credential_process printed where that cannot be read.
	regexp.MustCompile(`(?s)(parse failed of process output: ).*(, error: )`),
}

// redact takes out of a text what is a secret by its form.
func redact(text string) string {
	for _, p := range quoted {
		text = p.ReplaceAllString(text, "${1}"+hidden+"${2}")
	}
	return text
}

// withoutUser takes user and password out of a URL, or of what was meant to be one.
func withoutUser(address string) string {
	at := strings.LastIndex(address, "@")
	if at < 0 {
		return address
	}
	scheme, _, ok := strings.Cut(address[:at], "://")
	if !ok {
		return hidden + address[at:]
	}
	return scheme + "://" + hidden + address[at:]
}

// shortest is the length from which on a value of the settings is looked for in texts. A shorter one is no secret worth the
// name, and would be taken out of the middle of other words.
const shortest = 8

// secrets are the values of the settings that no text may show, in the forms in which they travel, longest first.
func (c Config) secrets() []string {
	values := []string{c.SecretKey, c.Token}
	if c.WebIdentity != nil {
		values = append(values, c.WebIdentity.Policy)
		if token, err := c.WebIdentity.read(); err == nil {
			values = append(values, token)
		}
	}
	for _, r := range c.AssumeRole {
		values = append(values, r.ExternalID, r.Policy)
	}
	for _, proxy := range []*string{withScheme(c.HTTPProxy), withScheme(c.HTTPSProxy)} {
		values = append(values, ofProxy(proxy)...)
	}
	var out []string
	for _, v := range values {
		if len(v) >= shortest {
			out = append(out, v, url.QueryEscape(v))
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(out)
}

// ofProxy are the password of a proxy's URL and what a header says of it.
func ofProxy(proxy *string) []string {
	if proxy == nil {
		return nil
	}
	u, err := url.Parse(*proxy)
	if err != nil || u.User == nil {
		return nil
	}
	password, ok := u.User.Password()
	if !ok {
		return nil
	}
	return []string{password, base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password))}
}

// hide takes the settings' secrets out of a text.
func (c Config) hide(text string) string {
	for _, s := range c.secrets() {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return text
}

// hideInLog does the same for the log.
func (c Config) hideInLog(ctx context.Context) context.Context {
	secrets := c.secrets()
	ctx = tflog.SubsystemMaskAllFieldValuesStrings(ctx, subsystem, secrets...)
	return tflog.SubsystemMaskMessageStrings(ctx, subsystem, secrets...)
}

// hideInErrors makes the errors of a client's calls say nothing of the settings' secrets. A call may assume a role anew, so
// that its error can be one of STS, which was told them.
func (c Config) hideInErrors(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("EstateHideSecrets", func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		out, metadata, err := next.HandleInitialize(ctx, in)
		return out, metadata, c.discreet(err)
	}), middleware.Before)
}

// discreet returns err with words in which no secret of the settings stands.
func (c Config) discreet(err error) error {
	if err == nil {
		return nil
	}
	quiet := &discreetError{err, c.hide}
	var answer smithy.APIError
	if errors.As(err, &answer) {
		return &discreetAnswer{quiet, answer}
	}
	return quiet
}

// discreetError is an error without secrets in its words.
type discreetError struct {
	err  error
	hide func(string) string
}

func (e *discreetError) Error() string { return e.hide(e.err.Error()) }
func (e *discreetError) Unwrap() error { return e.err }

// discreetAnswer is the same for an error that AWS answered.
type discreetAnswer struct {
	*discreetError
	answer smithy.APIError
}

var _ smithy.APIError = &discreetAnswer{}

func (e *discreetAnswer) ErrorCode() string             { return e.answer.ErrorCode() }
func (e *discreetAnswer) ErrorMessage() string          { return e.hide(e.answer.ErrorMessage()) }
func (e *discreetAnswer) ErrorFault() smithy.ErrorFault { return e.answer.ErrorFault() }
