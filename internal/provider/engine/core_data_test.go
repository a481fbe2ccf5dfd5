package engine

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// This file is how core reads data sources.

// shown is what the read of a data source said.
type shown struct {
	messages
	t        testing.TB
	value    tftypes.Value
	deferred bool
}

// data reads a data source as a plan does: it validates it unconfigured, then reads it in a walk of its own.
func (c *core) data(kind string, says conf) *shown {
	c.t.Helper()
	out := &shown{t: c.t}
	s := c.start(false)
	if s.validateData(&out.messages, kind, says) {
		return out
	}
	return c.start(true).data(kind, says)
}

// data reads a data source in this walk.
func (s *session) data(kind string, says conf) *shown {
	s.c.t.Helper()
	return s.readData(kind, says, false)
}

func (s *session) dataConfig(kind string, says conf) tftypes.Value {
	s.c.t.Helper()
	level, ok := s.c.dataLevels[kind]
	if !ok {
		s.c.t.Fatalf("there is no data source %s", kind)
	}
	return configured(s.c.t, level, s.c.dataTypes[kind], says)
}

func (s *session) validateData(m *messages, kind string, says conf) (failed bool) {
	s.c.t.Helper()
	resp, err := s.server.ValidateDataResourceConfig(s.c.t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{
		TypeName: kind, Config: s.c.dynamic(s.dataConfig(kind, says)),
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	return m.take("data."+kind, resp.Diagnostics)
}

// readData is core's read: it validates once more, reads, and checks the answer.
func (s *session) readData(kind string, says conf, mayDefer bool) *shown {
	s.c.t.Helper()
	out := &shown{t: s.c.t}
	if s.validateData(&out.messages, kind, says) {
		return out
	}
	resp, err := s.server.ReadDataSource(s.c.t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: kind, Config: s.c.dynamic(s.dataConfig(kind, says)),
		ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: mayDefer},
	})
	if err != nil {
		s.c.t.Fatal(err)
	}
	if out.take("data."+kind, resp.Diagnostics) {
		return out
	}
	if out.value, err = resp.State.Unmarshal(s.c.dataTypes[kind]); err != nil {
		s.c.t.Fatal(err)
	}
	if out.deferred = resp.Deferred != nil; out.deferred {
		return out
	}
	if out.value.IsNull() || !out.value.IsFullyKnown() {
		s.c.t.Errorf("data.%s: the result is not wholly known: %s", kind, out.value)
	}
	s.c.fault("data."+kind, "invalid result", s.c.dataLevels[kind].stateFaults("", out.value))
	return out
}

// attr is an attribute of what was read.
func (o *shown) attr(name string) tftypes.Value {
	o.t.Helper()
	o.wantNone(o.t)
	return attribute(o.t, o.value, name)
}

// wantText fails the test unless the attribute is this text; "" stands for null.
func (o *shown) wantText(name, want string) {
	o.t.Helper()
	if got := o.attr(name); !got.Equal(str(want)) {
		o.t.Errorf("%s is %s, wanted %q", name, showValue(got), want)
	}
}
