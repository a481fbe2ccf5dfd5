// Package route53 describes the resource types of the Route 53 API: hosted zones and the records in them.
//
// Each type has files of its own; this one holds what they share. Route 53 is global and takes five requests a second
// from an account, so that listings are few: zones with their tags in batches, records a zone at a time. A change that it
// accepts reaches its name servers within a minute or so; until then the object is reported as pending, and the engine
// waits.
//
// The package lacks the types' behaviour, which the engine derives, and health checks, traffic policies, DNSSEC keys and
// CIDR collections, which records and zones refer to by id.
package route53

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// changeLimit is how long hashicorp/aws waits for a change to arrive.
const changeLimit = 30 * time.Minute

// absentCodes are Route 53's words for zones that do not exist.
var absentCodes = []string{"NoSuchHostedZone"}

func api(s *cloud.Session) *route53.Client {
	return cloud.Client(s, "route53", func(c aws.Config) *route53.Client { return route53.NewFromConfig(c) })
}

// absent adds engine.ErrNotFound to errors by which Route 53 says that the zone does not exist.
func absent(err error) error {
	if cloud.HasCode(err, absentCodes...) {
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	}
	return err
}

// busy names what passes: another change of the same zone, one of ours that is on its way, too many requests, and a DS
// record of the parent zone that Route 53 still sees.
func busy(err error) bool {
	var onItsWay errOnItsWay
	return errors.As(err, &onItsWay) ||
		cloud.HasCode(err, "PriorRequestNotComplete", "Throttling", "ThrottlingException", "KeySigningKeyInParentDSRecord")
}

// errOnItsWay says that the next step has to wait for a change.
type errOnItsWay struct{ reason string }

func (e errOnItsWay) Error() string { return e.reason }

// zoneID takes a zone's id out of the form that Route 53 answers, "/hostedzone/Z1".
func zoneID(id string) string { return strings.TrimPrefix(id, "/hostedzone/") }

// memory is what the session has to remember: names of zones, which never change, and changes that are on their way.
type memory struct {
	mu sync.Mutex
	// zones are the names of zones by id.
	zones map[string]string
	// changes are the ids of the last change of each object, by the canonical key, until it has arrived.
	changes map[string]string
	// asked are the zones for which this session has asked Route 53 for accelerated recovery or the end of it.
	asked map[string]bool
	// left are records that Route 53 does not let go of, and that this session has let go of in its place.
	left map[string]bool
}

func remember(s *cloud.Session) *memory {
	return cloud.Kept(s, func() *memory {
		return &memory{zones: map[string]string{}, changes: map[string]string{}, asked: map[string]bool{}, left: map[string]bool{}}
	})
}

// zoneName returns the canonical name of a zone, asking for it once a session.
func zoneName(ctx context.Context, s *cloud.Session, id string) (string, error) {
	name, err := askZoneName(ctx, s, id)
	return name, absent(err)
}

// askZoneName is zoneName for a zone that is another object than the one at hand: its absence is not that object's.
func askZoneName(ctx context.Context, s *cloud.Session, id string) (string, error) {
	if name, ok := remember(s).zoneName(id); ok {
		return name, nil
	}
	return cloud.Memo(s, "route53 zone "+id, func() (string, error) {
		out, err := api(s).GetHostedZone(ctx, &route53.GetHostedZoneInput{Id: aws.String(id)})
		if err != nil {
			return "", err
		}
		return remember(s).nameZone(id, out.HostedZone.Name), nil
	})
}

func (m *memory) zoneName(id string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name, ok := m.zones[id]
	return name, ok
}

// nameZone records the name of a zone and returns it in its canonical form.
func (m *memory) nameZone(id string, name *string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.zones[id] = attrs.CanonicalName(aws.ToString(name))
	return m.zones[id]
}

// deleted is the name under which the deletion of an object is waited for: an object may be made again while it is on its
// way.
func deleted(k engine.Key) string { return "deletion of " + k.String() }

// changed records the change that an object is to wait for.
func changed(s *cloud.Session, object string, c *r53types.ChangeInfo) {
	m := remember(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if c != nil && c.Id != nil && c.Status != r53types.ChangeStatusInsync {
		m.changes[object] = strings.TrimPrefix(*c.Id, "/change/")
	}
}

// arrival says whether the last change that this session made of an object is still on its way to the name servers.
func arrival(ctx context.Context, s *cloud.Session, object string) (engine.State, string, error) {
	m := remember(s)
	m.mu.Lock()
	id := m.changes[object]
	m.mu.Unlock()
	if id == "" {
		return engine.Ready, "", nil
	}
	out, err := api(s).GetChange(ctx, &route53.GetChangeInput{Id: aws.String(id)})
	switch {
	case cloud.HasCode(err, "NoSuchChange"): // AWS forgets changes that have long arrived
	case err != nil:
		return engine.Ready, "", fmt.Errorf("asking for the change %s: %w", id, err)
	case out.ChangeInfo.Status != r53types.ChangeStatusInsync:
		return engine.Pending, "the change " + id + " has not reached all name servers", nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.changes, func(o, c string) bool { return o == object && c == id })
	return engine.Ready, "", nil
}

// inWords gives an InvalidChangeBatch its words: Route 53 puts them into a list, one for each change that it refuses.
func inWords(err error) error {
	var refused *r53types.InvalidChangeBatch
	if errors.As(err, &refused) && len(refused.Messages) > 0 {
		words := strings.Join(refused.Messages, "; ")
		refused.Message = &words
	}
	return err
}

// refusedFor tells whether Route 53 refused a change of records in words that hold this phrase: it has one code for all
// reasons.
func refusedFor(err error, phrase string) bool {
	return cloud.HasCode(err, "InvalidChangeBatch") && strings.Contains(cloud.Message(err), phrase)
}
