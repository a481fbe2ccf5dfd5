// Package configuration reads a configuration as OpenTofu does, and expands its module tree into the flat list of resource
// instances that providers see, each with its address.
//
// A module call is a function call with a namespace: variables go in, outputs come back, and every resource inside lives under
// the address of the call. So a tree is evaluated from its leaves' needs upwards, each variable, local, output and argument at most
// once for each instance of its module, and only where something asks for it. What only an apply can tell is unknown, and
// stays so through everything that is made of it; what is said about the rest is what the tools say.
//
// With a state at hand a Plan says what would be added, moved, forgotten and destroyed, by address alone: moved and removed blocks are
// carried out as OpenTofu does, and refused where it refuses them. Propose goes the other way, from two configurations to the moved
// blocks that lead from one to the other.
//
// Nothing here needs credentials, providers or a network. Schemas of providers are not known either, other than of
// terraform_data, so that an argument's value is taken as it is written: a number in an argument of type string is a number here.
// Not read are tests, provider configurations, backends other than local ones, and what stands in nested blocks of resources.
package configuration
