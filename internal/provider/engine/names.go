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

// token is the client token of one create call. Its first half says which instance creates, its second what the instance
// saw: the ids of every object with our marker, dead or alive, since after a deletion the same address gets a new token, as
// it must; and try, which sets later calls of one create apart.
func token(k *kind, account, region, estate, address string, holders []string, try string) Token {
	holders = slices.Sorted(slices.Values(holders))
	return Token(originOf(k, account, region, estate, address) + half(strings.Join(holders, ","), try))
}

// originOf is the half of a token that names the instance. Where AWS shows tokens, an untagged object with it was made by
// a create of this instance.
func originOf(k *kind, account, region, estate, address string) string {
	if k.global {
		region = "" // another default region makes it no other instance
	}
	return half(k.fullName(), account, region, estate, address)
}

func half(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:sha256.Size/2])
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
