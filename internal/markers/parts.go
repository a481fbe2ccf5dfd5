package markers

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// errNoAddress is Join's error where the first part is missing or empty and no other follows.
var errNoAddress = errors.New("tofu-address is missing or empty")

// Split cuts an escaped address into the values of AddressKeys, MaxValue characters each. Stricter than the
// reference, which cuts the excess off: a value that does not fit is an error that says its length.
func Split(value string) ([]string, error) {
	if value == "" {
		return nil, errNoAddress
	}
	if err := checkLength(value); err != nil {
		return nil, err
	}
	var parts []string
	start, n := 0, 0
	for i := range value {
		if n == MaxValue {
			parts = append(parts, value[start:i])
			start, n = i, 0
		}
		n++
	}
	return append(parts, value[start:]), nil
}

// Join returns the text in the address tags, not escaped yet. The error names a missing or empty address, a
// gap between the parts, or, stricter than the reference, a part before the last one that is not full, which
// a lost or stale tail leaves behind.
func Join(tags map[string]string, foldCase bool) (string, error) {
	m := collect(tags, foldCase)
	return m.join()
}

// collected are the marker tags of an object by the contract's spelling of their keys.
type collected struct {
	values map[string]string
	twice  string // a key that is there in two spellings, of which neither value is kept
}

func collect(tags map[string]string, foldCase bool) collected {
	c := collected{values: map[string]string{}}
	seen := map[string]bool{}
	for key, value := range tags {
		k, ok := markerKey(key, foldCase)
		if !ok {
			continue
		}
		if seen[k] {
			delete(c.values, k)
			if c.twice == "" || k < c.twice {
				c.twice = k
			}
			continue
		}
		seen[k] = true
		c.values[k] = value
	}
	return c
}

func (c collected) join() (string, error) {
	if c.twice != "" {
		return "", fmt.Errorf("there are two tags whose keys differ from %s in case only", c.twice)
	}
	last := -1
	for i, key := range AddressKeys {
		if _, ok := c.values[key]; ok {
			last = i
		}
	}
	text := ""
	for i, key := range AddressKeys[:last+1] {
		part, ok := c.values[key]
		if !ok {
			return "", fmt.Errorf("%s is missing while %s is there", key, AddressKeys[last])
		}
		if n := utf8.RuneCountInString(part); i < last && n != MaxValue {
			return "", fmt.Errorf("%s holds %d characters while %s follows; a part that another follows holds %d", key, n, AddressKeys[last], MaxValue)
		}
		text += part
	}
	if text == "" {
		return "", errNoAddress
	}
	return text, nil
}
