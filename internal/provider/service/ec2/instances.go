package ec2

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// EndedInstances tells, of these instances in the session's region, which live and which have ended, with the reason. EC2 shows
// a terminated instance for about an hour, with its tags. It asks by filter: by id, one unknown instance would fail the call.
func EndedInstances(ctx context.Context, s *cloud.Session, ids []string) (living []string, ended map[string]string, err error) {
	ended = map[string]string{}
	for batch := range slices.Chunk(ids, filterValues) {
		p := ec2.NewDescribeInstancesPaginator(api(s), &ec2.DescribeInstancesInput{Filters: []ec2types.Filter{{
			Name: aws.String("instance-id"), Values: batch,
		}}})
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range page.Reservations {
				for _, i := range r.Instances {
					switch id := aws.ToString(i.InstanceId); i.State.Name {
					case ec2types.InstanceStateNameTerminated, ec2types.InstanceStateNameShuttingDown:
						ended[id] = "the instance is " + string(i.State.Name)
					default:
						living = append(living, id)
					}
				}
			}
		}
	}
	return living, ended, nil
}
