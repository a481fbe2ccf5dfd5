package acceptance

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// spelled are the texts that the user writes, by address and attribute. AWS answers each in other words.
func spelled(w *Workspace) map[string]map[string]string {
	trust := fmt.Sprintf(`{ "Version": "2012-10-17",
  "Statement": [ { "Effect": "Allow", "Action": ["sts:AssumeRole"],
    "Principal": { "AWS": %q, "Service": ["lambda.amazonaws.com", "ec2.amazonaws.com"] } } ] }
`, w.Account)
	return map[string]map[string]string{
		"estate_iam_role.a":        {"assume_role_policy": trust},
		"estate_iam_role_policy.a": {"policy": `{"Statement": {"Resource": "*", "Action": ["s3:Put*", "s3:Get*"], "Effect": "Allow"}, "Version": "2012-10-17"}` + "\n"},
		"estate_route53_zone.a":    {"name": "Reworded.Example.COM."},
		"estate_route53_record.a":  {"name": "WWW.Reworded.example.com."},
		"estate_route53_record.b":  {"name": "*.API"},
	}
}

// rewordedEstate is a configuration with these texts, and a subnet whose IPv6 range is in capitals.
func rewordedEstate(texts map[string]map[string]string) string {
	heredoc := func(text string) string { return "<<EOT\n" + text + "EOT" }
	record := func(name string) string {
		return block("estate_route53_record", name, nil, "zone_id = estate_route53_zone.a.zone_id",
			fmt.Sprintf("name = %q", texts["estate_route53_record."+name]["name"]), `type = "A"`, "ttl = 60", `records = ["192.0.2.2", "192.0.2.1"]`)
	}
	return aVpc("a", "assign_generated_ipv6_cidr_block = true", "tags = {}") +
		block("estate_subnet", "a", nil, `tofu_address = "estate_subnet.a"`, "vpc_id = estate_vpc.a.id", `cidr_block = "10.200.1.0/24"`,
			"ipv6_cidr_block = upper(cidrsubnet(estate_vpc.a.ipv6_cidr_block, 8, 171))") +
		aRole("reworded", "assume_role_policy = "+heredoc(texts["estate_iam_role.a"]["assume_role_policy"])) +
		block("estate_iam_role_policy", "a", nil, "role = estate_iam_role.a.name", `name = "inline"`,
			"policy = "+heredoc(texts["estate_iam_role_policy.a"]["policy"])) +
		block("estate_route53_zone", "a", nil, `tofu_address = "estate_route53_zone.a"`,
			fmt.Sprintf("name = %q", texts["estate_route53_zone.a"]["name"])) + record("a") + record("b")
}

// TestBehaviour15StableSecondPlan: what AWS says in other words is no difference.
//
// Given policies, ranges and names in the user's spelling, when AWS answers with their JSON in another order, lists of one as
// texts and accounts as ARNs, with ranges and names in lower case, and with its own signs in names, then the plans after the
// apply are empty, with and without -refresh-only, and the state keeps the user's text to the byte. An adoption of such
// objects changes nothing but tags. TestLifecycle and TestEdits show the two empty plans for every attribute of every type; a
// range with host bits is refused by its type.
func TestBehaviour15StableSecondPlan(t *testing.T) {
	eachCLI(t, func(t *testing.T, w *Workspace) {
		ctx := t.Context()
		texts := spelled(w)
		reword := &rewording{account: w.Account}
		w.Proxy.On(faultproxy.Action("iam:*", "route53:*", "ec2:*"), faultproxy.Edit(reword.answer))
		start(t, w, "reworded", rewordedEstate(texts))
		w.Apply(ctx).Must(t)
		keepsWords(t, w, texts)
		w.Plan(ctx).MustBeEmpty(t)
		w.Plan(ctx, "-refresh-only").MustBeEmpty(t)
		w.Apply(ctx, "-refresh-only").Must(t)
		keepsWords(t, w, texts)

		must(t, w.ForgetState())
		mark := w.Proxy.Mark()
		w.Apply(ctx).Must(t)
		w.MustCall(t, mark, "write anything but tags", 0, faultproxy.And(faultproxy.Writes(), faultproxy.Not(TagWrites())))
		keepsWords(t, w, texts)
		w.Plan(ctx).MustBeEmpty(t)
		for name, n := range map[string]int{"documents": reword.documents, "ranges": reword.ranges, "names": reword.names} {
			if n == 0 {
				t.Errorf("no %s were reworded: the case is broken", name)
			}
		}
	})
}

