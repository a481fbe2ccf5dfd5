package engine

import (
	"context"
	"sync"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// slotBlock holds the slots that this walk has reserved for the members of one count block.
type slotBlock struct {
	mu       sync.Mutex
	reserved map[uint64]uint32
}

// reserveSlot picks the slot of a count member: its index where that keeps the order of the live and reserved members,
// else the highest + 1.
func (w *Walk) reserveSlot(ctx context.Context, k *kind, s *cloud.Session, a markers.Address) (uint32, error) {
	block := a.Block()
	name := k.name + " " + block.String()
	w.mu.Lock()
	b, ok := w.blocks[name]
	if !ok {
		b = &slotBlock{reserved: map[uint64]uint32{}}
		w.blocks[name] = b
	}
	w.mu.Unlock()

	b.mu.Lock()
	defer b.mu.Unlock()
	if slot, ok := b.reserved[a.Index.Number]; ok {
		return slot, nil
	}
	lives, err := w.index(k, s).all(ctx)
	if err != nil {
		return 0, err
	}
	var members []markers.SlotMember
	for _, l := range lives {
		o := markers.Observe(l.tags, k.foldsCase())
		if k.isDead(l) || foreign(l, s) || !contains(w.estates(), o.Estate) || !o.Decoded || o.Slot == nil {
			continue
		}
		// A predecessor at the same index counts too: no slot is ever held twice.
		if o.Address.Slotted() && markers.SameAddress(o.Address.Block(), block) {
			members = append(members, markers.SlotMember{Index: o.Address.Index.Number, Slot: *o.Slot})
		}
	}
	for _, index := range sortedKeys(b.reserved) {
		members = append(members, markers.SlotMember{Index: index, Slot: b.reserved[index]})
	}
	slot, err := markers.AssignSlot(a.Index.Number, members)
	if err != nil {
		return 0, err
	}
	b.reserved[a.Index.Number] = slot
	return slot, nil
}
