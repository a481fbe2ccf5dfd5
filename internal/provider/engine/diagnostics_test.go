package engine

import (
	"errors"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

// spoken is a diagnostic with what its detail must hold: which object, and what to do next.
type spoken struct {
	diag.Diagnostic
	object, next []string
}

// Every diagnostic has a short summary, and a detail in which the object and the next step stand.
func TestEveryDiagnostic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := kindOf(t, Of(widgetType(w)))
	named := kindOf(t, Of(jointType(w)))
	about := subject{kind: "estate_widget", address: atA, id: "widget-1"}
	bare := subject{kind: "estate_widget", id: "widget-1"}
	why := errors.New("the reason")
	other := markers.Classification{Kind: markers.OtherEstate, Why: `it belongs to the estate "dev"`, Observed: markers.Observed{Estate: "dev"}}
	malformed := markers.Classification{Kind: markers.Malformed, Why: "it is damaged"}
	bound := markers.Classification{Observed: markers.Observed{Binding: "b2"}}
	differs := []difference{{"widget-1", "size", "1", "2"}}
	believed := markers.Expectation{Address: atA, Binding: "b1"}
	encoded := &smithy.OperationError{ServiceID: "EC2", OperationName: "CreateVpc", Err: &smithy.GenericAPIError{
		Code: "UnauthorizedOperation", Message: "You are not authorized to perform this operation. Encoded authorization failure message: zz",
	}}
	me, rm := []string{atA, "widget-1"}[:2:2], "tofu state rm '"+atA+"'"

	all := map[string][]spoken{
		"internalError": {{internalError("acting", why), []string{"acting", "the reason"}, []string{"report", "TF_LOG=debug"}}},
		"callFailed": {
			{callFailed(about, "looking", why), append(me, "looking", "the reason"), []string{"run the command again"}},
			{callFailed(about, "looking", denied("GetWidget")), append(me, "AccessDenied", "test:GetWidget"), []string{"Allow the action test:GetWidget"}},
			{callFailed(about, "looking", encoded), append(me, "Missing permission: ec2:CreateVpc, or ec2:CreateTags,"), []string{
				"aws sts decode-authorization-message --encoded-message", "Allow the action ec2:CreateVpc",
			}},
			{callFailed(about, "looking", &smithy.GenericAPIError{Code: "ExpiredToken"}), append(me, "ExpiredToken"), []string{"Renew the credentials"}},
		},
		"configurationUnknown": {{configurationUnknown(about, []string{"region"}), append(me, "region"), []string{"tofu apply -target"}}, {configurationUnknown(about, nil), append(me, "estate"), []string{"tofu apply"}}},
		"notRefreshed":         {{notRefreshed([]string{"region", "profile"}), []string{"region, profile"}, []string{"tofu apply -target"}}},
		"createsUnchecked":     {{createsUnchecked(about, "region"), append(me, "region"), []string{"tofu apply -target"}}},
		"stateUnreadable":      {{stateUnreadable(about, why), append(me, "the reason"), []string{"tofu init -upgrade"}}},
		"stateIncomplete":      {{stateIncomplete(about), me, []string{rm, "tofu apply"}}},
		"otherAccount":         {{otherAccount(about, "111", "222"), append(me, "111", "222"), []string{"credentials", "111"}}},
		"otherRegion":          {{otherRegion(about, "eu-west-1", "us-east-1"), append(me, "eu-west-1", "us-east-1"), []string{`region = "eu-west-1"`}}},
		"foreignAccount": {
			{foreignAccount(about, "222", "111"), append(me, "the account 222", "111"), []string{rm}},
			{foreignAccount(about, OtherAccount, ""), append(me, "belongs to another account", "works in the account of its credentials"), []string{rm}},
		},
		"badAttribute": {
			{badAttribute(about, &attributeError{attrAddress, why}), append(me, "tofu_address", "the reason"), []string{"tofu_address = "}},
			{badAttribute(about, &attributeError{attrKey, why}), append(me, "tofu_key", "the reason"), []string{"tofu_key = each.key"}},
		},
		"unknownAddress":   {{unknownAddress(about, attrKey), []string{"estate_widget", "tofu_key"}, []string{"Build tofu_key from literals"}}},
		"declaredTwice":    {{declaredTwice(about), []string{atA}, []string{"tofu_key = each.key", "${var.tofu_module}"}}},
		"addressTaken":     {{addressTaken(about, why), append(me, "the reason"), []string{"tofu_key", "${var.tofu_module}"}}},
		"markerKeyInTags":  {{markerKeyInTags(about, "tofu-slot"), append(me, "tofu-slot"), []string{`Remove "tofu-slot"`}}},
		"awsKeyInTags":     {{awsKeyInTags(about, "aws:x"), append(me, "aws:x"), []string{`Remove "aws:x"`}}},
		"ignoredKeyInTags": {{ignoredKeyInTags(about, "x"), append(me, `"x"`), []string{`Remove "x"`, "ignore_tags"}}},
		"tooManyTags":      {{tooManyTags(about, 53, 4, 50), append(me, "53", "4", "50"), []string{"Remove 3"}}},
		"collision": {{collision(about, []string{"widget-1", "widget-2"}, ""), append(me, "widget-2"), []string{"CloudTrail", "untag-resources"}},
			{collision(about, []string{"widget-1", "widget-2"}, "widget-1"), append(me, "holds widget-1"), []string{"tofu untaint", rm}}},
		"inTheWay": {
			{inTheWay(bareAddress(about), "widget-1", other), append(me, "dev"), []string{"another name", "release"}},
			{inTheWay(bareAddress(about), "widget-1", malformed), append(me, "it is damaged"), []string{"tofu-address = " + atA, "tofu-estate"}},
		},
		"answerLost": {
			{answerLost(about, why, errTimeout{}), append(me, "the reason"), []string{"tofu apply"}},
			{answerLost(about, why, denied("ListWidgets")), append(me, "the reason", "Missing permission: test:ListWidgets"), []string{"tofu apply"}},
		},
		"createdOthers":    {{createdOthers(about, "it is another's"), append(me, "it is another's"), []string{"apply again", "another name"}}},
		"unmarkedInTheWay": {{unmarkedInTheWay(bareAddress(about), "widget-1"), me, []string{"tofu import '" + atA + "' widget-1", "adopt_unmarked = true"}}},
		"unknownRegion":    {{unknownRegion(about, &cloud.ConfigError{Cause: "\"eu\" is no region.", Next: "Correct it."}), append(me, "is no region"), []string{"Correct it"}}},
		"looksAlike":       {{looksAlike(bareAddress(about), []string{"widget-1"}, []string{"widget-1, created then"}), append(me, "created then"), []string{"tofu import '" + atA + "' widget-1", "adopt_unmarked = true", `on_existing = "create"`}}},
		"severalAlike":     {{severalAlike(about, []string{"widget-1", "widget-2"}), append(me, "widget-2"), []string{"tofu import '" + atA + "' ID"}}},
		"alikeDiffers":     {{alikeDiffers(about, differs), append(me, "size is 1, the configuration says 2"), []string{"Change the configuration", `on_existing = "create"`}}},
		"alikeTwice":       {{alikeTwice(about, atB), append(me, atB), []string{"tofu import '" + atA + "' widget-1"}}},
		"existsRefused":    {{existsRefused(about, []string{"widget-1"}), me, []string{"TOFU_ON_EXISTING=adopt tofu apply", `on_existing = "create"`}}},
		"nameTaken":        {{nameTaken(about, []string{"widget-1"}), me, []string{"on_existing", "name prefix"}}},
		"nameDiffers":      {{nameDiffers(about, differs), append(me, "size is 1, the configuration says 2"), []string{"Change the configuration", "name prefix"}}},
		"composedDiffers":  {{composedDiffers(about, differs), append(me, "size is 1, the configuration says 2"), []string{"import", `on_existing = "adopt"`}}},
		"existsFailed": {
			{existsFailed(about, "widget-1", "no capacity"), append(me, "no capacity"), []string{`on_existing = "create"`}}, {existsFailed(about, "widget-1", ""), append(me, "no reason"), []string{"delete it"}},
		},
		"scheduledInTheWay": {
			{scheduledInTheWay(about, "widget-1", "on Monday", true), append(me, "on Monday"), []string{"restore = true"}}, {scheduledInTheWay(about, "widget-1", "", false), me, []string{"Wait", "another name"}},
		},
		"plannedGone":      {{plannedGone(bareAddress(about), "widget-1"), me, []string{"tofu apply"}}},
		"createUnfinished": {{createUnfinished(about, why), append(me, "the reason"), []string{"tofu untaint '" + atA + "'", "tofu apply"}}},
		"bindingKept":      {{bindingKept(about, "b1", why), append(me, "b1", "the reason"), []string{rm, "tofu apply"}}},
		"adoptionFailed":   {{adoptionFailed(about, why), append(me, "the reason"), []string{"apply again"}}},
		"adopts": {
			{
				adopts(about, k, "bound", false, []string{"widget-3"}, []string{"a cog"}, []string{"widget-2"}),
				append(me, "bound", "a cog", "widget-2", "widget-3", "the slot decided"), []string{`on_existing = "create"`},
			},
			{adopts(about, named, "bound", true, nil, nil, nil), append(me, "bound"), []string{"create_before_destroy"}},
		},
		"makesSecond":     {{makesSecond(about, []string{"widget-2"}), append(me, "widget-2"), []string{"leave on_existing"}}},
		"adoptsOwn":       {{adoptsOwn(about), me, []string{`on_existing = "create"`}}},
		"adoptsOrCreates": {{adoptsOrCreates(about), me, []string{"tofu apply -target"}}},
		"predecessor": {
			{predecessor(about, differs, true), append(me, "size is 1"), []string{`on_existing = "create"`, `on_existing = "error"`}}, {predecessor(about, differs, false), append(me, "size is 1"), []string{"change the configuration to what it is"}},
		},
		"changesHands":     {{changesHands(about, atA, atB), append(me, atB), []string{"moved {", "from", "to"}}},
		"notDestroyed":     {{notDestroyed(about, bound, believed), append(me, "b1", "b2", "NOT destroyed"), []string{"by hand", "destroy it from the state that holds it"}}},
		"deleteSkipped":    {{deleteSkipped(about), me, []string{"create_before_destroy"}}},
		"destroyRefused":   {{destroyRefused(about), me, []string{`tofu_on_destroy = "delete"`}}},
		"replacesKept":     {{replacesKept(about, "tofu_on_destroy", `"keep"`, `"delete"`), append(me, `"keep"`), []string{`tofu_on_destroy to "delete"`}}},
		"parentForeign":    {{parentForeign(about, Parent{Type: "gadget", ID: "g"}, "it is dev's"), append(me, "gadget g", "it is dev's"), []string{"release the parent"}}},
		"keyHeldTwice":     {{keyHeldTwice(about), me, []string{"a key of its own", "tofu state rm"}}},
		"recreated":        {{recreated(about), me, []string{"import", rm}}},
		"goneSincePlan":    {{goneSincePlan(about), me, []string{"tofu apply"}}},
		"changedSincePlan": {{changedSincePlan(about, []string{"size"}), append(me, "size"), []string{"tofu apply"}}},
		"addressHeld":      {{addressHeld(about, "widget-2"), append(me, "widget-2"), []string{"another address", "tofu-estate"}}},
		"secondHolder":     {{secondHolder(about, "widget-2"), append(me, "widget-2"), []string{"Unless another state holds it", "delete the other"}}},
		"losesAddress":     {{losesAddress(about, "widget-2, bound then", "widget-2"), append(me, "widget-2, bound then", "older"), []string{rm, "tofu untaint '" + atA + "'", "lock the state", "delete it"}}},
		"keepsAddress":     {{keepsAddress(about, []string{"widget-2, bound then"}), append(me, "widget-2, bound then", "younger"), []string{"lock the state", "If no state holds"}}},
		"badImportID":      {{badImportID(bare, "ID", why), []string{"estate_widget", "widget-1", "the reason"}, []string{"tofu import ADDRESS ID"}}},
		"importMissing":    {{importMissing(bare, testRegion, "ID"), []string{"estate_widget", "widget-1", testRegion}, []string{"tofu import ADDRESS ID"}}},
		"importAddressMissing": {
			{importAddressMissing(subject{kind: "estate_widget", id: atA}, testEstate, testRegion), []string{"estate_widget", atA, testEstate, testRegion}, []string{"tofu import ADDRESS ID"}},
		},
		"importDead":     {{importDead(bare, "terminated"), []string{"estate_widget", "widget-1", "terminated"}, []string{"Import another object"}}},
		"importRefused":  {{importRefused(bare, other), []string{"widget-1", "dev"}, []string{"release", `previous_estates = ["dev"]`}}, {importRefused(bare, malformed), []string{"widget-1", "it is damaged"}, []string{"Repair its tags"}}},
		"moveUnreadable": {{moveUnreadable(bare, "aws_widget", "it has no id"), []string{"estate_widget", "aws_widget", "it has no id"}, []string{"state rm OLD_ADDRESS", "tofu import ADDRESS ID"}}},
		"movedElsewhere": {{movedElsewhere(bare, testRegion), []string{"estate_widget", "widget-1", testRegion}, []string{"a provider of that region", "state rm OLD_ADDRESS"}}},
		"upgradeFailed": {
			{upgradeFailed(bare, 0, 2, true, why), []string{"estate_widget", "version 0", "version 2", "the reason"}, []string{"tofu state rm ADDRESS", "tofu apply"}},
			{upgradeFailed(bare, 0, 2, false, why), []string{"estate_widget", "the reason"}, []string{"tofu import ADDRESS ID"}},
		},
	}
	for _, v := range []markers.Verdict{
		markers.Rebound, markers.MovedBound, markers.OtherInstance, markers.OthersEstate, markers.StrippedBound, markers.MalformedTags, markers.Stripped,
	} {
		all["refusedUpdate"] = append(all["refusedUpdate"], spoken{refusedUpdate(about, v, other, believed), append(me, "was not changed"), []string{"tofu"}})
		all["refusedDelete"] = append(all["refusedDelete"], spoken{refusedDelete(about, v, other, believed), append(me, "was not deleted"), []string{"tofu"}})
	}
	for _, class := range []markers.Classification{{Kind: markers.Ours, Older: true, Why: "it is old"}, {Kind: markers.Ours, Observed: markers.Observed{SlotProblem: "no number"}}} {
		for _, d := range readWarnings(about, markers.OursBound, class, believed) {
			all["readWarnings"] = append(all["readWarnings"], spoken{d, me, []string{"."}})
		}
	}
	for _, v := range []markers.Verdict{markers.Rebound, markers.OursUnbound} {
		for _, d := range readWarnings(about, v, bound, believed) {
			all["readWarnings"] = append(all["readWarnings"], spoken{d, me, []string{"."}})
		}
	}
	if n := len(all["readWarnings"]); n != 4 {
		t.Errorf("%d warnings of a refresh, wanted 4", n)
	}
	maps.Copy(all, dataDiagnostics(kindOf(t, Of(searchable(w)))))
	for name, list := range all {
		for _, d := range list {
			d.check(t, name)
		}
	}
	for _, name := range constructors(t) {
		if len(all[name]) == 0 {
			t.Errorf("%s is not tested", name)
		}
	}
}

