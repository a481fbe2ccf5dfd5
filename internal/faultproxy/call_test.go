package faultproxy

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go/encoding/cbor"
)

func signed(service string) string {
	return "AWS4-HMAC-SHA256 Credential=AKIDTEST/20260101/us-east-1/" + service +
		"/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"
}

func TestNamesREST(t *testing.T) {
	for _, tt := range []struct {
		service, method, url, want string
		write                      bool
	}{
		{"s3", "GET", "/", "ListBuckets", false},
		{"s3", "GET", "/?x-id=ListBuckets", "ListBuckets", false},
		{"s3", "PUT", "/bucket", "CreateBucket", true},
		{"s3", "PUT", "/bucket/", "CreateBucket", true},
		{"s3", "HEAD", "/bucket", "HeadBucket", false},
		{"s3", "DELETE", "/bucket", "DeleteBucket", true},
		{"s3", "GET", "/bucket?list-type=2&prefix=a", "ListObjectsV2", false},
		{"s3", "GET", "/bucket", "ListObjects", false},
		{"s3", "GET", "/bucket?versions", "ListObjectVersions", false},
		{"s3", "POST", "/bucket?delete", "DeleteObjects", true},
		{"s3", "GET", "/bucket?tagging", "GetBucketTagging", false},
		{"s3", "PUT", "/bucket?tagging=", "PutBucketTagging", true},
		{"s3", "DELETE", "/bucket?tagging", "DeleteBucketTagging", true},
		{"s3", "GET", "/bucket?lifecycle", "GetBucketLifecycleConfiguration", false},
		{"s3", "DELETE", "/bucket?lifecycle", "DeleteBucketLifecycle", true},
		{"s3", "PUT", "/bucket?publicAccessBlock", "PutPublicAccessBlock", true},
		{"s3", "GET", "/bucket?metrics", "ListBucketMetricsConfigurations", false},
		{"s3", "GET", "/bucket?metrics&id=1", "GetBucketMetricsConfiguration", false},
		{"s3", "GET", "/bucket?location", "GetBucketLocation", false},
		{"s3", "GET", "http://bucket.s3.us-east-1.amazonaws.com/?policy", "GetBucketPolicy", false},
		{"s3", "PUT", "http://bucket.s3.us-east-1.amazonaws.com/key", "PutObject", true},
		{"s3", "PUT", "http://bucket.localhost:5000/", "CreateBucket", true},
		{"s3", "GET", "http://s3.us-east-1.amazonaws.com/bucket", "ListObjects", false},
		{"s3", "PUT", "/bucket/a/b", "PutObject", true},
		{"s3", "GET", "/bucket/a/b", "GetObject", false},
		{"s3", "HEAD", "/bucket/a/b", "HeadObject", false},
		{"s3", "DELETE", "/bucket/a/b?versionId=1", "DeleteObject", true},
		{"s3", "PUT", "/bucket/a?tagging", "PutObjectTagging", true},
		{"s3", "POST", "/bucket/a?uploads", "CreateMultipartUpload", true},
		{"s3", "PUT", "/bucket/a?partNumber=1&uploadId=x", "UploadPart", true},
		{"s3", "PATCH", "/bucket/a", "PATCH /bucket/a", true},
		{"s3", "GET", "/v20180820/tags/arn%3Aaws%3As3%3A%3A%3Abucket%2Fa", "ListTagsForResource", false},
		{"route53", "GET", "/2013-04-01/hostedzone", "ListHostedZones", false},
		{"route53", "POST", "/2013-04-01/hostedzone", "CreateHostedZone", true},
		{"route53", "GET", "/2013-04-01/hostedzone/Z1", "GetHostedZone", false},
		{"route53", "POST", "/2013-04-01/hostedzone/Z1/rrset/", "ChangeResourceRecordSets", true},
		{"route53", "GET", "/2013-04-01/hostedzone/Z1/rrset?name=a", "ListResourceRecordSets", false},
		{"route53", "POST", "/2013-04-01/tags/hostedzone", "ListTagsForResources", false},
		{"route53", "POST", "/2013-04-01/tags/hostedzone/Z1", "ChangeTagsForResource", true},
		{"route53", "GET", "/2013-04-01/odd", "GET /2013-04-01/odd", false},
		{"lambda", "POST", "/2015-03-31/functions", "CreateFunction", true},
		{"lambda", "GET", "/2015-03-31/functions/f", "GetFunction", false},
		{"lambda", "POST", "/2017-03-31/tags/arn%3Aaws%3Alambda%3Aus-east-1%3A1%3Afunction%3Af", "TagResource", true},
		{"eks", "POST", "/clusters", "POST /clusters", true},
	} {
		r := httptest.NewRequest(tt.method, tt.url, nil)
		r.Header.Set("Authorization", signed(tt.service))
		c := name(r, nil)
		if c.Action != tt.want || c.Write != tt.write || c.Service != tt.service {
			t.Errorf("%s %s: %s, write %t; want %s, %t", tt.method, tt.url, c.Name(), c.Write, tt.want, tt.write)
		}
	}
	r := httptest.NewRequest("PUT", "/bucket/a", nil)
	r.Header.Set("Authorization", signed("s3"))
	r.Header.Set("X-Amz-Copy-Source", "/other/b")
	if c := name(r, nil); c.Action != "CopyObject" {
		t.Errorf("a copy is named %s", c.Action)
	}
}

