package acceptance

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
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