func bareAddress(s subject) subject { s.id = ""; return s }

func (d spoken) check(t *testing.T, name string) {
	t.Helper()
	summary, detail := d.Summary(), d.Detail()
	if summary == "" || strings.HasSuffix(summary, ".") || strings.Contains(summary, "\n") || len(summary) > 80 || strings.ToUpper(summary[:1]) != summary[:1] {
		t.Errorf("%s: the summary is %q", name, summary)
	}
	for _, word := range d.object {
		if !strings.Contains(detail, word) {
			t.Errorf("%s: %q does not stand in\n%s", name, word, detail)
		}
	}
	at := strings.LastIndex(detail, "\n\n")
	if at < 0 && name != "adoptsOwn" && name != "adopts" {
		t.Errorf("%s: the next step is no paragraph of its own:\n%s", name, detail)
	}
	for _, word := range d.next {
		if !strings.Contains(detail, word) {
			t.Errorf("%s: the next step does not say %q:\n%s", name, word, detail)
		}
	}
	if strings.Contains(detail, "%!") || strings.Contains(detail, "..") || strings.Contains(detail, "  .") {
		t.Errorf("%s: badly formed:\n%s", name, detail)
	}
}

// constructors are the functions of diagnostics.go and its like that make diagnostics.
func constructors(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("diagnostics*.go")
	if err != nil {
		t.Fatal(err)
	}
	var decls []ast.Decl
	for _, file := range files {
		f, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, f.Decls...)
	}
	var out []string
	for _, decl := range decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Type.Results == nil {
			continue
		}
		if sel, ok := fn.Type.Results.List[0].Type.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Diagnostic") {
			out = append(out, fn.Name.Name)
		}
	}
	if len(out) < 40 {
		t.Fatalf("only %v", out)
	}
	return out
}

