package faultproxy

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/aws/smithy-go/encoding/cbor"
)

// inflate returns body without the gzip compression that header speaks of, or as it is.
func inflate(header http.Header, body []byte) []byte {
	if !strings.EqualFold(header.Get("Content-Encoding"), "gzip") {
		return body
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return body
	}
	return plain
}

// flattenJSON adds the leaves of a JSON document to params by their dotted paths. What is not JSON adds nothing.
func flattenJSON(params url.Values, body []byte) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber() // ids are not floats
	var v any
	if d.Decode(&v) == nil {
		flatten(params, "", v)
	}
}

// flattenCBOR is flattenJSON for CBOR.
func flattenCBOR(params url.Values, body []byte) {
	if v, err := cbor.Decode(body); err == nil {
		flatten(params, "", v)
	}
}

func flatten(params url.Values, at string, v any) {
	child := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			flatten(params, child(k), e)
		}
	case []any:
		for i, e := range v {
			flatten(params, child(strconv.Itoa(i)), e)
		}
	case cbor.Map:
		for k, e := range v {
			flatten(params, child(k), e)
		}
	case cbor.List:
		for i, e := range v {
			flatten(params, child(strconv.Itoa(i)), e)
		}
	case *cbor.Tag:
		flatten(params, at, v.Value)
	case cbor.Slice:
		params.Add(at, string(v))
	case cbor.NegInt:
		params.Add(at, "-"+strconv.FormatUint(uint64(v), 10))
	case nil, *cbor.Nil, *cbor.Undefined:
	default:
		params.Add(at, fmt.Sprint(v))
	}
}

// flattenXML adds the text of an XML document's elements to params by their dotted paths, the root included.
func flattenXML(params url.Values, body []byte) {
	d := xml.NewDecoder(bytes.NewReader(body))
	var at []string
	var text strings.Builder
	leaf := false
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			at, leaf = append(at, t.Name.Local), true
			text.Reset()
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			if leaf {
				params.Add(strings.Join(at, "."), text.String())
			}
			at, leaf = at[:len(at)-1], false
		}
	}
}

// errorCode finds the code of an error answer, or "".
func errorCode(c Call, header http.Header) string {
	if c.Status < http.StatusBadRequest {
		return ""
	}
	// Services that moved from query to JSON or CBOR keep their old codes in a header, and the SDK prefers those.
	code, _, _ := strings.Cut(header.Get("X-Amzn-Query-Error"), ";")
	if code == "" {
		code = header.Get("X-Amzn-Errortype")
	}
	fields := url.Values{}
	switch c.protocol {
	case jsonRPC, restJSON:
		flattenJSON(fields, c.ResponseBody)
	case cborRPC:
		flattenCBOR(fields, c.ResponseBody)
	default:
		flattenXML(fields, c.ResponseBody)
	}
	for _, name := range []string{
		"__type", "code", "Response.Errors.Error.Code", "ErrorResponse.Error.Code", "Error.Code",
	} {
		if code == "" {
			code = fields.Get(name)
		}
	}
	code, _, _ = strings.Cut(code, ":") // "Code:http://namespace"
	return code[strings.LastIndex(code, "#")+1:]
}
