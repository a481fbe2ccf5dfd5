package configuration_test

import (
	"github.com/zclconf/go-cty/cty/function"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration/functions"
)

// language are the functions of the language, for the configuration in a folder.
func language(dir string) map[string]function.Function {
	return functions.Table(functions.Scope{Base: dir})
}
