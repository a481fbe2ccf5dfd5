package configuration_test

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func language(string) map[string]function.Function {
	return map[string]function.Function{
		"length": stdlib.LengthFunc, "toset": stdlib.MakeToFunc(ctySet), "upper": stdlib.UpperFunc,
	}
}

var ctySet = cty.Set(cty.DynamicPseudoType)
