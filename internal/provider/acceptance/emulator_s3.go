package acceptance

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// forgetTags makes the emulator forget the tags of a bucket that was deleted: it would give them, a binding among them, to
// the next bucket of the name, which on AWS has none. It keeps them by name, and drops them only while there is a bucket;
// so one is made for that moment.
func forgetTags(answer *http.Response, transport http.RoundTripper) error {
	r := answer.Request
	name := strings.Trim(r.URL.Path, "/")
	query := r.URL.Query()
	query.Del("x-id")
	deleted := r.Method == http.MethodDelete && answer.StatusCode == http.StatusNoContent && len(query) == 0 &&
		strings.Contains(r.Header.Get("Authorization"), "/s3/aws4_request") && name != "" && !strings.Contains(name, "/")
	if !deleted {
		return nil
	}
	base := r.URL.Scheme + "://" + r.URL.Host + "/" + name
	for _, step := range []struct{ method, url string }{
		{http.MethodPut, base}, {http.MethodDelete, base + "?tagging"}, {http.MethodDelete, base},
	} {
		// Unsigned: in us-east-1, which needs no body.
		request, err := http.NewRequestWithContext(r.Context(), step.method, step.url, http.NoBody)
		if err != nil {
			return err
		}
		request.Header.Set(accountHeader, r.Header.Get(accountHeader))
		done, err := transport.RoundTrip(request)
		if err != nil {
			return err
		}
		if err := done.Body.Close(); err != nil || done.StatusCode >= http.StatusBadRequest {
			return errors.Join(fmt.Errorf("forgetting the tags of %s: %s %s", name, step.method, done.Status), err)
		}
	}
	return nil
}

// BucketTags returns the tags that a call to make a bucket gives it, which AWS keeps and the emulator drops. They are nil for
// any other call.
func BucketTags(c faultproxy.Call) map[string]string {
	var in struct {
		Tags struct {
			Tag []struct{ Key, Value string }
		}
	}
	if c.Name() != "s3:CreateBucket" || xml.Unmarshal(c.RequestBody, &in) != nil {
		return nil
	}
	tags := map[string]string{}
	for _, t := range in.Tags.Tag {
		tags[t.Key] = t.Value
	}
	return tags
}

// KeepBucketTags writes the tags of a call that has just made a bucket, and does nothing for other calls.
func (a *AWS) KeepBucketTags(ctx context.Context, c faultproxy.Call) error {
	tags := BucketTags(c)
	if len(tags) == 0 || c.Status >= http.StatusMultipleChoices {
		return nil
	}
	return putBucketTags(ctx, a, strings.Trim(c.Path, "/"), tags)
}
