package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// jsonFile is a file in HCL's JSON syntax.
type jsonFile struct {
	*File
	root *node
}

// node is a value with its place in the text.
type node struct {
	start, end int
	// kind is the first character.
	kind    byte
	members []member
	items   []*node
}

// member is a key of an object, from its first quote, and where the key ends.
type member struct {
	start, end int
	key        string
	value      *node
}

// jsonReader reads values with their places, which encoding/json does not tell.
type jsonReader struct {
	source []byte
	at     int
}

var errJSON = errors.New("the text is no JSON")

func parseJSON(source []byte) (*node, error) {
	r := &jsonReader{source: source}
	out, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.peek() != 0 {
		return nil, errJSON
	}
	return out, nil
}

// peek is the next character that is no white space, 0 at the end.
func (r *jsonReader) peek() byte {
	for r.at < len(r.source) && bytes.IndexByte([]byte(" \t\r\n"), r.source[r.at]) >= 0 {
		r.at++
	}
	if r.at == len(r.source) {
		return 0
	}
	return r.source[r.at]
}

func (r *jsonReader) expect(c byte) error {
	if r.peek() != c {
		return errJSON
	}
	r.at++
	return nil
}

func (r *jsonReader) value() (*node, error) {
	n := &node{kind: r.peek()}
	n.start = r.at
	var err error
	switch n.kind {
	case '{':
		err = r.sequence('}', func() error {
			m := member{}
			r.peek()
			m.start = r.at
			if err := r.text(); err != nil {
				return err
			}
			m.end = r.at
			m.key = decode(r.source[m.start:m.end])
			if err := r.expect(':'); err != nil {
				return err
			}
			value, err := r.value()
			m.value = value
			n.members = append(n.members, m)
			return err
		})
	case '[':
		err = r.sequence(']', func() error {
			value, err := r.value()
			n.items = append(n.items, value)
			return err
		})
	case '"':
		err = r.text()
	case 0:
		err = errJSON
	default:
		for r.at < len(r.source) && bytes.IndexByte([]byte(" \t\r\n,:]}[{\""), r.source[r.at]) < 0 {
			r.at++
		}
		if r.at == n.start {
			err = errJSON
		}
	}
	n.end = r.at
	return n, err
}

// sequence reads what stands between brackets.
func (r *jsonReader) sequence(closing byte, one func() error) error {
	r.at++
	if r.peek() == closing {
		r.at++
		return nil
	}
	for {
		if err := one(); err != nil {
			return err
		}
		switch r.peek() {
		case ',':
			r.at++
		case closing:
			r.at++
			return nil
		default:
			return errJSON
		}
	}
}

func (r *jsonReader) text() error {
	if err := r.expect('"'); err != nil {
		return err
	}
	for ; r.at < len(r.source); r.at++ {
		switch r.source[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return nil
		}
	}
	return errJSON
}

// decode is the text of a string, "" for any other value.
func decode(source []byte) string {
	var out string
	if err := json.Unmarshal(source, &out); err != nil {
		return ""
	}
	return out
}

// Quote writes a text as a JSON string.
func Quote(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""` // a text can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// template is an expression as a JSON string: a quoted template is its own text, any other an interpolation.
func template(expr string) string {
	if inner, ok := strings.CutPrefix(expr, `"`); ok && strings.HasSuffix(inner, `"`) {
		// HCL's escapes of quotes in a template are JSON's.
		return expr
	}
	return Quote("${" + expr + "}")
}

// objects are the objects that a value holds: itself, or those of a list.
func (n *node) objects() []*node {
	switch n.kind {
	case '{':
		return []*node{n}
	case '[':
		var out []*node
		for _, item := range n.items {
			out = append(out, item.objects()...)
		}
		return out
	}
	return nil
}

func (n *node) find(key string) *member {
	if k := slices.IndexFunc(n.members, func(m member) bool { return m.key == key }); k >= 0 {
		return &n.members[k]
	}
	return nil
}

type jsonBlock struct {
	file *jsonFile
	*node
}

func (j *jsonFile) blocks(kind string, labels []string) []block {
	found := j.root.objects()
	for _, key := range append([]string{kind}, labels...) {
		var next []*node
		for _, n := range found {
			for _, m := range n.members {
				if m.key == key {
					next = append(next, m.value.objects()...)
				}
			}
		}
		found = next
	}
	var out []block
	for _, n := range found {
		out = append(out, jsonBlock{j, n})
	}
	return out
}

func (b jsonBlock) has(name string) bool { return b.find(name) != nil }

func (b jsonBlock) replace(name, expr string) {
	value := b.find(name).value
	if decode(b.file.source[value.start:value.end]) != decode([]byte(template(expr))) {
		b.file.splice(value.start, value.end, template(expr))
	}
}

func (b jsonBlock) text(name string) (string, bool) { return b.file.native(b.find(name).value) }

// native writes a value in the native syntax. A string is a template; one that is a single interpolation is what stands in it.
func (j *jsonFile) native(n *node) (string, bool) {
	source := j.source[n.start:n.end]
	switch n.kind {
	case '"':
		text := decode(source)
		parsed, diags := hclsyntax.ParseTemplate([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			return "", false
		}
		if wrap, ok := parsed.(*hclsyntax.TemplateWrapExpr); ok {
			return string(wrap.Wrapped.Range().SliceBytes([]byte(text))), true
		}
		if !strings.ContainsAny(text, "\"\\\n\r\t") {
			return `"` + text + `"`, true
		}
		value, diags := parsed.Value(nil)
		if diags.HasErrors() {
			return "", false // the quotes in it would have to be told from those of its interpolations
		}
		return string(hclwrite.TokensForValue(value).Bytes()), true
	case '[':
		return "", false
	case '{':
		texts := make([]string, len(n.members))
		for k, m := range n.members {
			key, ok := j.native(&node{start: m.start, end: m.end, kind: '"'})
			value, ok2 := j.native(m.value)
			if !ok || !ok2 {
				return "", false
			}
			if !strings.HasPrefix(key, `"`) {
				key = "(" + key + ")" // a bare word would be its own text
			}
			texts[k] = key + " = " + value
		}
		return "{ " + strings.Join(texts, ", ") + " }", true
	}
	return string(source), true
}

