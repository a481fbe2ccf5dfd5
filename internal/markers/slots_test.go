package markers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

type slotVector struct {
	Note  string
	Count int64
	Live  []struct{ ID, Slot string }
	Bind  map[string]struct{ ID, Slot string }

	Create []struct {
		Index uint64
		Slot  string
	}
	Delete []struct {
		ID, Slot string
		Index    uint64 `json:"occupies_index"`
	}
	HighWater  string   `json:"high_water"`
	SlotsAfter []string `json:"slots_after"`
	Error      string
}

func TestSlotVectors(t *testing.T) {
	for _, v := range readVectors(t).SlotBinding {
		var live []LiveMember
		for _, l := range v.Live {
			live = append(live, LiveMember{ID: l.ID, Slot: l.Slot})
		}
		plan, err := BindSlots(live, v.Count)
		if v.Error != "" {
			if err == nil {
				t.Errorf("%s: no error, want %s", v.Note, v.Error)
			}
			for _, l := range v.Live {
				if strings.Contains(v.Error, l.ID) && !strings.Contains(err.Error(), l.ID) {
					t.Errorf("%s: %v does not name %s", v.Note, err, l.ID)
				}
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.Note, err)
			continue
		}
		var after []string
		if len(plan.Bind) != len(v.Bind) || len(plan.Create) != len(v.Create) || len(plan.Delete) != len(v.Delete) {
			t.Errorf("%s: %+v", v.Note, plan)
			continue
		}
		for _, b := range plan.Bind {
			after = append(after, FormatSlot(b.Slot))
			if want := v.Bind[fmt.Sprint(b.Index)]; want.ID != b.ID || want.Slot != FormatSlot(b.Slot) {
				t.Errorf("%s: bound %+v, want %+v", v.Note, b, want)
			}
		}
		for i, c := range plan.Create {
			after = append(after, FormatSlot(c.Slot))
			if want := v.Create[i]; want.Index != c.Index || want.Slot != FormatSlot(c.Slot) || c.ID != "" {
				t.Errorf("%s: created %+v, want %+v", v.Note, c, want)
			}
		}
		for i, d := range plan.Delete {
			if want := v.Delete[i]; want.ID != d.ID || want.Slot != FormatSlot(d.Slot) || want.Index != d.Index {
				t.Errorf("%s: deleted %+v, want %+v", v.Note, d, want)
			}
		}
		if !slices.Equal(after, v.SlotsAfter) || FormatSlot(plan.HighWater) != v.HighWater {
			t.Errorf("%s: after %v, high water %d", v.Note, after, plan.HighWater)
		}
	}
}

// TestBindSlotsCompletes covers members without slots, whose indexes the vectors do not know.
func TestBindSlotsCompletes(t *testing.T) {
	member := func(id, slot string, index int) LiveMember {
		m := LiveMember{ID: id, Slot: slot}
		if index >= 0 {
			i := uint64(index)
			m.Index = &i
		}
		return m
	}
	for name, c := range map[string]struct {
		live []LiveMember
		want string // ID:slot in the order of indexes, or a part of the error
	}{
		"none has one":       {[]LiveMember{member("b", "", 1), member("a", "", 0)}, "a:0 b:1"},
		"a gap stays":        {[]LiveMember{member("c", "", 2), member("a", "", 0)}, "a:0 c:2"},
		"mixed":              {[]LiveMember{member("b", "", 1), member("a", "0", 0), member("c", "2", 2)}, "a:0 b:1 c:2"},
		"mixed, slot taken":  {[]LiveMember{member("a", "1", 0), member("b", "", 1)}, "a:1 b:2"},
		"mixed, index bare":  {[]LiveMember{member("a", "0", -1), member("b", "", 1)}, "index of a is not known"},
		"mixed, held twice":  {[]LiveMember{member("a", "0", 1), member("b", "", 1)}, "index 1 is held by both a and b"},
		"none, held twice":   {[]LiveMember{member("a", "", 1), member("b", "", 1)}, "held by both a and b"},
		"index past ceiling": {[]LiveMember{member("a", "", MaxSlot+1)}, "above the highest slot"},
	} {
		plan, err := BindSlots(c.live, 9)
		got := fmt.Sprint(err)
		if err == nil {
			var words []string
			for _, b := range plan.Bind {
				words = append(words, fmt.Sprintf("%s:%d", b.ID, b.Slot))
			}
			got = strings.Join(words, " ")
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAssignSlot(t *testing.T) {
	for _, c := range []struct {
		index   uint64
		members []SlotMember
		want    string
	}{
		{0, nil, "0"},
		{3, nil, "3"},
		{MaxSlot, nil, "4294967295"},
		{MaxSlot + 1, nil, "above the highest slot"},
		{1, []SlotMember{{0, 0}, {2, 2}}, "1"},
		{1, []SlotMember{{0, 1}}, "2"},         // taken
		{1, []SlotMember{{0, 5}}, "6"},         // a lower index holds a higher slot
		{2, []SlotMember{{3, 0}}, "1"},         // a higher index holds a lower slot: already out of order
		{1, []SlotMember{{1, 1}}, "2"},         // a predecessor at this index holds it
		{1, []SlotMember{{0, 0}, {1, 7}}, "1"}, // a predecessor holds another one
		{0, []SlotMember{{1, 1}, {2, 2}}, "0"}, // freed, and used again
		{0, []SlotMember{{1, 0}, {2, 4}}, "5"}, // after a hole was bound by rank
		{1, []SlotMember{{0, MaxSlot}}, "no slot is left"},
	} {
		slot, err := AssignSlot(c.index, c.members)
		got := FormatSlot(slot)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("AssignSlot(%d, %v) = %s, want %s", c.index, c.members, got, c.want)
		}
	}
}
