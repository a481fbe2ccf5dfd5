package acceptance

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ec2"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// TestBehaviour02NotFoundIsProven shows that an object is taken for missing on the service's own word alone.
//
// Given look-ups that are denied, throttled, refused by a region that is not enabled, answered by something that is not the
// service, or not answered at all. When the user plans or applies a create, or refreshes what the state holds. Then the command
// fails and names each object, and where a permission is missing the action; no create call is made, and the state stays as it
// is, to the byte. A page without items that promises another one is no end of a listing, and a listing that breaks off is none
// at all. An object that is truly gone leaves the state.
func TestBehaviour02NotFoundIsProven(t *testing.T) {
	t.Run("failing looks", func(t *testing.T) { eachCLI(t, failingLooks) })
	t.Run("pages", func(t *testing.T) { eachCLI(t, brokenPages) })
	t.Run("no answer", func(t *testing.T) { eachCLI(t, unansweredLooks) })
}

// blindness are the ways in which a look-up fails without saying that there is nothing, with what the message says.
var blindness = []struct {
	fault faultproxy.Fault
	says  *regexp.Regexp
}{
	// S3 refuses a missing permission and somebody else's bucket alike; the message then says both.
	{faultproxy.Deny(), regexp.MustCompile(`(Missing permission: |, or )(ec2|iam|logs|route53|s3):[A-Z]\w+`)},
	{faultproxy.Throttle(), regexp.MustCompile(`Throttl|RequestLimitExceeded|SlowDown`)},
	{faultproxy.Answer(401, "AuthFailure", "AWS was not able to validate the provided access credentials"), regexp.MustCompile(`AuthFailure`)},
	{faultproxy.Answer(404, "PageNotFound", "There is nothing here"), regexp.MustCompile(`PageNotFound`)},
}

// looks matches all calls by which the provider looks at objects; its own identity is none.
func looks() faultproxy.Match {
	return faultproxy.And(faultproxy.Not(faultproxy.Writes()), faultproxy.Not(faultproxy.Action("sts:*")))
}

// startBlind writes one object of each type and returns the addresses.
func startBlind(t *testing.T, w *Workspace) []string {
	t.Helper()
	start(t, w, "blind", tagged(t, w, 1, adoptions)+untagged(t, w))
	must(t, w.Write("provider.tf", ProviderBlock("blind", "max_retries = 1")))
	addresses := []string{"estate_iam_role_policy.a", "estate_iam_role_policy_attachment.a", "estate_route53_record.a"}
	for _, a := range adoptions {
		addresses = append(addresses, a.address(0))
	}
	slices.Sort(addresses)
	return addresses
}

func failingLooks(t *testing.T, w *Workspace) {
	ctx := t.Context()
	addresses := startBlind(t, w)
	mark := w.Proxy.Mark()
	w.Plan(ctx).MustOnly(t, Create, addresses...)
	for i, b := range blindness {
		rule := w.Proxy.On(looks(), b.fault)
		mustBlame(t, w.Run(ctx, "plan", "-json").MustFail(t), addresses, b.says)
		if i == 0 { // an apply looks as the plan does
			mustBlame(t, w.ApplyPlan(ctx).MustFail(t), addresses, b.says)
		}
		rule.Remove()
	}
	w.MustNotWrite(t, mark)

	w.Apply(ctx).Must(t)
	before, err := w.StateText()
	must(t, err)
	for _, b := range blindness {
		rule := w.Proxy.On(looks(), b.fault)
		mustBlame(t, w.Apply(ctx, "-refresh-only").MustFail(t), addresses, b.says)
		rule.Remove()
		mustHaveState(t, w, before)
	}

	const group = `estate_security_group.a["k0"]`
	held := ids(t, w)
	must(t, dropGroup(ctx, w.AWS, held[group]))
	w.Apply(ctx, "-refresh-only").Must(t)
	delete(held, group)
	if now := ids(t, w); !maps.Equal(now, held) {
		t.Errorf("the state holds %v, want %v", now, held)
	}
}

