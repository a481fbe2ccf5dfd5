// Package markers is the tag contract.
package markers

// Tags are tags as they are written to an object.
type Tags map[string]string

// Filter says which objects a listing asks for.
type Filter struct {
	// Estates are the values of tofu-estate that are asked for; empty means all objects, marked or not.
	Estates []string
}
