package faultproxy

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// makers puts a proxy before an EC2 that makes another volume with each call.
func makers(t *testing.T) (*Proxy, *fake) {
	t.Helper()
	p, f := before(t, nil)
	f.set("ec2:CreateVolume", canned{body: "<R><volumeId>vol-1</volumeId></R>"})
	next := 1
	p.On(Action("ec2:CreateVolume"), Edit(func(b []byte) []byte {
		next++
		f.set("ec2:CreateVolume", canned{body: fmt.Sprintf("<R><volumeId>vol-%d</volumeId></R>", next)})
		return b
	}))
	return p, f
}

func TestClientTokens(t *testing.T) {
	p, f := makers(t)
	ask := func(params string) string {
		t.Helper()
		got, err := send(form(t, p, "Action=CreateVolume&"+params))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got.status, " ", got.body)
	}
	if a, b := ask("ClientToken=t&Size=1"), ask("ClientToken=t&Size=1"); a == b {
		t.Fatalf("before AsAWS a token is heeded: %s, %s", a, b)
	}
	p.AsAWS()
	p.AsAWS() // changes nothing
	first := ask("ClientToken=t&Size=1")
	if again := ask("Size=1&ClientToken=t"); again != first {
		t.Errorf("first %s, again %s", first, again)
	}
	got := ask("ClientToken=t&Size=2")
	if !strings.HasPrefix(got, "400") || !strings.Contains(got, "<Code>IdempotentParameterMismatch</Code>") {
		t.Errorf("other parameters: %s", got)
	}
	if got := ask("ClientToken=u&Size=1"); got == first {
		t.Error("another token gets the first answer")
	}
	if a, b := ask("Size=1"), ask("Size=1"); a == b {
		t.Errorf("without a token: %s, %s", a, b)
	}
	if f.count("ec2:CreateVolume") != 6 {
		t.Errorf("AWS saw %d calls", f.count("ec2:CreateVolume"))
	}
}

func TestClientTokenOfACallThatFailed(t *testing.T) {
	p, f := before(t, nil)
	p.AsAWS()
	f.set("ec2:CreateVolume", canned{status: 500, body: "<Response/>"})
	for _, want := range []int{500, 200, 200} {
		got, err := send(form(t, p, "Action=CreateVolume&ClientToken=t"))
		if err != nil || got.status != want {
			t.Errorf("status %d, want %d, %v", got.status, want, err)
		}
		f.set("ec2:CreateVolume", canned{body: "<R><volumeId>vol-1</volumeId></R>"})
	}
	if f.count("ec2:CreateVolume") != 2 {
		t.Errorf("AWS saw %d calls", f.count("ec2:CreateVolume"))
	}
}

// A lost answer is what tokens are for, and calls at the same time must not make two.
func TestClientTokenOfALostAnswer(t *testing.T) {
	p, f := before(t, map[string]string{"ec2:CreateVolume": "<R><volumeId>vol-1</volumeId></R>"})
	p.AsAWS()
	p.On(Any(), DropAnswer()).Times(3)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got, err := send(form(t, p, "Action=CreateVolume&ClientToken=t")); err == nil && !strings.Contains(got.body, "vol-1") {
				t.Errorf("got %s", got.body)
			}
		})
	}
	wg.Wait()
	if f.count("ec2:CreateVolume") != 1 {
		t.Errorf("AWS saw %d calls", f.count("ec2:CreateVolume"))
	}
}

