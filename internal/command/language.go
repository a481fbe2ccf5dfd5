package command

import (
	"github.com/zclconf/go-cty/cty/function"

	"github.com/tofu-estate/terraform-provider-estate/internal/configuration"
)

// language are the functions that a configuration may call.
func language(*configuration.Tree) (map[string]function.Function, error) {
	return map[string]function.Function{}, nil
}