func TestNamesRPC(t *testing.T) {
	address := `module.web["a&b"].estate_vpc.main`
	for _, tt := range []struct {
		name, url    string
		header       map[string]string
		body         string
		want         string
		write        bool
		param, value string
	}{
		{
			name: "EC2 query", url: "/", body: "Action=CreateVpc&Version=2016-11-15&TagSpecification.1.Tag.1.Value=" +
				"module.web%5B%22a%26b%22%5D.estate_vpc.main",
			header: map[string]string{"Authorization": signed("ec2"), "Content-Type": "application/x-www-form-urlencoded"},
			want:   "ec2:CreateVpc", write: true, param: "TagSpecification.1.Tag.1.Value", value: address,
		},
		{
			name: "EC2 dry run", url: "/", body: "Action=CreateVpc&DryRun=true",
			header: map[string]string{"Authorization": signed("ec2"), "Content-Type": "application/x-www-form-urlencoded"},
			want:   "ec2:CreateVpc", param: "DryRun", value: "true",
		},
		{
			name: "presigned query", url: "/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Credential=" +
				"AKIDTEST%2F20260101%2Fus-east-1%2Fsts%2Faws4_request",
			want: "sts:GetCallerIdentity", param: "Action", value: "GetCallerIdentity",
		},
		{
			name: "unsigned query", url: "/", body: "Action=AssumeRoleWithWebIdentity&Version=2011-06-15",
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
			want:   "sts:AssumeRoleWithWebIdentity", param: "Version", value: "2011-06-15",
		},
		{
			name: "unsigned, by user agent", url: "/", body: "Action=Publish",
			header: map[string]string{
				"Content-Type": "application/x-www-form-urlencoded", "User-Agent": "aws-sdk-go-v2/1 api/sns#1.39.17",
			},
			want: "sns:Publish", write: true, param: "Action", value: "Publish",
		},
		{
			name: "unsigned, by host", url: "http://sqs.us-east-1.amazonaws.com/?Action=ListQueues",
			want: "sqs:ListQueues", param: "Action", value: "ListQueues",
		},
		{
			name: "JSON", url: "/",
			body:   `{"logGroupName":"g","tags":{"tofu-address":"module.web[\"a\u0026b\"].estate_vpc.main"}}`,
			header: map[string]string{"Authorization": signed("logs"), "X-Amz-Target": "Logs_20140328.CreateLogGroup"},
			want:   "logs:CreateLogGroup", write: true, param: "tags.tofu-address", value: address,
		},
		{
			name: "JSON list", url: "/", body: `{"Limit":12345678901234567,"Keys":[{"A":true},{"A":null}]}`,
			header: map[string]string{"Authorization": signed("dynamodb"), "X-Amz-Target": "DynamoDB_20120810.BatchGetItem"},
			want:   "dynamodb:BatchGetItem", param: "Limit", value: "12345678901234567",
		},
		{
			name: "CBOR", url: "/service/GraniteServiceVersion20100801/operation/TagResource",
			body: string(cbor.Encode(cbor.Map{"Tags": cbor.List{cbor.Map{"Value": cbor.String(address), "N": cbor.NegInt(3)}}})),
			header: map[string]string{
				"Authorization": signed("monitoring"), "Smithy-Protocol": "rpc-v2-cbor", "Content-Type": "application/cbor",
			},
			want: "monitoring:TagResource", write: true, param: "Tags.0.Value", value: address,
		},
		{
			name: "REST XML", url: "/2013-04-01/tags/hostedzone/Z1",
			body: `<ChangeTagsForResourceRequest xmlns="x"><AddTags><Tag><Key>a</Key><Value>` +
				`module.web[&quot;a&amp;b&quot;].estate_vpc.main</Value></Tag></AddTags></ChangeTagsForResourceRequest>`,
			header: map[string]string{"Authorization": signed("route53"), "Content-Type": "application/xml"},
			want:   "route53:ChangeTagsForResource", write: true,
			param: "ChangeTagsForResourceRequest.AddTags.Tag.Value", value: address,
		},
		{
			name: "REST JSON", url: "/2015-03-31/functions", body: `{"FunctionName":"f"}`,
			header: map[string]string{"Authorization": signed("lambda"), "Content-Type": "application/json"},
			want:   "lambda:CreateFunction", write: true, param: "FunctionName", value: "f",
		},
		{
			name: "SigV4a", url: "/bucket?x-id=PutObject",
			header: map[string]string{
				"Authorization": "AWS4-ECDSA-P256-SHA256 Credential=AKIDTEST/20260101/s3/aws4_request, Signature=0",
			},
			want: "s3:PutObject", write: true, param: "x-id", value: "PutObject",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, tt.url, nil)
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			c := name(r, []byte(tt.body))
			if c.Name() != tt.want || c.Write != tt.write {
				t.Errorf("named %s, write %t", c.Name(), c.Write)
			}
			if got := c.Params.Get(tt.param); got != tt.value {
				t.Errorf("%s = %q in %v", tt.param, got, c.Params)
			}
			if !Contains(tt.value)(c) || Contains("nowhere")(c) {
				t.Error("Contains does not see the parameters")
			}
			if strings.Contains(tt.header["Authorization"]+tt.url, "AKIDTEST") != (c.AccessKey == "AKIDTEST") {
				t.Errorf("access key %q", c.AccessKey)
			}
		})
	}
}

