package functions

import (
	"errors"
	"math/big"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// collections work on lists, sets, maps, tuples and objects.
var collections = map[string]function.Function{
	"alltrue":         of(cty.Bool, []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}}, allTrue),
	"anytrue":         of(cty.Bool, []function.Parameter{{Name: "list", Type: cty.List(cty.Bool)}}, anyTrue),
	"chunklist":       stdlib.ChunklistFunc,
	"coalesce":        coalesce,
	"coalescelist":    stdlib.CoalesceListFunc,
	"compact":         stdlib.CompactFunc,
	"concat":          stdlib.ConcatFunc,
	"contains":        contains,
	"distinct":        stdlib.DistinctFunc,
	"element":         element,
	"flatten":         stdlib.FlattenFunc,
	"index":           index,
	"keys":            stdlib.KeysFunc,
	"length":          length,
	"lookup":          lookup,
	"matchkeys":       matchKeys,
	"merge":           merge,
	"one":             one,
	"range":           stdlib.RangeFunc,
	"reverse":         reverse,
	"setintersection": stdlib.SetIntersectionFunc,
	"setproduct":      stdlib.SetProductFunc,
	"setsubtract":     stdlib.SetSubtractFunc,
	"setunion":        stdlib.SetUnionFunc,
	"slice":           stdlib.SliceFunc,
	"sort":            stdlib.SortFunc,
	"sum":             of(cty.Number, []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}}, sum),
	"transpose":       of(cty.Map(cty.List(cty.String)), []function.Parameter{{Name: "values", Type: cty.Map(cty.List(cty.String))}}, transpose),
	"values":          stdlib.ValuesFunc,
	"zipmap":          stdlib.ZipmapFunc,
}

// length counts the elements of a collection, or the characters of a string as a reader would.
var length = function.New(&function.Spec{
	Params: []function.Parameter{{
		Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true, AllowMarked: true,
	}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		if t == cty.DynamicPseudoType || t == cty.String || t.IsCollectionType() || t.IsTupleType() || t.IsObjectType() {
			return cty.Number, nil
		}
		return cty.Number, function.NewArgErrorf(0, "only strings and collections have a length")
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		value, marks := args[0].Unmark()
		switch t := value.Type(); {
		case t == cty.DynamicPseudoType:
			return cty.UnknownVal(cty.Number).WithMarks(marks), nil
		case t == cty.String:
			n, err := stdlib.Strlen(value)
			return n.WithMarks(marks), err
		// The type tells how many, also where the value is unknown.
		case t.IsTupleType():
			return cty.NumberIntVal(int64(len(t.TupleElementTypes()))).WithMarks(marks), nil
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))).WithMarks(marks), nil
		}
		return value.Length().WithMarks(marks), nil
	},
})

// allTrue is false as soon as one element is, or is null.
func allTrue(args []cty.Value) (cty.Value, error) {
	result := cty.True
	for _, v := range args[0].Elements() {
		switch {
		case !v.IsKnown():
			result = cty.UnknownVal(cty.Bool)
		case v.IsNull() || v.False():
			return cty.False, nil
		}
	}
	return result, nil
}

// anyTrue is true as soon as one element is.
func anyTrue(args []cty.Value) (cty.Value, error) {
	result := cty.False
	for _, v := range args[0].Elements() {
		switch {
		case !v.IsKnown():
			result = cty.UnknownVal(cty.Bool)
		case !v.IsNull() && v.True():
			return cty.True, nil
		}
	}
	return result, nil
}

// coalesce passes over empty strings too, where the result is a string.
var coalesce = function.New(&function.Spec{
	VarParam: &function.Parameter{
		Name: "vals", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true,
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		types := make([]cty.Type, len(args))
		for i, v := range args {
			if untyped(v) {
				return cty.DynamicPseudoType, nil
			}
			types[i] = v.Type()
		}
		t, _ := convert.UnifyUnsafe(types)
		if t == cty.NilType {
			return cty.NilType, errors.New("the arguments have no type in common")
		}
		return t, nil
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if slices.ContainsFunc(args, untyped) {
			return cty.DynamicVal, nil
		}
		for _, arg := range args {
			v, err := convert.Convert(arg, t)
			switch {
			case err != nil:
				// What the CLIs make of one that does not convert is an accident.
				return cty.UnknownVal(t), nil //nolint:nilerr // as said
			case !v.IsKnown():
				return cty.UnknownVal(t), nil
			case v.IsNull() || t == cty.String && v.AsString() == "":
				continue
			}
			return v, nil
		}
		return cty.NilVal, errors.New("all arguments are null or empty strings")
	},
})

// untyped says whether a value is unknown in such a way that it may be of any type, or hold what is.
func untyped(v cty.Value) bool { return v.Type().HasDynamicTypes() && !v.IsWhollyKnown() }

// contains differs between releases of go-cty where it is asked for null, and so between the CLIs.
var contains = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "list", Type: cty.DynamicPseudoType},
		{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true},
	},
	Type: function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if args[1].IsNull() {
			return cty.UnknownVal(cty.Bool), nil
		}
		return stdlib.Contains(args[0], args[1])
	},
})

