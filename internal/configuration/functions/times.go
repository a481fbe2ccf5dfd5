package functions

import (
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// times work on timestamps as RFC 3339 writes them.
var times = map[string]function.Function{
	"formatdate": stdlib.FormatDateFunc,
	"timeadd":    stdlib.TimeAddFunc,
	"timecmp":    of(cty.Number, stringParams("timestamp_a", "timestamp_b"), compareTimes),
}

func compareTimes(args []cty.Value) (cty.Value, error) {
	var parsed [2]time.Time
	for i, arg := range args {
		var err error
		if parsed[i], err = time.Parse(time.RFC3339, arg.AsString()); err != nil {
			return cty.UnknownVal(cty.Number), function.NewArgErrorf(i, "this is no timestamp of RFC 3339")
		}
	}
	return cty.NumberIntVal(int64(parsed[0].Compare(parsed[1]))), nil
}
