package engine

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// ErrNotFound is what Get, Fill, FillOne and Delete return, wrapped or bare, when the service itself said that
// the object does not exist. Any other error, an access denial above all, is never taken for absence.
var ErrNotFound = errors.New("not found")

// Tier says how objects of a type are found and what proves whose they are.
type Tier int

const (
	// Marked types get their key from AWS; objects are found by listing the type by marker.
	Marked Tier = iota + 1
	// Named types have a key that the configuration names; the marker on what is found proves ownership.
	Named
	// Composed types carry no tags; their key is made of parents and arguments, and their parents guard them.
	Composed
	// Setting types are part of a parent that always has one: create puts a value, delete resets it.
	Setting
)

// String returns the tier's name as the documentation writes it.
func (t Tier) String() string {
	names := []string{"invalid", "Marked", "Named", "Composed", "Setting"}
	if t < Marked || t > Setting {
		return names[0]
	}
	return names[t]
}

// Key identifies one object within its type, account and region: one value for each part of Identity.
// An optional part that the object does not have is "".
type Key []string

// String joins the parts with ":" for messages and for the id of types with one part.
func (k Key) String() string { return strings.Join(k, ":") }

// Token is the idempotency token of one create call: 64 characters of [0-9a-f]. The same instance, seeing the same
// world, computes the same token in any process, so that a retry makes no second object.
type Token string

// Part is one attribute of a Key.
type Part struct {
	// Attr is the attribute's name; for a Marked type it is "id".
	Attr string
	// Optional parts may be absent from the object and from an import id.
	Optional bool
	// Prefix names the *_prefix attribute that the name is generated from when the configuration leaves it out;
	// "" for parts that are never generated.
	Prefix string
	// MaxLength is the longest name AWS takes, in characters; needed where Prefix is set.
	MaxLength int
	// Values are all that the part may be, where the parts before it may hold the Separator: an import id is then cut
	// where the first of them stands (ZONE_name_TYPE, with underscores in the name).
	Values []string
}

