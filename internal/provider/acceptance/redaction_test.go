package acceptance

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
)

// TestRedaction plants a secret wherever one enters the provider, takes objects through their life with everything logged, fails
// on the way to AWS in every way, and looks for the secrets in all that is left: logs, outputs, states, plans, diagnostics.
//
// The id of an access key is no secret: it stands in CloudTrail, and in the user's own list of keys. The provider takes no
// headers of the user's own, and none of its types has a secret value yet (TestEverySecretIsPlanted).
func TestRedaction(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		r := &redaction{Workspace: w, front: startFront(t, w.Sandbox), left: texts{}}
		r.prepare(t, entrances)
		r.takeThroughLife(t)
		broken := &redaction{Workspace: w.NewWorkspace(w.CLI, t.TempDir()), front: r.front, left: r.left}
		broken.prepare(t, dead)
		broken.failToOpen(t)
		for _, dir := range []string{r.Dir, broken.Dir} {
			r.left.addFiles(t, dir, credentialsFile, configFile)
		}
		r.mustBeClean(t)
	})
}

// planted are the secrets. In lower case they are variables of the configuration, which is where a CLI does not quote them with
// the line at fault; in upper case they are variables that the provider reads; file_ and process_ ones stand in the shared
// files. They hold characters that URLs and base 64 write in other ways, where the place allows it.
var planted = map[string]string{
	"secret_key": "canary+key/of=the-block", "token": "canary+token/of=the-block", "external_id": "canary-external-id", "policy": "CanaryOfThePolicy",
	"proxy_password": "canaryOfTheProxy", "endpoint_password": "canaryOfTheEndpoint",
	"web_identity_token": "canary.webToken.of_the-block", "web_policy": "CanaryOfTheWebPolicy",
	"AWS_SECRET_ACCESS_KEY": "canary+key/of=the-environment", "AWS_SESSION_TOKEN": "canary+token/of=the-environment",
	"TF_AWS_WEB_IDENTITY_TOKEN": "canary.webToken.of_the-environment", "variable_password": "canaryOfTheVariable",
	"file_key": "canary+key/of=the-file", "file_token": "canary+token/of=the-file", "process_key": "canary+key/of=the-process",
}

// sent are those that calls hold in a form of their own: a secret key signs, and stays.
var sent = []string{"token", "external_id", "policy", "web_identity_token", "web_policy", "AWS_SESSION_TOKEN", "TF_AWS_WEB_IDENTITY_TOKEN", "file_token"}

// What provider blocks have in common.
const (
	byKeys = `access_key = "AKIAIOSFODNN7EXAMPLE"
  secret_key = var.secret_key
  token      = var.token`
	byProxy = `http_proxy  = "http://somebody:${var.proxy_password}@${var.front}"
  https_proxy = ""`
	byRole = `
  assume_role {
    role_arn     = "arn:aws:iam::${var.account}:role/deploy"
    session_name = %q
    external_id  = var.external_id
    policy       = jsonencode({ Version = "2012-10-17", Statement = [{ Sid = var.policy, Effect = "Allow", Action = "*", Resource = "*" }] })
  }`
	byWeb = `assume_role_with_web_identity {
    role_arn           = "arn:aws:iam::${var.account}:role/deploy"
    session_name       = %q
    policy             = jsonencode({ Version = "2012-10-17", Statement = [{ Sid = var.web_policy, Effect = "Allow", Action = "*", Resource = "*" }] })
    web_identity_token = var.web_identity_token
  }`
)

// entrances are provider blocks by alias: each place where secrets enter. The block without an alias takes all from the
// environment.
var entrances = map[string]string{
	"keys": byKeys + "\n  " + byProxy + `
  endpoints {
    sts = "http://somebody:${var.endpoint_password}@` + frontHost + `"
  }` + fmt.Sprintf(byRole, "keys"),
	"web":             byProxy + "\n  " + fmt.Sprintf(byWeb, "web"),
	"web_environment": "assume_role_with_web_identity {\n    role_arn = \"arn:aws:iam::${var.account}:role/deploy\"\n  }",
	"file":            "profile = \"redaction\"\n  shared_credentials_files = [\"" + credentialsFile + "\"]",
}

// dead are provider blocks that find no way to AWS.
var dead = map[string]string{
	"role":     byKeys + "\n  " + byProxy + fmt.Sprintf(byRole, "echoed"),
	"web":      byProxy + "\n  " + fmt.Sprintf(byWeb, "echoed"),
	"wanted":   byKeys + "\n  " + byProxy + fmt.Sprintf(byRole, "wanted"),
	"nowhere":  byKeys + "\n  http_proxy = \"http://somebody:${var.proxy_password}@127.0.0.1:1\"",
	"argument": byKeys + "\n  http_proxy = \"ftp://somebody:${var.proxy_password}@127.0.0.1:1\"",
	"process":  "profile = \"redaction\"\n  shared_config_files = [\"" + configFile + "\"]",
}

