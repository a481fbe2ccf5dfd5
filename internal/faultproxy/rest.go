package faultproxy

import (
	"net"
	"net/http"
	"strings"
)

// route names one REST operation; "*" stands for any one segment of the path, a last "**" for one or more.
type route struct{ method, path, action string }

// restRoutes lists operations by service. Longer paths need no order: a route matches whole paths only.
var restRoutes = map[string][]route{
	"route53": {
		{"GET", "2013-04-01/hostedzone", "ListHostedZones"},
		{"POST", "2013-04-01/hostedzone", "CreateHostedZone"},
		{"GET", "2013-04-01/hostedzone/*", "GetHostedZone"},
		{"POST", "2013-04-01/hostedzone/*", "UpdateHostedZoneComment"},
		{"DELETE", "2013-04-01/hostedzone/*", "DeleteHostedZone"},
		{"GET", "2013-04-01/hostedzone/*/rrset", "ListResourceRecordSets"},
		{"POST", "2013-04-01/hostedzone/*/rrset", "ChangeResourceRecordSets"},
		{"POST", "2013-04-01/hostedzone/*/associatevpc", "AssociateVPCWithHostedZone"},
		{"POST", "2013-04-01/hostedzone/*/disassociatevpc", "DisassociateVPCFromHostedZone"},
		{"GET", "2013-04-01/hostedzone/*/authorizevpcassociation", "ListVPCAssociationAuthorizations"},
		{"POST", "2013-04-01/hostedzone/*/authorizevpcassociation", "CreateVPCAssociationAuthorization"},
		{"POST", "2013-04-01/hostedzone/*/deauthorizevpcassociation", "DeleteVPCAssociationAuthorization"},
		{"GET", "2013-04-01/hostedzone/*/dnssec", "GetDNSSEC"},
		{"POST", "2013-04-01/hostedzone/*/enable-dnssec", "EnableHostedZoneDNSSEC"},
		{"POST", "2013-04-01/hostedzone/*/disable-dnssec", "DisableHostedZoneDNSSEC"},
		{"GET", "2013-04-01/hostedzonecount", "GetHostedZoneCount"},
		{"GET", "2013-04-01/hostedzonesbyname", "ListHostedZonesByName"},
		{"GET", "2013-04-01/hostedzonesbyvpc", "ListHostedZonesByVPC"},
		{"GET", "2013-04-01/change/*", "GetChange"},
		{"POST", "2013-04-01/tags/*", "ListTagsForResources"},
		{"GET", "2013-04-01/tags/*/*", "ListTagsForResource"},
		{"POST", "2013-04-01/tags/*/*", "ChangeTagsForResource"},
		{"GET", "2013-04-01/healthcheck", "ListHealthChecks"},
		{"POST", "2013-04-01/healthcheck", "CreateHealthCheck"},
		{"GET", "2013-04-01/healthcheck/*", "GetHealthCheck"},
		{"POST", "2013-04-01/healthcheck/*", "UpdateHealthCheck"},
		{"DELETE", "2013-04-01/healthcheck/*", "DeleteHealthCheck"},
		{"GET", "2013-04-01/delegationset", "ListReusableDelegationSets"},
		{"POST", "2013-04-01/delegationset", "CreateReusableDelegationSet"},
		{"GET", "2013-04-01/delegationset/*", "GetReusableDelegationSet"},
		{"DELETE", "2013-04-01/delegationset/*", "DeleteReusableDelegationSet"},
		{"GET", "2013-04-01/queryloggingconfig", "ListQueryLoggingConfigs"},
		{"POST", "2013-04-01/queryloggingconfig", "CreateQueryLoggingConfig"},
		{"GET", "2013-04-01/queryloggingconfig/*", "GetQueryLoggingConfig"},
		{"DELETE", "2013-04-01/queryloggingconfig/*", "DeleteQueryLoggingConfig"},
	},
	"lambda": {
		{"GET", "2015-03-31/functions", "ListFunctions"},
		{"POST", "2015-03-31/functions", "CreateFunction"},
		{"GET", "2015-03-31/functions/*", "GetFunction"},
		{"DELETE", "2015-03-31/functions/*", "DeleteFunction"},
		{"GET", "2015-03-31/functions/*/configuration", "GetFunctionConfiguration"},
		{"PUT", "2015-03-31/functions/*/configuration", "UpdateFunctionConfiguration"},
		{"PUT", "2015-03-31/functions/*/code", "UpdateFunctionCode"},
		{"GET", "2015-03-31/functions/*/versions", "ListVersionsByFunction"},
		{"POST", "2015-03-31/functions/*/versions", "PublishVersion"},
		{"GET", "2015-03-31/functions/*/policy", "GetPolicy"},
		{"POST", "2015-03-31/functions/*/policy", "AddPermission"},
		{"DELETE", "2015-03-31/functions/*/policy/*", "RemovePermission"},
		{"GET", "2015-03-31/functions/*/aliases", "ListAliases"},
		{"POST", "2015-03-31/functions/*/aliases", "CreateAlias"},
		{"POST", "2015-03-31/functions/*/invocations", "Invoke"},
		{"PUT", "2017-10-31/functions/*/concurrency", "PutFunctionConcurrency"},
		{"DELETE", "2017-10-31/functions/*/concurrency", "DeleteFunctionConcurrency"},
		{"GET", "2020-06-30/functions/*/code-signing-config", "GetFunctionCodeSigningConfig"},
		{"GET", "2017-03-31/tags/**", "ListTags"},
		{"POST", "2017-03-31/tags/**", "TagResource"},
		{"DELETE", "2017-03-31/tags/**", "UntagResource"},
	},
	// S3 Control signs as s3; its paths begin with its version.
	"s3": {
		{"GET", "v20180820/tags/**", "ListTagsForResource"},
		{"POST", "v20180820/tags/**", "TagResource"},
		{"DELETE", "v20180820/tags/**", "UntagResource"},
		{"GET", "v20180820/configuration/publicAccessBlock", "GetPublicAccessBlock"},
		{"PUT", "v20180820/configuration/publicAccessBlock", "PutPublicAccessBlock"},
		{"DELETE", "v20180820/configuration/publicAccessBlock", "DeletePublicAccessBlock"},
	},
}

