package main

import (
	"os"
	"slices"
	"testing"
	"time"
)

// TestStart measures one start of the provider's binary; whether it is fast enough is for make bench-start to say, which
// has the machine to itself.
func TestStart(t *testing.T) {
	provider := os.Getenv("ESTATE_PROVIDER")
	if provider == "" {
		t.Skip("needs the binary that make test builds")
	}
	m, err := start(provider)
	if err != nil {
		t.Fatal(err)
	}
	if m.took <= 0 || m.schema < 10_000 {
		t.Errorf("measured %s, schema of %d bytes", m, m.schema)
	}
	if _, err := os.Stat("/proc/self/status"); err == nil && m.memory < 1<<20 {
		t.Errorf("the provider used %d bytes", m.memory)
	}
}

func TestStartOfSomethingElse(t *testing.T) {
	if _, err := start("/nowhere"); err == nil {
		t.Error("a binary that does not exist was started")
	}
	if m, err := start("true"); err == nil {
		t.Errorf("a program that is no provider was measured: %s", m)
	}
}

func TestTargetOf(t *testing.T) {
	for line, want := range map[string]string{
		"1|6|unix|/tmp/plugin1|grpc|\n":     "unix:/tmp/plugin1",
		"1|6|tcp|127.0.0.1:1234|grpc|\n":    "127.0.0.1:1234",
		"1|5|unix|/tmp/plugin1|grpc|\n":     "",
		"1|6|unix|/tmp/plugin1|netrpc|\n":   "",
		"1|6|pipe|x|grpc|\n":                "",
		"This binary is a plugin, not more": "",
	} {
		if got, err := targetOf(line); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}

func TestMedian(t *testing.T) {
	var all []measure
	for _, n := range []int{5, 1, 3, 2, 4} {
		all = append(all, measure{took: time.Duration(n), memory: int64(6 - n)})
	}
	order := slices.Clone(all)
	if m := median(all); m.took != 3 || m.memory != 3 {
		t.Errorf("median %+v", m)
	}
	if !slices.Equal(all, order) {
		t.Error("the measures were put in another order")
	}
}

func TestCheck(t *testing.T) {
	for want, m := range map[string]measure{
		"": {took: timeLimit, memory: memoryLimit},
		"the start takes 0.301 s, more than 0.3 s": {took: 301 * time.Millisecond},
		"the start takes 90 MB, more than 80 MB":   {memory: 90 << 20},
	} {
		got := ""
		if err := check(m); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", m, got, want)
		}
	}
}

func TestPeakIn(t *testing.T) {
	if size, err := peakIn("Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t   28123 kB\n"); err != nil || size != 28123<<10 {
		t.Errorf("read %d: %v", size, err)
	}
	if _, err := peakIn("Name:\tx\n"); err == nil {
		t.Error("a status without a peak was read")
	}
}
