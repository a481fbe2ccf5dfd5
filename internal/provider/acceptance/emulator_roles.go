package acceptance

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// roleAccounts are the accounts of the roles whose credentials the emulator has handed out, by access key. The emulator
// knows them too, but searches all accounts for the key at each call, which takes minutes once there are many.
type roleAccounts struct{ byKey sync.Map }

var (
	signingKey = regexp.MustCompile(`Credential=(\w+)/`)
	handedOut  = regexp.MustCompile(`<AccessKeyId>(\w+)</AccessKeyId>`)
	roleOwner  = regexp.MustCompile(`<Arn>arn:[\w-]+:sts::(\d{12}):assumed-role/`)
)

// of returns the account that a request is made in: the one of the role that it is signed for, else the one given.
func (a *roleAccounts) of(r *http.Request, account string) string {
	if m := signingKey.FindStringSubmatch(r.Header.Get("Authorization")); m != nil {
		if owner, ok := a.byKey.Load(m[1]); ok {
			account, _ = owner.(string)
		}
	}
	return account
}

// learn notes the credentials in an answer of STS.
func (a *roleAccounts) learn(answer *http.Response) error {
	if !strings.Contains(answer.Request.Header.Get("Authorization"), "/sts/aws4_request") {
		return nil
	}
	body, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	key, owner := handedOut.FindSubmatch(body), roleOwner.FindSubmatch(body)
	if key != nil && owner != nil {
		a.byKey.Store(string(key[1]), string(owner[1]))
	}
	return nil
}
