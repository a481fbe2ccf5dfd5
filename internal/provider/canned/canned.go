// Package canned answers AWS calls in tests from a list of texts and keeps the requests, for what an emulator does not
// keep or cannot be made to answer. Test only.
//
// It speaks the protocols of EC2 and IAM (query), CloudWatch Logs (JSON), and S3 and Route 53 (XML over REST). It lacks
// state: what was created is not found unless the list says so.
package canned

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

const (
	// Account is the account of a canned Session.
	Account = "111122223333"
	// Region is the region of a canned Session.
	Region = "eu-west-1"
)

// Answers are the bodies for each action, such as "DescribeVpcs", in the order of its calls. A call that has no body left
// fails the test. What a body holds depends on the protocol:
//
//   - query: what stands inside the response element (for IAM, inside its result element);
//   - JSON and XML over REST: the whole body. Lines "@Header: value" before it are headers of the answer.
//
// "!Code some words" is an error of AWS, with status 400; "!404 Code some words" one with another status.
type Answers map[string][]string

// AWS is a server that gives the answers.
type AWS struct {
	t       *testing.T
	mu      sync.Mutex
	answers Answers
	calls   []string
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
		APIOptions:   []func(*middleware.Stack) error{nameOperation},
		Retryer:      func() aws.Retryer { return aws.NopRetryer{} },
	}, Account, Region), a
}

// operationHeader carries the name of the operation, which a REST request does not show.
const operationHeader = "Canned-Operation"

func nameOperation(stack *middleware.Stack) error {
	return stack.Build.Add(middleware.BuildMiddlewareFunc("CannedOperation",
		func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
			if r, ok := in.Request.(*smithyhttp.Request); ok {
				r.Header.Set(operationHeader, awsmiddleware.GetOperationName(ctx))
			}
			return next.HandleBuild(ctx, in)
		}), middleware.After)
}

// Calls returns the requests so far, one line each:
//
//   - query: "Action key=value key=value", without Version, keys in order;
//   - JSON: "Action {...}";
//   - REST: "Action METHOD /path?query", then "x-amz-...: value" for each header of the service's own in their order, then
//     the body, all apart by spaces.
func (a *AWS) Calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.calls)
}

// ServeHTTP implements http.Handler.
func (a *AWS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		a.t.Errorf("reading a request: %v", err)
	}
	shape, line, err := read(r, string(raw))
	if err != nil {
		a.t.Errorf("reading a request: %v", err)
	}
	action, _, _ := strings.Cut(line, " ")
	a.mu.Lock()
	a.calls = append(a.calls, line)
	body := "!NoAnswer the test has no answer for " + action
	if left := a.answers[action]; len(left) > 0 {
		body, a.answers[action] = left[0], left[1:]
	} else {
		a.t.Errorf("a call that the test does not expect: %s", line)
	}
	a.mu.Unlock()

	for strings.HasPrefix(body, "@") {
		header, rest, _ := strings.Cut(body[1:], "\n")
		name, value, _ := strings.Cut(header, ": ")
		w.Header().Set(name, value)
		body = rest
	}
	status := http.StatusOK
	if failure, failed := strings.CutPrefix(body, "!"); failed {
		status, body = shape.failure(failure)
	} else {
		body = shape.success(action, body)
	}
	w.Header().Set("Content-Type", shape.contentType())
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // #nosec G705 -- XML for the test that asked, no browser; a lost client reports itself
}

// protocol is how a service wraps its answers.
type protocol int

const (
	ec2Query protocol = iota
	awsQuery
	awsJSON
	restXML
)

// read tells the protocol of a request and writes it as one line.
func read(r *http.Request, body string) (protocol, string, error) {
	action := r.Header.Get(operationHeader)
	switch {
	case r.Header.Get("X-Amz-Target") != "":
		return awsJSON, action + " " + body, nil
	case strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"):
		form, err := url.ParseQuery(body)
		if err != nil {
			return awsQuery, action, err
		}
		shape := awsQuery
		if form.Get("Version") == "2016-11-15" {
			shape = ec2Query
		}
		form.Del("Action")
		form.Del("Version")
		rest, err := url.QueryUnescape(strings.ReplaceAll(form.Encode(), "&", " "))
		return shape, strings.TrimSpace(action + " " + rest), err
	}
	query := r.URL.Query()
	query.Del("x-id") // the SDK's own name of the operation
	words := []string{action, r.Method, (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()}
	var own []string
	for name := range r.Header {
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "x-amz-") && !slices.Contains(signing, name) && !strings.HasPrefix(name, "x-amz-checksum") {
			own = append(own, name+": "+r.Header.Get(name))
		}
	}
	slices.Sort(own)
	words = append(words, own...)
	if body != "" {
		words = append(words, body)
	}
	return restXML, strings.Join(words, " "), nil
}

// signing are headers that the SDK adds to every request.
var signing = []string{"x-amz-content-sha256", "x-amz-date", "x-amz-sdk-checksum-algorithm", "x-amz-trailer"}

func (p protocol) contentType() string {
	if p == awsJSON {
		return "application/x-amz-json-1.1"
	}
	return "text/xml"
}

func (p protocol) success(action, body string) string {
	switch p {
	case ec2Query:
		return "<" + action + "Response>" + body + "</" + action + "Response>"
	case awsQuery:
		return "<" + action + "Response><" + action + "Result>" + body + "</" + action + "Result></" + action + "Response>"
	case awsJSON:
		if body == "" {
			return "{}"
		}
	}
	return body
}

// failure makes an error of "Code some words", or of a status before them.
func (p protocol) failure(text string) (int, string) {
	status := http.StatusBadRequest
	if n, _ := fmt.Sscanf(text, "%3d ", &status); n == 1 {
		_, text, _ = strings.Cut(text, " ")
	} else {
		status = http.StatusBadRequest
	}
	code, message, _ := strings.Cut(text, " ")
	if p == awsJSON {
		return status, fmt.Sprintf(`{"__type":%q,"message":%q}`, code, message)
	}
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(message)) // a Builder takes everything
	inner := "<Code>" + code + "</Code><Message>" + escaped.String() + "</Message>"
	switch p {
	case ec2Query:
		return status, "<Response><Errors><Error>" + inner + "</Error></Errors><RequestID>r</RequestID></Response>"
	case awsQuery:
		return status, "<ErrorResponse><Error>" + inner + "</Error><RequestId>r</RequestId></ErrorResponse>"
	}
	// Route 53 wraps the error, S3 has it at the root: each SDK finds its own and leaves the other alone.
	return status, "<ErrorResponse>" + inner + "<Error>" + inner + "</Error><RequestId>r</RequestId></ErrorResponse>"
}