func (b jsonBlock) remove(name string) {
	k := slices.IndexFunc(b.members, func(m member) bool { return m.key == name })
	switch {
	case len(b.members) == 1:
		b.file.splice(b.start+1, b.end-1, "")
	case k+1 < len(b.members):
		b.file.splice(b.members[k].start, b.members[k+1].start, "")
	default:
		b.file.splice(b.members[k-1].value.end, b.members[k].value.end, "")
	}
}

func (b jsonBlock) insert(args []Argument, at Place) {
	after := -1
	for k, m := range b.members {
		switch {
		case m.key == at.Before:
			b.file.insert(b.node, k-1, args)
			return
		case slices.Contains(at.After, m.key):
			after = k
		}
	}
	b.file.insert(b.node, after, args)
}

// insert adds members behind the one with this number, -1 for the front, in the layout of the others.
func (j *jsonFile) insert(n *node, after int, args []Argument) {
	var members []member
	var values []string
	for _, a := range args {
		members, values = append(members, member{key: a.Name}), append(values, template(a.Expr))
	}
	j.insertRaw(n, after, members, values)
}

func (j *jsonFile) insertRaw(n *node, after int, members []member, values []string) {
	colon, between := ": ", j.space(n)
	if len(n.members) > 0 {
		colon = string(j.source[n.members[0].end:n.members[0].value.start])
	}
	texts := make([]string, len(members))
	for k, m := range members {
		texts[k] = Quote(m.key) + colon + values[k]
	}
	joined := strings.Join(texts, ","+between)
	switch {
	case j.takeBack(n.start+1, n.end-1) || len(n.members) == 0:
		end := ""
		if strings.Contains(between, "\n") {
			end = j.newline() + j.indent(n.start)
		} else {
			between = ""
		}
		j.splice(n.start+1, n.end-1, between+joined+end)
	case after < 0:
		start := n.members[0].start
		j.splice(start, start, joined+","+between)
	default:
		end := n.members[after].value.end
		j.splice(end, end, ","+between+joined)
	}
}

// space is the white space between two members of an object.
func (j *jsonFile) space(n *node) string {
	switch {
	case len(n.members) > 1:
		gap := string(j.source[n.members[0].value.end:n.members[1].start])
		return gap[strings.Index(gap, ",")+1:]
	case len(n.members) == 1:
		if gap := string(j.source[n.start+1 : n.members[0].start]); strings.Contains(gap, "\n") {
			return gap
		}
		return " "
	case !bytes.Contains(bytes.TrimSpace(j.source), []byte("\n")):
		return " "
	}
	return j.newline() + j.indent(n.start) + j.unit()
}

// unit is what the file indents by.
func (j *jsonFile) unit() string {
	for _, n := range j.root.objects() {
		if len(n.members) > 0 {
			if own := j.indent(n.members[0].start); own != "" {
				return own
			}
		}
	}
	return indentation
}

func (j *jsonFile) variables() bool { return len(j.blocks("variable", nil)) > 0 }

// declare adds the variable to the others, or to a new member of the file.
func (j *jsonFile) declare(name string, text *string) {
	args := []Argument{{"type", `"string"`}}
	if text != nil {
		args = append(args, Argument{"default", `"` + *text + `"`})
	}
	for _, n := range j.root.objects() {
		if m := n.find("variable"); m != nil && len(m.value.objects()) > 0 {
			in := m.value.objects()[0]
			j.insertRaw(in, -1, []member{{key: name}}, []string{j.object(j.space(in), args)})
			return
		}
	}
	root := j.root.objects()[0]
	space := j.space(root)
	inner := space
	if strings.Contains(space, "\n") {
		inner += j.unit()
	}
	variable := j.wrap(space, []string{Quote(name) + ": " + j.object(inner, args)})
	after := slices.IndexFunc(root.members, func(m member) bool { return m.key == "terraform" })
	j.insertRaw(root, after, []member{{key: "variable"}}, []string{variable})
}

// object writes an object whose own key stands behind this white space.
func (j *jsonFile) object(space string, args []Argument) string {
	texts := make([]string, len(args))
	for k, a := range args {
		texts[k] = Quote(a.Name) + ": " + template(a.Expr)
	}
	return j.wrap(space, texts)
}

func (j *jsonFile) wrap(space string, members []string) string {
	if !strings.Contains(space, "\n") {
		return "{" + strings.Join(members, ", ") + "}"
	}
	space = j.newline() + space[strings.LastIndex(space, "\n")+1:]
	return "{" + space + j.unit() + strings.Join(members, ","+space+j.unit()) + space + "}"
}

// finish leaves the text: it was laid out as it was made.
func (j *jsonFile) finish(text []byte, _ []segment) []byte { return text }
