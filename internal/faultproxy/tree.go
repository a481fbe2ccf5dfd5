package faultproxy

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// tree is an XML or JSON document that can be changed and written again. Writing keeps names, prefixes, attributes,
// order and values; it does not keep comments, or white space between elements.
type tree struct {
	root *node
	json bool
}

// node is an element of XML, or a value of JSON.
type node struct {
	// name is that of an XML element, its prefix included, or of the member of a JSON object that the value is of.
	name  string
	attrs []xml.Attr
	// kind is '{' or '[' for a JSON object or list, 0 for all else.
	kind json.Delim
	// text is that of an XML element without others in it, a JSON string, or another JSON scalar as it is written.
	text string
	// literal says that the value is a JSON scalar other than a string.
	literal  bool
	children []*node
}

var errMalformed = errors.New("malformed document")

// parse reads the body of an answer. It reports false for CBOR and for what is no whole document.
func parse(p protocol, body []byte) (tree, bool) {
	switch p {
	case cborRPC:
		return tree{}, false
	case jsonRPC, restJSON:
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		root, err := readJSON(d, "")
		return tree{root: root, json: true}, err == nil
	}
	//nolint:gosec // G709: what becomes of it is text in a tree.
	root, err := readXML(xml.NewDecoder(bytes.NewReader(body)))
	return tree{root: root}, err == nil
}

func readXML(d *xml.Decoder) (*node, error) {
	root := &node{}
	open := []*node{root}
	for {
		token, err := d.RawToken() // keeps prefixes
		if errors.Is(err, io.EOF) && len(open) == 1 && len(root.children) == 1 {
			return root.children[0], nil
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{name: qualified(t.Name), attrs: t.Copy().Attr}
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.CharData:
			top.text += string(t)
		case xml.EndElement:
			if top.name != qualified(t.Name) || len(open) == 1 {
				return nil, errMalformed
			}
			if len(top.children) > 0 {
				top.text = "" // white space
			}
			open = open[:len(open)-1]
		}
	}
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

func readJSON(d *json.Decoder, name string) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		if s, ok := token.(string); ok {
			return &node{name: name, text: s}, nil
		}
		literal, err := json.Marshal(token)
		return &node{name: name, text: string(literal), literal: true}, err
	}
	n := &node{name: name, kind: delim}
	for d.More() {
		member := ""
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			member = fmt.Sprint(key)
		}
		child, err := readJSON(d, member)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err = d.Token() // the closing one
	return n, err
}

// bytes writes the document.
func (t tree) bytes() []byte {
	var b bytes.Buffer
	if t.json {
		t.root.writeJSON(&b)
	} else {
		b.WriteString(xml.Header)
		t.root.writeXML(&b)
	}
	return b.Bytes()
}

func (n *node) writeXML(b *bytes.Buffer) {
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		b.WriteString(" " + qualified(a.Name) + `="`)
		_ = xml.EscapeText(b, []byte(a.Value)) // a buffer takes all
		b.WriteString(`"`)
	}
	b.WriteString(">")
	_ = xml.EscapeText(b, []byte(n.text))
	for _, c := range n.children {
		c.writeXML(b)
	}
	b.WriteString("</" + n.name + ">")
}

func (n *node) writeJSON(b *bytes.Buffer) {
	switch {
	case n.literal:
		b.WriteString(n.text)
		return
	case n.kind == 0:
		b.WriteString(quoted(n.text))
		return
	}
	b.WriteString(n.kind.String())
	for i, c := range n.children {
		if i > 0 {
			b.WriteString(",")
		}
		if n.kind == '{' {
			b.WriteString(quoted(c.name) + ":")
		}
		c.writeJSON(b)
	}
	b.WriteString(map[json.Delim]string{'{': "}", '[': "]"}[n.kind])
}

func quoted(s string) string {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // no string fails
	}
	return string(q)
}

// local is the name without a prefix.
func (n *node) local() string { return n.name[strings.LastIndex(n.name, ":")+1:] }

// leaf says that the node has a value and no other nodes.
func (n *node) leaf() bool { return n.kind == 0 && len(n.children) == 0 }

// at returns the first node at a path of names such as "state/name", or nil. A nil node has none.
func (n *node) at(path string) *node {
	for name := range strings.SplitSeq(path, "/") {
		if n == nil {
			return nil
		}
		var found *node
		for _, c := range n.children {
			if found == nil && c.local() == name {
				found = c
			}
		}
		n = found
	}
	return n
}

// value is the text of a leaf, "" of any other node, of null and of nil.
func (n *node) value() string {
	if n == nil || !n.leaf() || n.literal && n.text == "null" {
		return ""
	}
	return n.text
}

// all calls f for the node and every one below it.
func (n *node) all(f func(*node)) {
	f(n)
	for _, c := range n.children {
		c.all(f)
	}
}

// set makes the node a leaf with that text.
func (n *node) set(text string) { n.kind, n.children, n.literal, n.text = 0, nil, false, text }

// put sets the child of that name, and makes it if there is none.
func (n *node) put(name, text string) {
	child := n.at(name)
	if child == nil {
		child = &node{name: name}
		n.children = append(n.children, child)
	}
	child.set(text)
}
