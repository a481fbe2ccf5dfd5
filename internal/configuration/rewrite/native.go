package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// indentation is that of an argument in a block, as the tools format it.
const indentation = "  "

// nativeFile is a file in HCL's own syntax.
type nativeFile struct {
	*File
	body   *hclsyntax.Body
	tokens hclsyntax.Tokens
}

type nativeBlock struct {
	file *nativeFile
	*hclsyntax.Block
}

func (n *nativeFile) blocks(kind string, labels []string) []block {
	var out []block
	for _, b := range n.body.Blocks {
		if b.Type == kind && strings.Join(b.Labels, "\n") == strings.Join(labels, "\n") {
			out = append(out, nativeBlock{n, b})
		}
	}
	return out
}

// lineEnd is where the line ends on which an offset lies: after its newline, or at the end of the file. A comment that ends at the
// newline is part of the line, one of several lines is too.
func (n *nativeFile) lineEnd(offset int) int {
	for _, t := range n.tokens {
		ends := t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
		if ends && t.Range.End.Byte > offset {
			return t.Range.End.Byte
		}
	}
	return len(n.source)
}

// lineStart is where the line begins on which an offset lies, or the comment of several lines that ends on it.
func (n *nativeFile) lineStart(offset int) int {
	start := n.File.lineStart(offset)
	for _, t := range n.tokens {
		if t.Type == hclsyntax.TokenComment && t.Range.Start.Byte < start && t.Range.End.Byte > start {
			return n.File.lineStart(t.Range.Start.Byte)
		}
	}
	return start
}

func (b nativeBlock) has(name string) bool { return b.Body.Attributes[name] != nil }

func (b nativeBlock) replace(name, expr string) {
	at := b.Body.Attributes[name].Expr.Range()
	start, end := at.Start.Byte, at.End.Byte
	if bytes.HasSuffix(b.file.source[start:end], []byte("\n")) { // a heredoc
		expr += b.file.newline()
	}
	b.file.splice(start, end, expr)
}

func (b nativeBlock) text(name string) (string, bool) {
	return string(b.Body.Attributes[name].Expr.Range().SliceBytes(b.file.source)), true
}

func (b nativeBlock) remove(name string) {
	at := b.Body.Attributes[name].SrcRange
	if b.isShort() {
		b.file.splice(b.OpenBraceRange.End.Byte, b.CloseBraceRange.Start.Byte, "")
		return
	}
	b.file.splice(b.file.lineStart(at.Start.Byte), b.file.lineEnd(at.End.Byte-1), "")
}

// isShort tells whether the block stands on one line, where it has one argument at most.
func (b nativeBlock) isShort() bool {
	return !bytes.Contains(b.file.source[b.OpenBraceRange.End.Byte:b.CloseBraceRange.Start.Byte], []byte("\n"))
}

func (b nativeBlock) insert(args []Argument, at Place) {
	nl := b.file.newline()
	var lines strings.Builder
	for _, a := range args {
		lines.WriteString(indentation + a.Name + " = " + a.Expr + nl)
	}
	if b.isShort() {
		b.lengthen(lines.String(), at)
		return
	}
	if a := b.Body.Attributes[at.Before]; a != nil {
		start := b.file.lineStart(a.SrcRange.Start.Byte)
		b.file.splice(start, start, lines.String())
		return
	}
	last := b.last(at.After)
	offset := b.OpenBraceRange.End.Byte
	if last != nil {
		offset = last.SrcRange.End.Byte - 1 // a heredoc ends behind its newline
	}
	offset = b.file.lineEnd(offset)
	text := lines.String()
	if at.Apart && last != nil {
		text = nl + text
	}
	if at.Ends && !b.endsAt(offset) {
		text += nl
	}
	b.file.splice(offset, offset, text)
}

// endsAt tells whether an empty line or the end of the block follows.
func (b nativeBlock) endsAt(offset int) bool {
	rest := bytes.TrimLeft(b.file.source[offset:], " \t\r")
	return bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("}"))
}

// last is the argument of these that stands last.
func (b nativeBlock) last(names []string) *hclsyntax.Attribute {
	var last *hclsyntax.Attribute
	for _, name := range names {
		if a := b.Body.Attributes[name]; a != nil && (last == nil || a.SrcRange.Start.Byte > last.SrcRange.Start.Byte) {
			last = a
		}
	}
	return last
}

