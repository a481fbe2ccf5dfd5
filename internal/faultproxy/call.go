package faultproxy

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Call is one request and what came of it.
type Call struct {
	// Seq numbers calls from 1 in the order in which they came.
	Seq int
	// Service is the service's signing name, such as "ec2", or a guess from other headers if the call is unsigned.
	Service string
	// Action is the API operation, such as "CreateVpc"; "METHOD /path" for REST operations that are not known.
	Action string
	// Region is the signing region, for global services too; "" if unsigned.
	Region string
	// AccessKey is the id of the access key that signed the call; "" if unsigned.
	AccessKey string
	// Write says that the call may change something: its name is not that of a read.
	Write bool
	// Method and Path are those of HTTP; Path is decoded.
	Method, Path string
	// Params holds the decoded parameters: those of the URL and, by dotted name, those of a form, JSON, CBOR or
	// XML body. List members have their index (JSON, CBOR; from 0) or repeat the name (XML).
	Params url.Values
	// Header is the header as the client sent it.
	Header http.Header
	// RequestBody is the body as the client sent it, uncompressed.
	RequestBody []byte

	// Status is what AWS answered, or a fault in its place, though the client may not have got it. 0: no answer.
	Status int
	// ErrorCode is the code of an error answer, as the SDK names it; "" if the answer has none, as to HEAD.
	ErrorCode string
	// ResponseBody is the answer's body, uncompressed and as edited.
	ResponseBody []byte
	// Fault names what a rule did to the call, or how upstream failed; "" for neither.
	Fault string
	// Started is when the call came, Ended when its outcome was settled: zero before that.
	Started, Ended time.Time

	protocol protocol
	bucket   string // of a call to S3, as its path or host name has it
	deaths   int    // how many clients had died and been put behind when the call came
}

// protocol is how a service writes requests and errors.
type protocol int

const (
	restJSON protocol = iota
	restXML
	s3XML
	query
	ec2Query
	jsonRPC
	cborRPC
)

// Name returns "service:Action".
func (c Call) Name() string { return c.Service + ":" + c.Action }

// name reads everything about a request that does not need its answer. The body is uncompressed.
func name(r *http.Request, body []byte) Call {
	c := Call{
		Method: r.Method, Path: r.URL.Path, Params: r.URL.Query(), Header: r.Header.Clone(), RequestBody: body,
	}
	c.AccessKey, c.Region, c.Service = scope(r)
	kind := r.Header.Get("Content-Type")
	switch target := r.Header.Get("X-Amz-Target"); {
	case target != "":
		c.protocol = jsonRPC
		c.Action = target[strings.LastIndex(target, ".")+1:]
		flattenJSON(c.Params, body)
	case rpcOperation(r.URL.Path) != "" && (r.Header.Get("Smithy-Protocol") != "" || kind == "application/cbor"):
		c.protocol = cborRPC
		c.Action = rpcOperation(r.URL.Path)
		flattenCBOR(c.Params, body)
	default:
		if strings.HasPrefix(kind, "application/x-www-form-urlencoded") {
			form, _ := url.ParseQuery(string(body)) // what can be read of it
			for k, v := range form {
				c.Params[k] = append(c.Params[k], v...)
			}
		}
		if c.Action = c.Params.Get("Action"); c.Action != "" {
			c.protocol = query
		}
	}
	if c.Service == "" {
		c.Service = guessService(r, c.Params.Get("Version"))
	}
	switch {
	case c.Action == "":
		nameREST(&c, r)
	case c.protocol == query && c.Service == "ec2":
		c.protocol = ec2Query
	}
	c.Write = writes(c)
	return c
}

// scope reads access key, region and service from the credential scope of a SigV4 signature, in the header or in a
// presigned URL. SigV4a has no region.
func scope(r *http.Request) (key, region, service string) {
	credential := r.URL.Query().Get("X-Amz-Credential")
	if _, after, ok := strings.Cut(r.Header.Get("Authorization"), "Credential="); ok {
		credential, _, _ = strings.Cut(after, ",")
	}
	parts := strings.Split(strings.TrimSpace(credential), "/")
	switch len(parts) {
	case 5:
		return parts[0], parts[2], parts[3]
	case 4:
		return parts[0], "", parts[2]
	}
	return "", "", ""
}

// queryVersions tells unsigned query calls apart by the API version that they must carry.
var queryVersions = map[string]string{"2016-11-15": "ec2", "2010-05-08": "iam", "2011-06-15": "sts"}

// guessService names the service of an unsigned call from its API version, the SDK's user agent ("api/sts#1.45.1")
// or a host name of AWS. It returns "" if none tells.
func guessService(r *http.Request, version string) string {
	if s := queryVersions[version]; s != "" {
		return s
	}
	for part := range strings.FieldsSeq(r.Header.Get("User-Agent")) {
		if id, ok := strings.CutPrefix(part, "api/"); ok {
			id, _, _ = strings.Cut(id, "#")
			return id
		}
	}
	if host, _, ok := strings.Cut(r.Host, ".amazonaws.com"); ok {
		for label := range strings.SplitSeq(host, ".") {
			if label == "s3" {
				return "s3" // the first label may be a bucket
			}
		}
		host, _, _ = strings.Cut(host, ".")
		return host
	}
	return ""
}

// rpcOperation returns the operation of an RPC-v2 path, /service/<shape name>/operation/<name>, or "".
func rpcOperation(path string) string {
	parts := strings.Split(path, "/")
	n := len(parts)
	if n < 5 || parts[n-4] != "service" || parts[n-2] != "operation" {
		return ""
	}
	return parts[n-1]
}

// readPrefixes begin the names of operations that change nothing.
var readPrefixes = []string{
	"Get", "Describe", "List", "Head", "Lookup", "Simulate", "BatchGet", "BatchDescribe", "Query", "Scan", "Search",
	"Select", "Filter", "Decode",
}

// writes takes a call for a write unless its name says otherwise. STS hands out credentials but changes nothing.
func writes(c Call) bool {
	if c.Service == "sts" || c.protocol == ec2Query && c.Params.Get("DryRun") == "true" {
		return false
	}
	if method, _, ok := strings.Cut(c.Action, " "); ok {
		return method != http.MethodGet && method != http.MethodHead
	}
	for _, p := range readPrefixes {
		if strings.HasPrefix(c.Action, p) {
			return false
		}
	}
	return true
}
