package cloud

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsbase "github.com/hashicorp/aws-sdk-go-base/v2"
)

// startTLS serves the fake STS over TLS with a certificate that no system trusts, and returns a file that holds it.
func startTLS(t *testing.T) (fake *fakeSTS, bundle string) {
	t.Helper()
	fake = &fakeSTS{}
	server := httptest.NewUnstartedServer(fake)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // a client that does not trust it is what some tests want
	server.StartTLS()
	t.Cleanup(server.Close)
	fake.url = server.URL
	bundle = filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(bundle, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return fake, bundle
}

func TestCertificates(t *testing.T) {
	for name, test := range map[string]struct {
		bundle, variable, insecure, role, trusted bool
	}{
		"nothing said":          {},
		"bundle":                {bundle: true, trusted: true},
		"bundle, at a role":     {bundle: true, role: true, trusted: true},
		"AWS_CA_BUNDLE":         {variable: true, trusted: true},
		"insecure":              {insecure: true, trusted: true},
		"insecure, at a role":   {insecure: true, role: true, trusted: true},
		"nothing said, at role": {role: true},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			fake, bundle := startTLS(t)
			c := static(fake.url)
			c.MaxRetries, c.Insecure = 1, test.insecure
			if test.bundle {
				c.CustomCABundle = bundle
			}
			if test.variable {
				t.Setenv("AWS_CA_BUNDLE", bundle)
			}
			if test.role {
				c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
			}
			s, err := Open(t.Context(), c)
			if !test.trusted {
				wantProblem(t, err, "", "AWS endpoint does not answer", "certificate", "curl -sSI "+fake.url)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			// A client of a service trusts what Open trusted.
			if _, _, diags := awsbase.GetAwsAccountIDAndPartition(t.Context(), *Client(s, "sts", configOf), &awsbase.Config{}); diags.HasError() {
				t.Error(diags)
			}
		})
	}
}

// proxyFor is the proxy that the session's connections use for the address, "" for none.
func proxyFor(t *testing.T, s *Session, address string) string {
	t.Helper()
	client, ok := s.shared.config.HTTPClient.(*awshttp.BuildableClient)
	if !ok {
		t.Fatalf("a %T", s.shared.config.HTTPClient)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	proxy, err := client.GetTransport().Proxy(request)
	if err != nil {
		t.Fatal(err)
	}
	if proxy == nil {
		return ""
	}
	return proxy.String()
}

func TestProxies(t *testing.T) {
	const plainURL, secureURL = "http://a.invalid", "https://a.invalid"
	none := ""
	one, two := "http://10.0.0.1:1", "http://two:2"
	bare := "10.0.0.1:1"
	for name, test := range map[string]struct {
		http, https   *string
		no            string
		env           map[string]string
		plain, secure string
		warns         bool
	}{
		"nothing said":                  {},
		"http alone serves both":        {http: &one, plain: one, secure: one, warns: true},
		"without a scheme":              {http: &bare, https: &bare, plain: one, secure: one},
		"https alone":                   {https: &two, secure: two},
		"both":                          {http: &one, https: &two, plain: one, secure: two},
		"none for https":                {http: &one, https: &none, plain: one},
		"variables":                     {env: map[string]string{"HTTP_PROXY": one, "HTTPS_PROXY": two}, plain: one, secure: two},
		"variable for https beside it":  {http: &one, env: map[string]string{"HTTPS_PROXY": two}, plain: one, secure: two},
		"block over variables":          {http: &two, https: &one, env: map[string]string{"HTTP_PROXY": one, "HTTPS_PROXY": two}, plain: two, secure: one},
		"host without":                  {http: &one, https: &two, no: "b.invalid,a.invalid"},
		"other host without":            {http: &one, https: &two, no: "b.invalid", plain: one, secure: two},
		"host without, by variable":     {http: &one, https: &two, env: map[string]string{"NO_PROXY": "a.invalid"}},
		"no_proxy over the variable":    {http: &one, https: &two, no: "b.invalid", env: map[string]string{"NO_PROXY": "a.invalid"}, plain: one, secure: two},
		"variable of http alone is not": {env: map[string]string{"HTTP_PROXY": one}, plain: one},
	} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			c := static("http://127.0.0.1:1")
			c.SkipCredentialsValidation, c.SkipRequestingAccountID = true, true
			c.HTTPProxy, c.HTTPSProxy, c.NoProxy = test.http, test.https, test.no
			s, err := Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if got := proxyFor(t, s, plainURL); got != test.plain {
				t.Errorf("http goes through %q, want %q", got, test.plain)
			}
			if got := proxyFor(t, s, secureURL); got != test.secure {
				t.Errorf("https goes through %q, want %q", got, test.secure)
			}
			warnings := c.Warnings()
			if len(warnings) > 0 != test.warns {
				t.Errorf("warnings are %v", warnings)
			}
			for _, w := range warnings {
				wantProblem(t, w, "http_proxy", "HTTP proxy for HTTPS calls", "calls by https then go through http_proxy", `https_proxy = ""`)
			}
		})
	}
}

// recorder is a proxy that answers for whatever host is asked of it, and refuses tunnels.
type recorder struct {
	answer http.Handler

	mu    sync.Mutex
	hosts []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	r.hosts = append(r.hosts, request.Method+" "+request.Host)
	r.mu.Unlock()
	if request.Method == http.MethodConnect {
		http.Error(w, "refused by the test", http.StatusForbidden)
		return
	}
	r.answer.ServeHTTP(w, request)
}

func (r *recorder) first() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.hosts) == 0 {
		return "nothing"
	}
	return r.hosts[0]
}

func startProxy(t *testing.T, answer http.Handler) (proxy *recorder, address string) {
	t.Helper()
	proxy = &recorder{answer: answer}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return proxy, server.URL
}

// Credentials are fetched through the proxies too, over connections of another client than that of service calls.
func TestCallsGoThroughProxies(t *testing.T) {
	for name, role := range map[string]bool{"account": false, "role": true} {
		t.Run(name, func(t *testing.T) {
			bareEnvironment(t)
			proxy, address := startProxy(t, &fakeSTS{})
			c := static("http://sts.invalid")
			c.MaxRetries, c.HTTPProxy = 1, &address
			if role {
				c.AssumeRole = []Role{{RoleARN: "arn:aws:iam::1:role/a"}}
			}
			s, err := Open(t.Context(), c)
			if err != nil || s.Account != "111122223333" || proxy.first() != "POST sts.invalid" {
				t.Errorf("%v; the proxy was asked for %s", err, proxy.first())
			}
			c.Endpoints["sts"], c.HTTPProxy, c.HTTPSProxy = "https://sts.invalid", nil, &address
			proxy.hosts = nil
			_, err = Open(t.Context(), c)
			wantProblem(t, err, "", "AWS endpoint does not answer", "Forbidden", "curl -sSI https://sts.invalid")
			if proxy.first() != "CONNECT sts.invalid:443" {
				t.Errorf("the proxy was asked for %s", proxy.first())
			}
		})
	}
}
