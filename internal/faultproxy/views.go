package faultproxy

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// views are the new objects that reads do not see as they are.
type views struct {
	mu  sync.Mutex
	all []*view
}

// view is how the next reads see an object.
type view struct {
	object object
	left   int // how many reads yet
	// states are what the object's element is made to say, as "path=value"; none: the object is hidden.
	states []string
}

func (v *views) add(more ...*view) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all = append(v.all, more...)
}

func (v *views) clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all = nil
}

// HideNewest lets the call pass and hides what it made from the next n answers that would show it, as a service does
// whose reads lag behind its writes. Match it with the calls that make the objects:
//
//	p.On(faultproxy.Action("ec2:CreateVpc"), faultproxy.HideNewest(2))
//
// A listing leaves the object out, that is, the member of its list whose id or name is the object's: by <vpcId> in
// <vpcSet>, by <RoleName>, by <Id> of a hosted zone, by <Name> of a bucket, by "logGroupName", by name, type and set
// identifier of a DNS record. The tagging API and DescribeTags leave out the mapping whose ARN or resource id ends in
// it. A read that asks for the object by its id or name gets the service's not-found error; a filter is no such
// question. Each answer that was changed so counts as one of the n, for each object on its own; an answer that would
// not have shown the object does not count. Writes see the object.
//
// It knows what EC2 calls Create…, RunInstances, AllocateAddress and AuthorizeSecurityGroup… make, IAM roles, users,
// groups, policies and instance profiles, buckets, log groups, hosted zones and DNS records that a change creates. When
// it finds no such object in a call that succeeded, the journal says so in the call's fault.
func HideNewest(n int) Fault {
	return Fault{name: "hide", around: func(x exchange) (*answer, error) {
		return x.watch(func(o object) *view {
			if slices.Contains(o.reads, "GetChange") {
				return nil // a change is no object, but the way to one
			}
			return &view{object: o, left: n}
		})
	}}
}

// pendingStates are what Pending writes unless it is told otherwise.
var pendingStates = map[string][]string{
	"ec2":     {"state=pending", "status=pending", "instanceState/name=pending"},
	"route53": {"Status=PENDING"},
}

// Pending lets the call pass and has what it made read as not ready, in the answer to the call and in the next n answers
// that show it. Match it with the calls that make the objects, as with HideNewest; of Route 53, also with each other
// call that answers with a change, which GetChange then shows.
//
// A state is written as "path=value": the path, such as "instanceState/name", leads from the object's element to one
// that must be there, and is given that value. Without states these are "state=pending", "status=pending" and
// "instanceState/name=pending" for EC2, and "Status=PENDING" for Route 53; no other service has any. An EC2 volume needs
// "status=creating".
func Pending(n int, states ...string) Fault {
	for _, s := range states {
		if !strings.Contains(s, "=") {
			panic("faultproxy: " + s + " is not of the form path=value")
		}
	}
	return Fault{name: "pending", around: func(x exchange) (*answer, error) {
		written := states
		if len(written) == 0 {
			written = pendingStates[x.call.Service]
		}
		var fresh []*view
		a, err := x.watch(func(o object) *view {
			if len(written) == 0 {
				return nil
			}
			v := &view{object: o, left: n, states: written}
			fresh = append(fresh, v)
			return v
		})
		if err != nil || len(fresh) == 0 {
			return a, err
		}
		return edited(x.call, a, func(t tree) bool {
			changed := false
			for _, v := range fresh {
				changed = v.pend(t) || changed
			}
			return changed
		}), nil
	}}
}

// watch makes the call and adds a view of each object that it made.
func (x exchange) watch(see func(object) *view) (*answer, error) {
	a, err := x.forward()
	if err != nil {
		return nil, err
	}
	var fresh []*view
	for _, o := range made(x.answered(a)) {
		if v := see(o); v != nil {
			fresh = append(fresh, v)
		}
	}
	if len(fresh) == 0 && a.status < http.StatusBadRequest {
		x.blame("(no object found)")
	}
	x.proxy.views.add(fresh...)
	return a, nil
}

// refuse answers a read that asks for a hidden object.
func (v *views) refuse(c Call) (*answer, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, view := range v.all {
		o := view.object
		if len(view.states) == 0 && view.left > 0 && !c.Write && o.inReach(c) && o.asked != nil && o.asked(c) {
			view.left--
			return failed(c, func(Call) (int, string, string) { return o.missing.status, o.missing.code, o.missing.message })
		}
	}
	return nil, nil
}

// show returns the answer to a read as the views have it.
func (v *views) show(c Call, a *answer) *answer {
	v.mu.Lock()
	defer v.mu.Unlock()
	var acting []*view
	for _, view := range v.all {
		if view.left > 0 && !c.Write && (view.object.shownBy(c) || len(view.states) == 0 && mapsTags(c)) {
			acting = append(acting, view)
		}
	}
	if len(acting) == 0 || a.status >= http.StatusBadRequest {
		return a
	}
	return edited(c, a, func(t tree) bool {
		changed := false
		for _, view := range acting {
			if hit := view.apply(c, t); hit {
				view.left--
				changed = true
			}
		}
		return changed
	})
}

func (v *view) apply(c Call, t tree) bool {
	if len(v.states) > 0 {
		return v.pend(t)
	}
	return v.hide(c, t)
}

// edited returns the answer with its document changed by f, or as it is if f changes nothing.
func edited(c Call, a *answer, f func(tree) bool) *answer {
	t, ok := parse(c.protocol, a.plain())
	if !ok || !f(t) {
		return a
	}
	return a.with(t.bytes())
}

// hide takes the object out of the lists of an answer.
func (v *view) hide(c Call, t tree) bool {
	hidden := false
	drop := func(n *node) bool {
		gone := v.object.is(n)
		if mapsTags(c) {
			gone = v.object.taggedIn(c, n)
		}
		hidden = hidden || gone
		return gone
	}
	for _, list := range lists(c, t) {
		list.children = slices.DeleteFunc(list.children, func(item *node) bool {
			inner := item.at("instancesSet") // a reservation is gone with the last of its instances
			if inner != nil {
				inner.children = slices.DeleteFunc(inner.children, drop)
				return len(inner.children) == 0
			}
			return drop(item)
		})
	}
	return hidden
}

// pend writes the states into the object's element. It says whether one was there.
func (v *view) pend(t tree) bool {
	found := false
	t.root.all(func(n *node) {
		if !v.object.is(n) {
			return
		}
		for _, s := range v.states {
			path, value, _ := strings.Cut(s, "=")
			if at := n.at(path); at != nil && at.leaf() {
				at.set(value)
				found = true
			}
		}
	})
	return found
}

// mapsTags says that the call lists tags of objects of all kinds.
func mapsTags(c Call) bool {
	return c.Name() == "tagging:GetResources" || c.Name() == "ec2:DescribeTags"
}

// taggedIn says that an element of such a list is about the object, by the end of its ARN or its id.
func (o object) taggedIn(c Call, n *node) bool {
	if o.region != "" && o.region != c.Region || len(o.fields) != 1 {
		return false
	}
	resource := strings.TrimSuffix(n.at("ResourceARN").value()+n.at("resourceId").value(), ":*")
	for _, id := range o.fields {
		id = bare(id)
		if resource == id || strings.HasSuffix(resource, "/"+id) || strings.HasSuffix(resource, ":"+id) {
			return true
		}
	}
	return false
}
