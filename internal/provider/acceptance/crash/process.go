package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// errKilled is what a call to a provider that was killed comes to: there is no answer.
var errKilled = errors.New("the provider was killed")

// process stands for a provider process, which a CLI starts anew for each of its walks. It is a server of its own, told from
// others in the proxy's journal by its access key.
type process struct {
	key    string
	server tfprotov6.ProviderServer
	// ctx ends when the process is killed or interrupted.
	ctx       context.Context
	interrupt context.CancelFunc
	killed    chan struct{}
	once      sync.Once
}

// secret belongs to each access key; the emulator does not check it.
const secret = "not-a-secret"

// newProcess starts a provider and configures it for the site's account. Its key must be known to the site before the first
// call, so that calls of dead processes are kept from AWS.
func newProcess(ctx context.Context, s *site, attempts int64) (*process, error) {
	p := &process{key: s.nextKey(), server: provider.Server("crash")(), killed: make(chan struct{})}
	p.ctx, p.interrupt = context.WithCancel(ctx)
	s.processes.Store(p.key, p)
	block, err := raw(s.schemas.provider.value, s.schemas.provider.fields, conf{
		"estate": s.estate, "region": acceptance.Region, "access_key": p.key, "secret_key": secret,
		"max_retries": attempts, "skip_metadata_api_check": "true", "s3_use_path_style": true,
		"http_proxy": s.proxy.URL(), "https_proxy": "",
	})
	if err != nil {
		return nil, fmt.Errorf("provider block: %w", err)
	}
	config, err := dynamic(block)
	if err != nil {
		return nil, err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.ConfigureProviderResponse, error) {
		return p.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config, TerraformVersion: "1.12.0"})
	})
	if err != nil {
		return nil, err
	}
	return p, failures(resp.Diagnostics)
}

// kill ends the process: what it was asked has no answer, and what it still calls reaches nobody.
func (p *process) kill() {
	p.once.Do(func() {
		close(p.killed)
		p.interrupt()
	})
}

func (p *process) isKilled() bool {
	select {
	case <-p.killed:
		return true
	default:
		return false
	}
}

// call makes one call of the protocol, and returns at once with errKilled when the process is killed meanwhile.
func call[T any](p *process, f func(context.Context) (T, error)) (T, error) {
	type answer struct {
		said T
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		said, err := f(p.ctx)
		answers <- answer{said, err}
	}()
	var none T
	select {
	case <-p.killed:
		return none, errKilled
	case a := <-answers:
		if p.isKilled() {
			return none, errKilled
		}
		return a.said, a.err
	}
}
