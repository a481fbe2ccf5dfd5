package faultproxy

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// AsAWS makes the proxy answer as AWS does where moto is known to differ, until it is closed:
//
//   - EC2, ClientToken: a call that repeats the token and the parameters of one that succeeded gets the answer of the
//     first and makes nothing; with other parameters it fails with IdempotentParameterMismatch.
//   - Route 53, CreateHostedZone: a CallerReference that was used once fails with HostedZoneAlreadyExists, even
//     after its zone was deleted.
//   - S3: a bucket whose public access block, ownership controls or encryption were never written answers reads of them
//     with what new buckets have: all four blocks, BucketOwnerEnforced, and SSE-S3. Once deleted, the first two are
//     missing, and the encryption is SSE-S3 again.
//   - A call that moto's IAM policies forbid is denied in the form of its own service, as by Deny. Moto has one form for all
//     but S3, which is none of theirs.
//
// It knows only what passed through this proxy, and takes all that did for calls of one account: clients of several
// accounts share tokens and references, as on AWS they do not. It does not expire tokens, and an answer given again
// tells of the first state of an object, where AWS tells of the present one.
func (p *Proxy) AsAWS() {
	p.aws.mu.Lock()
	defer p.aws.mu.Unlock()
	if !p.aws.on {
		p.aws.on = true
		p.aws.tokens, p.aws.references, p.aws.deleted = map[string]*used{}, map[string]*used{}, map[string]bool{}
	}
}

// asAWS is what AsAWS remembers.
type asAWS struct {
	mu sync.Mutex
	on bool
	// tokens has the calls with a client token, by region, action and token; references those with a caller reference.
	tokens, references map[string]*used
	// deleted has the sub-resources that were deleted from buckets, by bucket and action that reads them.
	deleted map[string]bool
}

// used is a token that a call was made with. Calls with the same token wait for each other.
type used struct {
	mu     sync.Mutex
	params string
	first  *answer // nil until a call has succeeded
}

// answer makes a call by send, unless AWS would answer otherwise.
func (s *asAWS) answer(c Call, send func() (*answer, error)) (*answer, error) {
	s.mu.Lock()
	if !s.on {
		s.mu.Unlock()
		return send()
	}
	made := send
	send = func() (*answer, error) {
		a, err := made()
		if err == nil && a.status == http.StatusForbidden && motoDenial.Match(a.plain()) {
			return failed(c, denial)
		}
		return a, err
	}
	var entry *used
	refuse := mismatch
	switch reference := c.Params.Get("CreateHostedZoneRequest.CallerReference"); {
	case c.protocol == ec2Query && c.Write && c.Params.Get("ClientToken") != "":
		entry = entryOf(s.tokens, c.Region+" "+c.Action+" "+c.Params.Get("ClientToken"))
	case c.Name() == "route53:CreateHostedZone" && reference != "":
		entry, refuse = entryOf(s.references, reference), zoneExists
	}
	s.mu.Unlock()
	if entry != nil {
		return entry.answer(c, send, refuse)
	}
	a, err := send()
	if err != nil || c.bucket == "" { // S3 Control, which an account's block belongs to, has no buckets
		return a, err
	}
	return s.ofBucket(c, a), nil
}

// motoDenial is how moto answers a call that its policies forbid.
var motoDenial = regexp.MustCompile(`<ErrorResponse>\s*<Errors>\s*<Error>\s*<Code>AccessDenied</Code>`)

func entryOf(m map[string]*used, key string) *used {
	if m[key] == nil {
		m[key] = &used{}
	}
	return m[key]
}

// answer makes the call if none with its token has succeeded. Else it repeats that answer, or refuses.
func (u *used) answer(c Call, send func() (*answer, error), refuse func(Call) (int, string, string)) (*answer, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	params := canonical(c)
	if u.first != nil {
		if c.protocol == ec2Query && params == u.params {
			return u.first, nil
		}
		return failed(c, refuse)
	}
	a, err := send()
	if err == nil && a.status < http.StatusMultipleChoices {
		u.first, u.params = a, params
	}
	return a, err
}

// canonical writes the parameters of a call in one order, without those of a signature.
func canonical(c Call) string {
	params := maps.Clone(c.Params)
	maps.DeleteFunc(params, func(name string, _ []string) bool { return strings.HasPrefix(name, "X-Amz-") })
	return params.Encode()
}

func mismatch(Call) (status int, code, message string) {
	return http.StatusBadRequest, "IdempotentParameterMismatch",
		"Arguments on this idempotent request are inconsistent with arguments used in previous request(s)."
}

func zoneExists(Call) (status int, code, message string) {
	return http.StatusConflict, "HostedZoneAlreadyExists",
		"A hosted zone has already been created with the specified caller reference."
}

// bucketDefault is what a new bucket has of a sub-resource.
type bucketDefault struct {
	missing, deletes, body string
	// returns says that the sub-resource has its default again once it is deleted.
	returns bool
}

const s3Space = ` xmlns="http://s3.amazonaws.com/doc/2006-03-01/"`

// bucketDefaults are those that AWS has given to new buckets since 2023, by the call that reads them.
var bucketDefaults = map[string]bucketDefault{
	"GetPublicAccessBlock": {
		missing: "NoSuchPublicAccessBlockConfiguration", deletes: "DeletePublicAccessBlock",
		body: "<PublicAccessBlockConfiguration" + s3Space + "><BlockPublicAcls>true</BlockPublicAcls>" +
			"<IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy>" +
			"<RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>",
	},
	"GetBucketOwnershipControls": {
		missing: "OwnershipControlsNotFoundError", deletes: "DeleteBucketOwnershipControls",
		body: "<OwnershipControls" + s3Space + "><Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>" +
			"</OwnershipControls>",
	},
	"GetBucketEncryption": {
		missing: "ServerSideEncryptionConfigurationNotFoundError", deletes: "DeleteBucketEncryption", returns: true,
		body: "<ServerSideEncryptionConfiguration" + s3Space + "><Rule><ApplyServerSideEncryptionByDefault>" +
			"<SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault>" +
			"<BucketKeyEnabled>false</BucketKeyEnabled></Rule></ServerSideEncryptionConfiguration>",
	},
}

// ofBucket puts a default in the place of an answer that says that there is nothing, and remembers deletions.
func (s *asAWS) ofBucket(c Call, a *answer) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := a.status < http.StatusMultipleChoices
	if done && c.Action == "DeleteBucket" {
		maps.DeleteFunc(s.deleted, func(key string, _ bool) bool { return strings.HasPrefix(key, c.bucket+" ") })
	}
	for reads, d := range bucketDefaults {
		key := c.bucket + " " + reads
		switch {
		case done && c.Action == d.deletes && !d.returns:
			s.deleted[key] = true
		case c.Action == reads && !s.deleted[key] && saysMissing(c, a, d.missing):
			with := a.with([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + d.body))
			with.status = http.StatusOK
			with.header.Set("Content-Type", "application/xml")
			return with
		}
	}
	return a
}

func saysMissing(c Call, a *answer, code string) bool {
	c.Status, c.ResponseBody = a.status, a.plain()
	return errorCode(c, a.header) == code
}
