package faultproxy

import "net/http"

// Throttle keeps the call from AWS and answers as the service does to who calls too often: status 503 with
// RequestLimitExceeded (EC2) or SlowDown (S3), 400 with Throttling (other XML services) or ThrottlingException (JSON 1.x,
// CBOR), 429 with TooManyRequestsException (REST JSON). SDKs repeat such calls: limit the rule with Times.
func Throttle() Fault { return instead("throttle", throttling) }

func throttling(c Call) (status int, code, message string) {
	switch {
	case c.protocol == ec2Query:
		return http.StatusServiceUnavailable, "RequestLimitExceeded", "Request limit exceeded."
	case c.Service == "s3":
		return http.StatusServiceUnavailable, "SlowDown", "Please reduce your request rate."
	case c.protocol == query || c.protocol == restXML:
		return http.StatusBadRequest, "Throttling", "Rate exceeded"
	case c.protocol == restJSON:
		return http.StatusTooManyRequests, "TooManyRequestsException", "Rate exceeded"
	}
	return http.StatusBadRequest, "ThrottlingException", "Rate exceeded"
}

// PriorRequestNotComplete keeps the call from AWS and answers as Route 53 does to a change of a zone while it is busy
// with the one before.
func PriorRequestNotComplete() Fault {
	return Answer(http.StatusBadRequest, "PriorRequestNotComplete",
		"The request was rejected because Route 53 was still processing a prior request.")
}
