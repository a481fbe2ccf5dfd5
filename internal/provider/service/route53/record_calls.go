package route53

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/attrs"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/tagging"
)

// recordsPage is the greatest MaxItems of ListResourceRecordSets; groupPage is for a look among the records of one name
// and type, which differ in their set identifiers.
const (
	recordsPage = 300
	groupPage   = 100
)

// canonicalRecord completes a relative name, once a call has told the zone's.
func canonicalRecord(s *cloud.Session, k engine.Key) engine.Key {
	id := zoneID(k[0])
	name := attrs.CanonicalName(k[1])
	if zone, ok := remember(s).zoneName(id); ok {
		name = absolute(name, zone)
	}
	return engine.Key{id, name, k[2], k[3]}
}

// place asks for the zone of a key and returns the key in its canonical spelling.
func place(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Key, error) {
	if _, err := zoneName(ctx, s, zoneID(k[0])); err != nil {
		return nil, err
	}
	return canonicalRecord(s, k), nil
}

func getRecord(ctx context.Context, s *cloud.Session, k engine.Key) (engine.Live[record], error) {
	at, err := place(ctx, s, k)
	if err != nil {
		return engine.Live[record]{}, err
	}
	r, err := findRecord(ctx, s, at)
	if errors.Is(err, engine.ErrNotFound) {
		return departing(ctx, s, k, at, err)
	}
	if err != nil {
		return engine.Live[record]{}, err
	}
	l := liveRecord(k, *r)
	if remember(s).hasLeft(at) {
		l.State, l.Reason = engine.Gone, "Route 53 keeps this record of the zone, and it was let go of"
		return l, nil
	}
	l.State, l.Reason, err = arrival(ctx, s, at.String())
	return l, err
}

// departing answers for a record that is not there: as long as the change that deleted it has not reached all name servers,
// some of them still serve it.
func departing(ctx context.Context, s *cloud.Session, k, at engine.Key, absence error) (engine.Live[record], error) {
	state, reason, err := arrival(ctx, s, deleted(at))
	if state == engine.Ready {
		return engine.Live[record]{}, cmp.Or(err, absence)
	}
	l := liveRecord(k, r53types.ResourceRecordSet{
		Name: aws.String(at[1]), Type: r53types.RRType(at[2]), SetIdentifier: aws.String(at[3]),
	})
	l.State, l.Reason = state, reason
	return l, nil
}

// findRecord reads one record by its canonical key, past every memory.
func findRecord(ctx context.Context, s *cloud.Session, at engine.Key) (*r53types.ResourceRecordSet, error) {
	in := &route53.ListResourceRecordSetsInput{
		HostedZoneId: aws.String(at[0]), StartRecordName: aws.String(at[1]), StartRecordType: r53types.RRType(at[2]), MaxItems: aws.Int32(1),
	}
	if at[3] != "" {
		in.MaxItems = aws.Int32(groupPage)
	}
	for r, err := range pages(ctx, s, in) {
		switch {
		case err != nil:
			return nil, err
		case attrs.CanonicalName(aws.ToString(r.Name)) != at[1] || string(r.Type) != at[2]:
			return nil, fmt.Errorf("%w: the zone has no such record", engine.ErrNotFound)
		case aws.ToString(r.SetIdentifier) == at[3]:
			return &r, nil
		case at[3] == "":
			return nil, fmt.Errorf("%w: the records of this name and type have set identifiers", engine.ErrNotFound)
		}
	}
	return nil, fmt.Errorf("%w: the zone has no such record", engine.ErrNotFound)
}

// recordSets yields all records of a zone.
func recordSets(ctx context.Context, s *cloud.Session, id string) iter.Seq2[r53types.ResourceRecordSet, error] {
	return pages(ctx, s, &route53.ListResourceRecordSetsInput{HostedZoneId: aws.String(id), MaxItems: aws.Int32(recordsPage)})
}

