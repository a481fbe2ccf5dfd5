package faultproxy

import (
	"encoding/json"
	"slices"
	"strings"
)

// lists returns the lists of an answer that the service pages, in order: the elements of XML, or the lists of JSON,
// whose children are the items. An answer of GetAccountAuthorizationDetails has four.
func lists(c Call, t tree) []*node {
	switch c.protocol {
	case ec2Query: // <DescribeVpcsResponse><requestId/><vpcSet><item/>…</vpcSet></DescribeVpcsResponse>
		if strings.HasPrefix(c.Action, "Describe") {
			return listsOf(t.root, "item")
		}
	case query: // <ListRolesResponse><ListRolesResult><Roles><member/>…</Roles></ListRolesResult></ListRolesResponse>
		return listsOf(t.root.at(c.Action+"Result"), "member")
	case s3XML:
		if c.Action == "ListBuckets" {
			return present(t.root.at("Buckets"))
		}
	case restXML:
		for _, name := range []string{
			"HostedZones", "HostedZoneSummaries", "ResourceRecordSets", "HealthChecks", "DelegationSets",
		} {
			if list := t.root.at(name); list != nil {
				return present(list)
			}
		}
	case jsonRPC:
		return slices.DeleteFunc(slices.Clone(t.root.children), func(n *node) bool { return n.kind != json.Delim('[') })
	}
	return nil
}

func present(n *node) []*node {
	if n == nil {
		return nil
	}
	return []*node{n}
}

// listsOf returns the children of a result that hold nothing but items, or nothing at all.
func listsOf(result *node, item string) []*node {
	if result == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(result.children), func(n *node) bool {
		return n.text != "" || slices.ContainsFunc(n.children, func(c *node) bool { return c.local() != item })
	})
}

// paging is how a listing says that there is more, and how the client asks for it.
type paging struct {
	// param of the request and element of the answer hold the token.
	param, element string
	// truncated is an element that says whether there is more; "" if the token alone does.
	truncated string
}

// pagingOf returns how the call's answers are paged.
func pagingOf(c Call) (paging, bool) {
	switch c.protocol {
	case ec2Query:
		return paging{param: "NextToken", element: "nextToken"}, strings.HasPrefix(c.Action, "Describe")
	case query:
		return paging{"Marker", "Marker", "IsTruncated"}, c.Service == "iam"
	case s3XML:
		return paging{param: "continuation-token", element: "ContinuationToken"}, c.Action == "ListBuckets"
	case restXML:
		return paging{"marker", "NextMarker", "IsTruncated"},
			slices.Contains([]string{"ListHostedZones", "ListHealthChecks", "ListReusableDelegationSets"}, c.Action)
	case jsonRPC:
		param := map[string]string{"logs": "nextToken", "tagging": "PaginationToken"}[c.Service]
		return paging{param: param, element: param}, param != ""
	}
	return paging{}, false
}

// result is the element of an answer that a token stands in.
func (c Call) result(t tree) *node {
	if c.protocol == query {
		return t.root.at(c.Action + "Result")
	}
	return t.root
}

// count returns how many items the lists have.
func count(all []*node) int {
	n := 0
	for _, list := range all {
		n += len(list.children)
	}
	return n
}

// keep leaves of the lists only the items from the first to before the last, counted through all of them.
func keep(all []*node, first, last int) {
	at := 0
	for _, list := range all {
		from, to := min(max(first-at, 0), len(list.children)), min(max(last-at, 0), len(list.children))
		at += len(list.children)
		list.children = list.children[from:to]
	}
}
