package acceptance

import (
	"context"
	"strings"
	"sync"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// KeepBucketTags gives each new bucket of a sandbox the tags of its create call, which AWS keeps and the emulator drops, before
// the answer goes back. A call to make a bucket that is there already changes nothing. It is a rule of the sandbox's proxy, so
// that faults for such calls have to strike in a proxy in front of it.
func KeepBucketTags(ctx context.Context, s *Sandbox) {
	var tags sync.Map
	create := func(c faultproxy.Call) bool {
		given := BucketTags(c)
		if given == nil {
			return false
		}
		tags.Store(strings.Trim(c.Path, "/"), given)
		return true
	}
	s.Proxy.On(create, faultproxy.Edit(func(body []byte) []byte {
		tags.Range(func(name, value any) bool {
			bucket, _ := name.(string)
			set, _ := value.(map[string]string)
			// Where the create call failed there is no bucket, or one that has its tags: the caller judges what is there.
			_ = putBucketTags(ctx, s.AWS, bucket, set)
			tags.Delete(name)
			return true
		})
		return body
	}))
}
