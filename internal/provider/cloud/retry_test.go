package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

func failedCall(status int, code string) error {
	return &smithy.OperationError{ServiceID: "EC2", OperationName: "CreateVpc", Err: &awshttp.ResponseError{
		ResponseError: &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: status}},
			Err:      &smithy.GenericAPIError{Code: code, Message: "m"},
		},
	}}
}

func TestIsAnswerLost(t *testing.T) {
	tests := map[string]struct {
		err  error
		want bool
	}{
		"the connection broke":     {&smithyhttp.RequestSendError{Err: io.ErrUnexpectedEOF}, true},
		"nobody answered in time":  {fmt.Errorf("creating: %w", context.DeadlineExceeded), true},
		"interrupted":              {fmt.Errorf("creating: %w", context.Canceled), true},
		"failed inside":            {failedCall(http.StatusInternalServerError, "InternalError"), true},
		"refused the connection":   {&smithyhttp.RequestSendError{Err: &net.OpError{Op: "dial", Err: errors.New("refused")}}, false},
		"throttled":                {failedCall(http.StatusServiceUnavailable, "RequestLimitExceeded"), false},
		"denied":                   {failedCall(http.StatusForbidden, "UnauthorizedOperation"), false},
		"no answer of the network": {errors.New("the plan is wrong"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := IsAnswerLost(tt.err); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
