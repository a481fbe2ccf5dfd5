package acceptance

import (
	"context"
	"fmt"
	"slices"
)

// Kind is how the tests reach objects of one resource type without the provider.
type Kind struct {
	// Type is the resource type.
	Type string
	// Exists says whether the object with this id is there.
	Exists func(ctx context.Context, a *AWS, id string) (bool, error)
	// List returns all objects of the type with their tags; nil, like the next three, for types without tags.
	List func(ctx context.Context, a *AWS) ([]Object, error)
	// Make makes an object with these tags, by this name where the type has names, and returns its id.
	Make func(ctx context.Context, a *AWS, name string, tags map[string]string) (string, error)
	// Tag sets tags, Untag removes them.
	Tag   func(ctx context.Context, a *AWS, id string, tags map[string]string) error
	Untag func(ctx context.Context, a *AWS, id string, keys ...string) error
}

// Kinds are the types that the tests know, one for each type that the provider has.
var Kinds = slices.Concat(ec2Kinds, iamKinds, logsKinds, route53Kinds, s3Kinds)

// KindOf returns the kind of a resource type.
func KindOf(resourceType string) (Kind, error) {
	for _, k := range Kinds {
		if k.Type == resourceType {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("the tests know no kind %s: add it to Kinds", resourceType)
}

// found turns the answer to a read into whether the object exists: only the service's own code says that it does not.
func found(err error, code string) (bool, error) {
	if isCode(err, code) {
		return false, nil
	}
	return err == nil, err
}
