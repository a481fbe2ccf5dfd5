package functions

import (
	"errors"
	"math/big"
	"net"
	"strings"

	"github.com/apparentlymart/go-cidr/cidr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/gocty"
)

// networks work on addresses and on prefixes of them.
var networks = map[string]function.Function{
	"cidrcontains": ofPrefix(cty.Bool, contain, nil, function.Parameter{Name: "contained_ip_or_prefix", Type: cty.String}),
	"cidrhost":     ofPrefix(cty.String, host, nil, numberParam("hostnum")),
	"cidrnetmask":  ofPrefix(cty.String, netmask, nil),
	"cidrsubnet":   ofPrefix(cty.String, subnet, nil, numberParam("newbits"), numberParam("netnum")),
	"cidrsubnets":  ofPrefix(cty.List(cty.String), subnets, &function.Parameter{Name: "newbits", Type: cty.Number}),
}

func numberParam(name string) function.Parameter {
	return function.Parameter{Name: name, Type: cty.Number}
}

// ofPrefix makes a function whose first argument is a prefix.
func ofPrefix(
	result cty.Type, run func(prefix *net.IPNet, args []cty.Value) (cty.Value, error),
	rest *function.Parameter, params ...function.Parameter,
) function.Function {
	return function.New(&function.Spec{
		Params:       append(stringParams("prefix"), params...),
		VarParam:     rest,
		Type:         function.StaticReturnType(result),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			prefix, err := parsePrefix(args[0].AsString())
			if err != nil {
				err = at(0, err)
			}
			v := cty.UnknownVal(result)
			if err == nil {
				v, err = run(prefix, args[1:])
			}
			if errors.Is(err, errUnsettled) {
				return cty.UnknownVal(result), nil
			}
			return v, err
		},
	})
}

// at says which argument an error is about, unless it is none.
func at(argument int, err error) error {
	if errors.Is(err, errUnsettled) {
		return err
	}
	return function.NewArgError(argument, err)
}

// parsePrefix reads a prefix. Zeros before a decimal number are nothing to the CLIs, but to package net. Addresses of one
// family within the other, and more digits than fit, are left alone.
func parsePrefix(text string) (*net.IPNet, error) {
	address, bits, ok := strings.Cut(text, "/")
	if !ok {
		return nil, errors.New("this is no prefix: there is no /")
	}
	address, err := plainAddress(address)
	if err != nil {
		return nil, err
	}
	_, prefix, err := net.ParseCIDR(address + "/" + bits)
	if err != nil {
		return nil, errors.New("this is no prefix of addresses")
	}
	return prefix, nil
}

func plainAddress(text string) (string, error) {
	if strings.Contains(text, ":") {
		if strings.Contains(text, ".") {
			return "", errUnsettled
		}
		for group := range strings.SplitSeq(text, ":") {
			if len(group) > 4 && strings.Trim(group, "0123456789abcdefABCDEF") == "" {
				return "", errUnsettled
			}
		}
		return text, nil
	}
	octets := strings.Split(text, ".")
	for i, octet := range octets {
		for len(octet) > 1 && octet[0] == '0' {
			octet = octet[1:]
		}
		octets[i] = octet
	}
	return strings.Join(octets, "."), nil
}

// host is an address within a prefix, counted from its end where the number is negative.
func host(prefix *net.IPNet, args []cty.Value) (cty.Value, error) {
	number, err := whole(args[0], 1)
	if err != nil {
		return cty.NilVal, err
	}
	// Releases of the library, and with them the CLIs, differ in what they make of larger numbers.
	if !number.IsInt64() {
		return cty.NilVal, errUnsettled
	}
	ip, err := cidr.HostBig(prefix, number)
	if err != nil {
		return cty.NilVal, function.NewArgError(1, err)
	}
	return cty.StringVal(ip.String()), nil
}

func netmask(prefix *net.IPNet, _ []cty.Value) (cty.Value, error) {
	if prefix.IP.To4() == nil {
		return cty.NilVal, function.NewArgErrorf(0, "a prefix of IPv6 has no netmask")
	}
	return cty.StringVal(net.IP(prefix.Mask).String()), nil
}

func subnet(prefix *net.IPNet, args []cty.Value) (cty.Value, error) {
	var bits int
	if err := gocty.FromCtyValue(args[0], &bits); err != nil {
		return cty.NilVal, function.NewArgError(1, err)
	}
	number, err := whole(args[1], 2)
	if err != nil {
		return cty.NilVal, err
	}
	if number.Sign() < 0 || bits < 0 {
		return cty.NilVal, errUnsettled
	}
	sub, err := cidr.SubnetBig(prefix, bits, number)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.StringVal(sub.String()), nil
}

func whole(v cty.Value, argument int) (*big.Int, error) {
	var number *big.Int
	if err := gocty.FromCtyValue(v, &number); err != nil {
		return nil, function.NewArgError(argument, err)
	}
	return number, nil
}

// longestStep is by how many bits subnets may be longer than their prefix.
const longestStep = 32

// subnets gives each length the next space that is free.
func subnets(prefix *net.IPNet, args []cty.Value) (cty.Value, error) {
	if len(args) == 0 {
		return cty.ListValEmpty(cty.String), nil
	}
	start, size := prefix.Mask.Size()
	out := make([]cty.Value, len(args))
	var last *net.IPNet
	for i, arg := range args {
		var bits int
		if err := gocty.FromCtyValue(arg, &bits); err != nil {
			return cty.NilVal, function.NewArgError(i+1, err)
		}
		if bits < 1 || bits > longestStep || start+bits > size {
			return cty.NilVal, function.NewArgErrorf(i+1, "a subnet cannot be %d bits longer than this prefix", bits)
		}
		if last == nil {
			last, _ = cidr.PreviousSubnet(prefix, start+bits)
		}
		next, wrapped := cidr.NextSubnet(last, start+bits)
		if wrapped || !prefix.Contains(next.IP) {
			return cty.NilVal, function.NewArgErrorf(i+1, "no space is left for a subnet of %d bits", start+bits)
		}
		last, out[i] = next, cty.StringVal(next.String())
	}
	return cty.ListVal(out), nil
}

// contain says whether an address, or each of a prefix, lies within another prefix.
func contain(prefix *net.IPNet, args []cty.Value) (cty.Value, error) {
	text := args[0].AsString()
	var first, last net.IP
	if strings.Contains(text, "/") {
		inner, err := parsePrefix(text)
		if err != nil {
			return cty.NilVal, at(1, err)
		}
		first, last = cidr.AddressRange(inner)
	} else {
		plain, err := plainAddress(text)
		if err != nil {
			return cty.NilVal, err
		}
		first = net.ParseIP(plain)
		last = first
	}
	switch {
	case first == nil:
		return cty.NilVal, function.NewArgErrorf(1, "this is neither an address nor a prefix")
	case (first.To4() == nil) != (prefix.IP.To4() == nil):
		return cty.NilVal, function.NewArgErrorf(1, "one is of IPv4, the other of IPv6")
	}
	return cty.BoolVal(prefix.Contains(first) && prefix.Contains(last)), nil
}
