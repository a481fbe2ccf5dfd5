package faultproxy

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/smithy-go/encoding/cbor"

	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
)

// account is the account that denials speak of: moto's default one.
const account = "123456789012"

// requestID is the request id of every answer that the proxy makes itself.
const requestID = "fa017000-0000-4000-8000-000000000000"

// failed writes an error in the shape of the call's service.
func failed(c Call, failure func(Call) (status int, code, message string)) (*answer, error) {
	status, code, message := failure(c)
	a := &answer{status: status, header: http.Header{"X-Amzn-Requestid": {requestID}}}
	fault := wireError{Type: "Sender", Code: code, Message: message}
	if status >= http.StatusInternalServerError {
		fault.Type = "Receiver"
	}
	var err error
	switch c.protocol {
	case ec2Query:
		fault.Type = ""
		a.header.Set("Content-Type", "text/xml;charset=UTF-8")
		a.body, err = document(ec2Failure{Errors: []wireError{fault}, RequestID: requestID})
	case query, restXML:
		a.header.Set("Content-Type", "text/xml")
		a.body, err = document(queryFailure{Space: namespace(c), Error: fault, RequestID: requestID})
	case s3XML:
		a.header.Set("Content-Type", "application/xml")
		a.header.Set("X-Amz-Request-Id", requestID)
		if c.Method != http.MethodHead { // clients then have the status alone to go by
			a.body, err = document(s3Failure{Code: code, Message: message, Resource: c.Path, RequestID: requestID})
		}
	case jsonRPC, restJSON:
		a.header.Set("Content-Type", "application/x-amz-json-1.1")
		if c.protocol == restJSON {
			a.header.Set("Content-Type", "application/json")
		}
		a.header.Set("X-Amzn-Errortype", code)
		a.body, err = json.Marshal(map[string]string{"__type": code, "message": message})
	case cborRPC:
		a.header.Set("Content-Type", "application/cbor")
		a.header.Set("Smithy-Protocol", "rpc-v2-cbor")
		a.body = cbor.Encode(cbor.Map{"__type": cbor.String(code), "message": cbor.String(message)})
	}
	return a, err
}

type wireError struct {
	Type    string `xml:",omitempty"`
	Code    string
	Message string
}

type ec2Failure struct {
	XMLName   xml.Name    `xml:"Response"`
	Errors    []wireError `xml:"Errors>Error"`
	RequestID string      // sic: other services write RequestId
}

type queryFailure struct {
	XMLName   xml.Name `xml:"ErrorResponse"`
	Space     string   `xml:"xmlns,attr"`
	Error     wireError
	RequestID string `xml:"RequestId"`
}

type s3Failure struct {
	XMLName   xml.Name `xml:"Error"`
	Code      string
	Message   string
	Resource  string
	RequestID string `xml:"RequestId"`
}

func document(v any) ([]byte, error) {
	b := bytes.NewBufferString(xml.Header)
	if err := xml.NewEncoder(b).Encode(v); err != nil {
		return nil, fmt.Errorf("write an XML error: %w", err)
	}
	return b.Bytes(), nil
}

// namespace is that of the service's documents, which carry its API version.
func namespace(c Call) string {
	version := c.Params.Get("Version")
	if version == "" {
		version, _, _ = strings.Cut(strings.TrimPrefix(c.Path, "/"), "/")
	}
	return "https://" + c.Service + ".amazonaws.com/doc/" + version + "/"
}

// denial is what each service says when no policy allows a call.
func denial(c Call) (status int, code, message string) { return denialOf(c, c.Permission()) }

// denialOf is what each service says when no policy allows an action that the call needs.
func denialOf(c Call, action string) (status int, code, message string) {
	user := c.AccessKey
	if user == "" {
		user = "unsigned"
	}
	message = fmt.Sprintf("User: arn:aws:iam::%s:user/%s is not authorized to perform: %s on resource: %s because "+
		"no identity-based policy allows the %[3]s action", account, user, action, resource(c))
	switch c.protocol {
	case ec2Query:
		return http.StatusForbidden, "UnauthorizedOperation",
			"You are not authorized to perform this operation. " + message
	case query, restXML, s3XML:
		return http.StatusForbidden, "AccessDenied", message
	case jsonRPC:
		return http.StatusBadRequest, "AccessDeniedException", message
	}
	return http.StatusForbidden, "AccessDeniedException", message
}

// expiry is what each service says of a session token that was valid once.
func expiry(c Call) (status int, code, message string) {
	const text = "The security token included in the request is expired"
	switch c.protocol {
	case ec2Query:
		return http.StatusBadRequest, "RequestExpired", "Request has expired."
	case query, restXML:
		return http.StatusForbidden, "ExpiredToken", text
	case s3XML:
		return http.StatusBadRequest, "ExpiredToken", "The provided token has expired."
	case jsonRPC:
		return http.StatusBadRequest, "ExpiredTokenException", text
	}
	return http.StatusForbidden, "ExpiredTokenException", text
}

// resource names what a denied call was about as far as the request tells plainly, or "*".
func resource(c Call) string {
	switch c.Service {
	case "iam":
		for _, p := range []struct{ param, kind string }{
			{"RoleName", "role"}, {"UserName", "user"}, {"GroupName", "group"}, {"PolicyName", "policy"},
			{"InstanceProfileName", "instance-profile"},
		} {
			if v := c.Params.Get(p.param); v != "" {
				return "arn:aws:iam::" + account + ":" + p.kind + "/" + v
			}
		}
		if v := c.Params.Get("PolicyArn"); v != "" {
			return v
		}
	case "s3":
		if path := strings.Trim(c.Path, "/"); path != "" {
			return "arn:aws:s3:::" + path
		}
	}
	return "*"
}

// Permission returns the IAM action that belongs to the call, such as "s3:ListAllMyBuckets" for ListBuckets; Permissions may
// name more.
func (c Call) Permission() string { return permissions.Action(c.Service, c.Action) }

// Permissions returns the IAM actions that the call needs, its own first.
func (c Call) Permissions() []string {
	return permissions.Needed(c.Service, c.Action, slices.Concat(slices.Collect(maps.Keys(c.Params)), slices.Collect(maps.Keys(c.Header))))
}
