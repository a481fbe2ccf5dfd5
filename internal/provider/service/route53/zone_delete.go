package route53

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/engine"
)

// deleteZone deletes the records first, and before them stops signing, where force_destroy is on: Route 53 deletes no zone
// that has either. It stops signing only where the parent zone no longer vouches for the key, so that a zone which cannot be
// deleted keeps its records. Each step waits for the name servers to have heard of the one before.
func deleteZone(ctx context.Context, s *cloud.Session, k engine.Key, prior *zone) error {
	if prior.ForceDestroy.ValueBool() {
		for _, step := range []func() (*r53types.ChangeInfo, error){
			func() (*r53types.ChangeInfo, error) { return unsignZone(ctx, s, k.String(), prior) },
			func() (*r53types.ChangeInfo, error) { return emptyZone(ctx, s, k.String()) },
		} {
			if err := takeSteps(ctx, s, k.String(), step); err != nil {
				return err
			}
		}
	}
	out, err := api(s).DeleteHostedZone(ctx, &route53.DeleteHostedZoneInput{Id: aws.String(k.String())})
	if err != nil {
		return absent(err)
	}
	changed(s, deleted(k), out.ChangeInfo)
	return nil
}

// takeSteps takes a step until nothing is left to change. One whose change is on its way ends with an error that passes.
func takeSteps(ctx context.Context, s *cloud.Session, id string, step func() (*r53types.ChangeInfo, error)) error {
	for {
		state, reason, err := arrival(ctx, s, id)
		switch {
		case err != nil:
			return err
		case state != engine.Ready:
			return errOnItsWay{reason}
		}
		done, err := step()
		if done == nil || err != nil {
			return err
		}
		changed(s, id, done)
	}
}

// emptyZone deletes records but for the zone's own NS and SOA, as many as one change takes. Without an answer there are none
// left.
func emptyZone(ctx context.Context, s *cloud.Session, id string) (*r53types.ChangeInfo, error) {
	name, err := zoneName(ctx, s, id)
	if err != nil {
		return nil, err
	}
	var some bulk
	for r, err := range recordSets(ctx, s, id) {
		if err != nil {
			return nil, fmt.Errorf("reading the records of the zone: %w", err)
		}
		if !isApex(&r, name) && !some.add(r53types.Change{Action: r53types.ChangeActionDelete, ResourceRecordSet: &r}) {
			break
		}
	}
	if len(some.changes) == 0 {
		return nil, nil
	}
	done, err := change(ctx, s, id, some.changes...)
	if err != nil {
		return nil, fmt.Errorf("deleting the records of the zone: %w", absent(err))
	}
	return done, nil
}

// What one change of records may hold, with room to spare: Route 53 takes 1000 values of 32000 characters in all.
const (
	batchValues     = 900
	batchCharacters = 30000
)

// bulk is what one call changes.
type bulk struct {
	changes            []r53types.Change
	values, characters int
}

// add takes a change in, unless the call would become larger than Route 53 allows.
func (b *bulk) add(c r53types.Change) bool {
	values, characters := 1, 0
	for _, r := range c.ResourceRecordSet.ResourceRecords {
		values, characters = values+1, characters+len(aws.ToString(r.Value))
	}
	if len(b.changes) > 0 && (b.values+values > batchValues || b.characters+characters > batchCharacters) {
		return false
	}
	b.changes, b.values, b.characters = append(b.changes, c), b.values+values, b.characters+characters
	return true
}

// unsignZone ends the signing of answers. Without an answer there is none: private zones are never signed.
func unsignZone(ctx context.Context, s *cloud.Session, id string, prior *zone) (*r53types.ChangeInfo, error) {
	if prior.private() {
		return nil, nil
	}
	status, err := api(s).GetDNSSEC(ctx, &route53.GetDNSSECInput{HostedZoneId: aws.String(id)})
	switch {
	case cloud.HasCode(err, "DNSSECNotFound"), unsupportedDNSSEC(err), unavailableDNSSEC(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("asking whether the zone is signed: %w", absent(err))
	case status.Status == nil || aws.ToString(status.Status.ServeSignature) != "SIGNING":
		return nil, nil
	}
	done, err := api(s).DisableHostedZoneDNSSEC(ctx, &route53.DisableHostedZoneDNSSECInput{HostedZoneId: aws.String(id)})
	switch {
	case cloud.HasCode(err, "DNSSECNotFound", "NoSuchHostedZone"), unsupportedDNSSEC(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("ending the signing of the zone: %w", err)
	}
	return done.ChangeInfo, nil
}

// unsupportedDNSSEC tells whether Route 53 says that the zone is private, which an imported one may be unknown to be.
func unsupportedDNSSEC(err error) bool {
	return cloud.HasCode(err, "InvalidArgument") && strings.Contains(cloud.Message(err), "private")
}

// unavailableDNSSEC tells whether the account's partition has no DNSSEC. Route 53 says so in the code of a denial.
func unavailableDNSSEC(err error) bool {
	return cloud.HasCode(err, "AccessDenied") && strings.Contains(cloud.Message(err), "not available for the current AWS account")
}
