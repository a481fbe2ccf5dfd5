package faultproxy

import (
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

func TestThrottle(t *testing.T) {
	throttles := retry.IsErrorThrottles(retry.DefaultThrottles)
	for service, want := range map[string]struct {
		status int
		code   string
	}{
		"ec2": {503, "RequestLimitExceeded"}, "iam": {400, "Throttling"}, "s3": {503, "SlowDown"},
		"route53": {400, "Throttling"}, "logs": {400, "ThrottlingException"},
	} {
		t.Run(service, func(t *testing.T) {
			p, f := before(t, created)
			p.On(Any(), Throttle()).Times(2)
			for range 2 {
				err := one[service](t.Context(), p)
				if status, code := refused(err); status != want.status || code != want.code {
					t.Errorf("the SDK says: %v", err)
				}
				if throttles.IsErrorThrottle(err) != aws.TrueTernary {
					t.Errorf("the SDK takes no throttling for one: %v", err)
				}
			}
			if err := one[service](t.Context(), p); err != nil || len(f.calls) != 1 {
				t.Errorf("the third call: %v, AWS saw %d", err, len(f.calls))
			}
		})
	}
}

func TestThrottleOfOtherProtocols(t *testing.T) {
	for _, tt := range []struct {
		protocol protocol
		service  string
		status   int
		code     string
	}{
		{restJSON, "lambda", http.StatusTooManyRequests, "TooManyRequestsException"},
		{cborRPC, "monitoring", http.StatusBadRequest, "ThrottlingException"},
		{restXML, "s3", http.StatusServiceUnavailable, "SlowDown"}, // S3 Control
	} {
		if status, code, _ := throttling(Call{Service: tt.service, protocol: tt.protocol}); status != tt.status || code != tt.code {
			t.Errorf("%s: %d %s", tt.service, status, code)
		}
	}
}

func TestPriorRequestNotComplete(t *testing.T) {
	p, _ := before(t, created)
	p.On(Any(), PriorRequestNotComplete())
	err := one["route53"](t.Context(), p)
	if status, code := refused(err); status != 400 || code != "PriorRequestNotComplete" {
		t.Errorf("the SDK says: %v", err)
	}
}
