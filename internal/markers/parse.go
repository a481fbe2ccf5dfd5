package markers

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// example is what the messages show as a good address.
const example = "estate_vpc.main"

// Parse reads the address of a managed resource instance. Stricter than the tools: names are ASCII, for_each
// keys are those of CheckKey without escape sequences, and the escaped form must fit in its tags.
// The error is a sentence for the person who wrote the address.
func Parse(text string) (Address, error) {
	p := parser{rest: text}
	module, err := p.path()
	if err != nil {
		return Address{}, err
	}
	if p.rest == "" && len(module) > 0 {
		return Address{}, errors.New("the address ends in a module; add the resource in it, as in " + text + "." + example)
	}
	a := Address{Module: module}
	if err := p.resource(&a); err != nil {
		return Address{}, err
	}
	if err := checkLength(a.Escaped()); err != nil {
		return Address{}, err
	}
	return a, nil
}

// Mode says what kind of block an address belongs to. Only managed objects carry markers.
type Mode string

// The modes, as state files name them.
const (
	Managed   Mode = "managed"
	Data      Mode = "data"
	Ephemeral Mode = "ephemeral"
)

// ParseInstance reads the address of any resource instance, data sources and ephemeral resources included. For a managed one
// it is Parse; the other two are never written to tags, so that their length does not matter.
func ParseInstance(text string) (Mode, Address, error) {
	p := parser{rest: text}
	module, err := p.path()
	if err != nil {
		return "", Address{}, err
	}
	for _, mode := range []Mode{Data, Ephemeral} {
		rest, ok := strings.CutPrefix(p.rest, string(mode)+".")
		if !ok {
			continue
		}
		p.rest = rest
		a := Address{Module: module}
		err := p.resource(&a)
		return mode, a, err
	}
	a, err := Parse(text)
	return Managed, a, err
}

// parser reads an address from left to right.
type parser struct {
	rest string // what is still to be read
}

// path reads the leading modules; what follows the last one, if anything, is left to be read.
func (p *parser) path() ([]Step, error) {
	switch {
	case p.rest == "":
		return nil, errors.New("the address is empty; write one such as " + example)
	case strings.TrimSpace(p.rest) != p.rest:
		return nil, errors.New("the address starts or ends with a space; remove it")
	}
	var steps []Step
	for {
		rest, ok := strings.CutPrefix(p.rest, "module.")
		if !ok {
			return steps, nil
		}
		p.rest = rest
		name, err := p.name("the module's name")
		if err != nil {
			return nil, err
		}
		index, err := p.index()
		if err != nil {
			return nil, err
		}
		steps = append(steps, Step{Name: name, Index: index})
		if p.rest == "" {
			return steps, nil
		}
		if err := p.dot("the module " + name); err != nil {
			return nil, err
		}
	}
}

// resource reads the type, the name and the index, to the end of the text.
func (p *parser) resource(a *Address) (err error) {
	if a.Type, err = p.name("the resource type"); err != nil {
		return err
	}
	switch a.Type {
	case "data", "ephemeral":
		return fmt.Errorf("%s addresses are not managed objects; only resources have markers", a.Type)
	case "module":
		return errors.New("the address names no module; write module.NAME, then the resource, as in module.net." + example)
	}
	if p.rest == "" {
		return fmt.Errorf("the address ends after %s; write the type and the name of the resource, as in %s", a.Type, example)
	}
	if err := p.dot("the resource type " + a.Type); err != nil {
		return err
	}
	if a.Name, err = p.name("the resource's name"); err != nil {
		return err
	}
	if a.Index, err = p.index(); err != nil {
		return err
	}
	return p.end(a.Type)
}

// end refuses whatever follows a whole address, and guesses what it was meant to be.
func (p *parser) end(typ string) error {
	switch {
	case p.rest == "":
		return nil
	case strings.HasPrefix(p.rest, "["):
		return fmt.Errorf("a second index, %s, follows the first; an address has one at most for each module and one for the resource", p.rest)
	case strings.HasPrefix(p.rest, ":"):
		return fmt.Errorf("%q is how a tag spells an index; write it in brackets, as in %s[\"a\"]", p.rest, example)
	case strings.HasPrefix(p.rest, ".") && typ == "resource":
		return errors.New("leave out the leading \"resource.\": an address starts with the type")
	case strings.HasPrefix(p.rest, "."):
		return fmt.Errorf("%q follows the resource; an address ends with the name or its index, without an attribute", p.rest)
	}
	return fmt.Errorf("%q follows the resource; an address ends with the name or its index", p.rest)
}

