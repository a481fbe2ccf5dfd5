package engine

import "github.com/hashicorp/terraform-plugin-framework/resource"

// Type is a resource type as the provider serves it; Of makes one from a descriptor.
type Type interface {
	// Name is the type's name without the provider's prefix.
	Name() string
	// Resource returns a fresh framework resource.
	Resource() resource.Resource
	// Check returns what is wrong with the descriptor, nil when nothing is.
	Check() error
}