func TestPermission(t *testing.T) {
	for _, tt := range []struct{ service, action, want string }{
		{"ec2", "CreateVpc", "ec2:CreateVpc"},
		{"s3", "ListBuckets", "s3:ListAllMyBuckets"},
		{"s3", "HeadBucket", "s3:ListBucket"},
		{"s3", "DeletePublicAccessBlock", "s3:PutBucketPublicAccessBlock"},
		{"s3", "CreateBucket", "s3:CreateBucket"},
		{"tagging", "GetResources", "tag:GetResources"},
		{"monitoring", "PutMetricAlarm", "cloudwatch:PutMetricAlarm"},
	} {
		if got := (Call{Service: tt.service, Action: tt.action}).Permission(); got != tt.want {
			t.Errorf("%s:%s needs %s, want %s", tt.service, tt.action, got, tt.want)
		}
	}
}

func TestPermissions(t *testing.T) {
	p, _ := before(t, nil)
	if _, err := send(form(t, p, "Action=CreateVpc&TagSpecification.1.Tag.1.Key=a")); err != nil {
		t.Fatal(err)
	}
	if _, err := createVPC(t, p); err == nil {
		t.Fatal("the fake API knows CreateVpc")
	}
	journal := p.Journal()
	if got := journal[0].Permissions(); !slices.Equal(got, []string{"ec2:CreateVpc", "ec2:CreateTags"}) {
		t.Errorf("with tags: %q", got)
	}
	if got := journal[1].Permissions(); !slices.Equal(got, []string{"ec2:CreateVpc"}) {
		t.Errorf("without tags: %q", got)
	}
	if !Needs("ec2:CreateTags")(journal[0]) || Needs("ec2:CreateTags")(journal[1]) {
		t.Error("Needs does not ask Permissions")
	}
}

func TestErrorCode(t *testing.T) {
	for _, tt := range []struct {
		name     string
		protocol protocol
		status   int
		header   http.Header
		body     string
		want     string
	}{
		{"success", jsonRPC, 200, nil, `{"code":"X"}`, ""},
		{"JSON with a namespace", jsonRPC, 400, nil, `{"__type":"com.amazonaws.x#NoSuchThing"}`, "NoSuchThing"},
		{"REST JSON", restJSON, 404, http.Header{"X-Amzn-Errortype": {"NoSuchThing:http://x/"}}, `{}`, "NoSuchThing"},
		{"REST JSON in the body", restJSON, 404, nil, `{"code":"NoSuchThing"}`, "NoSuchThing"},
		{"once query", jsonRPC, 400, http.Header{"X-Amzn-Query-Error": {"AWS.Old;Sender"}}, `{"__type":"New"}`, "AWS.Old"},
		{"CBOR", cborRPC, 400, nil, string(cbor.Encode(cbor.Map{"__type": cbor.String("a#B")})), "B"},
		{"EC2", ec2Query, 400, nil, `<Response><Errors><Error><Code>A.B</Code></Error></Errors></Response>`, "A.B"},
		{"query", query, 404, nil, `<ErrorResponse xmlns="x"><Error><Code>A</Code></Error></ErrorResponse>`, "A"},
		{"S3", s3XML, 404, nil, "<?xml version=\"1.0\"?>\n<Error><Code>A</Code></Error>", "A"},
		{"no XML", ec2Query, 500, nil, `Internal <failure`, ""},
	} {
		c := Call{protocol: tt.protocol, Status: tt.status, ResponseBody: []byte(tt.body)}
		if got := errorCode(c, tt.header); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