// dropGroup deletes a security group behind the provider's back.
func dropGroup(ctx context.Context, a *AWS, id string) error {
	_, err := a.EC2.DeleteSecurityGroup(ctx, &ec2.DeleteSecurityGroupInput{GroupId: &id})
	return err
}

// mustHaveState fails the test unless the state file is as it was.
func mustHaveState(t *testing.T, w *Workspace, before string) {
	t.Helper()
	now, err := w.StateText()
	must(t, err)
	if now != before {
		t.Fatalf("the state was\n%s\nand is\n%s", before, now)
	}
}

// byID are the parameters by which EC2 is asked for objects of known ids: such an answer has no pages.
var byID = regexp.MustCompile(`^[A-Za-z]+Id\.\d+$`)

// listings matches the calls that list in pages, and each find several objects or none.
func listings() faultproxy.Match {
	actions := faultproxy.Action("ec2:DescribeVpcs", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeInternetGateways",
		"iam:List*", "iam:GetAccountAuthorizationDetails", "logs:DescribeLogGroups", "s3:ListBuckets", "route53:ListHostedZones",
		"route53:ListResourceRecordSets")
	return faultproxy.And(actions, func(c faultproxy.Call) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Keys(c.Params)), byID.MatchString)
	})
}

// brokenPages loses the state of objects whose listings begin with an empty page, and then of objects whose listings break off.
func brokenPages(t *testing.T, w *Workspace) {
	ctx := t.Context()
	startBlind(t, w)
	w.Apply(ctx).Must(t)
	before := ids(t, w)

	must(t, w.ForgetState())
	rule := w.Proxy.On(listings(), faultproxy.EmptyPage())
	mark := w.Proxy.Mark()
	w.Apply(ctx).Must(t)
	w.MustCall(t, mark, "make an object again", 0, createCalls(adoptions))
	if after := ids(t, w); !maps.Equal(after, before) {
		t.Errorf("the state held %v and holds %v", before, after)
	}
	rule.Remove()

	must(t, w.ForgetState())
	var cut []string
	for _, a := range adoptions { // an object of another instance, so that there is a second page
		if a.resourceType == "estate_eip" || repeated(a) && a.resourceType != "estate_route53_zone" {
			continue // no listing of its own that has pages
		}
		exists(a.resourceType, "other", marked(a.resourceType+".other"))(t, w, "blind")
		cut = append(cut, a.address(0))
	}
	w.Proxy.On(faultproxy.Contains("faultproxy-page-"), faultproxy.Deny()) // each page but the first
	w.Proxy.On(listings(), faultproxy.Paginate(1))
	mark = w.Proxy.Mark()
	mustBlame(t, w.Apply(ctx).MustFail(t), cut, regexp.MustCompile("Missing permission: "))
	w.MustCall(t, mark, "make an object again", 0, createCalls(adoptions))
}

// unansweredLooks interrupts a command whose look-ups hang, as a user does who has waited long enough.
func unansweredLooks(t *testing.T, w *Workspace) {
	ctx := t.Context()
	addresses := startBlind(t, w)
	p := follow(w)
	hang := func() *faultproxy.Rule {
		arrive := gather(1, p.interrupt)
		return w.Proxy.On(func(c faultproxy.Call) bool {
			if !looks()(c) {
				return false
			}
			arrive()
			return true
		}, faultproxy.Hang())
	}
	w.Plan(ctx).MustOnly(t, Create, addresses...)
	mark := w.Proxy.Mark()
	rule := hang()
	w.ApplyPlan(ctx).MustFail(t, "context canceled")
	rule.Remove()
	w.MustNotWrite(t, mark)
	if held := w.MustState(t); len(held) > 0 {
		t.Errorf("the state holds %v", held)
	}

	w.Apply(ctx).Must(t)
	before, err := w.StateText()
	must(t, err)
	rule = hang()
	// The command that only refreshes: an apply does not hear the interrupt while it plans.
	w.Run(ctx, "refresh").MustFail(t, "context canceled")
	rule.Remove()
	mustHaveState(t, w, before)
}