func pages(ctx context.Context, s *cloud.Session, in *route53.ListResourceRecordSetsInput) iter.Seq2[r53types.ResourceRecordSet, error] {
	return func(yield func(r53types.ResourceRecordSet, error) bool) {
		p := route53.NewListResourceRecordSetsPaginator(api(s), in)
		for p.HasMorePages() {
			page, err := p.NextPage(ctx)
			if err != nil {
				yield(r53types.ResourceRecordSet{}, absent(err))
				return
			}
			for _, r := range page.ResourceRecordSets {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// listRecords yields the records of the key's zone.
func listRecords(ctx context.Context, s *cloud.Session, k engine.Key) iter.Seq2[engine.Live[record], error] {
	return func(yield func(engine.Live[record], error) bool) {
		at, err := place(ctx, s, k)
		if err != nil {
			yield(engine.Live[record]{}, err)
			return
		}
		for r, err := range recordSets(ctx, s, at[0]) {
			if err != nil {
				yield(engine.Live[record]{}, err)
				return
			}
			name := attrs.CanonicalName(aws.ToString(r.Name))
			if !yield(liveRecord(engine.Key{at[0], name, string(r.Type), aws.ToString(r.SetIdentifier)}, r), nil) {
				return
			}
		}
	}
}

// change makes changes of one zone's records, all or none.
func change(ctx context.Context, s *cloud.Session, zone string, changes ...r53types.Change) (*r53types.ChangeInfo, error) {
	out, err := api(s).ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
		HostedZoneId: aws.String(zone), ChangeBatch: &r53types.ChangeBatch{Changes: changes},
	})
	if err != nil {
		return nil, inWords(err)
	}
	return out.ChangeInfo, nil
}

// createRecord never overwrites: Route 53 refuses the CREATE of what is there. That it does not know the zone is an error as
// others are: of a new zone it passes.
func createRecord(ctx context.Context, s *cloud.Session, plan *record, _ markers.Tags, _ engine.Token) (engine.Key, error) {
	k := engine.Key{plan.ZoneID.ValueString(), plan.Name.ValueString(), plan.Type.ValueString(), plan.SetIdentifier.ValueString()}
	if _, err := askZoneName(ctx, s, zoneID(k[0])); err != nil {
		return nil, err
	}
	at := canonicalRecord(s, k)
	action := r53types.ChangeActionCreate
	if remember(s).takeBack(at) {
		action = r53types.ChangeActionUpsert // this run has let go of it
	}
	done, err := change(ctx, s, at[0], r53types.Change{Action: action, ResourceRecordSet: recordSet(plan, at[1])})
	if err != nil {
		return nil, err
	}
	changed(s, at.String(), done)
	return k, nil
}

// setRecord replaces the record in one step where its routing policy becomes another: Route 53 would take an UPSERT for the
// create of a record that conflicts with the old one.
func setRecord(ctx context.Context, s *cloud.Session, k engine.Key, prior, plan *record) error {
	at, err := place(ctx, s, k)
	if err != nil {
		return err
	}
	next := recordSet(plan, at[1])
	changes := []r53types.Change{{Action: r53types.ChangeActionUpsert, ResourceRecordSet: next}}
	if policyOf(recordSet(prior, at[1])) != policyOf(next) {
		now, err := findRecord(ctx, s, at)
		if err != nil {
			return err
		}
		changes = []r53types.Change{
			{Action: r53types.ChangeActionDelete, ResourceRecordSet: now},
			{Action: r53types.ChangeActionCreate, ResourceRecordSet: next},
		}
	}
	done, err := change(ctx, s, at[0], changes...)
	if err != nil {
		return absent(err)
	}
	changed(s, at.String(), done)
	return nil
}

// deleteRecord reads the record first: Route 53 deletes only what is told to the letter. The zone's own NS and SOA records
// stay.
func deleteRecord(ctx context.Context, s *cloud.Session, k engine.Key, _ *record) error {
	at, err := place(ctx, s, k)
	if err != nil {
		return err
	}
	now, err := findRecord(ctx, s, at)
	if err != nil {
		return err
	}
	if zone, _ := remember(s).zoneName(at[0]); isApex(now, zone) {
		remember(s).leave(at)
		return nil
	}
	done, err := change(ctx, s, at[0], r53types.Change{Action: r53types.ChangeActionDelete, ResourceRecordSet: now})
	switch {
	case refusedFor(err, "but it was not found"):
		return fmt.Errorf("%w: %w", engine.ErrNotFound, err)
	case err != nil:
		return absent(err)
	}
	changed(s, deleted(at), done)
	return nil
}

// leave records that a record of the zone itself was let go of; hasLeft and takeBack ask for it.
func (m *memory) leave(at engine.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left[at.String()] = true
}

func (m *memory) hasLeft(at engine.Key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left[at.String()]
}

func (m *memory) takeBack(at engine.Key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	had := m.left[at.String()]
	delete(m.left, at.String())
	return had
}

// recordParents reads the tags of the zone.
func recordParents(ctx context.Context, s *cloud.Session, k engine.Key) ([]engine.Parent, error) {
	id := zoneID(k[0])
	tags, err := zoneTags(ctx, s, id)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []engine.Parent{{Type: "route53_zone", ID: id, Tags: tags, FoldsCase: tagging.Route53Zone.FoldsCase()}}, nil
}
