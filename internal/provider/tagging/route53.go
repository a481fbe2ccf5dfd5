package tagging

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// Route53Zone writes the tags of hosted zones, by the zone's id.
var Route53Zone engine.Tagger = route53ZoneTags{}

type route53ZoneTags struct{}

// route53Batch is how many tags Route 53 sets or removes in one call.
const route53Batch = 10

// Write removes in calls of their own, though one call could do both: more than ten need further calls in any case. Marker
// keys are set first, all in one call, so that a zone that was cut off between two has its whole marker or no tag.
func (route53ZoneTags) Write(ctx context.Context, s *cloud.Session, k engine.Key, set markers.Tags, remove []string) error {
	client := cloud.Client(s, "route53", func(c aws.Config) *route53.Client { return route53.NewFromConfig(c) })
	change := func(in *route53.ChangeTagsForResourceInput) error {
		in.ResourceType, in.ResourceId = r53types.TagResourceTypeHostedzone, aws.String(k.String())
		_, err := client.ChangeTagsForResource(ctx, in)
		return err
	}
	for keys := range slices.Chunk(remove, route53Batch) {
		if err := change(&route53.ChangeTagsForResourceInput{RemoveTagKeys: keys}); err != nil {
			return fmt.Errorf("removing tags: %w", absent(err, "NoSuchHostedZone"))
		}
	}
	ordered := slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(-cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	for keys := range slices.Chunk(ordered, route53Batch) {
		var tags []r53types.Tag
		for _, key := range keys {
			tags = append(tags, r53types.Tag{Key: &key, Value: aws.String(set[key])})
		}
		if err := change(&route53.ChangeTagsForResourceInput{AddTags: tags}); err != nil {
			return fmt.Errorf("setting tags: %w", absent(err, "NoSuchHostedZone"))
		}
	}
	return nil
}

// rank is 1 for keys of markers, of which there are eight.
func rank(key string) int {
	if markers.IsKey(key, false) {
		return 1
	}
	return 0
}

func (route53ZoneTags) FoldsCase() bool { return false }

func (route53ZoneTags) Limit() int { return 50 }