func TestCallerReferences(t *testing.T) {
	all := everything()
	all["route53:DeleteHostedZone"] = `<R><ChangeInfo><Id>/change/C2</Id></ChangeInfo></R>`
	p, f := before(t, all)
	p.AsAWS()
	if err := one["route53"](t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := one["route53"](t.Context(), p)
		if status, code := refused(err); status != http.StatusConflict || code != "HostedZoneAlreadyExists" {
			t.Errorf("the SDK says: %v", err)
		}
		in := &route53.DeleteHostedZoneInput{Id: aws.String("Z1")}
		if _, err := route53Client(p).DeleteHostedZone(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	_, err := route53Client(p).CreateHostedZone(t.Context(), &route53.CreateHostedZoneInput{
		Name: aws.String("example.com"), CallerReference: aws.String("twice"),
	})
	if err != nil || f.count("route53:CreateHostedZone") != 2 {
		t.Errorf("another reference: %v, AWS saw %d calls", err, f.count("route53:CreateHostedZone"))
	}
}

// bareBucket answers as moto does of a bucket that has only been created.
func bareBucket(t *testing.T) (*Proxy, *fake) {
	t.Helper()
	p, f := before(t, nil)
	for action, code := range map[string]string{
		"GetPublicAccessBlock":       "NoSuchPublicAccessBlockConfiguration",
		"GetBucketOwnershipControls": "OwnershipControlsNotFoundError",
		"GetBucketEncryption":        "ServerSideEncryptionConfigurationNotFoundError",
	} {
		f.set("s3:"+action, canned{404, "<Error><Code>" + code + "</Code></Error>"})
	}
	for _, action := range []string{
		"CreateBucket", "DeleteBucket", "DeletePublicAccessBlock", "DeleteBucketOwnershipControls", "DeleteBucketEncryption",
	} {
		f.set("s3:"+action, canned{})
	}
	p.AsAWS()
	return p, f
}

// bucketReads returns what the SDK reads of the bucket's three sub-resources, or the codes of their errors.
func bucketReads(t *testing.T, p *Proxy) string {
	t.Helper()
	c, bucket := s3Client(p), aws.String("data")
	var block, owner, encryption string
	if out, err := c.GetPublicAccessBlock(t.Context(), &s3.GetPublicAccessBlockInput{Bucket: bucket}); err == nil {
		b := out.PublicAccessBlockConfiguration
		block = fmt.Sprint(aws.ToBool(b.BlockPublicAcls), aws.ToBool(b.BlockPublicPolicy), aws.ToBool(b.IgnorePublicAcls),
			aws.ToBool(b.RestrictPublicBuckets))
	} else {
		_, block = refused(err)
	}
	if out, err := c.GetBucketOwnershipControls(t.Context(), &s3.GetBucketOwnershipControlsInput{Bucket: bucket}); err == nil {
		owner = string(out.OwnershipControls.Rules[0].ObjectOwnership)
	} else {
		_, owner = refused(err)
	}
	if out, err := c.GetBucketEncryption(t.Context(), &s3.GetBucketEncryptionInput{Bucket: bucket}); err == nil {
		encryption = string(out.ServerSideEncryptionConfiguration.Rules[0].ApplyServerSideEncryptionByDefault.SSEAlgorithm)
	} else {
		_, encryption = refused(err)
	}
	return block + ", " + owner + ", " + encryption
}

func TestDefaultsOfNewBuckets(t *testing.T) {
	const fresh = "true true true true, BucketOwnerEnforced, AES256"
	p, f := bareBucket(t)
	if got := bucketReads(t, p); got != fresh {
		t.Errorf("new: %s", got)
	}
	c, bucket := s3Client(p), aws.String("data")
	_, err := c.DeletePublicAccessBlock(t.Context(), &s3.DeletePublicAccessBlockInput{Bucket: bucket})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.DeleteBucketOwnershipControls(t.Context(), &s3.DeleteBucketOwnershipControlsInput{Bucket: bucket})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.DeleteBucketEncryption(t.Context(), &s3.DeleteBucketEncryptionInput{Bucket: bucket}); err != nil {
		t.Fatal(err)
	}
	if got := bucketReads(t, p); got != "NoSuchPublicAccessBlockConfiguration, OwnershipControlsNotFoundError, AES256" {
		t.Errorf("deleted: %s", got)
	}
	if _, err := c.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: bucket}); err != nil {
		t.Fatal(err)
	}
	if got := bucketReads(t, p); got != fresh {
		t.Errorf("made again: %s", got)
	}
	f.set("s3:GetBucketOwnershipControls", canned{body: "<OwnershipControls><Rule><ObjectOwnership>" +
		string(s3types.ObjectOwnershipObjectWriter) + "</ObjectOwnership></Rule></OwnershipControls>"})
	f.set("s3:GetPublicAccessBlock", canned{404, "<Error><Code>NoSuchBucket</Code></Error>"})
	if got := bucketReads(t, p); got != "NoSuchBucket, ObjectWriter, AES256" {
		t.Errorf("answers of upstream's own: %s", got)
	}
}

// The block of an account has no default.
func TestNoDefaultOfAnAccount(t *testing.T) {
	p, _ := bareBucket(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+"/v20180820/configuration/publicAccessBlock", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", signed("s3"))
	if got, err := send(r); err != nil || got.status != http.StatusNotFound {
		t.Errorf("%d, %v", got.status, err)
	}
}

// TestDenialsOfPolicies shows that each client understands a denial by moto's policies, which it would not understand as it is.
func TestDenialsOfPolicies(t *testing.T) {
	const moto = `<?xml version="1.0" encoding="utf-8"?>
<ErrorResponse><Errors><Error><Code>AccessDenied</Code><Message>User: arn:aws:iam::1:user/x is not authorized to perform: a:B</Message>` +
		`<Type>Sender</Type></Error></Errors></ErrorResponse>`
	p, f := before(t, nil)
	p.AsAWS()
	for action, code := range map[string]string{
		"logs:CreateLogGroup": "AccessDeniedException", "ec2:CreateVpc": "UnauthorizedOperation",
		"iam:CreateRole": "AccessDenied", "route53:CreateHostedZone": "AccessDenied",
	} {
		f.set(action, canned{status: http.StatusForbidden, body: moto})
		service, _, _ := strings.Cut(action, ":")
		err := one[service](t.Context(), p)
		if _, got := refused(err); got != code || !strings.Contains(err.Error(), "not authorized to perform: "+action) {
			t.Errorf("%s: %v", action, err)
		}
	}
}
