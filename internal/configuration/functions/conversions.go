package functions

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// conversions change the type of a value, or its marks.
var conversions = map[string]function.Function{
	"ephemeralasnull": ephemeralAsNull,
	"issensitive":     isSensitive,
	"nonsensitive":    marking(nonsensitive),
	"sensitive":       marking(func(v cty.Value) cty.Value { return v.Mark(Sensitive) }),
	"tobool":          to(cty.Bool),
	"tolist":          to(cty.List(cty.DynamicPseudoType)),
	"tomap":           to(cty.Map(cty.DynamicPseudoType)),
	"tonumber":        to(cty.Number),
	"toset":           to(cty.Set(cty.DynamicPseudoType)),
	"tostring":        to(cty.String),
}

// to makes the function that converts to a type.
func to(want cty.Type) function.Function {
	cannot := func(v cty.Value) error {
		return function.NewArgErrorf(0, "cannot convert this %s to %s", v.Type().FriendlyName(), want.FriendlyNameForConstraint())
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{{
			Name: "v", Type: cty.DynamicPseudoType, AllowNull: true, AllowMarked: true, AllowDynamicType: true,
		}},
		Type: func(args []cty.Value) (cty.Type, error) {
			got := args[0].Type()
			if got.Equals(want) || convert.GetConversionUnsafe(got, want) != nil {
				return want, nil
			}
			return cty.NilType, cannot(args[0])
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			v, err := convert.Convert(args[0], t)
			if err != nil {
				return cty.NilVal, cannot(args[0])
			}
			return v, nil
		},
	})
}

// marking makes a function that leaves a value as it is but for its marks.
func marking(change func(cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{anything("value")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return change(args[0]), nil },
	})
}

// nonsensitive keeps other marks, and those of the elements.
func nonsensitive(v cty.Value) cty.Value {
	bare, marks := v.Unmark()
	delete(marks, Sensitive)
	return bare.WithMarks(marks)
}

// isSensitive asks for the value's own mark, not for those of elements. What is unknown may yet become sensitive.
var isSensitive = function.New(&function.Spec{
	Params:       []function.Parameter{anything("value")},
	Type:         function.StaticReturnType(cty.Bool),
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].IsKnown() {
			return cty.UnknownVal(cty.Bool), nil
		}
		return cty.BoolVal(args[0].HasMark(Sensitive)), nil
	},
})

// ephemeralAsNull puts null for each part that is ephemeral. An unknown part stays unknown.
var ephemeralAsNull = function.New(&function.Spec{
	Params: []function.Parameter{anything("value")},
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return cty.Transform(args[0], func(_ cty.Path, v cty.Value) (cty.Value, error) {
			bare, marks := v.Unmark()
			if _, ephemeral := marks[Ephemeral]; !ephemeral {
				return v, nil
			}
			delete(marks, Ephemeral)
			if bare.IsKnown() {
				bare = cty.NullVal(bare.Type())
			}
			return bare.WithMarks(marks), nil
		})
	},
})