// nameREST names a call of a REST service and reads its body.
func nameREST(c *Call, r *http.Request) {
	switch c.Service {
	case "s3":
		c.protocol = s3XML
		flattenXML(c.Params, c.RequestBody)
	case "route53", "cloudfront":
		c.protocol = restXML
		flattenXML(c.Params, c.RequestBody)
	default:
		c.protocol = restJSON
		flattenJSON(c.Params, c.RequestBody)
	}
	path := strings.Split(strings.Trim(c.Path, "/"), "/")
	for _, route := range restRoutes[c.Service] {
		if route.method == c.Method && matchPath(strings.Split(route.path, "/"), path) {
			c.Action = route.action
			if strings.HasPrefix(route.path, "v20180820") {
				c.protocol = restXML // S3 Control wraps errors as query services do
			}
			return
		}
	}
	if c.Service == "s3" {
		bucket, key := s3Target(r)
		c.bucket, c.Action = bucket, s3Action(r, bucket, key)
	}
	if c.Action == "" {
		c.Action = c.Method + " " + c.Path
	}
}

func matchPath(pattern, path []string) bool {
	for i, p := range pattern {
		if p == "**" {
			return len(path) > i
		}
		if i >= len(path) || p != "*" && p != path[i] {
			return false
		}
	}
	return len(pattern) == len(path)
}

// s3Target finds the bucket and key of an S3 call in path style, or in virtual-host style where the host name has
// the form <bucket>.s3… or <bucket>.localhost.
func s3Target(r *http.Request) (bucket, key string) {
	path := strings.TrimPrefix(r.URL.Path, "/")
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	for _, mark := range []string{".s3.", ".s3-", ".localhost"} {
		if b, _, ok := strings.Cut(host, mark); ok && b != "s3" {
			return b, path
		}
	}
	bucket, key, _ = strings.Cut(path, "/")
	return bucket, key
}

// s3Sub names the sub-resources of S3 by the URL parameter that selects them: a method's verb goes before.
type s3Sub struct{ param, noun string }

