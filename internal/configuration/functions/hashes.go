package functions

import (
	"crypto/md5"  //nolint:gosec // the language has it
	"crypto/sha1" //nolint:gosec // the language has it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// digest is a hash and how it is written.
type digest struct {
	make  func() hash.Hash
	write func([]byte) string
}

func (d digest) of(content []byte) string {
	h := d.make()
	h.Write(content)
	return d.write(h.Sum(nil))
}

// digests are by the function of strings; that of files has the same name after "file".
var digests = map[string]digest{
	"base64sha256": {sha256.New, base64.StdEncoding.EncodeToString},
	"base64sha512": {sha512.New, base64.StdEncoding.EncodeToString},
	"md5":          {md5.New, hex.EncodeToString},
	"sha1":         {sha1.New, hex.EncodeToString},
	"sha256":       {sha256.New, hex.EncodeToString},
	"sha512":       {sha512.New, hex.EncodeToString},
}

// hashes make digests of strings.
var hashes = func() map[string]function.Function {
	out := map[string]function.Function{"uuidv5": uuidV5}
	for name, d := range digests {
		out[name] = ofText(func(args []string) (string, error) { return d.of([]byte(args[0])), nil }, "str")
	}
	return out
}()

// namespaces are those that RFC 9562 names, in its section 6.6.
var namespaces = map[string]string{
	"dns":  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
	"url":  "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
	"oid":  "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
	"x500": "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
}

// uuidV5 names something within a namespace, as RFC 9562 has it in section 5.5.
var uuidV5 = of(cty.String, stringParams("namespace", "name"), func(args []cty.Value) (cty.Value, error) {
	namespace, name := args[0].AsString(), args[1].AsString()
	if known, ok := namespaces[namespace]; ok {
		namespace = known
	}
	// Other spellings of a UUID, which the CLIs also take, are read by their length alone.
	if len(namespace) != 36 {
		if len(namespace) == 32 || len(namespace) == 38 || len(namespace) == 45 {
			return cty.UnknownVal(cty.String), nil
		}
		return cty.UnknownVal(cty.String), errNamespace
	}
	digits := strings.Split(namespace, "-")
	id, err := hex.DecodeString(strings.Join(digits, ""))
	if err != nil || len(digits) != 5 || len(digits[0]) != 8 || len(digits[1]) != 4 || len(digits[2]) != 4 || len(digits[3]) != 4 {
		return cty.UnknownVal(cty.String), errNamespace
	}
	sum := sha1.Sum(append(id, name...)) //nolint:gosec // version 5 is made of SHA-1
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	text := hex.EncodeToString(sum[:16])
	return cty.StringVal(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]), nil
})

var errNamespace = function.NewArgErrorf(0, "the namespace is no UUID and none of dns, url, oid and x500")
