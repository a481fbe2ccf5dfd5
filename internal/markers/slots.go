package markers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// errSlotsUsedUp is the error of a block that has been through every slot.
var errSlotsUsedUp = fmt.Errorf("no slot is left: the next one would be above %d", uint32(MaxSlot))

// ParseSlot reads the value of tofu-slot; the error says why it is none.
func ParseSlot(s string) (uint32, error) {
	switch n, ok := decimal(s); {
	case s == "":
		return 0, errors.New("the slot is empty")
	case ok && n <= MaxSlot:
		return uint32(n), nil
	case ok:
		return 0, fmt.Errorf("the slot %q is above %d", s, uint32(MaxSlot))
	default:
		return 0, fmt.Errorf("the slot %q is not a decimal number without leading zeros", s)
	}
}

// FormatSlot returns the value of tofu-slot.
func FormatSlot(slot uint32) string { return strconv.FormatUint(uint64(slot), 10) }

// SlotMember is a count member whose slot is known: a live object, or one that is being created and has
// reserved its slot.
type SlotMember struct {
	Index uint64
	Slot  uint32
}

// AssignSlot returns the slot for the member that is to be created at an index: the index itself where that
// keeps the order of the others, else one above the highest. A slot is never held twice, also not beside a
// predecessor at the same index. It is an error past MaxSlot.
func AssignSlot(index uint64, members []SlotMember) (uint32, error) {
	if index > MaxSlot {
		return 0, fmt.Errorf("the index %d is above the highest slot, %d", index, uint32(MaxSlot))
	}
	ordered := true
	next := uint64(0)
	for _, m := range members {
		next = max(next, uint64(m.Slot)+1)
		slot := uint64(m.Slot)
		if slot == index || m.Index < index && slot > index || m.Index > index && slot < index {
			ordered = false
		}
	}
	switch {
	case ordered:
		return uint32(index), nil
	case next > MaxSlot:
		return 0, errSlotsUsedUp
	}
	return uint32(next), nil
}

// LiveMember is a live object of a count block as its tags show it.
type LiveMember struct {
	ID    string
	Slot  string  // the value of tofu-slot; empty where there is none
	Index *uint64 // of its address; nil where that is missing or bare
}

// SlotBinding says which object holds an index of the block, or, without an ID, which slot a new one takes.
type SlotBinding struct {
	Index uint64
	ID    string
	Slot  uint32
}

// SlotPlan is what a count makes of the live members, each list in the order of its indexes.
type SlotPlan struct {
	Bind      []SlotBinding // stay; the address tag follows the index
	Create    []SlotBinding // are missing
	Delete    []SlotBinding // are surplus: the highest slots, with the index that they hold now
	HighWater uint32        // highest of live and new slots, 0 without any
}

// BindSlots binds by rank: the k-th lowest slot is index k. It needs the whole set and the count, so it serves
// audits and repairs; a provider binds by exact address and uses AssignSlot. Members without a slot are
// completed by AssignSlot in the order of their indexes, where every member has one of its own. Errors are a
// negative count, a bad slot or one held twice, members without a slot where an index is missing or held
// twice, and slots past MaxSlot.
func BindSlots(live []LiveMember, count int64) (SlotPlan, error) {
	if count < 0 {
		return SlotPlan{}, fmt.Errorf("a count cannot be negative, and this is %d", count)
	}
	held, err := heldSlots(live)
	if err != nil {
		return SlotPlan{}, err
	}
	var plan SlotPlan
	next := uint64(0)
	for i, h := range held {
		h.Index = uint64(i)
		if h.Index < uint64(count) {
			plan.Bind = append(plan.Bind, h)
		} else {
			plan.Delete = append(plan.Delete, h)
		}
		plan.HighWater = h.Slot
		next = uint64(h.Slot) + 1
	}
	missing := uint64(max(count-int64(len(held)), 0))
	if missing > MaxSlot+1-next {
		return SlotPlan{}, errSlotsUsedUp
	}
	for i := range missing {
		slot := uint32(next + i)
		plan.Create = append(plan.Create, SlotBinding{Index: uint64(len(held)) + i, Slot: slot})
		plan.HighWater = slot
	}
	return plan, nil
}

// heldSlots returns the members with their slots, lowest first.
func heldSlots(live []LiveMember) ([]SlotBinding, error) {
	var held []SlotBinding
	var bare []LiveMember
	for _, m := range live {
		if m.Slot == "" {
			bare = append(bare, m)
			continue
		}
		slot, err := ParseSlot(m.Slot)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.ID, err)
		}
		held = append(held, SlotBinding{ID: m.ID, Slot: slot})
	}
	if len(bare) > 0 {
		completed, err := completeSlots(live, bare)
		if err != nil {
			return nil, err
		}
		held = append(held, completed...)
	}
	slices.SortFunc(held, func(a, b SlotBinding) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.ID, b.ID))
	})
	for i := 1; i < len(held); i++ {
		if held[i-1].Slot == held[i].Slot {
			return nil, fmt.Errorf("slot %d is held by %s and %s", held[i].Slot, held[i-1].ID, held[i].ID)
		}
	}
	return held, nil
}

// completeSlots gives a slot to each member without one.
func completeSlots(live, bare []LiveMember) ([]SlotBinding, error) {
	holder := map[uint64]string{}
	var members []SlotMember
	for _, m := range live {
		if m.Index == nil {
			return nil, fmt.Errorf("%s has no slot, and the index of %s is not known to complete it", bare[0].ID, m.ID)
		}
		if other, ok := holder[*m.Index]; ok {
			return nil, fmt.Errorf("%s has no slot, and index %d is held by both %s and %s", bare[0].ID, *m.Index, other, m.ID)
		}
		holder[*m.Index] = m.ID
		if slot, err := ParseSlot(m.Slot); err == nil {
			members = append(members, SlotMember{Index: *m.Index, Slot: slot})
		}
	}
	slices.SortFunc(bare, func(a, b LiveMember) int { return cmp.Compare(*a.Index, *b.Index) })
	var completed []SlotBinding
	for _, m := range bare {
		slot, err := AssignSlot(*m.Index, members)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.ID, err)
		}
		members = append(members, SlotMember{Index: *m.Index, Slot: slot})
		completed = append(completed, SlotBinding{ID: m.ID, Slot: slot})
	}
	return completed, nil
}