// keepsWords fails the test unless the state holds the user's texts.
func keepsWords(t *testing.T, w *Workspace, texts map[string]map[string]string) {
	t.Helper()
	state := w.MustState(t)
	for address, attributes := range texts {
		for name, want := range attributes {
			if got := state[address].Text(name); got != want {
				t.Errorf("%s.%s is %q, want %q", address, name, got, want)
			}
		}
	}
	if got := state["estate_subnet.a"].Text("ipv6_cidr_block"); got == "" || got != strings.ToUpper(got) {
		t.Errorf("the range of the subnet is %q, which is not in capitals", got)
	}
}

// rewording answers as AWS does where the emulator repeats what it was told. It counts what it changed.
type rewording struct {
	account string

	mu                       sync.Mutex
	documents, ranges, names int
}

var (
	documentElement = regexp.MustCompile(`<((?:AssumeRole)?PolicyDocument)>([^<]*)</`)
	rangeElement    = regexp.MustCompile(`<ipv6CidrBlock>([^<]*)</`)
	nameElement     = regexp.MustCompile(`<Name>([^<]*)</`)
)

// answer rewords the body of an answer; calls are made at the same time.
func (r *rewording) answer(body []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	body = documentElement.ReplaceAllFunc(body, func(element []byte) []byte {
		parts := documentElement.FindSubmatch(element)
		return fmt.Appendf(nil, "<%s>%s</", parts[1], r.document(string(parts[2])))
	})
	body = rangeElement.ReplaceAllFunc(body, func(element []byte) []byte {
		return counted(element, bytes.ReplaceAll(bytes.ToLower(element), []byte("cidrblock"), []byte("CidrBlock")), &r.ranges)
	})
	return nameElement.ReplaceAllFunc(body, func(element []byte) []byte {
		name := nameElement.FindSubmatch(element)[1]
		return counted(element, fmt.Appendf(nil, "<Name>%s</", bytes.ReplaceAll(bytes.ToLower(name), []byte("*"), []byte(`\052`))), &r.names)
	})
}

// counted counts a change.
func counted(before, after []byte, n *int) []byte {
	if !bytes.Equal(before, after) {
		*n++
	}
	return after
}

// document says a policy document in other words. IAM shows it escaped for URLs.
func (r *rewording) document(escaped string) string {
	var text string
	if xml.Unmarshal([]byte("<x>"+escaped+"</x>"), &text) != nil {
		return escaped
	}
	plain, err := url.QueryUnescape(text)
	var document any
	if err != nil || json.Unmarshal([]byte(plain), &document) != nil {
		return escaped
	}
	r.documents++
	return url.PathEscape(r.say(document))
}

// say writes JSON with its keys and lists from back to front, lists of one text as the text, and accounts as ARNs.
func (r *rewording) say(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var members []string
		for key, member := range v {
			members = append(members, fmt.Sprintf("%q:%s", key, r.say(member)))
		}
		slices.Sort(members)
		slices.Reverse(members)
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		if text, ok := v[0].(string); ok && len(v) == 1 {
			return r.say(text)
		}
		var elements []string
		for _, element := range v {
			elements = append(elements, r.say(element))
		}
		slices.Reverse(elements)
		return "[" + strings.Join(elements, ",") + "]"
	case string:
		if v == r.account {
			v = "arn:aws:iam::" + v + ":root"
		}
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(v)
}
