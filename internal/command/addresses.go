package command

import "github.com/tofu-estate/terraform-provider-estate/internal/configuration"

var addressesCommand = command{
	name: "addresses", arguments: "[DIR]", summary: "lists the instances that a configuration declares",
	usage: `Prints the address of every instance that the configuration in DIR declares, as a state list would after an apply.
Where only an apply can tell which instances a block has, it names the block and returns 1.

  terraform-provider-estate addresses
  terraform-provider-estate addresses -var 'regions=["eu-west-1"]' infra
  terraform-provider-estate addresses -json infra | jq -r '.addresses[]'
`,
	run: runAddresses,
}

func runAddresses(k *call) (int, error) {
	e, ok := k.evaluate()
	if !ok {
		return Failed, nil
	}
	listing := e.List()
	k.add(e.Diagnostics())
	if k.diags.HasErrors() {
		return Failed, nil
	}
	addresses := []string{}
	for _, r := range listing.Instances {
		if r.Mode != configuration.Ephemeral { // no state holds those
			addresses = append(addresses, r.String())
		}
	}
	k.result = addresses
	for _, a := range addresses {
		k.print("%s", a)
	}
	for _, u := range listing.Unsettled {
		k.add(u.Diagnostics())
	}
	return k.status(), nil
}
