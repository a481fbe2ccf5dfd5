package acceptance

import (
	"slices"
	"strings"
)

var refusals = slices.Concat(badArguments, takenNames, failedCalls, wrongPlaces)

var badArguments = []refusal{
	{
		name: "no estate", estate: "-", config: aVpc("a"),
		summary: "Missing estate", says: []string{"argument estate", "TOFU_ESTATE", `estate = "networking-${terraform.workspace}"`},
	},
	{
		name: "bad estate", estate: "Prod", config: aVpc("a"),
		summary: "Invalid estate name", says: []string{`estate is not valid`, `"Prod" starts with 'P'`, `estate = "networking-prod"`},
	},
	{
		name: "address does not parse", config: aVpc("a", `tofu_address = "estate_vpc main"`),
		summary: "Bad tofu_address", says: []string{"estate_vpc main", "tofu_address", `tofu_address = "${var.tofu_module}estate_vpc.NAME"`},
	},
	{
		name: "address of another type", config: aVpc("a", `tofu_address = "estate_eip.a"`),
		summary: "Bad tofu_address", says: []string{"estate_eip", "tofu_address", `tofu_address = "${var.tofu_module}estate_vpc.NAME"`},
	},
	{
		name: "address too long", config: aVpc("a", `tofu_key = "`+strings.Repeat("*", 150)+`"`),
		summary: "Bad tofu_key", says: []string{"tofu_key", "1063 characters long once it is escaped", "at most 1024", "shorten a name or a key"},
	},
	{
		name: "refused key", config: aVpc("a", `tofu_key = "a%b"`),
		summary: "Bad tofu_key", says: []string{"tofu_key", `the key "a%b" holds '%'`, "choose another key", "Give a key that a tag can carry"},
	},
	{
		name: "key and index", config: aVpc("a", `tofu_address = "estate_vpc.a[0]"`, `tofu_key = "0"`),
		summary: "Bad tofu_key", says: []string{"tofu_key", "already ends in the index [0]", "in this argument alone"},
	},
	{
		name: "address twice", config: aVpc("a") + aVpc("b", `tofu_address = "estate_vpc.a"`),
		summary: "Duplicate address", says: []string{"estate_vpc.a", "tofu_key = each.key"},
	},
	{
		name: "unknown address", config: aVpc("a") + aVpc("b", `tofu_address = "estate_vpc.${estate_vpc.a.id}"`),
		summary: "Unknown tofu_address", says: []string{"tofu_address is known only after apply", "Build tofu_address from literals"},
	},
	{
		name: "unknown key", config: aVpc("a") + aVpc("b", `tofu_key = estate_vpc.a.id`),
		summary: "Unknown tofu_key", says: []string{"tofu_key is known only after apply", "Build tofu_key from literals"},
	},
	{
		name: "marker key in tags", config: aVpc("a", `tags = { tofu-address-2 = "x" }`),
		summary: "Marker key in tags", says: []string{"estate_vpc.a", `"tofu-address-2"`, `Remove "tofu-address-2" from tags`},
	},
	{
		name: "marker key in default_tags", config: aVpc("a"), provider: []string{`default_tags { tags = { tofu-estate = "x" } }`},
		summary: "Marker key in default_tags", says: []string{"default_tags", `"tofu-estate"`, "Remove the key"},
	},
	{
		name: "49 tags", config: aVpc("a", manyTags(49)),
		summary: "Too many tags", says: []string{"estate_vpc.a", "52 tags, of which 3 are the marker's", "Remove 2 from tags or default_tags"},
	},
}

var takenNames = []refusal{
	{
		name: "marker without address", config: aVpc("a"),
		setup:   exists("estate_vpc", "", without(TagAddress, marked(""))),
		summary: "Malformed marker in the way",
		says:    []string{"estate_vpc.a", "tofu-address is missing or empty", "tofu-address = estate_vpc.a", "take its tofu-estate tag off"},
	},
	{
		name: "marker with a gap", config: aVpc("a"),
		setup:   exists("estate_vpc", "", with("tofu-address-3", "x", marked("estate_vpc.a"))),
		summary: "Malformed marker in the way",
		says:    []string{"estate_vpc.a", "a part that another follows holds 256", "tofu-address = estate_vpc.a", "take its tofu-estate tag off"},
	},
	{
		name: "malformed marker on a held object", config: aVpc("a", `tags = { a = "b" }`),
		setup:   remarked(map[string]string{TagAddress: "estate_vpc", TagBinding: "another"}),
		summary: "Malformed marker",
		says:    []string{"estate_vpc.a", "was not changed", "Repair the object's tags", "tofu state rm 'estate_vpc.a'"},
	},
	{
		name: "held object of another estate", config: aVpc("a"),
		setup:   remarked(map[string]string{TagEstate: "somebody-elses"}),
		summary: "Object of another estate",
		says:    []string{"estate_vpc.a", `"somebody-elses"`, "tofu state rm 'estate_vpc.a'", "removed {", "previous_estates"},
	},
}

