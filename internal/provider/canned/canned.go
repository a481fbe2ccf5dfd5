// Package canned answers AWS calls in tests from a list of texts and keeps the requests, for what an emulator does not
// keep or cannot be made to answer. Test only.
//
// It speaks the query protocols of EC2 and IAM. It lacks state: what was created is not found unless the list says so.
package canned

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

const (
	// Account is the account of a canned Session.
	Account = "111122223333"
	// Region is the region of a canned Session.
	Region = "eu-west-1"
)

// Answers are the bodies for each action, such as "DescribeVpcs", in the order of its calls. A body is what stands
// inside the response element (for IAM, inside its result element). "!Code some words" is an error of AWS. A call
// that has no body left fails the test.
type Answers map[string][]string

// AWS is a server that gives the answers.
type AWS struct {
	t       *testing.T
	mu      sync.Mutex
	answers Answers
	calls   []url.Values
}

// New starts a server for the test and returns it with a Session that calls it.
func New(t *testing.T, answers Answers) (*cloud.Session, *AWS) {
	t.Helper()
	a := &AWS{t: t, answers: answers}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	return cloud.New(aws.Config{
		Region:       Region,
		BaseEndpoint: aws.String(server.URL),
		Credentials:  credentials.NewStaticCredentialsProvider("canned", "canned", ""),
	}, Account, Region), a
}

// Calls returns the requests so far as "Action key=value key=value", without Version, keys in order.
func (a *AWS) Calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]string, len(a.calls))
	for i, form := range a.calls {
		action := form.Get("Action")
		rest := url.Values{}
		for k, v := range form {
			if k != "Action" && k != "Version" {
				rest[k] = v
			}
		}
		line, err := url.QueryUnescape(strings.ReplaceAll(rest.Encode(), "&", " "))
		if err != nil {
			a.t.Errorf("decoding %s: %v", action, err)
		}
		out[i] = strings.TrimSpace(action + " " + line)
	}
	return out
}

// ServeHTTP implements http.Handler.
func (a *AWS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		a.t.Errorf("reading a request: %v", err)
	}
	action := r.PostForm.Get("Action")
	a.mu.Lock()
	a.calls = append(a.calls, r.PostForm)
	body := "!NoAnswer the test has no answer for " + action
	if left := a.answers[action]; len(left) > 0 {
		body, a.answers[action] = left[0], left[1:]
	} else {
		a.t.Errorf("a call of %s that the test does not expect: %v", action, r.PostForm)
	}
	a.mu.Unlock()

	response, status := frame(r.PostForm.Get("Version"), action, body)
	w.Header().Set("Content-Type", "text/xml")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, response) // #nosec G705 -- XML for the test that asked, no browser; a lost client reports itself
}

// frame puts a body into the XML that the API of the given version wraps it in.
func frame(version, action, body string) (string, int) {
	isEC2 := version == "2016-11-15"
	if failure, failed := strings.CutPrefix(body, "!"); failed {
		code, message, _ := strings.Cut(failure, " ")
		var text strings.Builder
		_ = xml.EscapeText(&text, []byte(message)) // a Builder takes everything
		failure = "<Error><Code>" + code + "</Code><Message>" + text.String() + "</Message></Error>"
		if isEC2 {
			return "<Response><Errors>" + failure + "</Errors><RequestID>r</RequestID></Response>", http.StatusBadRequest
		}
		return "<ErrorResponse>" + failure + "<RequestId>r</RequestId></ErrorResponse>", http.StatusBadRequest
	}
	if !isEC2 {
		body = "<" + action + "Result>" + body + "</" + action + "Result>"
	}
	return "<" + action + "Response>" + body + "</" + action + "Response>", http.StatusOK
}
