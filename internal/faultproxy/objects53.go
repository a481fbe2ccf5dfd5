package faultproxy

import (
	"net/http"
	"slices"
	"strings"
)

// madeByRoute53 returns a zone, records that a change creates (those that it upserts may have been there), and the
// change itself.
func madeByRoute53(c Call) []object {
	var out []object
	answered, ok := parse(c.protocol, c.ResponseBody)
	if !ok {
		return nil
	}
	switch c.Action {
	case "CreateHostedZone":
		if id := answered.root.at("HostedZone/Id").value(); id != "" {
			out = append(out, zone(id))
		}
	case "ChangeResourceRecordSets":
		out = records(c)
	}
	if id := answered.root.at("ChangeInfo/Id").value(); id != "" {
		out = append(out, object{
			service: "route53", creates: c.Action, reads: []string{"GetChange"}, fields: map[string]string{"Id": id},
		})
	}
	return out
}

// zone is a hosted zone with an id such as /hostedzone/Z1.
func zone(id string) object {
	short := id[strings.LastIndex(id, "/")+1:]
	return object{
		service: "route53", creates: "CreateHostedZone", reads: []string{"ListHostedZones", "ListHostedZonesByName"},
		fields: map[string]string{"Id": id},
		asked: func(c Call) bool {
			return slices.Contains(strings.Split(c.Path, "/"), short) ||
				slices.Contains(c.Params["ListTagsForResourcesRequest.ResourceIds.ResourceId"], short)
		},
		missing: failure{http.StatusNotFound, "NoSuchHostedZone", "No hosted zone found with ID: " + short},
	}
}

// records are found by zone, name, type and set identifier.
func records(c Call) []object {
	asked, ok := parse(c.protocol, c.RequestBody)
	if !ok {
		return nil
	}
	var out []object
	asked.root.all(func(n *node) {
		set := n.at("ResourceRecordSet")
		if n.local() != "Change" || n.at("Action").value() != "CREATE" || set == nil {
			return
		}
		fields := map[string]string{}
		for _, name := range []string{"Name", "Type", "SetIdentifier"} {
			fields[name] = set.at(name).value()
		}
		out = append(out, object{
			service: "route53", creates: c.Action, reads: []string{"ListResourceRecordSets"}, fields: fields,
			path: strings.TrimSuffix(c.Path, "/"),
		})
	})
	return out
}
