package acceptance

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// bucketsOfTests numbers names of buckets, which the accounts of the emulator share.
var bucketsOfTests atomic.Int64

var s3Adoptions = []adoption{
	{
		resourceType: "estate_s3_bucket", creates: "s3:CreateBucket", onlyBinds: true,
		config: func(keys string) string {
			return `
variable "organization" {
  type = string
}

resource "estate_s3_bucket" "a" {
  for_each     = toset(` + keys + `)
  tofu_address = "estate_s3_bucket.a"
  tofu_key     = each.key
  bucket       = "denied-${var.organization}-${each.key}"
}
`
		},
		prepare: func(context.Context, *AWS, int) ([]string, error) {
			return []string{fmt.Sprintf("TF_VAR_organization=o%d", bucketsOfTests.Add(1))}, nil
		},
		around: faultproxy.Action("s3:TagResource", "s3:UntagResource"), // S3 then writes the whole set
		// All that is changed in place is told to the state alone.
		differ: func(context.Context, *AWS, string) ([]string, error) { return nil, nil },
	},
}
