package command

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty/function"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
)

// language are the functions that a configuration may call: those of the language, and those of this provider under each name
// that a module gives to it.
func language(t *configuration.Tree) (map[string]function.Function, error) {
	table := functions.Table(functions.Scope{Base: t.Root.Dir})
	for _, name := range localNames(t.Root) {
		own, err := providerFunctions(name)
		if err != nil {
			return nil, err
		}
		maps.Copy(table, own)
	}
	return table, nil
}

// providerSource ends the source address of this provider, whichever host it is installed from.
const providerSource = "tofu-estate/estate"

// localNames are the names that modules give to this provider, and the one that it has without a word.
func localNames(m *configuration.Module) []string {
	names := map[string]bool{"estate": true}
	var collect func(*configuration.Module)
	collect = func(m *configuration.Module) {
		for name, source := range m.Providers {
			if source == providerSource || strings.HasSuffix(source, "/"+providerSource) {
				names[name] = true
			}
		}
		for _, child := range m.Children {
			collect(child)
		}
	}
	collect(m)
	return slices.Sorted(maps.Keys(names))
}
