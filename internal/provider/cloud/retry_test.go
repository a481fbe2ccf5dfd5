package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
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
		"cannot be read":           {&smithy.OperationError{Err: &smithy.DeserializationError{Err: io.EOF}}, true},
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

// The SDK asks a retryer of its second generation for a token before each attempt, which is where adaptive mode limits
// the rate. Ours stays of that generation, whatever it holds.
func TestRetryersKeepTheirGeneration(t *testing.T) {
	adaptive := retry.NewAdaptiveMode()
	first := firstGeneration{retry.NewStandard()}
	if secondGeneration(adaptive) != aws.RetryerV2(adaptive) {
		t.Error("a retryer of the second generation was wrapped")
	}
	for name, r := range map[string]aws.Retryer{"adaptive": adaptive, "standard": retry.NewStandard(), "first generation": first} {
		var ours aws.Retryer = hasty{secondGeneration(r), callAttempts}
		v2, ok := ours.(aws.RetryerV2)
		if !ok {
			t.Errorf("%s: the SDK would not ask for its tokens", name)
			continue
		}
		if release, err := v2.GetAttemptToken(t.Context()); err != nil || release(nil) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// firstGeneration hides what the second generation adds.
type firstGeneration struct{ aws.Retryer }

// Adaptive mode as the configuration asks for it limits calls after throttling: with its answer, the bucket of tokens fills
// slowly, and an attempt waits for one.
func TestAdaptiveModeLimits(t *testing.T) {
	for mode, limits := range map[string]bool{"adaptive": true, "standard": false} {
		t.Run(mode, func(t *testing.T) {
			bareEnvironment(t)
			c := static(startSTS(t, "").url)
			c.RetryMode = mode
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			config := Client(s, "sts", configOf)
			r, ok := config.Retryer().(aws.RetryerV2)
			if !ok {
				t.Fatalf("a %T", config.Retryer())
			}
			limited := false
			for range 20 {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
				release, err := r.GetAttemptToken(ctx)
				cancel()
				if limited = err != nil; limited {
					break
				}
				_ = release(failedCall(http.StatusServiceUnavailable, "RequestLimitExceeded"))
			}
			if limited != limits {
				t.Errorf("limited: %t", limited)
			}
		})
	}
}

// A create call without a token is sent once where its answer is lost, and again where AWS says that nothing was done.
func TestUnrepeated(t *testing.T) {
	lost := map[string]error{
		"broken": &smithyhttp.RequestSendError{Err: io.ErrUnexpectedEOF}, "failed inside": failedCall(http.StatusInternalServerError, "InternalError"),
	}
	done := map[string]error{
		"throttled": failedCall(http.StatusServiceUnavailable, "RequestLimitExceeded"), "not sent": &smithyhttp.RequestSendError{Err: &net.OpError{Op: "dial", Err: errors.New("refused")}},
	}
	for mode, r := range map[string]aws.Retryer{"standard": retry.NewStandard(), "adaptive": retry.NewAdaptiveMode()} {
		ours := hasty{secondGeneration(r), callAttempts}
		for name, err := range lost {
			if _, got := ours.GetRetryToken(Unrepeated(t.Context()), err); !errors.Is(got, err) {
				t.Errorf("%s, %s: it is sent again: %v", mode, name, got)
			}
			if _, got := ours.GetRetryToken(t.Context(), err); got != nil {
				t.Errorf("%s, %s: a call that may be repeated is not: %v", mode, name, got)
			}
		}
		for name, err := range done {
			if _, got := ours.GetRetryToken(Unrepeated(t.Context()), err); got != nil {
				t.Errorf("%s, %s: it is not sent again: %v", mode, name, got)
			}
		}
	}
}
