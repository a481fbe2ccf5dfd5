// Package logs describes the resource types of the CloudWatch Logs API: log groups.
//
// Each type has a file of its own; this one holds what they share. CloudWatch Logs is regional, has no idempotency
// tokens, cannot filter a listing by tag, and shows the tags of one object a call.
//
// The package lacks the types' behaviour, which the engine derives.
package logs

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// absentCodes are CloudWatch Logs' words for objects that do not exist.
var absentCodes = []string{"ResourceNotFoundException"}

func api(s *cloud.Session) *cloudwatchlogs.Client {
	return cloud.Client(s, "logs", func(c aws.Config) *cloudwatchlogs.Client { return cloudwatchlogs.NewFromConfig(c) })
}

// absent adds engine.ErrNotFound to errors by which CloudWatch Logs says that the object does not exist.
func absent(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// exists tells whether a create met an object of the same name.
func exists(err error) bool { return cloud.HasCode(err, "ResourceAlreadyExistsException") }

// busy tells whether another change of the same object, a deletion among them, is under way. A quota that is used up
// (LimitExceededException) does not pass by itself.
func busy(err error) bool { return cloud.HasCode(err, "OperationAbortedException") }
