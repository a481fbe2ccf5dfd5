package cloud

import (
	"cmp"
	"fmt"
	"os"
	"strings"
)

// webIdentityBlock is the block's name, webIdentityCall the call that it leads to.
const (
	webIdentityBlock = "assume_role_with_web_identity"
	webIdentityCall  = "AssumeRoleWithWebIdentity"
)

// checkIdentity finds what is wrong with the web identity. It reads the token's file, so that a path that is wrong is not
// taken for an answer of AWS.
func (c Config) checkIdentity() error {
	w := c.WebIdentity
	switch {
	case w == nil:
		return nil
	case c.AccessKey != "":
		return keyBesideIdentity()
	case w.RoleARN == "":
		return noIdentityRole()
	case w.Token == "" && w.TokenFile == "":
		return noIdentityToken()
	case w.Token != "" && w.TokenFile != "":
		return twoIdentityTokens()
	}
	if _, err := w.read(); err != nil {
		return unreadableToken(w.TokenFile, err)
	}
	return checkDuration(webIdentityBlock, w.RoleARN, w.Duration)
}

// read returns the token, without the line's end that files have.
func (w *WebIdentity) read() (string, error) {
	raw, err := w.base().GetIdentityToken()
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(raw))
	if token == "" {
		return "", fmt.Errorf("%s is empty", w.TokenFile)
	}
	return token, nil
}

// explainIdentity completes e for a web identity that AWS refused, that of the environment or of a profile among them.
func (c Config) explainIdentity(e *ConfigError, err error) {
	role, file := os.Getenv(roleVariable), os.Getenv(identityFileVariable)
	if w := c.WebIdentity; w != nil {
		e.Argument, role, file = webIdentityBlock, w.RoleARN, w.TokenFile
	}
	token := "TOKEN"
	if file != "" {
		token = fmt.Sprintf("\"$(cat %s)\"", file)
	}
	e.Summary = "Role cannot be assumed"
	e.Cause = fmt.Sprintf("Assuming %s with a web identity failed: %s.", cmp.Or(role, "the profile's role"), c.words(err))
	e.Next = line("The token must not have expired, and the role's trust policy must name the token's provider, audience and subject. "+
		"This asks AWS the same question:",
		"aws sts assume-role-with-web-identity --role-session-name check --role-arn "+cmp.Or(role, "ROLE")+" --web-identity-token "+token)
}

func keyBesideIdentity() error {
	return &ConfigError{
		Argument: webIdentityBlock, Summary: "Two sources of credentials",
		Cause: "access_key and assume_role_with_web_identity both say whose credentials to take, and exclude each other.",
		Next: line("Remove access_key, secret_key and token, or assume the role with them:",
			"assume_role { role_arn = \"arn:aws:iam::111122223333:role/example\" }"),
	}
}

func noIdentityRole() error {
	return &ConfigError{
		Argument: webIdentityBlock, Summary: "Role without an ARN",
		Cause: "The assume_role_with_web_identity block has no role_arn, and " + roleVariable + " is not set.",
		Next:  line("Remove the block or write:", `role_arn = "arn:aws:iam::111122223333:role/example"`),
	}
}

func noIdentityToken() error {
	return &ConfigError{
		Argument: webIdentityBlock, Summary: "Web identity without a token",
		Cause: fmt.Sprintf("The assume_role_with_web_identity block has neither web_identity_token nor web_identity_token_file, "+
			"and neither %s nor %s is set.",
			identityVariable, identityFileVariable),
		Next: line("Write where the identity provider puts the token:", `web_identity_token_file = "/var/run/secrets/token"`),
	}
}

func twoIdentityTokens() error {
	return &ConfigError{
		Argument: webIdentityBlock, Summary: "Web identity with two tokens",
		Cause: fmt.Sprintf("There are a token and a file for one, and they may differ: web_identity_token and web_identity_token_file, "+
			"or %s and %s, exclude each other.",
			identityVariable, identityFileVariable),
		Next: line("Keep one, better the file, which may be renewed while the provider runs:", `web_identity_token_file = "/var/run/secrets/token"`),
	}
}

func unreadableToken(file string, err error) error {
	return &ConfigError{
		Argument: webIdentityBlock, Summary: "Web identity token cannot be read", Err: err,
		Cause: fmt.Sprintf("Reading the token failed: %s.", err),
		Next:  line("This must print a token:", "cat "+file),
	}
}
