package cloud

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// answered is an error as a service client returns it.
func answered(service, operation, code, message string) error {
	return fmt.Errorf("creating: %w", &smithy.OperationError{
		ServiceID: service, OperationName: operation,
		Err: &awshttp.ResponseError{
			RequestID: "req-9",
			ResponseError: &smithyhttp.ResponseError{
				Response: &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusForbidden}},
				Err:      &smithy.GenericAPIError{Code: code, Message: message},
			},
		},
	})
}

func TestErrors(t *testing.T) {
	for name, test := range map[string]struct {
		err             error
		code            string
		denied, expired bool
		action          string
	}{
		"no answer": {err: errors.New("x")},
		"nil":       {},
		"named": {answered("IAM", "CreateRole", "AccessDenied", "User: arn:aws:iam::1:user/u is not authorized to perform: iam:PassRole on resource: r"),
			"AccessDenied", true, false, "iam:PassRole"},
		"by operation": {answered("EC2", "CreateVpc", "UnauthorizedOperation", "You are not authorized to perform this operation. Encoded authorization failure message: zz"),
			"UnauthorizedOperation", true, false, "ec2:CreateVpc"},
		"another prefix": {answered("Elastic Load Balancing v2", "AddTags", "AccessDenied", ""),
			"AccessDenied", true, false, "elasticloadbalancing:AddTags"},
		"HEAD":    {answered("S3", "HeadBucket", "Forbidden", ""), "Forbidden", true, false, "s3:ListBucket"},
		"expired": {answered("EC2", "DescribeVpcs", "RequestExpired", ""), "RequestExpired", false, true, ""},
		"sso":     {fmt.Errorf("x: %w", &ssocreds.InvalidTokenError{}), "", false, true, ""},
		"missing": {answered("EC2", "DescribeVpcs", "InvalidVpcID.NotFound", "gone"), "InvalidVpcID.NotFound", false, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Code(test.err); got != test.code {
				t.Errorf("code %q", got)
			}
			if IsDenied(test.err) != test.denied || IsExpired(test.err) != test.expired {
				t.Errorf("denied %t, expired %t", IsDenied(test.err), IsExpired(test.err))
			}
			if got := DeniedAction(test.err); got != test.action {
				t.Errorf("action %q", got)
			}
			id := ""
			if test.code != "" {
				id = "req-9"
			}
			if got := RequestID(test.err); got != id {
				t.Errorf("request id %q", got)
			}
		})
	}
}

// TestDeniedFurther: where AWS does not name the action that was missing, it may be another than the operation's own.
func TestDeniedFurther(t *testing.T) {
	const encoded = "You are not authorized to perform this operation. Encoded authorization failure message: zz"
	err := answered("EC2", "CreateVpc", "UnauthorizedOperation", encoded)
	if got := DeniedFurther(err); !slices.Equal(got, []string{"ec2:CreateTags"}) || !IsEncoded(err) {
		t.Errorf("encoded: %q, %v", got, IsEncoded(err))
	}
	named := answered("EC2", "CreateVpc", "UnauthorizedOperation",
		"You are not authorized to perform this operation. User: x is not authorized to perform: ec2:CreateTags on resource: *. Encoded authorization failure message: zz")
	if DeniedAction(named) != "ec2:CreateTags" || DeniedFurther(named) != nil || IsEncoded(named) {
		t.Errorf("named: %s, %q, %v", DeniedAction(named), DeniedFurther(named), IsEncoded(named))
	}
	if err := answered("EC2", "CreateVpc", "VpcLimitExceeded", encoded); DeniedFurther(err) != nil || IsEncoded(err) {
		t.Error("what is no denial lacks no action")
	}
}

func TestHasCode(t *testing.T) {
	err := answered("EC2", "DescribeVpcs", "InvalidVpcID.NotFound", "gone")
	if !HasCode(err, "Other", "InvalidVpcID.NotFound") || HasCode(err, "Other") || HasCode(errors.New("x"), "") {
		t.Error("HasCode must compare the service's code alone")
	}
}

func TestMessage(t *testing.T) {
	if got := Message(answered("EC2", "DescribeVpcs", "X", "gone")); got != "gone" {
		t.Errorf("got %q", got)
	}
	if got := Message(errors.New("plain")); got != "plain" || Message(nil) != "" {
		t.Errorf("got %q", got)
	}
	got := Message(answered("STS", "AssumeRole", "SignatureDoesNotMatch", "host:x\nX-Amz-Security-Token:FQoGZXIvYXdzEB\nend"))
	if strings.Contains(got, "FQoG") || !strings.HasSuffix(got, "end") {
		t.Errorf("got %q", got)
	}
}

func TestIsUnreachable(t *testing.T) {
	if !IsUnreachable(fmt.Errorf("x: %w", &smithyhttp.RequestSendError{Err: errors.New("connection refused")})) {
		t.Error("a refused connection is no answer")
	}
	if IsUnreachable(answered("EC2", "DescribeVpcs", "Throttling", "")) || IsUnreachable(nil) {
		t.Error("an answer is an answer")
	}
}