// The shared files of a workspace, and the log that the CLI writes there.
const (
	credentialsFile = "aws-credentials"
	configFile      = "aws-config"
	logFile         = "everything.log"
)

// redaction is a workspace with the planted secrets.
type redaction struct {
	*Workspace
	front *front
	// left is what the commands left behind.
	left texts
}

// prepare writes the provider blocks, a VPC for each, and the environment.
func (r *redaction) prepare(t *testing.T, blocks map[string]string) {
	t.Helper()
	text := ProviderBlock("redaction", "max_retries = 1")
	for _, alias := range slices.Sorted(maps.Keys(blocks)) {
		text += fmt.Sprintf("provider \"estate\" {\n  alias = %q\n  estate = \"redaction\"\n  max_retries = 1\n  %s\n}\n", alias, blocks[alias])
	}
	r.Env = append(r.Env, "AWS_ENDPOINT_URL=http://"+frontHost, "TF_VAR_front="+r.front.address, "TF_VAR_account="+r.Account,
		"HTTP_PROXY=http://somebody:"+planted["variable_password"]+"@"+r.front.address,
		"TF_LOG=TRACE", "TF_LOG_PROVIDER=TRACE", "TF_LOG_PATH="+filepath.Join(r.Dir, logFile))
	for _, name := range append(slices.Sorted(maps.Keys(planted)), "front", "account") {
		if name == strings.ToLower(name) {
			text += fmt.Sprintf("variable %q {\n  sensitive = true\n}\n", name)
			r.Env = append(r.Env, "TF_VAR_"+name+"="+planted[name])
		} else {
			r.Env = append(r.Env, name+"="+planted[name])
		}
	}
	r.Env = append(r.Env, "TF_VAR_front="+r.front.address, "TF_VAR_account="+r.Account)
	must(t, r.Write("provider.tf", text))
	must(t, r.Write("main.tf", vpcsOf(blocks)))
	must(t, r.Write(credentialsFile, "[redaction]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = "+planted["file_key"]+
		"\naws_session_token = "+planted["file_token"]+"\n"))
	// Not what a credential process should print.
	must(t, r.Write(configFile, "[profile redaction]\ncredential_process = printf 'SecretAccessKey: "+planted["process_key"]+"'\n"))
	r.Init(t.Context()).Must(t)
}

// vpcsOf is a VPC of each provider block, with further lines.
func vpcsOf(blocks map[string]string, lines ...string) string {
	text := ""
	for _, alias := range slices.Sorted(maps.Keys(blocks)) {
		text += aVpc(alias, append([]string{"provider = estate." + alias}, lines...)...)
	}
	return text + aVpc("environment", lines...)
}

// takeThroughLife imports, creates, changes, fails and destroys.
func (r *redaction) takeThroughLife(t *testing.T) {
	kind, err := KindOf("estate_vpc")
	must(t, err)
	id, err := kind.Make(t.Context(), r.AWS, "10.200.0.0/16", nil)
	must(t, err)
	must(t, r.Write("import.tf", fmt.Sprintf("import {\n  to = estate_vpc.keys\n  id = %q\n}\n", id)))
	r.run(t, "the plan", "plan", "-json", "-out="+planFile).Must(t)
	r.left["the plan's JSON"] = withoutVariables(t, r.Run(t.Context(), "show", "-json", planFile).Must(t).Stdout)
	r.run(t, "the apply", "apply", "-json", planFile).Must(t)
	held := ids(t, r.Workspace)
	if held["estate_vpc.keys"] != id {
		t.Fatalf("%s was to be imported, and the state holds %v", id, held)
	}

	changing := "Action=ModifyVpcAttribute"
	must(t, r.Write("main.tf", vpcsOf(entrances, "enable_dns_hostnames = true")))
	r.Proxy.On(faultproxy.And(faultproxy.Action("ec2:ModifyVpcAttribute"), Mentioning(held["estate_vpc.keys"])), faultproxy.Deny()).Times(1)
	r.front.spoilWith(echo(changing, held["estate_vpc.web"]), echo(changing, held["estate_vpc.file"]),
		garble(http.StatusBadGateway, changing, held["estate_vpc.web_environment"]), hangUp(changing, held["estate_vpc.environment"]))
	r.run(t, "an apply that fails", "apply", "-json", "-auto-approve").mustReport(t, map[string]string{
		"estate_vpc.keys": "Missing permission: ec2:ModifyVpcAttribute", "estate_vpc.web": "SignatureDoesNotMatch", "estate_vpc.file": "SignatureDoesNotMatch",
		"estate_vpc.web_environment": "Reason: ", "estate_vpc.environment": "EOF",
	})
	r.front.spoilWith()
	r.run(t, "the destroy", "destroy", "-json", "-auto-approve").Must(t)
}

