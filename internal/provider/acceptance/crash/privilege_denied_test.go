package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
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

const (
	withOthers  = "the emulator asks for the call's own action alone"
	otherAction = "the emulator asks for another action"
)

// unasked are actions that the emulator never asks for, with the reason. The proxy denies the calls that need them in its
// place, in AWS's words.
var unasked = map[string]string{
	"ec2:CreateTags": withOthers,
}

// fallbacks are actions without which the provider finds another way, by type and action, with the way.
var fallbacks = map[string]string{}

// sceneFor is the scene in which an action is taken away, where it is not the first that needs it, by type and action.
var sceneFor = map[string]struct{ scene, why string }{}

// takeAway takes each action away in turn.
func (p *privileges) takeAway(t *testing.T) {
	t.Helper()
	for action, n := range p.seen {
		key := p.sub.typ + " " + action
		sc := n.scenes[0]
		if other, ok := sceneFor[key]; ok {
			if sc, ok = sceneOf(n.scenes, other.scene); !ok {
				t.Errorf("%s: no scene %q needs it", key, other.scene)
				continue
			}
		}
		rest := slices.DeleteFunc(p.listed(t), func(a string) bool { return a == action })
		var rule func() *faultproxy.Rule
		if unasked[action] != "" {
			rule = func() *faultproxy.Rule { return p.site.proxy.On(faultproxy.Needs(action), faultproxy.DenyFor(action)) }
		}
		calls, err := p.play(t, sc, policyOf(rest), rule)
		way := fallbacks[key]
		switch {
		case way != "" && err != nil:
			t.Errorf("%s without %s should go on (%s): %v", sc.name, action, way, err)
		case way == "" && err == nil:
			t.Errorf("%s succeeds without %s\n%s", sc.name, action, faultproxy.Format(calls))
		case err != nil && !p.named(err.Error(), action):
			t.Errorf("%s without %s: the error names the action or the instance not: %v", sc.name, action, err)
		}
	}
}

// named tells whether a message names the action and the instance. A type without tags has no address to name; it is core that
// adds the block's.
func (p *privileges) named(message, action string) bool {
	instance := p.sub.typ
	if p.sub.tagged() {
		instance = p.sub.address()
	}
	return strings.Contains(message, action) && strings.Contains(message, instance)
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
	actions := p.listed(t)
	lacks := slices.IndexFunc(actions, func(a string) bool { return slices.Contains(makes, a) })
	if lacks < 0 {
		t.Fatalf("none of %q makes an object", actions)
	}
	must(t, p.site.Allow(ctx, policyOf(slices.Delete(slices.Clone(actions), lacks, lacks+1))))
	failed := w.Apply(ctx).MustFail(t, actions[lacks])
	if !slices.ContainsFunc(failed.Errors(), func(d acceptance.Diagnostic) bool {
		return d.Address == p.sub.typ+".a" && strings.Contains(d.Detail, "Missing permission: "+actions[lacks])
	}) {
		t.Errorf("no error at %s.a names %s: %v", p.sub.typ, actions[lacks], failed.Errors())
	}
	must(t, p.site.Allow(ctx, policyOf(actions)))
	w.Apply(ctx).Must(t)
	w.Plan(ctx).MustBeEmpty(t)
	w.Destroy(ctx).Must(t)
}

// makes are the actions by which objects of the types are made.
var makes = []string{
	"ec2:AllocateAddress", "ec2:CreateInternetGateway", "ec2:CreateSecurityGroup", "ec2:CreateSubnet", "ec2:CreateVpc",
	"iam:AttachRolePolicy", "iam:CreateRole", "iam:PutRolePolicy", "logs:CreateLogGroup",
	"route53:ChangeResourceRecordSets", "route53:CreateHostedZone", "s3:CreateBucket",
}
