package functions

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
)

// encodings write values as strings of some form, and read them.
var encodings = map[string]function.Function{
	"base64decode":     ofText(base64Decode, "str"),
	"base64encode":     ofText(base64Encode, "str"),
	"base64gunzip":     ofText(base64Gunzip, "str"),
	"csvdecode":        stdlib.CSVDecodeFunc,
	"jsondecode":       decodes(stdlib.JSONDecodeFunc, sameNames),
	"jsonencode":       stdlib.JSONEncodeFunc,
	"textdecodebase64": ofText(textDecode, "source", "encoding"),
	"textencodebase64": ofText(textEncode, "string", "encoding"),
	"urldecode":        ofText(urlDecode, "str"),
	"urlencode":        ofText(func(args []string) (string, error) { return url.QueryEscape(args[0]), nil }, "str"),
	"yamldecode":       decodes(yaml.YAMLDecodeFunc, mergesKeys),
	"yamlencode":       yaml.YAMLEncodeFunc,
}

// decodes makes a function of one string that is unknown where the string is one of which the CLIs make different things. It
// is told the error that ours makes of it.
func decodes(f function.Function, differs func(text string, err error) bool) function.Function {
	run := func(args []cty.Value) (cty.Value, error) {
		v, err := f.Call(args)
		if args[0].IsKnown() && differs(args[0].AsString(), err) {
			return cty.DynamicVal, nil
		}
		return v, err
	}
	return function.New(&function.Spec{
		Params: stringParams("src"),
		Type: func(args []cty.Value) (cty.Type, error) {
			bare, _ := args[0].Unmark()
			v, err := run([]cty.Value{bare})
			return v.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return run(args) },
	})
}

// sameNames says whether JSON is refused though it is such. Two properties of a name with values of different types are the
// cause, and older releases of go-cty take one of them.
func sameNames(text string, err error) bool { return err != nil && json.Valid([]byte(text)) }

// mergesKeys says whether YAML may hold a merge key. Older releases of the library know only the simplest.
func mergesKeys(text string, _ error) bool {
	return strings.Contains(text, "<<") || strings.Contains(text, "!!merge") || strings.Contains(text, "2002:merge")
}

func base64Encode(args []string) (string, error) {
	return base64.StdEncoding.EncodeToString([]byte(args[0])), nil
}

func base64Decode(args []string) (string, error) {
	out, err := decode(args[0])
	if err == nil && !utf8.Valid(out) {
		err = function.NewArgErrorf(0, "what it decodes to is not UTF-8")
	}
	return string(out), err
}

func decode(text string) ([]byte, error) {
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, function.NewArgErrorf(0, "this is not base64")
	}
	return out, nil
}

func base64Gunzip(args []string) (string, error) {
	packed, err := decode(args[0])
	if err != nil {
		return "", err
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", function.NewArgErrorf(0, "this is not gzip: %s", err)
	}
	out, err := io.ReadAll(reader)
	if err != nil {
		return "", function.NewArgErrorf(0, "this is not gzip: %s", err)
	}
	return string(out), nil
}

func urlDecode(args []string) (string, error) {
	out, err := url.QueryUnescape(args[0])
	if err != nil {
		return "", function.NewArgErrorf(0, "this is not as in the query of a URL")
	}
	return out, nil
}

func textEncode(args []string) (string, error) {
	charset, err := charsetOf(args[1])
	if err != nil {
		return "", err
	}
	out, err := charset.NewEncoder().Bytes([]byte(args[0]))
	if err != nil {
		return "", function.NewArgErrorf(0, "the encoding lacks a character")
	}
	return base64.StdEncoding.EncodeToString(out), nil
}

func textDecode(args []string) (string, error) {
	charset, err := charsetOf(args[1])
	if err != nil {
		return "", err
	}
	packed, err := decode(args[0])
	if err != nil {
		return "", err
	}
	out, err := charset.NewDecoder().Bytes(packed)
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) {
		return "", function.NewArgErrorf(0, "the encoding does not define a byte")
	}
	return string(out), nil
}

// charsetOf finds an encoding by a name that IANA lists.
func charsetOf(name string) (encoding.Encoding, error) {
	charset, err := ianaindex.IANA.Encoding(name)
	if err == nil && charset == nil {
		err = errors.New("not supported")
	}
	if err != nil {
		return nil, function.NewArgErrorf(1, "no encoding of that name is known")
	}
	return charset, nil
}
