package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/permissions"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// dialect are the actions that the emulator asks for in place of AWS's, by AWS's name; see ACTION_MAP in moto's s3/responses.py.
var dialect = map[string]string{
	"s3:ListBucket":                       "s3:HeadBucket",
	"s3:GetBucketObjectLockConfiguration": "s3:ListBucket",
}

// inDialect adds the emulator's names.
func inDialect(actions []string) []string {
	out := slices.Clone(actions)
	for _, a := range actions {
		if other := dialect[a]; other != "" && !slices.Contains(out, other) {
			out = append(out, other)
		}
	}
	return out
}

// unasked are actions that the emulator never asks for, with the reason. The proxy denies their calls in its place.
var unasked = map[string]string{
	"s3:GetBucketObjectLockConfiguration": "the emulator asks for s3:ListBucket, which the provider needs for HeadBucket too",
}

// fallbacks are actions without which the provider finds another way, by type and action, with the way.
var fallbacks = map[string]string{
	"estate_iam_role_policy_attachment iam:GetAccountAuthorizationDetails": "a refresh that may not list reads one by one; " +
		"nothing else lists a type whose objects have neither markers nor generated names",
}

// sceneFor is the scene in which an action is taken away, where it is not the first that needs it, by type and action.
var sceneFor = map[string]struct{ scene, why string }{
	"estate_s3_bucket s3:GetBucketTagging": {string(update), "the emulator denies before it says that there is no such bucket, and a " +
		"denial of a bucket that is not in our own list is another account's"},
}

// onlyPlan plans a create, and an object that is there, with the actions alone that change nothing.
func (p *privileges) onlyPlan(t *testing.T) {
	t.Helper()
	reads := slices.DeleteFunc(p.listed(t), func(action string) bool { return !permissions.Reads(action) })
	plan := func(ctx context.Context, l *life) error {
		_, err := l.plan(ctx, l.target(p.sub.first))
		return err
	}
	for _, sc := range []scene{
		{name: "plan of a create", prepare: variant{first: p.sub.first}.scenes(p.sub)[0].prepare, act: plan},
		{name: "plan", prepare: made(p.sub.first), act: plan},
	} {
		if calls, err := p.play(t, sc, policyOf(reads), nil); err != nil {
			t.Errorf("%s, with reads alone: %v\n%s", sc.name, err, faultproxy.Format(calls))
		}
	}
}

// takeAway takes each action away in turn. Where it is needed beside a call's own, as that of tags is, the emulator does not ask
// for it, and the proxy denies the call in AWS's words.
func (p *privileges) takeAway(t *testing.T) {
	t.Helper()
	for _, action := range slices.Sorted(maps.Keys(p.seen)) {
		n := p.seen[action]
		if sc, ok := p.sceneFor(t, action, n.own); ok {
			p.lack(t, sc, action, unasked[action] != "")
		}
		if len(n.beside) > 0 {
			p.lack(t, n.beside[0], action, true)
		}
	}
}

func (p *privileges) sceneFor(t *testing.T, action string, all []scene) (scene, bool) {
	t.Helper()
	if len(all) == 0 {
		return scene{}, false
	}
	other, ok := sceneFor[p.sub.typ+" "+action]
	if !ok {
		return all[0], true
	}
	sc, ok := sceneOf(all, other.scene)
	if !ok {
		t.Errorf("no scene %q needs %s", other.scene, action)
	}
	return sc, ok
}

// lack plays a scene without an action.
func (p *privileges) lack(t *testing.T, sc scene, action string, byProxy bool) {
	t.Helper()
	rest := slices.DeleteFunc(p.listed(t), func(a string) bool { return a == action })
	var rule func() *faultproxy.Rule
	if byProxy {
		rule = func() *faultproxy.Rule { return p.site.proxy.On(faultproxy.Needs(action), faultproxy.DenyFor(action)) }
	}
	calls, err := p.play(t, sc, policyOf(rest), rule)
	way := fallbacks[p.sub.typ+" "+action]
	switch {
	case way != "" && err != nil:
		t.Errorf("%s without %s should go on (%s): %v", sc.name, action, way, err)
	case way == "" && err == nil:
		t.Errorf("%s succeeds without %s\n%s", sc.name, action, faultproxy.Format(calls))
	case err != nil && !p.named(sc, err.Error(), action):
		t.Errorf("%s without %s: the error does not name action and instance: %v\n%s", sc.name, action, err, faultproxy.Format(calls))
	}
}

// named tells whether a message names the action, as the one that is missing, and the instance. Neither a data source nor a type without tags has an address
// to name; it is core that adds the block's.
func (p *privileges) named(sc scene, message, action string) bool {
	instance := p.sub.typ
	if p.sub.tagged() && sc.name != dataSources {
		instance = p.sub.address()
	}
	_, missing, _ := strings.Cut(message, "Missing permission: ")
	missing, _, _ = strings.Cut(missing, "\n")
	return slices.Contains(strings.Split(missing, ", "), action) && strings.Contains(message, instance)
}

// throughCLI takes the type through a real CLI with its permissions alone: a first apply lacks one of them.
func (p *privileges) throughCLI(t *testing.T, cli acceptance.CLI) {
	t.Helper()
	ctx := t.Context()
	p.site.open()
	w := p.site.NewWorkspace(cli, t.TempDir())
	w.Env = []string{"AWS_ENDPOINT_URL=" + p.site.proxy.URL(), "AWS_ACCESS_KEY_ID=" + p.site.nextKey(), "AWS_MAX_ATTEMPTS=1"}
	must(t, w.Write("provider.tf", acceptance.ProviderBlock(p.site.estate)))
	must(t, w.Write("main.tf", block(p.sub.typ, target{config: p.sub.config(p.sub.first, p.site.vars, p.sub.address())})))
	w.Init(ctx).Must(t)
	actions, lacks := p.listed(t), makes[p.sub.typ]
	rest := slices.DeleteFunc(slices.Clone(actions), func(a string) bool { return a == lacks })
	if len(rest) != len(actions)-1 {
		t.Fatalf("%q makes no object of the type: %q", lacks, actions)
	}
	must(t, p.site.Allow(ctx, policyOf(rest)))
	failed := w.Apply(ctx).MustFail(t, lacks)
	if !slices.ContainsFunc(failed.Errors(), func(d acceptance.Diagnostic) bool {
		return d.Address == p.sub.typ+".a" && strings.Contains(d.Detail, "Missing permission: "+lacks)
	}) {
		t.Errorf("no error at %s.a names %s: %v", p.sub.typ, lacks, failed.Errors())
	}
	must(t, p.site.Allow(ctx, policyOf(actions)))
	w.Apply(ctx).Must(t)
	w.Destroy(ctx).Must(t)
}

// makes are the actions by which objects are made, by type.
var makes = map[string]string{
	"estate_cloudwatch_log_group":       "logs:CreateLogGroup",
	"estate_eip":                        "ec2:AllocateAddress",
	"estate_iam_role":                   "iam:CreateRole",
	"estate_iam_role_policy":            "iam:PutRolePolicy",
	"estate_iam_role_policy_attachment": "iam:AttachRolePolicy",
	"estate_internet_gateway":           "ec2:CreateInternetGateway",
	"estate_route53_record":             "route53:ChangeResourceRecordSets",
	"estate_route53_zone":               "route53:CreateHostedZone",
	"estate_s3_bucket":                  "s3:CreateBucket",
	"estate_security_group":             "ec2:CreateSecurityGroup",
	"estate_subnet":                     "ec2:CreateSubnet",
	"estate_vpc":                        "ec2:CreateVpc",
}
