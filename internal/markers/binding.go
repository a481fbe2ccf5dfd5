package markers

import (
	"crypto/rand"
	"strings"
	"time"
)

// crockford is the base 32 alphabet of a binding, in value order.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// bindingLength is that of a ULID: 10 characters of milliseconds, then 16 of 80 random bits.
const bindingLength = 26

// NewBinding returns a fresh binding: a lower-case ULID of the present time. It reads the clock and the
// system's random source, which does not fail.
func NewBinding() string {
	var random [10]byte
	_, _ = rand.Read(random[:])
	return binding(time.Now(), random)
}

// binding writes 128 bits as 26 characters of five bits; the first holds the two bits of excess, zero.
func binding(at time.Time, random [10]byte) string {
	var b [bindingLength]byte
	millis := uint64(at.UnixMilli()) & (1<<48 - 1)
	for i := range 10 {
		b[9-i] = crockford[millis>>(5*i)&31]
	}
	for i, part := range [2][]byte{random[:5], random[5:]} {
		var bits uint64
		for _, octet := range part {
			bits = bits<<8 | uint64(octet)
		}
		for j := range 8 {
			b[10+8*i+7-j] = crockford[bits>>(5*j)&31]
		}
	}
	return string(b[:])
}

// BindingTime returns when a binding was made, to the millisecond, in UTC; false for a text that NewBinding
// cannot have made, which is a binding all the same.
func BindingTime(binding string) (time.Time, bool) {
	if len(binding) != bindingLength || binding[0] > '7' {
		return time.Time{}, false
	}
	var millis int64
	for i := range bindingLength {
		digit := strings.IndexByte(crockford, binding[i])
		if digit < 0 {
			return time.Time{}, false
		}
		if i < 10 {
			millis = millis<<5 | int64(digit)
		}
	}
	return time.UnixMilli(millis).UTC(), true
}
