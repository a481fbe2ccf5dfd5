package acceptance

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// frontHost is the host that AWS is called by. The transport goes past a proxy for the loopback addresses, so that it has to
// be a name; the front alone knows what it means.
const frontHost = "aws.test"

// front is an HTTP proxy on the way to a sandbox. It sees what each call holds, notes the secrets among it, and may answer in
// AWS's place.
type front struct {
	// address is its host and port.
	address string
	forward http.Handler

	mu sync.Mutex
	// spoil answer some calls; what none of them answers goes on.
	spoil []spoiler
	// received is everything that came, and secrets what of it nobody may see again, by what it is.
	received strings.Builder
	secrets  map[string]string
}

// spoiler answers a call, or leaves it. The dump is the request as it came.
type spoiler func(w http.ResponseWriter, dump string) bool

func startFront(t *testing.T, s *Sandbox) *front {
	t.Helper()
	upstream, err := url.Parse(s.Proxy.URL())
	must(t, err)
	f := &front{secrets: map[string]string{}}
	f.forward = &httputil.ReverseProxy{
		ModifyResponse: f.learn,
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(upstream); r.Out.Host = r.In.Host },
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.address = strings.TrimPrefix(server.URL, "http://")
	return f
}

// The secrets of a request, which are new with each.
var (
	signatureSent = regexp.MustCompile(`Signature=([0-9a-f]{64})`)
	secretsGiven  = regexp.MustCompile(`<(SecretAccessKey|SessionToken)>([^<]+)<`)
)

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	head, err := httputil.DumpRequest(r, false)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	dump := string(head) + string(body)
	f.mu.Lock()
	f.received.WriteString(dump + "\n")
	if m := signatureSent.FindStringSubmatch(dump); m != nil {
		f.secrets["the signature "+m[1]] = m[1]
	}
	spoil := f.spoil
	f.mu.Unlock()
	if !slices.ContainsFunc(spoil, func(s spoiler) bool { return s(w, dump) }) {
		f.forward.ServeHTTP(w, r)
	}
}

// learn notes the credentials that STS hands out.
func (f *front) learn(answer *http.Response) error {
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range secretsGiven.FindAllSubmatch(body, -1) {
		f.secrets["the role's "+string(m[1])+" "+string(m[2])] = string(m[2])
	}
	return nil
}

// spoilWith sets what answers in AWS's place.
func (f *front) spoilWith(s ...spoiler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoil = s
}

// hasSeen tells whether something was sent through the front.
func (f *front) hasSeen(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Contains(f.received.String(), what)
}

// seen returns the secrets of all calls so far.
func (f *front) seen() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]string{}
	for name, secret := range f.secrets {
		out[name] = secret
	}
	return out
}

// holds tells whether a dump holds all phrases.
func holds(dump string, phrases []string) bool {
	return !slices.ContainsFunc(phrases, func(p string) bool { return !strings.Contains(dump, p) })
}

// echo answers calls that hold the phrases with a signature error whose words are the whole request, in the service's shape.
func echo(phrases ...string) spoiler {
	return func(w http.ResponseWriter, dump string) bool {
		if !holds(dump, phrases) {
			return false
		}
		var words strings.Builder
		if err := xml.EscapeText(&words, []byte("The request was: "+dump)); err != nil {
			return false
		}
		shape := "<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>%s</Message></Error><RequestId>r</RequestId></ErrorResponse>"
		if strings.Contains(dump, "/ec2/aws4_request") {
			shape = "<Response><Errors><Error><Code>SignatureDoesNotMatch</Code><Message>%s</Message></Error></Errors><RequestID>r</RequestID></Response>"
		}
		w.WriteHeader(http.StatusForbidden)
		_, err := fmt.Fprintf(w, shape, words.String())
		return err == nil
	}
}

// garble answers calls that hold the phrases with a page that is no answer of AWS's and holds the whole request.
func garble(status int, phrases ...string) spoiler {
	return func(w http.ResponseWriter, dump string) bool {
		if !holds(dump, phrases) {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		_, err := io.WriteString(w, "<html><body>"+dump)
		return err == nil
	}
}

// hangUp cuts the connection of calls that hold the phrases.
func hangUp(phrases ...string) spoiler {
	return func(_ http.ResponseWriter, dump string) bool {
		if holds(dump, phrases) {
			panic(http.ErrAbortHandler)
		}
		return false
	}
}
