package tagging

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/resourcegroupstaggingapi"
	"github.com/aws/aws-sdk-go-v2/service/resourcegroupstaggingapi/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// resourcesPage is the most that one page holds:
// https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
const resourcesPage = 100

// Resources returns the tags of the resources of the session's region by ARN, as the Resource Groups Tagging API knows them:
// those of the given estates, or, without any, all that are or were tagged. Its index lags behind the services by minutes, still
// shows what was deleted a while ago, and does not know every service (IAM roles among others), so that it settles nothing about
// one object. Resources of global services are in us-east-1.
func Resources(ctx context.Context, s *cloud.Session, estates []string) (map[string]map[string]string, error) {
	in := &resourcegroupstaggingapi.GetResourcesInput{ResourcesPerPage: aws.Int32(resourcesPage)}
	if len(estates) > 0 {
		in.TagFilters = []types.TagFilter{{Key: aws.String(markers.EstateKey), Values: estates}}
	}
	out := map[string]map[string]string{}
	p := resourcegroupstaggingapi.NewGetResourcesPaginator(groups(s), in)
	for p.HasMorePages() {
		page, err := p.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("listing tagged resources in %s: %w", s.Region, err)
		}
		for _, r := range page.ResourceTagMappingList {
			tags := map[string]string{}
			for _, t := range r.Tags {
				tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
			}
			out[aws.ToString(r.ResourceARN)] = tags
		}
	}
	return out, nil
}

func groups(s *cloud.Session) *resourcegroupstaggingapi.Client {
	return cloud.Client(s, "resourcegroupstaggingapi", func(c aws.Config) *resourcegroupstaggingapi.Client {
		return resourcegroupstaggingapi.NewFromConfig(c)
	})
}