// dot reads the dot after a part; the caller has seen that more text follows.
func (p *parser) dot(after string) error {
	rest, ok := strings.CutPrefix(p.rest, ".")
	switch {
	case strings.HasPrefix(p.rest, ":"):
		return fmt.Errorf("%q follows %s: that is how a tag spells an index; write it in brackets, as in module.net[\"a\"]", p.rest, after)
	case !ok:
		return fmt.Errorf("%q follows %s, where a dot belongs", p.rest, after)
	case rest == "":
		return fmt.Errorf("the address ends with a dot after %s; write the rest, or remove the dot", after)
	}
	p.rest = rest
	return nil
}

// name reads an identifier; what is how a message calls it.
func (p *parser) name(what string) (string, error) {
	end := len(p.rest)
	for i, r := range p.rest {
		if isLetter(r) || r == '_' || i > 0 && (isDigit(r) || r == '-') {
			continue
		}
		end = i
		if r >= utf8.RuneSelf {
			return "", fmt.Errorf("%s holds %q; outside an index, markers know ASCII letters, digits, \"_\" and \"-\" only", what, r)
		}
		break
	}
	if end > 0 {
		name := p.rest[:end]
		p.rest = p.rest[end:]
		return name, nil
	}
	if p.rest == "" {
		return "", fmt.Errorf("%s is missing at the end of the address", what)
	}
	switch c := p.rest[0]; {
	case c == '.' || c == '[':
		return "", fmt.Errorf("%s is missing before %q", what, p.rest)
	case c == '$' || c == '%':
		return "", fmt.Errorf("%s starts with %q; a template belongs in the configuration, so that the address itself is plain text", what, c)
	default:
		return "", fmt.Errorf("%s starts with %q; it must start with a letter or \"_\"", what, c)
	}
}

// index reads an index, if there is one.
func (p *parser) index() (Index, error) {
	body, ok := strings.CutPrefix(p.rest, "[")
	if !ok {
		return Index{}, nil
	}
	if quoted, ok := strings.CutPrefix(body, `"`); ok {
		return p.key(quoted)
	}
	text, rest, closed := strings.Cut(body, "]")
	switch number, ok := decimal(text); {
	case !closed:
		return Index{}, fmt.Errorf("the index %s has no closing bracket", p.rest)
	case ok:
		p.rest = rest
		return Index{Kind: CountIndex, Number: number}, nil
	case text == "":
		return Index{}, errors.New("the index [] is empty; write a number or a quoted key")
	case text == "*":
		return Index{}, errors.New("the index [*] means every instance; the address of one is wanted")
	case strings.Trim(text, "0123456789") == "" && text[0] == '0':
		return Index{}, fmt.Errorf("the index [%s] has a leading zero; write the number without it, or [\"%s\"] for a for_each key", text, text)
	case strings.Trim(text, "0123456789") == "":
		return Index{}, fmt.Errorf("the index [%s] is too large a number", text)
	case strings.TrimSpace(text) != text:
		return Index{}, fmt.Errorf("the index [%s] has a space inside its brackets; remove it", text)
	default:
		return Index{}, fmt.Errorf("the index [%s] is neither a number nor a quoted key; a for_each key needs double quotes, as in [\"a\"]", text)
	}
}

// key reads a quoted key after its opening quote.
func (p *parser) key(quoted string) (Index, error) {
	key, rest, closed := strings.Cut(quoted, `"]`)
	switch {
	case strings.Contains(key, `\`):
		return Index{}, fmt.Errorf("the index %s holds an escape sequence; a key that needs one cannot be carried by a marker, so choose another key", p.rest)
	case !closed:
		return Index{}, fmt.Errorf("the index %s is not closed by a quote and a bracket", p.rest)
	}
	if err := CheckKey(key); err != nil {
		return Index{}, err
	}
	p.rest = rest
	return Index{Kind: KeyIndex, Key: key}, nil
}

// checkLength refuses an escaped address that does not fit in its tags.
func checkLength(value string) error {
	if n := utf8.RuneCountInString(value); n > MaxAddress {
		return fmt.Errorf("the address is %d characters long once it is escaped for tags; at most %d fit in %d tags, so shorten a name or a key",
			n, MaxAddress, MaxParts)
	}
	return nil
}
