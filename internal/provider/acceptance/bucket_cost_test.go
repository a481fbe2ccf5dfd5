package acceptance

import (
	"fmt"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// manyBuckets is more than are read one by one.
const manyBuckets = 12

// TestRefreshCostOfBuckets counts what a plan of many buckets asks AWS: three calls for each of them, a listing, and nothing
// about the buckets of others in the account.
func TestRefreshCostOfBuckets(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		name := bucketName("cost")
		for i := range manyBuckets {
			address, err := markers.Parse(fmt.Sprintf("estate_s3_bucket.a[\"%d-x\"]", i))
			must(t, err)
			tags, err := markers.Marker{Estate: "cost", Address: address, Binding: markers.NewBinding()}.Tags()
			must(t, err)
			must(t, makeBucketIn(ctx, w.AWS, fmt.Sprintf("%s-%d", name, i), Region, tags))
		}
		for i := range 5 {
			must(t, makeBucketIn(ctx, w.AWS, fmt.Sprintf("%s-other-%d", name, i), Region, nil))
		}
		must(t, makeBucketIn(ctx, w.AWS, name+"-far", "us-east-1", nil))
		start(t, w, "cost", fmt.Sprintf(`
resource "estate_s3_bucket" "a" {
  for_each     = { for i in range(%d) : "${i}-x" => "%s-${i}" }
  tofu_address = "estate_s3_bucket.a"
  tofu_key     = each.key
  bucket       = each.value
}
`, manyBuckets, name))
		mark := w.Proxy.Mark()
		w.Apply(ctx, "-parallelism=1").Must(t) // moto answers 500 where two tag writes meet, and a call is then repeated
		mustOnlyTag(t, w, mark, manyBuckets)

		for _, parallelism := range []string{"-parallelism=10", "-parallelism=1"} {
			mark = w.Proxy.Mark()
			w.Run(ctx, "plan", "-detailed-exitcode", parallelism).Must(t)
			mustCost(t, w, mark, parallelism, map[string]int{
				"s3:ListBuckets":                1,
				"s3:GetBucketTagging":           manyBuckets,
				"s3:HeadBucket":                 manyBuckets, // moto's listing shows no regions
				"s3:GetObjectLockConfiguration": manyBuckets,
			})
		}
	})
}
