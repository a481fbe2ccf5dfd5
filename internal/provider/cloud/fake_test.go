package cloud

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// The canaries that no log may hold.
const (
	secretCanary = "canary-secret-of-the-user"
	tokenCanary  = "canary-token-of-the-user"
	roleSecret   = "canary-secret-of-the-role"
	roleToken    = "canary-token-of-the-role"
	webToken     = "canary-token-of-the-web"
)

// call is one request that the fake STS answered. Key and Region are those of its signature, "" without one.
type call struct {
	Action, Key, Region, Role, Agent string
	Form                             url.Values
}

// fakeSTS answers GetCallerIdentity, AssumeRole and AssumeRoleWithWebIdentity as STS does; code, when set, is the error of
// every call.
type fakeSTS struct {
	url, code string

	mu    sync.Mutex
	calls []call
}

func startSTS(t *testing.T, code string) *fakeSTS {
	t.Helper()
	f := &fakeSTS{code: code}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func (f *fakeSTS) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	signature := append(strings.Split(scope, "/"), "", "", "") // key, date, region
	c := call{r.Form.Get("Action"), signature[0], signature[2], r.Form.Get("RoleArn"), r.UserAgent(), r.Form}
	f.mu.Lock()
	f.calls = append(f.calls, c)
	number := len(f.calls)
	f.mu.Unlock()

	answer := `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/test</Arn><UserId>U</UserId><Account>111122223333</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>req-1</RequestId></ResponseMetadata></GetCallerIdentityResponse>`
	w.Header().Set("Content-Type", "text/xml")
	switch {
	case f.code != "":
		w.WriteHeader(http.StatusForbidden)
		answer = fmt.Sprintf(`<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>Refused by the test. x-amz-security-token:%s %s</Message></Error><RequestId>req-1</RequestId></ErrorResponse>`,
			f.code, tokenCanary, c.Form.Get("WebIdentityToken"))
	case strings.HasPrefix(c.Action, "AssumeRole"):
		answer = fmt.Sprintf(`<%[1]sResponse><%[1]sResult><Credentials><AccessKeyId>ASIAROLE%[2]d</AccessKeyId><SecretAccessKey>%[3]s</SecretAccessKey><SessionToken>%[4]s</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></%[1]sResult></%[1]sResponse>`, c.Action, number, roleSecret, roleToken)
	}
	_, _ = io.WriteString(w, answer) // a client that hangs up sees an error of its own
}

// actions lists the calls as "action by key", in order.
func (f *fakeSTS) actions() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, c := range f.calls {
		out = append(out, c.Action+" by "+c.Key)
	}
	return out
}

// bareEnvironment hides whatever AWS settings the machine has, until the test ends.
func bareEnvironment(t *testing.T) {
	t.Helper()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "TF_A") || strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			t.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	nowhere := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", nowhere)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", nowhere)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

// refusing returns the URL of a port that nobody listens on.
func refusing(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return "http://" + address
}

// hangingUp returns the URL of a port that closes every connection at once, and how many there were.
func hangingUp(t *testing.T) (address string, tries *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	tries = &atomic.Int32{}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			tries.Add(1)
			_ = connection.Close()
		}
	}()
	return "http://" + listener.Addr().String(), tries
}

// static is a configuration with keys in the provider block and STS at url.
func static(url string) Config {
	return Config{
		Version: "1.2.3", Region: "eu-west-1", AccessKey: "AKIAUSER", SecretKey: secretCanary, Token: tokenCanary,
		Endpoints: map[string]string{"sts": url},
	}
}
