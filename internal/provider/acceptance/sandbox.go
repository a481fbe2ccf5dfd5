package acceptance

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync/atomic"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

// Region is the region of every sandbox.
const Region = "eu-west-1"

// accounts numbers the sandboxes of this process.
var accounts atomic.Int64

// Sandbox is one AWS account of the emulator, empty at first, behind a fault proxy of its own.
type Sandbox struct {
	*Harness
	// Account is the account's id.
	Account string
	// Proxy is what the provider talks to. Its journal counts the provider's calls only. Nil in a live account.
	Proxy *faultproxy.Proxy
	// AWS are raw clients that go past the proxy: what they do is in no journal and meets no fault.
	AWS *AWS

	account *httptest.Server
	// settings are the NAME=value by which a CLI and the provider reach the account.
	settings []string
}

// NewSandbox opens an account that nothing else in this process uses.
func (h *Harness) NewSandbox() (*Sandbox, error) {
	upstream, err := url.Parse(h.Emulator.URL)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{Harness: h, Account: fmt.Sprintf("%012d", 100_000_000_000+accounts.Add(1))}
	s.account = httptest.NewServer(inAccount(upstream, s.Account))
	if s.Proxy, err = faultproxy.Start(s.account.URL); err != nil {
		s.account.Close()
		return nil, fmt.Errorf("starting the fault proxy: %w", err)
	}
	s.AWS = newAWS(s.account.URL)
	s.settings = []string{
		endpointSetting + s.Proxy.URL(),
		"AWS_ACCESS_KEY_ID=" + accessKey,
		"AWS_SECRET_ACCESS_KEY=" + secretKey,
		"AWS_REGION=" + Region,
		"AWS_EC2_METADATA_DISABLED=true",
	}
	return s, nil
}

// Beside opens a second way into the account, for another run that works at the same time: with a proxy of its own, whose
// journal counts that run's calls only and whose faults strike it alone. All its calls then go through this sandbox's proxy,
// where those of both runs stand in their order, and where AsAWS sees them together.
func (s *Sandbox) Beside() (*Sandbox, error) {
	other := *s
	var err error
	if other.Proxy, err = faultproxy.Start(s.Proxy.URL()); err != nil {
		return nil, fmt.Errorf("starting the fault proxy: %w", err)
	}
	other.account = nil
	other.settings = slices.Clone(s.settings)
	other.settings[0] = endpointSetting + other.Proxy.URL()
	return &other, nil
}

// endpointSetting sets where the provider finds AWS.
const endpointSetting = "AWS_ENDPOINT_URL="

// accountHeader names the account to the emulator.
const accountHeader = "X-Moto-Account-Id"

// inAccount forwards to the emulator and names the account there, which real AWS takes from the credentials: the given
// one, or that of an assumed role.
func inAccount(upstream *url.URL, account string) http.Handler {
	roles := &roleAccounts{}
	mend := func(answer *http.Response) error { return errors.Join(roles.learn(answer), forgetTags(answer)) }
	return &httputil.ReverseProxy{ModifyResponse: mend, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(upstream)
		r.Out.Host = r.In.Host // signed; S3 also reads the bucket from it
		r.Out.Header.Set(accountHeader, roles.of(r.In, account))
	}}
}

// Close ends the proxies. What is left in the account stays in the emulator and is seen by nobody.
func (s *Sandbox) Close() {
	s.Proxy.Close()
	if s.account != nil { // else it is that of the sandbox beside
		s.account.Close()
	}
}