// lengthen inserts lines into a block that stands on one.
func (b nativeBlock) lengthen(lines string, at Place) {
	nl := b.file.newline()
	open, closed := b.OpenBraceRange.End.Byte, b.CloseBraceRange.Start.Byte
	start, end := open, open
	var only string
	emptied := b.file.takeBack(open, closed)
	for name, a := range b.Body.Attributes {
		if emptied {
			break
		}
		start, end, only = a.SrcRange.Start.Byte, a.SrcRange.End.Byte, name
	}
	between := func(from, to int) string { return strings.TrimSpace(string(b.file.source[from:to])) }
	front, back := between(open, start), between(end, closed)
	if emptied {
		back = ""
	}
	if front != "" {
		front += " "
	}
	if back != "" {
		back = " " + back
	}
	switch {
	case only == "":
		if back != "" {
			back = indentation + strings.TrimSpace(back) + nl
		}
		b.file.splice(open, closed, nl+lines+back)
	case b.last(at.After) == nil:
		if at.Ends && at.Before != only {
			lines += nl
		}
		b.file.splice(open, start, nl+lines+indentation+front)
		b.file.splice(end, closed, back+nl)
	default:
		if at.Apart {
			lines = nl + lines
		}
		b.file.splice(open, start, nl+indentation+front)
		b.file.splice(end, closed, back+nl+lines)
	}
}

func (n *nativeFile) variables() bool {
	return slices.ContainsFunc(n.body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == "variable" })
}

// declare puts the variable behind the settings, where the file has them, else behind the last variable, else at the end.
func (n *nativeFile) declare(name string, text *string) {
	nl := n.newline()
	lines := "variable \"" + name + "\" {" + nl + indentation + "type = string" + nl
	if text != nil {
		lines += indentation + "default = \"" + *text + "\"" + nl
	}
	lines += "}" + nl
	var behind *hclsyntax.Block
	for _, b := range n.body.Blocks {
		if b.Type == "terraform" || b.Type == "variable" && (behind == nil || behind.Type == "variable") {
			behind = b
		}
	}
	if behind == nil {
		end := len(n.source)
		switch {
		case end > 0 && !bytes.HasSuffix(n.source, []byte("\n")):
			lines = nl + nl + lines
		case end > 0:
			lines = nl + lines
		}
		n.splice(end, end, lines)
		return
	}
	end := n.lineEnd(behind.CloseBraceRange.End.Byte - 1)
	if !bytes.HasSuffix(n.source[:end], []byte("\n")) {
		lines = nl + lines
	}
	lines = nl + lines
	if rest := bytes.TrimLeft(n.source[end:], " \t\r"); len(rest) > 0 && rest[0] != '\n' {
		lines += nl
	}
	n.splice(end, end, lines)
}

// finish formats the lines that are new, and those that stand in one column with them. A line that was not formatted before stays
// as it was.
func (n *nativeFile) finish(text []byte, kept []segment) []byte {
	lines, formatted := splitLines(text), splitLines(hclwrite.Format(text))
	before, formattedBefore := splitLines(n.source), splitLines(hclwrite.Format(n.source))
	if len(lines) != len(formatted) || len(before) != len(formattedBefore) {
		return text // formatting makes and joins no lines, so that this does not happen
	}
	number := map[int]int{}
	offset := 0
	for k, line := range before {
		number[offset] = k
		offset += len(line)
	}
	var out bytes.Buffer
	offset = 0
	for k, line := range lines {
		was, ok := origin(kept, offset, offset+len(line))
		old, isLine := number[was]
		if ok && isLine && bytes.Equal(before[old], line) && !bytes.Equal(before[old], formattedBefore[old]) {
			out.Write(line)
		} else {
			out.Write(formatted[k])
		}
		offset += len(line)
	}
	return out.Bytes()
}

// origin is where a part of the new text was before; false where it is not all of one piece.
func origin(kept []segment, start, end int) (int, bool) {
	for _, s := range kept {
		if start >= s.start && end <= s.end {
			return s.was + start - s.start, true
		}
	}
	return 0, false
}

func splitLines(text []byte) [][]byte { return bytes.SplitAfter(text, []byte("\n")) }
