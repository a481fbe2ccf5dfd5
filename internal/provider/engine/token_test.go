package engine

import (
	"regexp"
	"testing"
)

func TestTokenIsAFunctionOfTheWorld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	k := kindOf(t, Of(widgetType(w)))
	other := kindOf(t, Of(finisherType(w)))
	base := token(k, "1", "r", "e", "a", []string{"x", "y"}, "0")
	if base != token(k, "1", "r", "e", "a", []string{"y", "x"}, "0") {
		t.Error("the order of holders matters")
	}
	if !regexp.MustCompile(`^[0-9a-f]{1,64}$`).MatchString(string(base)) {
		t.Errorf("the token is %q", base)
	}
	for name, differs := range map[string]Token{
		"type": token(other, "1", "r", "e", "a", []string{"x", "y"}, "0"), "account": token(k, "2", "r", "e", "a", []string{"x", "y"}, "0"),
		"region": token(k, "1", "s", "e", "a", []string{"x", "y"}, "0"), "estate": token(k, "1", "r", "f", "a", []string{"x", "y"}, "0"),
		"address": token(k, "1", "r", "e", "b", []string{"x", "y"}, "0"), "holders": token(k, "1", "r", "e", "a", []string{"x"}, "0"),
		"attempt": token(k, "1", "r", "e", "a", []string{"x", "y"}, "1"), "borders": token(k, "1", "re", "", "a", []string{"x", "y"}, "0"),
	} {
		if differs == base {
			t.Errorf("the %s does not matter", name)
		}
	}
}

func kindOf(t *testing.T, typ Type) *kind {
	t.Helper()
	k, ok := typ.(*kind)
	if !ok {
		t.Fatalf("%T", typ)
	}
	return k
}

// The answer of a create is lost, and the listing lags: the next process sends the same token, is told of a mismatch
// (its markers hold another binding), and finds the object of the first call.
func TestLostAnswerMakesNoSecondObject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var tokens []Token
	c := newCore(t, w, Of(watchedWidget(w, &tokens)))
	c.set(atA, conf{"size": 1, "label": "x"})
	w.drop("widget.Create", 1, errBroken)
	c.apply(c.plan()).wantError(t, "AWS call failed", "error while creating")
	c.wantGone(atA)
	id := w.ids("widget")[0]
	w.calm()
	w.edit("widget", id, func(th *thing) { th.hidden = 6 })
	p := c.plan()
	p.wantUnknown(atA, "id")
	c.apply(p).wantWarningOnly(t, "will be adopted", id)
	w.wantIDs("widget", id)
	c.wantOwn(atA, "widget", id)
	if len(tokens) != 2 || tokens[0] != tokens[1] {
		t.Errorf("tokens: %v", tokens)
	}
	c.mustBeClean()
}

// The object of an earlier attempt never shows: an error, and no create with another token.
func TestHolderThatNeverShows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var tokens []Token
	c := newCore(t, w, Of(watchedWidget(w, &tokens)))
	c.set(atA, conf{"size": 1, "timeouts": conf{"create": "5ms"}})
	w.drop("widget.Create", 1, errBroken)
	c.apply(c.plan())
	w.calm()
	id := w.ids("widget")[0]
	w.edit("widget", id, func(th *thing) { th.hidden = 1 << 30 })
	c.apply(c.plan()).wantError(t, "AWS call failed", "finding the object of an earlier attempt")
	c.wantGone(atA)
	w.wantIDs("widget", id)
	for _, token := range tokens {
		if token != tokens[0] {
			t.Fatal("another token was sent")
		}
	}
	// The listing is denied meanwhile: that is no sign that nothing is there.
	n := 0
	w.on("widget.List", func(call) error {
		if n++; n > 2 {
			return denied("ListWidgets")
		}
		return nil
	})
	c.config[atA]["timeouts"] = conf{"create": "1m"}
	c.apply(c.plan()).wantError(t, "AWS call failed", "test:ListWidgets")
	w.wantIDs("widget", id)
}

// The holder turns out to be dead: the next attempt has another token.
func TestDeadHolderGetsAnotherAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var tokens []Token
	c := newCore(t, w, Of(watchedWidget(w, &tokens)))
	c.set(atA, conf{"size": 1})
	w.drop("widget.Create", 1, errBroken)
	c.apply(c.plan())
	w.calm()
	dead := w.ids("widget")[0]
	w.edit("widget", dead, func(th *thing) { th.hidden, th.state = 4, Gone })
	c.mustApply()
	if len(tokens) != 3 || tokens[0] != tokens[1] || tokens[1] == tokens[2] {
		t.Errorf("tokens: %v", tokens)
	}
	w.wantIDs("widget", c.id(atA))
	c.wantOwn(atA, "widget", c.id(atA))

	// One that is seen dead from the start counts in the first token.
	w = newWorld(t)
	tokens = nil
	c = newCore(t, w, Of(watchedWidget(w, &tokens)))
	c.set(atA, conf{"size": 1})
	w.drop("widget.Create", 1, errBroken)
	c.apply(c.plan())
	w.calm()
	w.setState("widget", w.ids("widget")[0], Gone, "")
	c.mustApply()
	if len(tokens) != 2 || tokens[0] == tokens[1] {
		t.Errorf("tokens: %v", tokens)
	}
}

// After a deletion by hand the same address sends another token than before, as its holder shows still, or the first one.
func TestTokensOfSuccessiveObjects(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var tokens []Token
	c := newCore(t, w, Of(watchedWidget(w, &tokens)))
	c.set(atA, conf{"size": 1})
	c.mustApply()
	c.cbd[atA] = true
	c.config[atA]["size"] = 2
	c.mustApply()
	c.config[atA]["size"] = 3
	c.mustApply()
	seen := map[Token]bool{}
	for _, token := range tokens {
		seen[token] = true
	}
	if len(seen) != 3 {
		t.Errorf("tokens: %v", tokens)
	}
}

// The service remembers the token of an object that has left the address in this run, and that no listing shows under it.
func TestTokenAfterTheAddressWasLeft(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(c *core){
		"released": func(c *core) {
			c.config[atA]["tofu_on_destroy"] = "release"
			c.mustApply()
			c.config[atA]["size"] = 2
		},
		"renamed": func(c *core) {
			c.rename(atA, atB)
			c.set(atA, conf{"size": 2})
			c.order = []string{atB, atA}
			c.readsFirst = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			var tokens []Token
			c := newCore(t, w, Of(watchedWidget(w, &tokens)))
			c.set(atA, conf{"size": 1, "timeouts": conf{"create": "10ms"}})
			c.mustApply()
			leave(c)
			c.mustApply()
			if len(tokens) != 2 || tokens[0] == tokens[1] || len(w.ids("widget")) != 2 {
				t.Errorf("tokens: %v", tokens)
			}
		})
	}
}