var s3BucketSubs = []s3Sub{
	{"tagging", "BucketTagging"}, {"policy", "BucketPolicy"}, {"policyStatus", "BucketPolicyStatus"},
	{"versioning", "BucketVersioning"}, {"encryption", "BucketEncryption"}, {"acl", "BucketAcl"},
	{"publicAccessBlock", "PublicAccessBlock"}, {"ownershipControls", "BucketOwnershipControls"},
	{"cors", "BucketCors"}, {"lifecycle", "BucketLifecycleConfiguration"}, {"logging", "BucketLogging"},
	{"notification", "BucketNotificationConfiguration"}, {"replication", "BucketReplication"},
	{"requestPayment", "BucketRequestPayment"}, {"website", "BucketWebsite"}, {"location", "BucketLocation"},
	{"accelerate", "BucketAccelerateConfiguration"}, {"object-lock", "ObjectLockConfiguration"},
	{"analytics", "BucketAnalyticsConfiguration"}, {"inventory", "BucketInventoryConfiguration"},
	{"metrics", "BucketMetricsConfiguration"}, {"intelligent-tiering", "BucketIntelligentTieringConfiguration"},
}

var s3ObjectSubs = []s3Sub{
	{"tagging", "ObjectTagging"}, {"acl", "ObjectAcl"}, {"retention", "ObjectRetention"},
	{"legal-hold", "ObjectLegalHold"}, {"attributes", "ObjectAttributes"},
}

// s3Odd names the operations that do not follow the pattern of verb and noun, by what their path names.
var s3Odd = []struct{ method, level, param, action string }{
	{"GET", "service", "", "ListBuckets"},
	{"DELETE", "bucket", "lifecycle", "DeleteBucketLifecycle"},
	{"GET", "bucket", "versions", "ListObjectVersions"},
	{"GET", "bucket", "uploads", "ListMultipartUploads"},
	{"GET", "bucket", "session", "CreateSession"},
	{"GET", "bucket", "list-type", "ListObjectsV2"},
	{"POST", "bucket", "delete", "DeleteObjects"},
	{"POST", "object", "uploads", "CreateMultipartUpload"},
	{"POST", "object", "uploadId", "CompleteMultipartUpload"},
	{"PUT", "object", "uploadId", "UploadPart"},
	{"GET", "object", "uploadId", "ListParts"},
	{"DELETE", "object", "uploadId", "AbortMultipartUpload"},
	{"POST", "object", "restore", "RestoreObject"},
}

// s3Action names an S3 operation from method, level and URL parameters, or returns "".
func s3Action(r *http.Request, bucket, key string) string {
	params := r.URL.Query()
	if id := params.Get("x-id"); id != "" {
		return id // the SDKs' own name for it
	}
	level, subs := "service", []s3Sub(nil)
	switch {
	case key != "":
		level, subs = "object", s3ObjectSubs
	case bucket != "":
		level, subs = "bucket", s3BucketSubs
	}
	for _, odd := range s3Odd {
		if odd.method == r.Method && odd.level == level && (odd.param == "" || params.Has(odd.param)) {
			return odd.action
		}
	}
	verb := map[string]string{"GET": "Get", "PUT": "Put", "DELETE": "Delete"}[r.Method]
	for _, sub := range subs {
		if verb != "" && params.Has(sub.param) {
			if verb == "Get" && strings.HasSuffix(sub.noun, "Configuration") && listed[sub.param] && !params.Has("id") {
				return "List" + sub.noun + "s"
			}
			return verb + sub.noun
		}
	}
	copied := r.Header.Get("X-Amz-Copy-Source") != ""
	switch level + " " + r.Method {
	case "bucket PUT":
		return "CreateBucket"
	case "bucket DELETE":
		return "DeleteBucket"
	case "bucket HEAD":
		return "HeadBucket"
	case "bucket GET":
		return "ListObjects"
	case "object PUT":
		if copied {
			return "CopyObject"
		}
		return "PutObject"
	case "object GET":
		return "GetObject"
	case "object HEAD":
		return "HeadObject"
	case "object DELETE":
		return "DeleteObject"
	}
	return ""
}

// listed are the sub-resources that a bucket has several of: a GET without an id lists them.
var listed = map[string]bool{"analytics": true, "inventory": true, "metrics": true, "intelligent-tiering": true}
