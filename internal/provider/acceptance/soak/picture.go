package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// picture is everything in the account, by type and id, as raw calls show it.
type picture map[string]object

// object is one object in a picture.
type object struct {
	typ, id string
	// facts are its attributes; tags stand as "tag:KEY".
	facts map[string]string
}

// String writes the object on one line.
func (o object) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(o.facts)) {
		parts = append(parts, fmt.Sprintf("%s=%q", name, o.facts[name]))
	}
	return o.typ + " " + o.id + " " + strings.Join(parts, " ")
}

func (p picture) add(typ, id string, facts map[string]string) {
	p[typ+" "+id] = object{typ, id, facts}
}

// look takes a picture. What AWS makes with a VPC, its default security group, is left out.
func look(ctx context.Context, a *acceptance.AWS) (picture, error) {
	tagged, err := a.Objects(ctx)
	if err != nil {
		return nil, err
	}
	p := picture{}
	for _, o := range tagged {
		facts := map[string]string{}
		for key, v := range o.Tags {
			facts["tag:"+key] = v
		}
		p.add(o.Type, o.ID, facts)
	}
	for _, fill := range []func(context.Context, *acceptance.AWS, picture) error{lookEC2, lookIAM, lookZones, lookLogs} {
		if err := fill(ctx, a, p); err != nil {
			return nil, err
		}
	}
	for key, o := range p {
		if o.typ == securityGroupType.name && o.facts["name"] == "default" {
			delete(p, key)
		}
	}
	return p, nil
}

// set adds facts to an object that is in the picture.
func (p picture) set(typ, id string, facts map[string]string) error {
	o, ok := p[typ+" "+id]
	if !ok {
		return fmt.Errorf("%s %s came up while the account was looked at", typ, id)
	}
	maps.Copy(o.facts, facts)
	return nil
}

// lookIAM adds what roles are like, and their policies.
func lookIAM(ctx context.Context, a *acceptance.AWS, p picture) error {
	roles, err := a.IAM.ListRoles(ctx, &iam.ListRolesInput{MaxItems: aws.Int32(everyRole)})
	if err != nil {
		return err
	}
	if roles.IsTruncated {
		return fmt.Errorf("more than %d roles", everyRole)
	}
	for _, r := range roles.Roles {
		err := p.set(roleType.name, *r.RoleName, map[string]string{"path": *r.Path, "description": aws.ToString(r.Description)})
		if err != nil {
			return err
		}
		inline, err := a.IAM.ListRolePolicies(ctx, &iam.ListRolePoliciesInput{RoleName: r.RoleName})
		if err != nil {
			return err
		}
		for _, name := range inline.PolicyNames {
			answer, err := a.IAM.GetRolePolicy(ctx, &iam.GetRolePolicyInput{RoleName: r.RoleName, PolicyName: &name})
			if err != nil {
				return err
			}
			document, err := url.QueryUnescape(*answer.PolicyDocument)
			if err != nil {
				return err
			}
			p.add(rolePolicyType.name, *r.RoleName+":"+name, map[string]string{"document": document})
		}
		attached, err := a.IAM.ListAttachedRolePolicies(ctx, &iam.ListAttachedRolePoliciesInput{RoleName: r.RoleName})
		if err != nil {
			return err
		}
		for _, held := range attached.AttachedPolicies {
			p.add(attachmentType.name, *r.RoleName+"/"+*held.PolicyArn, map[string]string{})
		}
	}
	return nil
}

// everyRole is more roles than an estate has.
const everyRole = 1000
