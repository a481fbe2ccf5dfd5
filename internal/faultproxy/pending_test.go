package faultproxy

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
)

// changeRecords creates a record and upserts another.
func changeRecords(t *testing.T, p *Proxy) error {
	t.Helper()
	var changes []r53types.Change
	for kind, action := range map[r53types.RRType]r53types.ChangeAction{
		r53types.RRTypeA: r53types.ChangeActionCreate, r53types.RRTypeAaaa: r53types.ChangeActionUpsert,
	} {
		changes = append(changes, r53types.Change{Action: action, ResourceRecordSet: &r53types.ResourceRecordSet{
			Name: aws.String("A.example.com"), Type: kind,
		}})
	}
	_, err := route53Client(p).ChangeResourceRecordSets(t.Context(), &route53.ChangeResourceRecordSetsInput{
		HostedZoneId: aws.String("Z1"), ChangeBatch: &r53types.ChangeBatch{Changes: changes},
	})
	return err
}

func TestPendingOfEC2(t *testing.T) {
	p, _ := before(t, everything())
	p.On(Writes(), Pending(2)).Times(1)
	made, err := ec2Client(p).CreateVpc(t.Context(), &ec2.CreateVpcInput{})
	if err != nil || made.Vpc.State != "pending" {
		t.Fatalf("created %v, %v", made, err)
	}
	for i, want := range []string{"pending", "pending", "available"} {
		out, err := ec2Client(p).DescribeVpcs(t.Context(), nil)
		if err != nil || len(out.Vpcs) != 2 || string(out.Vpcs[1].State) != want || out.Vpcs[0].State != "" {
			t.Errorf("read %d: %v, %v", i+1, out.Vpcs, err)
		}
	}
}

func TestPendingOfRoute53(t *testing.T) {
	all := everything()
	all["route53:GetChange"] = `<GetChangeResponse><ChangeInfo><Id>C1</Id><Status>INSYNC</Status></ChangeInfo></GetChangeResponse>`
	all["route53:ChangeResourceRecordSets"] = `<ChangeResourceRecordSetsResponse><ChangeInfo><Id>/change/C1</Id>` +
		`<Status>INSYNC</Status></ChangeInfo></ChangeResourceRecordSetsResponse>`
	p, _ := before(t, all)
	p.On(Action("route53:CreateHostedZone", "route53:ChangeResourceRecordSets"), Pending(1))
	made, err := route53Client(p).CreateHostedZone(t.Context(), &route53.CreateHostedZoneInput{
		Name: aws.String("example.com"), CallerReference: aws.String("once"),
	})
	if err != nil || made.ChangeInfo.Status != r53types.ChangeStatusPending {
		t.Fatalf("created %v, %v", made, err)
	}
	for i, want := range []string{"PENDING", "INSYNC", "PENDING", "INSYNC"} {
		if i == 2 {
			if err := changeRecords(t, p); err != nil {
				t.Fatal(err)
			}
		}
		out, err := route53Client(p).GetChange(t.Context(), &route53.GetChangeInput{Id: aws.String("C1")})
		if err != nil || string(out.ChangeInfo.Status) != want {
			t.Errorf("read %d: %v, %v", i+1, out, err)
		}
	}
}

func TestPendingOfAnyState(t *testing.T) {
	all := everything()
	all["logs:DescribeLogGroups"] = `{"logGroups":[{"logGroupName":"/app","logGroupClass":"STANDARD"}]}`
	p, _ := before(t, all)
	p.On(Writes(), Pending(1, "logGroupClass=DELIVERY"))
	_ = one["logs"](t.Context(), p)
	for i, want := range []string{"DELIVERY", "STANDARD"} {
		out, err := logsClient(p).DescribeLogGroups(t.Context(), nil)
		if err != nil || string(out.LogGroups[0].LogGroupClass) != want {
			t.Errorf("read %d: %v, %v", i+1, out, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a state without a value was taken")
		}
	}()
	Pending(1, "state")
}
