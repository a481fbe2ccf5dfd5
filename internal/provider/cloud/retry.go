package cloud

import (
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// hasty gives up on an endpoint that cannot be reached after openAttempts, and is otherwise the retryer it holds:
// a throttled call is still tried to the end.
type hasty struct{ aws.Retryer }

// RetryDelay is the only method of a retryer that learns how many attempts there were.
func (h hasty) RetryDelay(attempt int, err error) (time.Duration, error) {
	if attempt >= openAttempts && IsUnreachable(err) {
		return 0, &retry.MaxAttemptsError{Attempt: attempt, Err: err}
	}
	return h.Retryer.RetryDelay(attempt, err)
}

func limitAnswers(t *http.Transport) { t.ResponseHeaderTimeout = answerLimit }