// element is an error for a negative index of a tuple in one release of go-cty, and so in one of the CLIs.
var element = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "list", Type: cty.DynamicPseudoType, AllowMarked: true}, {Name: "index", Type: cty.Number},
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		if elementUnsettled(args) {
			return cty.DynamicPseudoType, nil
		}
		return stdlib.ElementFunc.ReturnTypeForValues(args)
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if elementUnsettled(args) {
			_, marks := args[0].UnmarkDeep()
			return cty.DynamicVal.WithMarks(marks), nil
		}
		return stdlib.Element(args[0], args[1])
	},
})

func elementUnsettled(args []cty.Value) bool {
	i, _ := args[1].Unmark()
	return args[0].Type().IsTupleType() && args[0].Type().Length() > 0 && i.IsKnown() && i.LessThan(cty.Zero).True()
}

// merge is unknown where each argument is null: releases of go-cty differ there, one even crashes. So it is where an object
// may be null, and then adds no attributes.
var merge = function.New(&function.Spec{
	VarParam: &function.Parameter{
		Name: "maps", Type: cty.DynamicPseudoType,
		AllowDynamicType: true, AllowNull: true, AllowMarked: true, AllowUnknown: true,
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		if mergeUnsettled(args) {
			return cty.DynamicPseudoType, nil
		}
		return stdlib.MergeFunc.ReturnTypeForValues(args)
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if mergeUnsettled(args) {
			_, marks := cty.TupleVal(args).UnmarkDeep()
			return cty.DynamicVal.WithMarks(marks), nil
		}
		return stdlib.Merge(args...)
	},
})

func mergeUnsettled(args []cty.Value) bool {
	null := 0
	for _, v := range args {
		if v.IsNull() {
			null++
		}
		bare, _ := v.Unmark()
		if v.Type().IsObjectType() && !v.IsKnown() && !bare.Range().DefinitelyNotNull() {
			return true
		}
	}
	return null > 0 && null == len(args)
}

// index finds the first element that equals a value.
var index = of(cty.Number, []function.Parameter{
	{Name: "list", Type: cty.DynamicPseudoType}, {Name: "value", Type: cty.DynamicPseudoType},
}, func(args []cty.Value) (cty.Value, error) {
	list, value := args[0], args[1]
	if !list.Type().IsListType() && !list.Type().IsTupleType() {
		return cty.NilVal, function.NewArgErrorf(0, "this is no list or tuple")
	}
	for i, v := range list.Elements() {
		same, err := stdlib.Equal(v, value)
		switch {
		case err != nil:
			return cty.NilVal, err
		case !same.IsKnown():
			return cty.UnknownVal(cty.Number), nil
		case same.True():
			return i, nil
		}
	}
	return cty.NilVal, errors.New("no element equals the value")
})

// reverse leaves open the order of a set of which not all is known.
var reverse = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType, AllowMarked: true}},
	Type:   stdlib.ReverseListFunc.ReturnTypeForValues,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if args[0].Type().IsSetType() && !args[0].IsWhollyKnown() {
			return cty.UnknownVal(t).WithSameMarks(args[0]), nil
		}
		return stdlib.ReverseList(args[0])
	},
})

// lookup takes the element of a key, or else the default.
var lookup = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "inputMap", Type: cty.DynamicPseudoType, AllowMarked: true},
		{Name: "key", Type: cty.String, AllowMarked: true},
	},
	VarParam: &function.Parameter{
		Name: "default", Type: cty.DynamicPseudoType,
		AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true,
	},
	Type: lookupType,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		from, fromMarks := args[0].Unmark()
		key, keyMarks := args[1].Unmark()
		marked := func(v cty.Value, err error) (cty.Value, error) {
			if err != nil {
				return cty.NilVal, err
			}
			return v.WithMarks(fromMarks, keyMarks), nil
		}
		name := key.AsString()
		switch {
		case from.Type().IsObjectType():
			if from.Type().HasAttribute(name) {
				return marked(from.GetAttr(name), nil)
			}
		case from.HasIndex(key).True():
			return marked(from.Index(key), nil)
		}
		switch {
		case len(args) < 3:
			return cty.NilVal, function.NewArgErrorf(1, "there is no such key")
		// An element that is unknown may yet decide the type of all.
		case t.HasDynamicTypes() && !from.IsWhollyKnown():
			return marked(cty.DynamicVal, nil)
		}
		return marked(convert.Convert(args[2], t))
	},
})

func lookupType(args []cty.Value) (cty.Type, error) {
	if len(args) > 3 {
		return cty.NilType, errors.New("lookup takes two or three arguments")
	}
	switch t := args[0].Type(); {
	case t.IsObjectType():
		key, _ := args[1].Unmark()
		switch {
		case !key.IsKnown():
			return cty.DynamicPseudoType, nil
		case t.HasAttribute(key.AsString()):
			return t.AttributeType(key.AsString()), nil
		case len(args) == 3:
			return args[2].Type(), nil
		}
		return cty.NilType, function.NewArgErrorf(1, "the object has no such attribute")
	case t.IsMapType():
		if len(args) == 3 {
			if _, err := convert.Convert(args[2], t.ElementType()); err != nil {
				return cty.NilType, function.NewArgErrorf(2, "the default is not of the type of the map's elements")
			}
		}
		return t.ElementType(), nil
	}
	return cty.NilType, function.NewArgErrorf(0, "this is no map")
}

