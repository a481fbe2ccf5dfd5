package acceptance

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

var iamAdoptions = []adoption{
	{
		resourceType: "estate_iam_role", creates: "iam:CreateRole",
		config: func(keys string) string {
			return `
resource "estate_iam_role" "a" {
  for_each             = toset(` + keys + `)
  tofu_address         = "estate_iam_role.a"
  tofu_key             = each.key
  name                 = "denied-${each.key}"
  description          = "as configured"
  max_session_duration = 7200
  permissions_boundary = "arn:aws:iam::aws:policy/ReadOnlyAccess"
  assume_role_policy   = ` + otherTrust + `
}
`
		},
		differ: func(ctx context.Context, a *AWS, name string) ([]string, error) {
			_, err := a.IAM.UpdateAssumeRolePolicy(ctx, &iam.UpdateAssumeRolePolicyInput{RoleName: &name, PolicyDocument: aws.String(trustPolicy)})
			if err != nil {
				return nil, err
			}
			_, err = a.IAM.UpdateRole(ctx, &iam.UpdateRoleInput{
				RoleName: &name, Description: aws.String("as changed"), MaxSessionDuration: aws.Int32(3600),
			})
			if err != nil {
				return nil, err
			}
			_, err = a.IAM.DeleteRolePermissionsBoundary(ctx, &iam.DeleteRolePermissionsBoundaryInput{RoleName: &name})
			return nil, err
		},
	},
}
