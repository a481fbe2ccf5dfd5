package markers

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Marker is what the tags of one object say, or are to say.
type Marker struct {
	Estate  string
	Address Address
	Slot    *uint32 // of a count member; nil writes none
	Binding string  // empty writes none
	Pending string  // empty writes none
}

// Tags returns the tags to write. Everything that the contract demands of a writer is checked first; the
// error says what is wrong.
func (m Marker) Tags() (Tags, error) {
	if err := CheckEstate(m.Estate); err != nil {
		return nil, err
	}
	text := m.Address.String()
	if _, err := Parse(text); err != nil {
		return nil, err
	}
	parts, err := Split(Escape(text))
	if err != nil {
		return nil, err
	}
	tags := Tags{EstateKey: m.Estate}
	for i, part := range parts {
		tags[AddressKeys[i]] = part
	}
	if m.Slot != nil {
		if !m.Address.Slotted() {
			return nil, fmt.Errorf("%s is no count member, so it has no slot", text)
		}
		tags[SlotKey] = FormatSlot(*m.Slot)
	}
	for _, word := range []struct{ key, value string }{{BindingKey, m.Binding}, {PendingKey, m.Pending}} {
		if word.value == "" {
			continue
		}
		if err := checkValue(word.value); err != nil {
			return nil, fmt.Errorf("%s: %w", word.key, err)
		}
		tags[word.key] = word.value
	}
	return tags, nil
}

// checkValue refuses what no AWS tag value can hold.
func checkValue(value string) error {
	if n := utf8.RuneCountInString(value); n > MaxValue {
		return fmt.Errorf("the value is %d characters long; a tag holds %d", n, MaxValue)
	}
	for _, r := range value {
		if !inTag(r) {
			return fmt.Errorf("the value holds %q, which a tag cannot", r)
		}
	}
	return nil
}

// Diff returns what turns the observed tags into exactly this marker: the tags to set, and the surplus marker
// keys to remove, as the object spells them, sorted. Where a service folds case, a key that differs only in
// case is the same key. A marker whose Tags errs changes nothing. Where set and remove both touch the
// address, a Tagger that needs two calls removes first, so that no state in between reads as a third address.
func (m Marker) Diff(observed map[string]string, foldCase bool) (set Tags, remove []string) {
	want, err := m.Tags()
	if err != nil {
		return nil, nil
	}
	set = want
	differs := map[string]bool{}
	there := map[string]bool{}
	for key, value := range observed {
		k, ok := markerKey(key, foldCase)
		if !ok {
			continue
		}
		wanted, ok := want[k]
		if !ok {
			remove = append(remove, key)
			continue
		}
		there[k] = true
		if value != wanted {
			differs[k] = true
		}
	}
	for k := range there {
		if !differs[k] {
			delete(set, k)
		}
	}
	slices.Sort(remove)
	return set, remove
}
