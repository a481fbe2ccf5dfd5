package acceptance

import (
	"context"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/faultproxy"
)

func TestHangScratch(t *testing.T) {
	s, err := harness.NewSandbox()
	must(t, err)
	defer s.Close()
	for _, action := range []string{"ec2:DescribeVpcs", "sts:*"} {
		w := s.NewWorkspace(harness.CLIs[0], t.TempDir())
		must(t, w.Write("provider.tf", ProviderBlock("hang", "max_retries = 1")))
		must(t, w.Write("main.tf", aVpc("a")))
		w.Init(t.Context()).Must(t)
		rule := s.Proxy.On(faultproxy.Action(action), faultproxy.Hang())
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 80*time.Second)
		r := w.Apply(ctx)
		t.Logf("%s: %s %v\n%s", action, time.Since(began), r.Err, r.explain())
		cancel()
		rule.Remove()
	}
}