// ResourceType describes one AWS resource type: data and a few functions. The engine derives every behaviour
// from it. M is the model: a struct whose tfsdk tags are the type's own attributes and blocks; the engine's
// attributes (id, region, tags, tags_all, timeouts and the tofu_ ones) are not part of it.
type ResourceType[M any] struct {
	// Name is the type's name without the provider's prefix: "vpc" is estate_vpc.
	Name string
	// Service is the documentation group, such as "VPC".
	Service string
	// Doc is the documentation; its first sentence is the summary.
	Doc string
	// Tier says how objects are found.
	Tier Tier
	// Identity lists the attributes that form the Key, in import order. Marked types may leave it nil: "id".
	Identity []Part
	// Separator stands between the parts of an import id and of the id attribute; ":" when empty.
	Separator string
	// Attrs and Blocks are the schema, without the engine's own attributes.
	Attrs  map[string]schema.Attribute
	Blocks map[string]schema.Block
	// Settings are attributes that Get never returns (force_destroy, ...): the state's value is kept. One that no
	// Update names forces replacement, but for the first plan after an import, when its value is not known.
	Settings []string
	// Tags writes tags to an object; nil exactly when the type cannot carry tags.
	Tags Tagger
	// Global types have no region.
	Global bool
	// ListsAll says that List walks the whole account, because the service cannot filter by tag: the engine
	// then reads the first few objects one by one and lists only when more are asked for.
	ListsAll bool
	// Generates is an attribute that the engine names, from Prefix and a hash, when the configuration leaves it out, on
	// Marked types, whose key it is no part of (the name of a security group). Such a type needs Natural.
	Generates *Part
	// Overwrites names a bool among the Settings that, when true, says what on_existing = "adopt" says when written out:
	// an object that holds another value may be overwritten (route53_record's allow_overwrite).
	Overwrites string
	// Keeps names a bool among the Settings that, when true, says what tofu_on_destroy = "keep" says: a destroy leaves the
	// object where it is (cloudwatch_log_group's skip_destroy).
	Keeps string
	// TagsAfterCreate says that the create call takes no tags: the engine writes them next.
	TagsAfterCreate bool
	// TakesToken says that Create hands its Token to AWS, which then makes one object however often it is called. A
	// Marked type without it is never created by a second call when the answer to the first is lost.
	TakesToken bool
	// ClearsFailed says that AWS clears failed objects away itself (NAT gateways): a failed one counts as dead.
	ClearsFailed bool
	// MovesFrom names further types whose states `moved` brings in, beside hashicorp/aws's of the same name: another name
	// there, such as "aws_alb", or an older name of this type here, such as "estate_alb". States of an older name are of
	// this type's versions, so that Upgrades bring them up to date too.
	MovesFrom []string
	// Upgrades bring states of older versions up to date. Upgrade i makes version i+1 of version i, and the type's version is
	// their number. One is never changed once it was released. An attribute that is only added or dropped needs none.
	Upgrades []Upgrade
	// Timeouts are v6's defaults. A zero entry means that v6 has none for the operation: it is then not in
	// the timeouts block, and ten minutes hold.
	Timeouts Timeouts

	// Get reads one object by key with its tags; ErrNotFound when the service says so. It may leave the rest to
	// Fill and FillOne by setting Partial, so that a guard that needs the tags alone costs one call.
	Get func(ctx context.Context, s *cloud.Session, k Key) (Live[M], error)
	// List yields the objects of the type that the filter asks for. It may yield more: the engine filters again. A new
	// object of a Marked type that takes no token is read back by a listing with an address in the filter, which should
	// then be narrow. Required for types with tags.
	List func(ctx context.Context, s *cloud.Session, f markers.Filter) iter.Seq2[Live[M], error]
	// Search yields the objects that all filters of the service's own listing fit, as List does, for the filter blocks of
	// the data source. Optional; for services that list with filters (EC2).
	Search func(ctx context.Context, s *cloud.Session, filters []Filter) iter.Seq2[Live[M], error]
	// ListUnder yields all objects that share the first part of k, for types that AWS lists parent by parent: the engine
	// reads the first few of a parent one by one, and lists it when more are asked for. Such types leave List nil, and
	// their Lives are never Partial. Optional.
	ListUnder func(ctx context.Context, s *cloud.Session, k Key) iter.Seq2[Live[M], error]
	// Under is the name of the type, without prefix, whose id is the first part of the key: inventories list the objects of a
	// type without tags under those of that type. Optional.
	Under string
	// Canonical returns the spelling that all keys of one object share, where a configuration may spell keys in several
	// ways ("www" and "WWW.example.com."). It makes no call, and knows what earlier calls of the Session have told. Get
	// returns the Key as it is asked for it, and its parts in the Model likewise. Optional.
	Canonical func(s *cloud.Session, k Key) Key
	// Fill completes Partial objects, in as few calls as AWS allows. Nil when nothing is ever Partial.
	Fill func(ctx context.Context, s *cloud.Session, live []*Live[M]) error
	// FillOne completes a Partial object with what AWS answers only object by object, after Fill; the engine
	// calls it for objects that are asked for.
	FillOne func(ctx context.Context, s *cloud.Session, live *Live[M]) error
	// Create makes the object with all its tags and returns its key at once. The engine then reads the object
	// and runs each Update whose attributes still differ.
	Create func(ctx context.Context, s *cloud.Session, plan *M, tags markers.Tags, token Token) (Key, error)
	// Updates are the in-place changes, applied in this order. A configurable attribute in none of them
	// forces replacement.
	Updates []Update[M]
	// Replaces returns attribute paths whose change from prior to plan forces replacement, where that depends
	// on values. Optional.
	Replaces func(prior, plan *M) []string
	// Delete starts the deletion; ErrNotFound is success. prior is what the state holds, with the Settings.
	Delete func(ctx context.Context, s *cloud.Session, k Key, prior *M) error
	// Natural finds who holds our unique name or range, for Marked types that have one. Optional.
	Natural func(ctx context.Context, s *cloud.Session, plan *M) (Key, error)
	// Alike names the attributes in which a Marked object that is taken for another would have to equal it, such as a VPC's
	// range, where AWS lets two objects be equal in them. A create that finds nothing of ours warns of unmarked objects that
	// are, since the one may have lost its marker. Optional.
	Alike []string
	// Finish runs the steps of a create that no attribute shows, only after our own create. Optional; the
	// object carries tofu-pending until it ran. It must be safe to run twice.
	Finish func(ctx context.Context, s *cloud.Session, k Key, plan *M) error
	// Parents reads the tags of the objects that a Composed or Setting object belongs to. A parent that does
	// not exist is left out.
	Parents func(ctx context.Context, s *cloud.Session, k Key) ([]Parent, error)
	// Restore takes an object out of scheduled deletion, for services that have it. Optional.
	Restore func(ctx context.Context, s *cloud.Session, k Key) error
	// Dependants lists what hangs on the object without being declared, for the warning of an adoption.
	// Optional.
	Dependants func(live *Live[M]) []string
	// Exists says whether err from Create means that an object of this name or token exists already.
	Exists func(err error) bool
	// Busy says whether err from Create, an Update or Delete is a passing one that is tried again until the
	// operation's time-out (DependencyViolation on delete, a principal that IAM does not know yet, ...).
	Busy func(err error) bool
	// TooFresh says whether err from Create, an Update or Delete comes of a change that was made a moment ago, such as the
	// create of a parent, and is not known everywhere yet: it is tried again for two minutes, and then reported. What wraps
	// ErrNotFound is never asked about: Create and Updates return the absence of another object bare. Optional.
	TooFresh func(err error) bool
}