// failToOpen plans with provider blocks that do not come through to AWS.
func (r *redaction) failToOpen(t *testing.T) {
	r.Env = append(r.Env, "TF_LOG_PATH=") // the log goes where the diagnostics go
	r.front.spoilWith(echo("RoleSessionName=echoed"), garble(http.StatusProxyAuthRequired, "RoleSessionName=wanted"))
	got := r.run(t, "a plan without AWS", "plan", "-json")
	for _, want := range []string{"SignatureDoesNotMatch", "web identity failed: SignatureDoesNotMatch", "StatusCode: 407", "connection refused", "Invalid proxy", "parse failed of process output"} {
		if !slices.ContainsFunc(got.Errors(), func(d Diagnostic) bool { return strings.Contains(d.String(), want) }) {
			t.Errorf("no error says %q:\n%s", want, got.explain())
		}
	}
	r.front.spoilWith()
}

// outcome is what a command did.
type outcome struct{ Result }

// mustReport fails the test unless the command reported each error at its address.
func (o outcome) mustReport(t *testing.T, want map[string]string) {
	t.Helper()
	for address, phrase := range want {
		if !slices.ContainsFunc(o.Errors(), func(d Diagnostic) bool { return d.Address == address && strings.Contains(d.Detail, phrase) }) {
			t.Errorf("no error of %s says %q:\n%s", address, phrase, o.explain())
		}
	}
}

// run runs a command and keeps what it printed.
func (r *redaction) run(t *testing.T, what string, args ...string) outcome {
	t.Helper()
	result := r.Run(t.Context(), args...)
	r.left["the output of "+what], r.left["the errors of "+what] = result.Stdout, result.Stderr
	return outcome{result}
}

// mustBeClean looks for the planted secrets, and for those of the calls, in everything that is left.
func (r *redaction) mustBeClean(t *testing.T) {
	t.Helper()
	secrets := r.front.seen()
	for name, secret := range planted {
		secrets["the planted "+name] = secret
	}
	for _, name := range []string{"proxy_password", "variable_password"} {
		userinfo := "somebody:" + planted[name]
		if !r.front.hasSeen(base64.StdEncoding.EncodeToString([]byte(userinfo))) {
			t.Errorf("no call was made through a proxy with %s", name)
		}
	}
	for _, name := range sent {
		if !r.front.hasSeen(planted[name]) && !r.front.hasSeen(url.QueryEscape(planted[name])) {
			t.Errorf("no call holds %s: it cannot leak from one", name)
		}
	}
	for where, lines := range map[string][]string{
		filepath.Join(r.Dir, logFile):      {"AWS call", "Assuming IAM Role With Web Identity", "read the marker before acting", "[TRACE]"},
		"the errors of a plan without AWS": {"AWS call", "Assuming IAM Role", "[TRACE]"},
		filepath.Join(r.Dir, stateFile):    {"serial"},
	} {
		for _, line := range lines {
			if !strings.Contains(r.left[where], line) {
				t.Errorf("%s lacks %q: it was not written, or not in full", where, line)
			}
		}
	}
	r.left.mustHideAll(t, secrets)
}

// TestEverySecretIsPlanted fails as soon as a type has an attribute that is secret: TestRedaction has to plant a value there.
func TestEverySecretIsPlanted(t *testing.T) {
	answer, err := provider.Server("test")().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	must(t, err)
	types := 0
	for _, schemas := range []map[string]*tfprotov6.Schema{answer.ResourceSchemas, answer.DataSourceSchemas, {"the provider": answer.Provider}} {
		for name, schema := range schemas {
			types++
			for _, attribute := range secretsOf(schema.Block) {
				if name != "the provider" {
					t.Errorf("%s.%s is secret: let TestRedaction set it", name, attribute)
				} else if planted[attribute] == "" {
					t.Errorf("the provider's %s is secret, and TestRedaction plants no value there", attribute)
				}
			}
		}
	}
	if types < 2 || len(secretsOf(answer.Provider.Block)) < 3 {
		t.Error("the test does not find what it looks for")
	}
}

// secretsOf are the sensitive and write-only attributes of a block and of those in it.
func secretsOf(b *tfprotov6.SchemaBlock) []string {
	var out []string
	for _, a := range b.Attributes {
		if a.Sensitive || a.WriteOnly {
			out = append(out, a.Name)
		}
		if a.NestedType != nil {
			out = append(out, secretsOf(&tfprotov6.SchemaBlock{Attributes: a.NestedType.Attributes})...)
		}
	}
	for _, nested := range b.BlockTypes {
		out = append(out, secretsOf(nested.Block)...)
	}
	return out
}