// What the schema calls secret stands in no message.
func TestMessagesHideSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := kindOf(t, Of(widgetType(w)))
	own := object{}
	for name, typ := range objectTypes(tftypes.NewValue(k.ownType().TerraformType(t.Context()), nil)) {
		own[name] = tftypes.NewValue(typ, nil)
	}
	own["secret"] = str("hunter2")
	if got := k.show(own.value(k.ownType().TerraformType(t.Context())), "secret"); strings.Contains(got, "hunter2") {
		t.Errorf("shown: %s", got)
	}
}

// Nor does a secret inside of a list, by whatever path it is asked for.
func TestMessagesHideNestedSecrets(t *testing.T) {
	t.Parallel()
	inner := map[string]schema.Attribute{
		"password": schema.StringAttribute{Optional: true, Sensitive: true}, "user": schema.StringAttribute{Optional: true},
	}
	login := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"password": tftypes.String, "user": tftypes.String}}
	is := tftypes.NewValue(login, map[string]tftypes.Value{"password": str("hunter2"), "user": str("me")})
	list := tftypes.NewValue(tftypes.List{ElementType: login}, []tftypes.Value{is})
	k := &kind{
		attrs: map[string]schema.Attribute{
			"one": schema.SingleNestedAttribute{Attributes: inner}, "many": schema.ListNestedAttribute{NestedObject: schema.NestedAttributeObject{Attributes: inner}},
			"title": schema.StringAttribute{Optional: true},
		},
		blocks: map[string]schema.Block{
			"conf": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: inner}}, "single": schema.SingleNestedBlock{Attributes: inner},
		},
	}
	k.own = schema.Schema{Attributes: k.attrs, Blocks: k.blocks}
	own := object{"one": is, "many": list, "conf": list, "single": is, "title": str("a title")}.value(tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		"one": login, "many": list.Type(), "conf": list.Type(), "single": login, "title": tftypes.String,
	}})
	for _, path := range []string{"one", "one.password", "many", "many.password", "conf", "conf.password", "single", "single.password"} {
		if got := k.show(own, path); strings.Contains(got, "hunter2") {
			t.Errorf("%s is shown: %s", path, got)
		}
	}
	if got := k.show(own, "title"); got != `"a title"` {
		t.Errorf("a title is shown as %s", got)
	}
}
