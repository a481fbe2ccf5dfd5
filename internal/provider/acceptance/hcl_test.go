package acceptance

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// edited returns a configuration with one argument of its first block of the type changed.
func edited(text, resourceType string, e edit) (string, error) {
	file, diagnostics := hclwrite.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return "", diagnostics
	}
	block := firstOf(file.Body(), resourceType)
	if block == nil {
		return "", fmt.Errorf("no resource of type %s", resourceType)
	}
	body, name := block.Body(), e.Attr
	if outer, inner, nested := strings.Cut(e.Attr, "."); nested {
		child := body.FirstMatchingBlock(outer, nil)
		if child == nil {
			child = body.AppendNewBlock(outer, nil)
		}
		body, name = child.Body(), inner
	}
	for _, other := range e.Without {
		block.Body().RemoveAttribute(other)
	}
	if e.Value == "" {
		body.RemoveAttribute(name)
		return string(file.Bytes()), nil
	}
	// An expression parses only as part of a file.
	value, diagnostics := hclwrite.ParseConfig([]byte("value = "+e.Value+"\n"), "value.tf", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return "", diagnostics
	}
	body.SetAttributeRaw(name, value.Body().GetAttribute("value").Expr().BuildTokens(nil))
	return string(file.Bytes()), nil
}

func firstOf(body *hclwrite.Body, resourceType string) *hclwrite.Block {
	for _, b := range body.Blocks() {
		if labels := b.Labels(); b.Type() == "resource" && len(labels) == 2 && labels[0] == resourceType {
			return b
		}
	}
	return nil
}

// argumentsOf adds the names of all arguments and blocks that a configuration gives to resources of the type.
func argumentsOf(text, file, resourceType string, names map[string]bool) error {
	parsed, diagnostics := hclsyntax.ParseConfig([]byte(text), file, hcl.InitialPos)
	if diagnostics.HasErrors() {
		return diagnostics
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return fmt.Errorf("%s is not in the native syntax", file)
	}
	for _, b := range body.Blocks {
		if b.Type == "resource" && len(b.Labels) == 2 && b.Labels[0] == resourceType {
			collect(b.Body, "", names)
		}
	}
	return nil
}

func collect(body *hclsyntax.Body, prefix string, names map[string]bool) {
	for name := range body.Attributes {
		names[prefix+name] = true
	}
	for _, b := range body.Blocks {
		collect(b.Body, prefix+b.Type+".", names)
	}
}

// suffixed returns a configuration in which each name that begins with "example" goes on with the suffix; addresses stay.
func suffixed(text, suffix string) (string, error) {
	file, diagnostics := hclwrite.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return "", diagnostics
	}
	suffixBody(file.Body(), suffix)
	return string(file.Bytes()), nil
}

func suffixBody(body *hclwrite.Body, suffix string) {
	for _, a := range body.Attributes() {
		// The tokens are the file's own, so that nothing else of it changes.
		for _, token := range a.Expr().BuildTokens(nil) {
			if token.Type == hclsyntax.TokenQuotedLit && !strings.HasPrefix(string(token.Bytes), "estate_") {
				token.Bytes = []byte(strings.ReplaceAll(string(token.Bytes), "example", "example-"+suffix))
			}
		}
	}
	for _, b := range body.Blocks() {
		suffixBody(b.Body(), suffix)
	}
}

// openVariables returns the variables of a configuration that have no default.
func openVariables(text string) ([]string, error) {
	file, diagnostics := hclwrite.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	var open []string
	for _, b := range file.Body().Blocks() {
		if b.Type() == "variable" && b.Body().GetAttribute("default") == nil {
			open = append(open, b.Labels()...)
		}
	}
	return open, nil
}
