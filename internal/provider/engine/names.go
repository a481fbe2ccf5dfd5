package engine

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// This file derives what must come out the same in any process: client tokens and generated names.

// token is the client token of one create call. The holders are the ids of every object seen with our marker, dead or
// alive: after a deletion the same address gets a new token, as it must.
func token(k *kind, account, region, estate, address string, holders []string, attempt int) Token {
	holders = slices.Sorted(slices.Values(holders))
	sum := sha256.Sum256([]byte(strings.Join([]string{
		k.fullName(), account, region, estate, address, strings.Join(holders, ","), fmt.Sprint(attempt),
	}, "\x00")))
	return Token(hex.EncodeToString(sum[:]))
}

// generatedLength is the length of what follows the prefix of a generated name, which v6 made 26 characters too.
const generatedLength = 26

// defaultPrefix is hashicorp/aws's for objects that have neither name nor prefix.
const defaultPrefix = "terraform-"

// generatedName derives the n-th name of an instance, so that a crash loses no name.
func generatedName(prefix, account, region, estate, address string, n int) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{account, region, estate, address, fmt.Sprint(n)}, "\x00")))
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:generatedLength]
}
