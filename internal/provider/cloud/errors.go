package cloud

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
)

// deniedCodes are the codes by which services say that the caller lacks a permission. "Forbidden" is S3's answer
// to a HEAD request, which has no body to hold a better one.
var deniedCodes = []string{
	"AccessDenied", "AccessDeniedException", "AccessDeniedFault", "AuthorizationError",
	"AuthorizationErrorException", "Forbidden", "NotAuthorized", "NotAuthorizedException",
	"UnauthorizedAccess", "UnauthorizedOperation",
}

// expiredCodes are the codes for credentials whose time is over.
var expiredCodes = []string{"ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired"}

// invalidCodes are the codes for credentials that AWS does not know or whose signature is wrong.
var invalidCodes = []string{
	"AuthFailure", "IncompleteSignature", "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidToken",
	"SignatureDoesNotMatch", "UnrecognizedClientException",
}

var deniedPattern = regexp.MustCompile(`not authorized to perform:? ([A-Za-z0-9-]+:[A-Za-z0-9*]+)`)

// Code returns AWS's error code, such as "InvalidVpcID.NotFound"; "" when err holds no answer of a service.
func Code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// HasCode reports whether AWS's error code is one of codes.
func HasCode(err error, codes ...string) bool {
	code := Code(err)
	return code != "" && slices.Contains(codes, code)
}

// Message returns AWS's words without the SDK's preamble, the whole error's text when err holds no answer of a
// service. Session tokens, signatures and passwords that it quotes are taken out, so that the text may be shown.
func Message(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorMessage() != "" {
		text = api.ErrorMessage()
	}
	return redact(text)
}

// RequestID returns the id under which AWS knows the call that failed, "" when no answer came.
func RequestID(err error) string {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		return response.ServiceRequestID()
	}
	return ""
}

// IsDenied reports whether AWS refused the call for want of a permission.
func IsDenied(err error) bool { return HasCode(err, deniedCodes...) }

// IsExpired reports whether the credentials were good once and have expired, those of an SSO login among them.
func IsExpired(err error) bool {
	var sso *ssocreds.InvalidTokenError
	return HasCode(err, expiredCodes...) || errors.As(err, &sso)
}

// IsUnreachable reports whether no answer came: the endpoint refused, could not be resolved, or took too long. The
// call may have been carried out all the same.
func IsUnreachable(err error) bool {
	var send *smithyhttp.RequestSendError
	return errors.As(err, &send) || errors.Is(err, context.DeadlineExceeded)
}

// DeniedAction returns the IAM action that a denied call lacked, such as "ec2:CreateVpc": the one AWS names, else
// the one that belongs to the operation. "" when err is no denial or tells neither.
func DeniedAction(err error) string {
	if !IsDenied(err) {
		return ""
	}
	if named := namedAction(err); named != "" {
		return named
	}
	return first(possibleActions(err))
}

// DeniedFurther returns the actions that a denied call may have lacked in place of DeniedAction: those that tags and the like ask
// for beside the operation's own. None where AWS names the one.
func DeniedFurther(err error) []string {
	if possible := possibleActions(err); IsDenied(err) && namedAction(err) == "" && len(possible) > 0 {
		return possible[1:]
	}
	return nil
}

// IsEncoded reports whether AWS tells which action a denied call lacked, but in a form that a call of STS has to decode.
func IsEncoded(err error) bool {
	return IsDenied(err) && namedAction(err) == "" && strings.Contains(Message(err), "Encoded authorization failure message")
}

// namedAction is the action in AWS's words, "" where it names none.
func namedAction(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		if m := deniedPattern.FindStringSubmatch(api.ErrorMessage()); m != nil {
			return m[1]
		}
	}
	return ""
}

// possibleActions are those that calls of the operation may need.
func possibleActions(err error) []string {
	var operation *smithy.OperationError
	if !errors.As(err, &operation) || operation.Operation() == "" {
		return nil
	}
	return permissions.Possible(operation.Service(), operation.Operation())
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}
