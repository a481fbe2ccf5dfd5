// Package markers is the tag contract (marker spec version 1): addresses, their escaping into tag values,
// slots, bindings, and what a set of tags means to whoever asks.
//
// # The tags
//
//	tofu-estate      the estate that owns the object: [a-z][a-z0-9-]{0,127}. None or empty: nobody's.
//	tofu-address     the escaped address of the resource instance, or its first 256 characters.
//	tofu-address-2   the next 256 characters, only when needed; so too tofu-address-3 and -4.
//	tofu-slot        on count members: a decimal from 0 to 4294967295 without leading zeros,
//	                 never held by two live objects of a block.
//	tofu-binding     which state entry holds the object: a lower-case ULID, new at each create and
//	                 adoption. An addition of this provider; other readers ignore it.
//	tofu-pending     a word, while a create has steps left that no attribute shows. An addition too.
//
// Keys are case-sensitive, except where a service folds case itself (IAM); there the caller passes
// foldCase, and two keys that differ only in case are one. Neither tofu-address-1 nor -5 is a marker.
//
// Where the provider is stricter than the reference implementation of the contract, the comment says
// "stricter". The package does no I/O, knows no AWS service, and does not authenticate: whoever may
// tag an object may claim it.
package markers

import (
	"slices"
	"strings"
)

// The keys of the marker tags, besides those in AddressKeys.
const (
	EstateKey  = "tofu-estate"
	SlotKey    = "tofu-slot"
	BindingKey = "tofu-binding"
	PendingKey = "tofu-pending"
	// ReleasedKey says that an object was let go of. It is no part of a marker: it stays where the marker goes, on objects
	// that would else be taken for ones whose create was cut off before they could be tagged.
	ReleasedKey = "tofu-released"
)

// The limits of the contract, in Unicode code points unless the name says otherwise.
const (
	MaxValue   = 256                 // one tag value
	MaxParts   = 4                   // tags that an address may take
	MaxAddress = MaxValue * MaxParts // an escaped address
	MaxEstate  = 128                 // an estate name
	MaxSlot    = 1<<32 - 1           // the highest slot number
)

// AddressKeys are the keys of the parts of an address, in order.
var AddressKeys = [MaxParts]string{"tofu-address", "tofu-address-2", "tofu-address-3", "tofu-address-4"}

// Tags are tags as they are written to an object.
type Tags map[string]string

// Filter says which objects a listing asks for.
type Filter struct {
	// Estates are the values of tofu-estate that are asked for; empty means all objects, marked or not.
	Estates []string
	// Address is the value of tofu-address that is asked for, the first part of a long one; empty means any.
	Address string
}

// Admits reports whether an object with these tags is among those asked for.
func (f Filter) Admits(tags map[string]string, foldCase bool) bool {
	estate, address := len(f.Estates) == 0, f.Address == ""
	for key, value := range tags {
		switch k, _ := markerKey(key, foldCase); k {
		case EstateKey:
			estate = estate || slices.Contains(f.Estates, value)
		case AddressKeys[0]:
			address = address || value == f.Address
		}
	}
	return estate && address
}

// IsKey reports whether key is one of the eight marker keys, or ReleasedKey: no user's tag.
func IsKey(key string, foldCase bool) bool {
	_, ok := markerKey(key, foldCase)
	return ok
}

// Strip returns the user's tags: a copy without the marker keys, never nil.
func Strip(tags map[string]string, foldCase bool) map[string]string {
	user := make(map[string]string, len(tags))
	for key, value := range tags {
		if !IsKey(key, foldCase) {
			user[key] = value
		}
	}
	return user
}

// markerKey returns the contract's spelling of a marker key.
func markerKey(key string, foldCase bool) (string, bool) {
	if foldCase {
		key = strings.ToLower(key)
	}
	switch key {
	case EstateKey, SlotKey, BindingKey, PendingKey, ReleasedKey:
		return key, true
	}
	return key, slices.Contains(AddressKeys[:], key)
}
