package cloud

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
)

// legacyS3 and regionalS3 are the values of s3_us_east_1_regional_endpoint.
const (
	legacyS3   = "legacy"
	regionalS3 = "regional"
)

// checkNetwork finds what is wrong with the settings of connections and addresses.
func (c Config) checkNetwork() error {
	if !isProxy(withScheme(c.HTTPProxy)) {
		return badProxy("http_proxy")
	}
	if !isProxy(withScheme(c.HTTPSProxy)) {
		return badProxy("https_proxy")
	}
	if c.MetadataEndpoint != "" && !isHTTP(c.MetadataEndpoint) {
		return badMetadataEndpoint(c.MetadataEndpoint)
	}
	modes := append(awsbase.EC2MetadataEndpointMode_Values(), "")
	if !slices.ContainsFunc(modes, func(mode string) bool { return strings.EqualFold(mode, c.MetadataEndpointMode) }) {
		return badMetadataMode(c.MetadataEndpointMode)
	}
	if v := strings.ToLower(c.S3USEast1Endpoint); !slices.Contains([]string{"", legacyS3, regionalS3}, v) {
		return badS3Endpoint(c.S3USEast1Endpoint)
	}
	for _, product := range c.UserAgent {
		if product == "" || strings.ContainsFunc(product, func(r rune) bool { return r < ' ' || r > '~' }) {
			return badProduct(product)
		}
	}
	if err := c.checkVariants(); err != nil {
		return err
	}
	return c.checkBundle()
}

// isHTTP tells whether the text is a URL of http or https.
func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// isProxy tells whether Go's transport takes the URL as that of a proxy; nil and "" mean that there is none.
func isProxy(address *string) bool {
	if address == nil || *address == "" {
		return true
	}
	u, err := url.Parse(*address)
	return err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

// withScheme adds http:// where it is left out, as curl and Go do for the variables.
func withScheme(address *string) *string {
	if address == nil || *address == "" || strings.Contains(*address, "://") {
		return address
	}
	full := "http://" + *address
	return &full
}

// checkVariants refuses FIPS and dual-stack addresses where the environment puts a service elsewhere: the SDK cannot serve both,
// and its error would name neither. URLs of the endpoints block are fine, since they win over the two (Client).
func (c Config) checkVariants() error {
	var argument string
	switch {
	case c.UseFIPSEndpoint || isOn("AWS_USE_FIPS_ENDPOINT"):
		argument = "use_fips_endpoint"
	case c.UseDualStackEndpoint || isOn("AWS_USE_DUALSTACK_ENDPOINT"):
		argument = "use_dualstack_endpoint"
	default:
		return nil
	}
	if isOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") {
		return nil
	}
	for _, entry := range os.Environ() {
		variable, address, _ := strings.Cut(entry, "=")
		service, ok := strings.CutPrefix(variable, "AWS_ENDPOINT_URL")
		if !ok || address == "" {
			continue
		}
		if name := strings.ToLower(strings.ReplaceAll(service, "_", "")); name == "" || c.Endpoints[name] == "" {
			return variantElsewhere(argument, variable)
		}
	}
	return nil
}

// isOn tells whether the variable says true; what cannot be read, the SDK refuses.
func isOn(variable string) bool {
	on, err := strconv.ParseBool(os.Getenv(variable))
	return err == nil && on
}

// bundleVariable is AWS's variable for CustomCABundle.
const bundleVariable = "AWS_CA_BUNDLE"

// checkBundle reads the file of certificates, so that a file that is wrong is not taken for a broken connection.
func (c Config) checkBundle() error {
	source, file := "custom_ca_bundle", c.CustomCABundle
	if file == "" {
		source, file = bundleVariable, os.Getenv(bundleVariable)
	}
	if file == "" {
		return nil
	}
	reader, err := awsbase.Config{CustomCABundle: file}.CustomCABundleReader()
	if err != nil {
		return badBundle(source, file, err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return badBundle(source, file, err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return badBundle(source, file, errors.New("it holds no certificate in PEM form"))
	}
	return nil
}

// Warnings tells what is allowed in the settings and may not be meant.
func (c Config) Warnings() []*ConfigError {
	if c.HTTPProxy == nil || *c.HTTPProxy == "" || c.HTTPSProxy != nil || os.Getenv("HTTPS_PROXY") != "" || os.Getenv("https_proxy") != "" {
		return nil
	}
	return []*ConfigError{{
		Argument: "http_proxy", Summary: "HTTP proxy for HTTPS calls",
		Cause: "http_proxy is set, and neither https_proxy nor HTTPS_PROXY is. As in hashicorp/aws, calls by https then go through http_proxy too.",
		Next:  line("Name the proxy for them, or none:", `https_proxy = ""`),
	}}
}

// badProxy does not show the URL: it may hold a password.
func badProxy(argument string) error {
	return &ConfigError{
		Argument: argument, Summary: "Invalid proxy",
		Cause: argument + " is no URL of a proxy: a scheme, http, https or socks5, and a host.",
		Next:  line("Write, for example:", argument+` = "http://proxy.example.com:3128"`),
	}
}

func badMetadataEndpoint(address string) error {
	return &ConfigError{
		Argument: "ec2_metadata_service_endpoint", Summary: "Invalid metadata endpoint",
		Cause: fmt.Sprintf("ec2_metadata_service_endpoint is %q, which is no http or https URL.", withoutUser(address)),
		Next:  line("Write scheme and host:", `ec2_metadata_service_endpoint = "http://169.254.169.254"`),
	}
}

func badMetadataMode(mode string) error {
	return &ConfigError{
		Argument: "ec2_metadata_service_endpoint_mode", Summary: "Invalid metadata endpoint mode",
		Cause: fmt.Sprintf(`ec2_metadata_service_endpoint_mode is %q; it may be "IPv4" or "IPv6".`, mode),
		Next:  line("Write:", `ec2_metadata_service_endpoint_mode = "IPv4"`),
	}
}

func badS3Endpoint(value string) error {
	return &ConfigError{
		Argument: "s3_us_east_1_regional_endpoint", Summary: "Invalid S3 endpoint",
		Cause: fmt.Sprintf(`s3_us_east_1_regional_endpoint, or %s, is %q; it may be "regional" or "legacy".`, s3EndpointVariable, value),
		Next:  line("Write:", `s3_us_east_1_regional_endpoint = "regional"`),
	}
}

func badProduct(product string) error {
	return &ConfigError{
		Argument: "user_agent", Summary: "Invalid user agent",
		Cause: fmt.Sprintf("user_agent holds %q; a product is a text of printable ASCII characters, and not empty.", product),
		Next:  line("Write product, version and comment:", `user_agent = ["example/1.0 (nightly)"]`),
	}
}

func variantElsewhere(argument, variable string) error {
	return &ConfigError{
		Argument: argument, Summary: "Conflicting endpoints",
		Cause: fmt.Sprintf("%s, or its variable, asks for another address of AWS's own, and %s for one elsewhere; they exclude each other.", argument, variable),
		Next:  line("Name single services in the endpoints block, where a URL wins, and:", "unset "+variable),
	}
}

func badBundle(source, file string, err error) error {
	return &ConfigError{
		Argument: "custom_ca_bundle", Summary: "Certificates cannot be read", Err: err,
		Cause: fmt.Sprintf("%s names %s, and reading certificates from it failed: %s.", source, file, err),
		Next:  line("This must print a certificate:", "openssl x509 -noout -subject -in "+file),
	}
}
