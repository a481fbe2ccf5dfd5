package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// This file is about keys that can be spelled in several ways. An object is registered under one spelling, and each state
// entry keeps its own.

// canonicalKey is the spelling of a key that all spellings of it share, as far as the session knows.
func (k *kind) canonicalKey(s *cloud.Session, key Key) Key {
	if k.canonical == nil || key == nil {
		return key
	}
	return k.canonical(s, key)
}

// id is the name under which the index holds an object.
func (ix *index) id(key Key) string { return ix.kind.canonicalKey(ix.s, key).String() }

// read returns an object by key, in the spelling in which it is asked for: a listing, or another entry's read, has its own.
func (ix *index) read(ctx context.Context, key Key) (*live, error) {
	l, err := ix.find(ctx, key)
	if err != nil {
		return nil, err
	}
	return ix.kind.spelled(l, key), nil
}

// spelled returns the object with the given spelling of its key.
func (k *kind) spelled(l *live, key Key) *live {
	if k.canonical == nil {
		return l
	}
	other, own := *l, objectOf(l.own)
	other.key = key
	for i, p := range k.identity {
		if !own[p.Attr].IsNull() {
			own[p.Attr] = tftypes.NewValue(tftypes.String, key[i])
		}
	}
	other.own = own.value(l.own.Type())
	return &other
}