// matchKeys takes those values whose keys, at the same place, stand in a set.
var matchKeys = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "values", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "keys", Type: cty.List(cty.DynamicPseudoType)},
		{Name: "searchset", Type: cty.List(cty.DynamicPseudoType)},
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		if t, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()}); t == cty.NilType {
			return cty.NilType, errors.New("keys and searchset have no type in common")
		}
		return args[0].Type(), nil
	},
	RefineResult: notNull,
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		values := args[0]
		if values.LengthInt() != args[1].LengthInt() {
			return cty.NilVal, errors.New("there are not as many keys as values")
		}
		common, _ := convert.UnifyUnsafe([]cty.Type{args[1].Type(), args[2].Type()})
		keys, err := convert.Convert(args[1], common)
		if err != nil {
			return cty.NilVal, function.NewArgError(1, err)
		}
		searched, err := convert.Convert(args[2], common)
		if err != nil {
			return cty.NilVal, function.NewArgError(2, err)
		}
		if searched.LengthInt() == 0 {
			return cty.ListValEmpty(t.ElementType()), nil
		}
		// The CLIs look no further than the first key in doubt, and call the result empty. An apply would find otherwise.
		if !values.IsWhollyKnown() || !keys.IsWhollyKnown() || !searched.IsWhollyKnown() {
			return cty.UnknownVal(t), nil
		}
		var out []cty.Value
		for i, key := range keys.AsValueSlice() {
			if slices.ContainsFunc(searched.AsValueSlice(), key.RawEquals) {
				out = append(out, values.Index(cty.NumberIntVal(int64(i))))
			}
		}
		if len(out) == 0 {
			return cty.ListValEmpty(t.ElementType()), nil
		}
		return cty.ListVal(out), nil
	},
})

// one takes the only element, or null where there is none.
var one = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		t := args[0].Type()
		switch {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType() && t.Length() == 0:
			return cty.DynamicPseudoType, nil
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		}
		return cty.NilType, errNotOne
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		// A set of unknown elements may turn out smaller.
		if !args[0].Length().IsKnown() {
			return cty.UnknownVal(t), nil
		}
		elements := args[0].AsValueSlice()
		switch len(elements) {
		case 0:
			return cty.NullVal(t), nil
		case 1:
			return elements[0], nil
		}
		return cty.NilVal, errNotOne
	},
})

var errNotOne = function.NewArgErrorf(0, "this is no list, set or tuple of at most one element")

// sum adds what converts to numbers.
func sum(args []cty.Value) (result cty.Value, err error) {
	if t := args[0].Type(); !t.IsListType() && !t.IsSetType() && !t.IsTupleType() {
		return cty.NilVal, function.NewArgErrorf(0, "this is no list, set or tuple")
	}
	if args[0].LengthInt() == 0 {
		return cty.NilVal, function.NewArgErrorf(0, "there is nothing to add")
	}
	if !args[0].IsWhollyKnown() {
		return cty.UnknownVal(cty.Number), nil
	}
	defer func() {
		if r := recover(); r != nil {
			var nan big.ErrNaN
			if e, ok := r.(error); !ok || !errors.As(e, &nan) {
				panic(r)
			}
			result, err = cty.NilVal, errors.New("infinities of both signs have no sum")
		}
	}()
	for i, v := range args[0].AsValueSlice() {
		number, err := convert.Convert(v, cty.Number)
		if err != nil || number.IsNull() {
			return cty.NilVal, function.NewArgErrorf(0, "element %d is no number", i)
		}
		if i == 0 {
			result = number
			continue
		}
		result = result.Add(number)
	}
	return result, nil
}

// transpose swaps keys and the members of their lists.
func transpose(args []cty.Value) (cty.Value, error) {
	if !args[0].IsWhollyKnown() {
		return cty.UnknownVal(cty.Map(cty.List(cty.String))), nil
	}
	swapped := map[string][]string{}
	for key, list := range args[0].AsValueMap() {
		if list.IsNull() {
			return cty.NilVal, function.NewArgErrorf(0, "a list is null")
		}
		for _, member := range list.Elements() {
			if member.IsNull() {
				return cty.NilVal, function.NewArgErrorf(0, "a list holds null")
			}
			swapped[member.AsString()] = append(swapped[member.AsString()], key)
		}
	}
	if len(swapped) == 0 {
		return cty.MapValEmpty(cty.List(cty.String)), nil
	}
	out := make(map[string]cty.Value, len(swapped))
	for member, keys := range swapped {
		slices.Sort(keys)
		list := make([]cty.Value, len(keys))
		for i, key := range keys {
			list[i] = cty.StringVal(key)
		}
		out[member] = cty.ListVal(list)
	}
	return cty.MapVal(out), nil
}
