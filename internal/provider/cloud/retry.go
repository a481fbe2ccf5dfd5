package cloud

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
)

// hasty gives up on an endpoint that cannot be reached after so many attempts, and is otherwise the retryer it holds: a
// throttled call is still tried to the end.
type hasty struct {
	aws.RetryerV2
	attempts int
}

// withTokens gives a retryer of the SDK's first generation the one method that the second adds. Without it the SDK would
// take any wrapped retryer for the first generation, and adaptive mode would not limit the rate.
type withTokens struct{ aws.Retryer }

// GetAttemptToken implements aws.RetryerV2.
func (r withTokens) GetAttemptToken(context.Context) (func(error) error, error) {
	return r.GetInitialToken(), nil
}

func secondGeneration(r aws.Retryer) aws.RetryerV2 {
	if v2, ok := r.(aws.RetryerV2); ok {
		return v2
	}
	return withTokens{r}
}

// RetryDelay is the only method of a retryer that learns how many attempts there were.
func (h hasty) RetryDelay(attempt int, err error) (time.Duration, error) {
	if attempt >= h.attempts && IsUnreachable(err) {
		return 0, &retry.MaxAttemptsError{Attempt: attempt, Err: err}
	}
	return h.RetryerV2.RetryDelay(attempt, err)
}

// GetRetryToken refuses to send a call of Unrepeated again whose answer was lost.
func (h hasty) GetRetryToken(ctx context.Context, err error) (func(error) error, error) {
	if !MayRepeat(ctx) && IsAnswerLost(err) {
		return nil, err
	}
	return h.RetryerV2.GetRetryToken(ctx, err)
}

// unrepeated is the key of the context of calls that must not be made twice.
type unrepeated struct{}

// Unrepeated returns a context for a call that makes something and takes no token: where its answer is lost, it may have
// been carried out, so that the SDK must not send it again. The call then fails with an error of which IsAnswerLost
// is true. Answers that say that nothing was done, such as throttling, are followed by another try as ever.
func Unrepeated(ctx context.Context) context.Context {
	return context.WithValue(ctx, unrepeated{}, true)
}

// MayRepeat reports whether a call of the context may be sent again although its answer was lost: the context is none of
// Unrepeated.
func MayRepeat(ctx context.Context) bool { return ctx.Value(unrepeated{}) == nil }

// IsAnswerLost reports whether a call may have been carried out although it failed: the connection broke after the
// request was sent, its time was up, the answer cannot be read, or the service failed inside (5xx, but for throttling).
func IsAnswerLost(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return false // nothing was sent
	}
	if IsUnreachable(err) || errors.Is(err, context.Canceled) {
		return true
	}
	var unreadable *smithy.DeserializationError
	if errors.As(err, &unreadable) {
		return true // an answer that cannot be read says nothing
	}
	var response *awshttp.ResponseError
	if !errors.As(err, &response) || response.HTTPStatusCode() < http.StatusInternalServerError {
		return false
	}
	_, throttled := retry.DefaultThrottleErrorCodes[Code(err)]
	return !throttled
}

func limitAnswers(t *http.Transport) { t.ResponseHeaderTimeout = answerLimit }
