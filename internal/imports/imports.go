// Package imports tells what the import of a resource type wants, given nothing but the ARN of an object.
//
// It is for lists of objects that were found by their tags, where the ARN is all that is known of them. The ids are those
// of hashicorp/aws v6, each as the section "Import" of the type's documentation has it; the forms of the ARNs are those of
// the Service Authorization Reference. Both are data: the tables in rows_*.go, and in withheld.go the types for which the
// ARN is not enough, with the reason.
//
// Limits: the package knows the types of its tables and no others. It does no I/O, so that it cannot tell whether the
// object exists, whether it is its VPC's default one, or which engine a database runs. An id holds no region: for another
// one than the provider's the caller adds @REGION, where the type is a regional one. That a type stands here does not say
// that the Resource Groups Tagging API lists it: its GetResources leaves out IAM's roles and users and Auto Scaling groups
// (https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/supported-services.html).
package imports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
)

// Of returns the string by which an object is imported as a resource of a type, such as "aws_sqs_queue". The error says why
// there is none. A type estate_x takes what aws_x takes; whether the provider serves that type is not asked.
func Of(resourceType, objectARN string) (string, error) {
	name, ok := nameInAWS(resourceType)
	if !ok {
		return "", fmt.Errorf("%q is no resource type of AWS", resourceType)
	}
	if reason, ok := withoutARN[name]; ok {
		return "", fmt.Errorf("%s has no ARN: %s", resourceType, reason)
	}
	if !Known(name) {
		return "", fmt.Errorf("what import wants for %q is not known here: see %s", resourceType, documentation(name))
	}
	a, err := arn.Parse(objectARN)
	if err != nil {
		return "", fmt.Errorf("%q is no ARN", objectARN)
	}
	for _, r := range table {
		if values, ok := r.read(a); ok && r.Type == name {
			id, err := fill(r.ID, values, a)
			return forOurs(resourceType, id), err
		}
	}
	for _, w := range withheld {
		if _, ok := w.read(a); ok && w.Type == name {
			return "", fmt.Errorf("the ARN of %s does not tell what import wants: %s; see %s", resourceType, w.Reason, documentation(name))
		}
	}
	return "", mismatch(resourceType, name, objectARN)
}

// Types returns the resource types of hashicorp/aws to which an ARN may belong, sorted; none where it knows none. They are
// several where ARNs do not differ, such as those of a VPC and of the default VPC, and those of the database engines. A type
// whose import id the ARN does not tell is among them.
func Types(objectARN string) []string {
	a, err := arn.Parse(objectARN)
	if err != nil {
		return nil
	}
	var types []string
	for _, r := range table {
		if _, ok := r.read(a); ok {
			types = append(types, r.Type)
		}
	}
	for _, w := range withheld {
		if _, ok := w.read(a); ok {
			types = append(types, w.Type)
		}
	}
	slices.Sort(types)
	return types
}

// Known tells whether the tables have a type, so that Of has an answer for its ARNs or says why it has none.
func Known(resourceType string) bool {
	name, ok := nameInAWS(resourceType)
	return ok && (slices.ContainsFunc(table, func(r row) bool { return r.Type == name }) ||
		slices.ContainsFunc(withheld, func(w refusal) bool { return w.Type == name }))
}

// Name is the name under which the tables have a type: hashicorp/aws calls a few types by two names, and estate_x is aws_x. What is
// no type of AWS stays as it is.
func Name(resourceType string) string {
	name, _ := nameInAWS(resourceType)
	return cmp.Or(otherNames[name], name)
}

// mismatch is the error for an ARN that is not of the type.
func mismatch(resourceType, name, objectARN string) error {
	if others := Types(objectARN); len(others) > 0 {
		return fmt.Errorf("%s is of %s, not of %s", objectARN, strings.Join(others, " or "), resourceType)
	}
	var forms []string
	var page string
	for _, r := range table {
		if r.Type == name {
			forms, page = append(forms, r.String()), reference(r.Service)
		}
	}
	for _, w := range withheld {
		if w.Type == name {
			forms, page = append(forms, w.String()), reference(w.Service)
		}
	}
	return fmt.Errorf("%s is not of %s, whose ARNs are %s; see %s", objectARN, resourceType, strings.Join(forms, " or "), page)
}

// nameInAWS is the name that the tables have for a type: estate_x and aws_x take the same ids, and so do two names of one
// type.
func nameInAWS(resourceType string) (string, bool) {
	if twin, ok := strings.CutPrefix(resourceType, "estate_"); ok {
		return "aws_" + twin, twin != ""
	}
	if name, ok := otherNames[resourceType]; ok {
		return name, true
	}
	return resourceType, strings.HasPrefix(resourceType, "aws_") && resourceType != "aws_"
}

// otherNames are second names that hashicorp/aws has for a type.
var otherNames = map[string]string{
	"aws_alb":               "aws_lb",
	"aws_alb_listener":      "aws_lb_listener",
	"aws_alb_listener_rule": "aws_lb_listener_rule",
	"aws_alb_target_group":  "aws_lb_target_group",
}

// forOurs marks a key that an import of this provider would take for something else: it tries an address of the type
// first, and id= says that what follows is the key. A log group may be named like an address, a role id=x.
func forOurs(resourceType, id string) string {
	if strings.HasPrefix(resourceType, "estate_") && (strings.HasPrefix(id, "id=") || strings.Contains(id, resourceType+".")) {
		return "id=" + id
	}
	return id
}

// documentation is the section of a type's page in the registry that says what its import wants.
func documentation(name string) string {
	return "https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/" + strings.TrimPrefix(name, "aws_") + "#import"
}
