package imports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/hashicorp/aws-sdk-go-base/v2/endpoints"
)

// A form is the resource part of an ARN with names for what varies. How a name ends says how far its value reaches:
//
//	{x}     to the next slash or colon
//	{x+}    to the next slash, colon or plus
//	{x:}    to the next colon: slashes belong to it
//	{x/}    over all parts that end in a slash, with the last one; there may be none
//	{x...}  to the end
//
// All but {x/} are at least a character long. An import id is written with the same names, and with those of reserved.

// reserved are the names that an import id takes from the ARN as a whole.
var reserved = map[string]func(arn.ARN) string{
	"arn":     arn.ARN.String,
	"account": func(a arn.ARN) string { return a.AccountID },
	"region":  func(a arn.ARN) string { return a.Region },
	"domain":  func(a arn.ARN) string { return domain(a.Partition) },
}

// match reads the values of a form's names out of text; ok is false where text is of another form.
func match(form, text string) (values map[string]string, ok bool) {
	values = map[string]string{}
	for form != "" {
		literal, rest, _ := strings.Cut(form, "{")
		if text, ok = strings.CutPrefix(text, literal); !ok {
			return nil, false
		}
		if rest == "" {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		length := reach(name, text)
		if length == 0 && !strings.HasSuffix(name, "/") {
			return nil, false
		}
		values[name], text, form = text[:length], text[length:], after
	}
	return values, text == ""
}

// reach is how much of the text the value of a name takes.
func reach(name, text string) int {
	end := "/:"
	switch {
	case strings.HasSuffix(name, "..."):
		return len(text)
	case strings.HasSuffix(name, "/"):
		return strings.LastIndex(text, "/") + 1
	case strings.HasSuffix(name, "+"):
		end = "/:+"
	case strings.HasSuffix(name, ":"):
		end = ":"
	}
	if i := strings.IndexAny(text, end); i >= 0 {
		return i
	}
	return len(text)
}

// fill writes an import id from the values of a form and the ARN that they come from.
func fill(id string, values map[string]string, a arn.ARN) (string, error) {
	var out strings.Builder
	for id != "" {
		literal, rest, _ := strings.Cut(id, "{")
		name, after, _ := strings.Cut(rest, "}")
		out.WriteString(literal)
		value := values[name]
		if whole, ok := reserved[name]; ok {
			if value = whole(a); value == "" {
				return "", fmt.Errorf("import wants the %s, and %s tells none", name, a)
			}
		}
		out.WriteString(value)
		id = after
	}
	return out.String(), nil
}

// domain is the end of host names in a partition, "" for one that the SDK does not know.
func domain(partition string) string {
	all := endpoints.DefaultPartitions()
	if i := slices.IndexFunc(all, func(p endpoints.Partition) bool { return p.ID() == partition }); i >= 0 {
		return all[i].DNSSuffix()
	}
	return ""
}
