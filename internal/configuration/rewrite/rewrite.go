// Package rewrite changes arguments in configuration files, of both syntaxes, and leaves the rest of the text as it is: comments,
// order and layout. A file that was formatted as the tools do it is so afterwards.
//
// A change is an edit of the text at a place that the parser names. Nothing is decoded and written anew.
package rewrite

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Argument is a name with an expression in HCL's native syntax.
type Argument struct{ Name, Expr string }

// Place says where in a block new arguments stand.
type Place struct {
	// Before is the argument that they precede, where the block has it.
	Before string
	// After are arguments that they follow, the last one that there is. Without any they stand at the top.
	After []string
	// Apart puts empty lines between them and what they follow, and Ends between them and what follows them.
	Apart, Ends bool
}

// File is the text of one configuration file.
type File struct {
	// Name is its path.
	Name   string
	source []byte
	syntax syntax
	edits  []edit
}

// syntax is what differs between the two.
type syntax interface {
	blocks(kind string, labels []string) []block
	// variables tells whether there are any.
	variables() bool
	// declare adds a variable of type string.
	declare(name string, text *string)
	// finish lays the changed text out.
	finish(text []byte, kept []segment) []byte
}

type block interface {
	has(name string) bool
	replace(name, expr string)
	remove(name string)
	insert(args []Argument, at Place)
	text(name string) (string, bool)
}

// edit puts a text in the place of a part of the source.
type edit struct {
	start, end int
	text       string
}

// segment is a part of the new text that was there before.
type segment struct{ start, end, was int }

// Open reads the text of a file. One whose name ends in .json is in the JSON syntax.
func Open(name string, source []byte) (*File, error) {
	f := &File{Name: name, source: source}
	if strings.HasSuffix(name, ".json") {
		root, err := parseJSON(source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.syntax = &jsonFile{f, root}
		return f, nil
	}
	parsed, diags := hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil, fmt.Errorf("%s is not in the native syntax", name)
	}
	tokens, diags := hclsyntax.LexConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	f.syntax = &nativeFile{f, body, tokens}
	return f, nil
}

// Block is a block of a file, in JSON the object that stands for one.
type Block struct{ in block }

// Base is the last part of its path.
func (f *File) Base() string { return filepath.Base(f.Name) }

// DeclaresVariables tells whether the file declares variables.
func (f *File) DeclaresVariables() bool { return f.syntax.variables() }

// Blocks are those of a kind with these labels, in their order.
func (f *File) Blocks(kind string, labels ...string) []*Block {
	var out []*Block
	for _, b := range f.syntax.blocks(kind, labels) {
		out = append(out, &Block{b})
	}
	return out
}

// Has tells whether the block has the argument.
func (b *Block) Has(name string) bool { return b.in.has(name) }

// Replace gives an argument that the block has another expression.
func (b *Block) Replace(name, expr string) { b.in.replace(name, expr) }

// Remove takes an argument away, with the comment on its line.
func (b *Block) Remove(name string) { b.in.remove(name) }

// Insert adds arguments. It is called once for a block at most.
func (b *Block) Insert(args []Argument, at Place) { b.in.insert(args, at) }

// Text is the expression of an argument in the native syntax; false where what JSON has for it cannot be written so.
func (b *Block) Text(name string) (string, bool) { return b.in.text(name) }

// Declare adds the declaration of a variable of type string, with a default where there is one.
func (f *File) Declare(name string, text *string) { f.syntax.declare(name, text) }

// splice puts a text in the place of a part of the source.
func (f *File) splice(start, end int, text string) {
	if string(f.source[start:end]) != text {
		f.edits = append(f.edits, edit{start, end, text})
	}
}

// takeBack forgets the change that emptied a part of the source, and tells whether there was one.
func (f *File) takeBack(start, end int) bool {
	before := len(f.edits)
	f.edits = slices.DeleteFunc(f.edits, func(e edit) bool { return e == edit{start, end, ""} })
	return len(f.edits) < before
}

// Result is the text with all changes, and whether there are any.
func (f *File) Result() ([]byte, bool) {
	if len(f.edits) == 0 {
		return f.source, false
	}
	edits := slices.Clone(f.edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	var kept []segment
	at := 0
	keep := func(to int) {
		if to > at {
			kept = append(kept, segment{out.Len(), out.Len() + to - at, at})
			out.Write(f.source[at:to])
		}
	}
	for _, e := range edits {
		keep(e.start)
		out.WriteString(e.text)
		at = max(at, e.end)
	}
	keep(len(f.source))
	return f.syntax.finish(out.Bytes(), kept), true
}

// newline is how the file ends its lines.
func (f *File) newline() string {
	if bytes.Contains(f.source, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineStart is where the line begins that holds an offset.
func (f *File) lineStart(offset int) int { return bytes.LastIndexByte(f.source[:offset], '\n') + 1 }

// indent is the white space at the beginning of a line.
func (f *File) indent(offset int) string {
	line := f.source[f.lineStart(offset):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
