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

// deleteZone deletes the records first, and stops signing, where force_destroy is on: Route 53 deletes no zone that has
// either.
func deleteZone(ctx context.Context, s *cloud.Session, k engine.Key, prior *zone) error {
	if prior.ForceDestroy.ValueBool() {
		if err := emptyZone(ctx, s, k.String()); err != nil {
			return err
		}
		if err := unsignZone(ctx, s, k.String(), prior); err != nil {
			return err
		}
	}
	_, err := api(s).DeleteHostedZone(ctx, &route53.DeleteHostedZoneInput{Id: aws.String(k.String())})
	return absent(err)
}

// emptyZone deletes all records but the zone's own NS and SOA. It reads them all before it deletes: pages begin at a name,
// which must not have gone.
func emptyZone(ctx context.Context, s *cloud.Session, id string) error {
	name, err := zoneName(ctx, s, id)
	if err != nil {
		return err
	}
	var all []r53types.Change
	for r, err := range recordSets(ctx, s, id) {
		switch {
		case err != nil:
			return fmt.Errorf("reading the records of the zone: %w", err)
		case !isApex(&r, name):
			all = append(all, r53types.Change{Action: r53types.ChangeActionDelete, ResourceRecordSet: &r})
		}
	}
	for _, batch := range batches(all) {
		if _, err := change(ctx, s, id, batch...); err != nil {
			return fmt.Errorf("deleting the records of the zone: %w", err)
		}
	}
	return nil
}

// What one change of records may hold, with room to spare: Route 53 takes 1000 values of 32000 characters in all.
const (
	batchValues     = 900
	batchCharacters = 30000
)

// batches cuts changes into as few calls as Route 53 allows.
func batches(all []r53types.Change) [][]r53types.Change {
	var out [][]r53types.Change
	values, characters := 0, 0
	for _, c := range all {
		n, length := 1, 0
		for _, r := range c.ResourceRecordSet.ResourceRecords {
			n, length = n+1, length+len(aws.ToString(r.Value))
		}
		if len(out) == 0 || values+n > batchValues || characters+length > batchCharacters {
			out, values, characters = append(out, nil), 0, 0
		}
		out[len(out)-1] = append(out[len(out)-1], c)
		values, characters = values+n, characters+length
	}
	return out
}

// unsignZone ends the signing of answers, where there is any. Private zones are never signed.
func unsignZone(ctx context.Context, s *cloud.Session, id string, prior *zone) error {
	if prior.private() {
		return nil
	}
	out, err := api(s).GetDNSSEC(ctx, &route53.GetDNSSECInput{HostedZoneId: aws.String(id)})
	switch {
	case cloud.HasCode(err, "DNSSECNotFound"), unsupportedDNSSEC(err):
		return nil
	case err != nil:
		return fmt.Errorf("asking whether the zone is signed: %w", absent(err))
	case out.Status == nil || aws.ToString(out.Status.ServeSignature) != "SIGNING":
		return nil
	}
	if _, err := api(s).DisableHostedZoneDNSSEC(ctx, &route53.DisableHostedZoneDNSSECInput{HostedZoneId: aws.String(id)}); err != nil {
		return fmt.Errorf("ending the signing of the zone: %w", absent(err))
	}
	return nil
}

// unsupportedDNSSEC tells whether Route 53 says that the zone is private, which an imported one may be unknown to be.
func unsupportedDNSSEC(err error) bool {
	return cloud.HasCode(err, "InvalidArgument") && strings.Contains(cloud.Message(err), "private")
}
