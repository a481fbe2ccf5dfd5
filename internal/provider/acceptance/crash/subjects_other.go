package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

var (
	firstZone  = conf{"name": "crash.example.com", "comment": "first", "tags": conf{"Name": "a"}}
	firstGroup = conf{"name": "/crash/first", "retention_in_days": 30, "tags": conf{"Name": "a"}}
)

var route53Subjects = []*subject{
	{
		typ:      "estate_route53_zone",
		tier:     marked,
		first:    fixed(firstZone),
		changed:  fixed(with(firstZone, conf{"comment": "second", "tags": conf{"Name": "b"}})),
		replaced: fixed(with(firstZone, conf{"name": "other.example.com"})),
		beside:   fixed(with(firstZone, conf{"name": "other.example.com"})),
	},
	{
		typ:      "estate_route53_record",
		tier:     composed,
		keyed:    []operation{replace, replaceBeside},
		setup:    makeParentZone,
		first:    record(nil),
		changed:  record(conf{"ttl": 600, "records": []any{"192.0.2.3"}}),
		replaced: record(conf{"name": "zz"}),
		beside:   record(conf{"name": "zz"}),
		live:     liveRecords,
		absent:   map[operation]string{rename: noMarker},
	},
}

var otherSubjects = []*subject{
	{
		typ:      "estate_s3_bucket",
		mend:     acceptance.KeepBucketTags,
		tier:     named,
		keyed:    []operation{replaceBeside},
		first:    bucket("crash", nil),
		changed:  bucket("crash", conf{"tags": conf{"Name": "b"}, "force_destroy": true}),
		replaced: bucket("crash", conf{"object_lock_enabled": true}),
		beside:   bucket("crash-other", nil),
	},
	{
		typ:      "estate_cloudwatch_log_group",
		tier:     named,
		keyed:    []operation{replace, replaceBeside},
		first:    fixed(firstGroup),
		changed:  fixed(with(firstGroup, conf{"retention_in_days": 7, "tags": conf{"Name": "b"}})),
		replaced: fixed(with(firstGroup, conf{"name": "/crash/other"})),
		beside:   fixed(with(firstGroup, conf{"name": "/crash/other"})),
	},
}

// bucket has a name that no other account of the emulator has.
func bucket(name string, changes conf) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		return with(conf{"bucket": name + "-" + vars["account"], "tags": conf{"Name": "a"}}, changes)
	}
}

// record has a name of the case's own, and one that is replaced a name behind it: the emulator takes a record that is made
// for the second time, with any behind it in the zone, for one that exists.
func record(changes conf) func(map[string]string) conf {
	return func(vars map[string]string) conf {
		c := with(conf{"zone_id": vars["zone"], "name": "www", "type": "A", "ttl": 300, "records": []any{"192.0.2.1", "192.0.2.2"}}, changes)
		return with(c, conf{"name": fmt.Sprintf("%s-%s.parent.example.com", c["name"], vars["case"])})
	}
}

func makeParentZone(ctx context.Context, a *acceptance.AWS, vars map[string]string) error {
	out, err := a.Route53.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
		Name: aws.String("parent.example.com"), CallerReference: aws.String("parent"),
	})
	if err != nil {
		return err
	}
	vars["zone"] = strings.TrimPrefix(aws.ToString(out.HostedZone.Id), "/hostedzone/")
	return nil
}

func liveRecords(ctx context.Context, a *acceptance.AWS, vars map[string]string) ([]string, error) {
	out, err := a.Route53.ListResourceRecordSets(ctx, &route53.ListResourceRecordSetsInput{HostedZoneId: aws.String(vars["zone"])})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range out.ResourceRecordSets {
		if r.Type != r53types.RRTypeNs && r.Type != r53types.RRTypeSoa {
			ids = append(ids, vars["zone"]+"_"+strings.TrimSuffix(aws.ToString(r.Name), ".")+"_"+string(r.Type))
		}
	}
	return ids, nil
}
