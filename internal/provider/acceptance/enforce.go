package acceptance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

// The users of an account of an emulator that carries out IAM policies.
const (
	// adminUser may do everything: the raw clients are this one.
	adminUser = "admin"
	// providerUser is who every other client is. It may do nothing until Allow.
	providerUser = "provider"
)

// everything is the policy of adminUser.
const everything = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}`

// enforced are accounts of an emulator that carries out IAM policies. It asks for a known user from the very first call on, so that
// the accounts and their users are made before it is told to.
type enforced struct {
	mu   sync.Mutex
	free []*users
}

// users are the two of an account.
type users struct {
	account         string
	admin, provider aws.Credentials
}

// Enforcing starts an emulator beside the harness's own that carries out IAM policies, with so many accounts for NewSandbox.
// That is a setting of the whole emulator. It knows neither resources of most services nor conditions; see moto's
// iam/access_control.py. StopEmulator ends it.
func (h *Harness) Enforcing(ctx context.Context, accounts int) (*Harness, error) {
	own, err := h.Beside(ctx)
	if err != nil {
		return nil, err
	}
	own.enforced = &enforced{}
	for range accounts {
		u, err := own.Emulator.makeUsers(ctx, nextAccount())
		if err != nil {
			return nil, errors.Join(err, own.StopEmulator())
		}
		own.enforced.free = append(own.enforced.free, u)
	}
	// The number is how many calls pass before policies count.
	if err := own.Emulator.send(ctx, http.MethodPost, "/moto-api/reset-auth", "0"); err != nil {
		return nil, errors.Join(err, own.StopEmulator())
	}
	return own, nil
}

// Beside starts an emulator beside the harness's own, for accounts that many objects pass through: an emulator forgets nothing
// that it ever held, and grows slow. StopEmulator ends it.
func (h *Harness) Beside(ctx context.Context) (*Harness, error) {
	own := *h
	var err error
	own.Emulator, err = startEmulator(ctx, h.Emulator.command.Path)
	return &own, err
}

// StopEmulator ends the emulator of a harness that Enforcing or Beside returned.
func (h *Harness) StopEmulator() error { return h.Emulator.stop() }

// makeUsers makes both users of an account, while the emulator does not ask who is calling.
func (e *Emulator) makeUsers(ctx context.Context, account string) (*users, error) {
	upstream, err := url.Parse(e.URL)
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(inAccount(upstream, account, http.DefaultTransport))
	defer server.Close()
	client, u := newAWS(server.URL).IAM, &users{account: account}
	for name, credentials := range map[string]*aws.Credentials{adminUser: &u.admin, providerUser: &u.provider} {
		if _, err := client.CreateUser(ctx, &iam.CreateUserInput{UserName: aws.String(name)}); err != nil {
			return nil, fmt.Errorf("making the user %s: %w", name, err)
		}
		out, err := client.CreateAccessKey(ctx, &iam.CreateAccessKeyInput{UserName: aws.String(name)})
		if err != nil {
			return nil, fmt.Errorf("making a key of %s: %w", name, err)
		}
		credentials.AccessKeyID = aws.ToString(out.AccessKey.AccessKeyId)
		credentials.SecretAccessKey = aws.ToString(out.AccessKey.SecretAccessKey)
	}
	return u, allow(ctx, client, adminUser, everything)
}

// Allow gives the provider this policy, and no other, from the next call on.
func (s *Sandbox) Allow(ctx context.Context, policy string) error {
	return allow(ctx, s.AWS.IAM, providerUser, policy)
}

func allow(ctx context.Context, client *iam.Client, user, policy string) error {
	_, err := client.PutUserPolicy(ctx, &iam.PutUserPolicyInput{
		UserName: aws.String(user), PolicyName: aws.String("policy"), PolicyDocument: aws.String(policy),
	})
	if err != nil {
		return fmt.Errorf("giving %s a policy: %w", user, err)
	}
	return nil
}

// take returns an account that nobody has.
func (e *enforced) take() (*users, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.free) == 0 {
		return nil, errors.New("no account is left of those that Enforcing has made")
	}
	u := e.free[0]
	e.free = e.free[1:]
	return u, nil
}

// signing sends calls on in the name of one of the users: the client's own signature is of a key that the emulator does not
// know. So a client need not know whether policies count.
type signing struct{ *users }

// credentialScope finds key, region and service in a signature.
var credentialScope = regexp.MustCompile(`Credential=(\w+)/\d+/([\w-]+)/([\w-]+)/aws4_request`)

// RoundTrip implements http.RoundTripper.
func (s signing) RoundTrip(r *http.Request) (*http.Response, error) {
	who, region, service := s.admin, "us-east-1", "s3" // as forgetTags asks, which signs nothing
	if m := credentialScope.FindStringSubmatch(r.Header.Get("Authorization")); m != nil {
		if region, service = m[2], m[3]; m[1] != accessKey {
			who = s.provider
		}
	}
	body, err := drain(r)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	// Signed are the host and these headers alone: others may still change on their way.
	bare := &http.Request{Method: r.Method, URL: r.URL, Host: r.Host, Header: http.Header{"X-Amz-Content-Sha256": {hash}}}
	// The emulator checks calls of S3 Control, which sign as S3 too, as those of other services.
	plainPath := service == "s3" && !strings.HasPrefix(r.URL.Path, "/v20180820/")
	err = v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = plainPath }).
		SignHTTP(r.Context(), who, bare, hash, service, region, time.Now())
	if err != nil {
		return nil, fmt.Errorf("signing: %w", err)
	}
	for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Content-Sha256"} {
		r.Header.Set(name, strings.Join(bare.Header[name], ""))
	}
	r.Header.Del("X-Amz-Security-Token")
	return http.DefaultTransport.RoundTrip(r)
}

// drain reads the body of a request and puts it back.
func drain(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return body, nil
}
