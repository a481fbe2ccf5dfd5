package ec2

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/smithy-go"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// This file says which network interfaces keep a subnet or a security group from being deleted: EC2 says only that there is
// something. Services leave some behind for up to an hour, Lambda above all, and take them away themselves.

// holdersNamed is how many interfaces an error names.
const holdersNamed = 5

// heldError is the refusal to delete what interfaces may hold.
type heldError struct {
	error
	s  *cloud.Session
	by ec2types.Filter
}

var _ engine.Lasting = heldError{}

// held adds to a refusal how to find the interfaces that may be its cause.
func held(s *cloud.Session, by ec2types.Filter, err error) error {
	if err == nil || errors.Is(err, engine.ErrNotFound) {
		return err
	}
	return heldError{err, s, by}
}

func (e heldError) Unwrap() error { return e.error }

// Lasted implements engine.Lasting. Where interfaces cannot be listed, or none shows, EC2's words have to do.
func (e heldError) Lasted(ctx context.Context) error {
	out, err := api(e.s).DescribeNetworkInterfaces(ctx, &ec2.DescribeNetworkInterfacesInput{
		Filters: []ec2types.Filter{e.by}, MaxResults: aws.Int32(pageSize),
	})
	if err != nil || len(out.NetworkInterfaces) == 0 {
		return e.error
	}
	words := &smithy.GenericAPIError{Code: cloud.Code(e.error), Message: fmt.Sprintf(
		"%s Network interfaces hold it: %s. Those of AWS services go by themselves, Lambda's within 45 minutes, for which a destroy "+
			"waits with: timeouts { delete = \"45m\" }", cloud.Message(e.error), strings.Join(holders(out.NetworkInterfaces), ", "),
	)}
	return fmt.Errorf("%w: %w", words, e.error)
}

// holders names interfaces with what they say of their purpose.
func holders(interfaces []ec2types.NetworkInterface) []string {
	var out []string
	for i, n := range interfaces {
		if i == holdersNamed {
			return append(out, fmt.Sprintf("and %d more", len(interfaces)-i))
		}
		purpose := aws.ToString(n.Description)
		if purpose == "" {
			purpose = string(n.InterfaceType)
		}
		out = append(out, fmt.Sprintf("%s (%s, %s)", aws.ToString(n.NetworkInterfaceId), purpose, n.Status))
	}
	return out
}
