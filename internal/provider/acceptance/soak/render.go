package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// files renders the configuration: each file's text by its path.
func (e *estate) files() map[string]string {
	out := map[string]string{"provider.tf": acceptance.ProviderBlock(e.name)}
	main := pathVariable + "  default = \"\"\n}\n"
	for _, g := range e.groups {
		text := e.group(g)
		if g.module == "" {
			main += text
			continue
		}
		main += fmt.Sprintf("\nmodule %q {\n  source      = \"./%s\"\n  tofu_module = \"module.%s.\"\n}\n", g.module, g.module, g.module)
		out[g.module+"/main.tf"] = requires + pathVariable + "}\n" + text
	}
	for _, m := range e.moves {
		main += fmt.Sprintf("\nmoved {\n  from = %s\n  to   = %s\n}\n", m.from, m.to)
	}
	out["main.tf"] = main
	return out
}

const (
	requires     = "terraform {\n  required_providers {\n    estate = {\n      source = \"tofu-estate/estate\"\n    }\n  }\n}\n\n"
	pathVariable = "variable \"tofu_module\" {\n  type    = string\n"
)

// group renders a group's blocks.
func (e *estate) group(g *group) string {
	var out strings.Builder
	for _, b := range g.blocks {
		if len(b.members) > 0 {
			out.WriteString("\n" + e.block(b))
		}
	}
	return out.String()
}

// block renders one block; what differs between its members stands in a local of its name.
func (e *estate) block(b *block) string {
	var out strings.Builder
	values, each := "", func(name string) string { return "each.value." + name }
	switch b.form {
	case counted:
		each = func(name string) string { return "local." + b.name + "[count.index]." + name }
		values = e.local(b, "[", "]", func(*member) string { return "" })
	case keyed:
		values = e.local(b, "{", "}", func(m *member) string { return m.key + " = " })
	case single:
	}
	fmt.Fprintf(&out, "%sresource %q %q {\n", values, b.typ.name, b.name)
	switch b.form {
	case counted:
		fmt.Fprintf(&out, "  count = length(local.%s)\n", b.name)
	case keyed:
		fmt.Fprintf(&out, "  for_each = local.%s\n", b.name)
	case single:
	}
	e.identity(&out, b)
	says := e.says(b.members[0])
	for _, name := range slices.Sorted(maps.Keys(says)) {
		value := says[name]
		if b.form != single {
			value = each(name)
		}
		if name != parentKey {
			fmt.Fprintf(&out, "  %s = %s\n", name, value)
		}
	}
	for _, argument := range slices.Sorted(maps.Keys(b.typ.refs)) {
		index := ""
		switch {
		case b.parent.form == single:
		case b.form == single:
			index = "[" + says[parentKey] + "]"
		default:
			index = "[" + each(parentKey) + "]"
		}
		fmt.Fprintf(&out, "  %s = %s%s.%s\n", argument, b.parent.local(), index, b.typ.refs[argument])
	}
	out.WriteString(b.lifecycle() + "}\n")
	return out.String()
}

// identity renders what the provider needs to know the instance.
func (e *estate) identity(out *strings.Builder, b *block) {
	if !b.typ.tagged {
		return
	}
	fmt.Fprintf(out, "  tofu_address = \"${var.tofu_module}%s\"\n", b.local())
	switch b.form {
	case counted:
		out.WriteString("  tofu_key = count.index\n")
	case keyed:
		out.WriteString("  tofu_key = each.key\n")
	case single:
	}
}

// parentKey is the name under which a local holds the index of a member's parent.
const parentKey = "parent"

// says are a member's arguments but those that refer to the parent.
func (e *estate) says(m *member) map[string]string {
	out := map[string]string{}
	maps.Copy(out, m.block.typ.says(e, m))
	if m.block.typ.tagged {
		out["tags"] = fmt.Sprintf("{ Name = %q }", m.versioned())
	}
	if m.parent != nil {
		out[parentKey] = strings.Trim(m.parent.index(), "[]")
		if out[parentKey] == "" {
			out[parentKey] = "null"
		}
	}
	return out
}

// local renders the values of a block's members.
func (e *estate) local(b *block, open, end string, key func(*member) string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "locals {\n  %s = %s\n", b.name, open)
	for _, m := range b.members {
		says := e.says(m)
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(says)) {
			parts = append(parts, name+" = "+says[name])
		}
		fmt.Fprintf(&out, "    %s{ %s }%s\n", key(m), strings.Join(parts, ", "), map[bool]string{true: ","}[b.form == counted])
	}
	fmt.Fprintf(&out, "  %s\n}\n\n", end)
	return out.String()
}

// lifecycle renders in which order a replacement goes.
func (b *block) lifecycle() string {
	switch {
	case b.group.newFirst:
		return "  lifecycle {\n    create_before_destroy = true\n  }\n"
	case b.typ == gatewayType:
		// AWS keeps a VPC to which a gateway is attached, so that the gateway has to go before it.
		return "  lifecycle {\n    replace_triggered_by = [" + b.parent.local() + b.members[0].parent.index() + ".id]\n  }\n"
	}
	return ""
}

// removed are the files of an older configuration that a newer one has not.
func removed(old, now map[string]string) []string {
	var out []string
	for path := range old {
		if _, stays := now[path]; !stays {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