var failedCalls = []refusal{
	{
		name: "denied list", config: aVpc("a"), fault: denying("ec2:DescribeVpcs"),
		summary: "AWS call failed", says: []string{"estate_vpc.a", "Missing permission: ec2:DescribeVpcs", "Allow the action ec2:DescribeVpcs"},
	},
	{
		name: "denied list with a state", config: aVpc("a"), setup: applied(aVpc("a")), fault: denying("ec2:DescribeVpcs"),
		summary: "AWS call failed", says: []string{"estate_vpc.a", "state is unchanged", "Allow the action ec2:DescribeVpcs"},
	},
	{
		name: "denied look at a role", config: aRole("refused-look"), fault: denying("iam:GetRole"),
		summary: "AWS call failed", says: []string{"estate_iam_role.a", "Missing permission: iam:GetRole", "Allow the action iam:GetRole"},
	},
	{
		name: "denied list of roles", config: aRole("", "name = null", `name_prefix = "refused-"`),
		fault:   denying("iam:GetAccountAuthorizationDetails"),
		summary: "AWS call failed",
		says:    []string{"estate_iam_role.a", "Allow the action iam:GetAccountAuthorizationDetails"},
	},
	{
		name: "denied create", config: aVpc("a"), fault: denying("ec2:CreateVpc"),
		summary: "AWS call failed", says: []string{"estate_vpc.a", "creating", "Allow the action ec2:CreateVpc"},
	},
	{
		name: "denied create of a role", config: aRole("refused-create"), fault: denying("iam:CreateRole"),
		summary: "AWS call failed", says: []string{"estate_iam_role.a", "creating", "Allow the action iam:CreateRole"},
	},
	{
		name: "denied tag write of an adoption", config: aVpc("a"), setup: forgotten(aVpc("a")), fault: denying("ec2:CreateTags"),
		summary: "Adoption not finished",
		says:    []string{"estate_vpc.a", "alive, and not in the state", "Missing permission: ec2:CreateTags", "apply again"},
	},
	{
		name: "denied tag write of a change", config: aVpc("a", `tags = { a = "b" }`), setup: applied(aVpc("a")), fault: denying("ec2:CreateTags"),
		summary: "AWS call failed", says: []string{"estate_vpc.a", "Missing permission: ec2:CreateTags", "Allow the action ec2:CreateTags"},
	},
	{
		name: "expired credentials", config: aVpc("a"), fault: expiring("*:*"),
		summary: "Expired AWS credentials", says: []string{"credentials have expired", "AWS_SESSION_TOKEN", "aws sts get-caller-identity"},
	},
	{
		name: "credentials that expire", config: aVpc("a"), fault: expiring("ec2:CreateVpc"),
		summary: "AWS call failed", says: []string{"estate_vpc.a", "RequestExpired", "Renew the credentials"},
	},
	{
		name: "dead endpoint of STS", config: aVpc("a"), provider: []string{`endpoints { sts = "` + deadEndpoint + `" }`},
		summary: "AWS endpoint does not answer", says: []string{"The endpoint of STS", "Check endpoints", "curl -sSI " + deadEndpoint},
	},
	{
		name: "dead endpoint of EC2", config: aVpc("a"), provider: []string{`endpoints { ec2 = "` + deadEndpoint + `" }`},
		summary: "AWS call failed", says: []string{"estate_vpc.a", deadEndpoint, "Check endpoints"},
	},
}

var wrongPlaces = []refusal{
	{
		name: "account not allowed", config: aVpc("a"), provider: []string{`allowed_account_ids = ["999999999999"]`},
		summary: "Wrong AWS account", says: []string{"allowed_account_ids", "999999999999", "Use credentials of an allowed account"},
	},
}