// Upgrade changes a state's attributes in place, from one version of the type to the next: decoded JSON, with numbers as
// json.Number, and blocks as lists of maps. The engine's attributes (id, region, tags and so on) are not among them.
type Upgrade func(state map[string]any) error

// Filter is one filter of a listing, in the service's own words: one of the values has to match.
type Filter struct {
	Name   string
	Values []string
}

// Update is one in-place change.
type Update[M any] struct {
	// Attrs are attribute paths such as "policy" or "root_block_device.volume_size"; Apply runs once if any
	// of them differs.
	Attrs []string
	// Recomputes are computed attributes that the change may alter.
	Recomputes []string
	// Settle waits until the object is Ready before the next Update.
	Settle bool
	// Apply makes the change. prior is what the object shows now; plan holds no unknown values: what is left to
	// AWS stands there as prior has it, so that a comparison of the two says what is asked for. Nil for Settings that AWS is not told of, such as
	// force_destroy: the change is in place, and the state alone keeps it.
	Apply func(ctx context.Context, s *cloud.Session, k Key, prior, plan *M) error
}

// State is an object's place in its life.
type State int

const (
	// Ready objects serve.
	Ready State = iota
	// Pending objects are on their way to Ready or Gone.
	Pending
	// Failed objects will not become Ready by themselves.
	Failed
	// Scheduled objects wait for their deletion and hold their name until then.
	Scheduled
	// Gone objects are terminated, deleted or deleting; some still answer for a while.
	Gone
)

// Live is one object as AWS shows it.
type Live[M any] struct {
	Key Key
	// Owner is the account id, where a call can return another account's object; else "". OtherAccount says that it is not
	// ours, where the service does not tell whose it is.
	Owner string
	// Tags are all tags; nil means that this call did not tell.
	Tags map[string]string
	// State and Reason are AWS's, Reason in its words.
	State  State
	Reason string
	// Token is the one that the create call carried, where AWS shows it: an untagged object with a token of ours was cut
	// off before it could be tagged.
	Token Token
	// Created is when the object came to be, zero where AWS does not tell.
	Created time.Time
	// MadeByAWS says that AWS made the object by itself, such as a default VPC or a role that is linked to a service. Only
	// listings need to tell.
	MadeByAWS bool
	// Partial says that Fill and FillOne have not completed the Model yet.
	Partial bool
	Model   M
}

// OtherAccount is the Owner of an object of which the service tells no more than that it is not our account's.
const OtherAccount = "another account"

// Parent is an object that a Composed or Setting object belongs to.
type Parent struct {
	// Type is the resource type's name without prefix; ID is what messages call it.
	Type, ID string
	Tags     map[string]string
	// FoldsCase says that the parent's service compares tag keys without case (IAM).
	FoldsCase bool
}

// Timeouts are limits of operations.
type Timeouts struct{ Create, Read, Update, Delete time.Duration }

// Tagger writes tags to objects of one API shape.
type Tagger interface {
	// Write sets and removes tags, removals first where the API needs two calls. Keys in neither stay.
	Write(ctx context.Context, s *cloud.Session, k Key, set markers.Tags, remove []string) error
	// FoldsCase says that the service compares tag keys without case.
	FoldsCase() bool
	// Limit is the number of tags that an object may carry.
	Limit() int
}
