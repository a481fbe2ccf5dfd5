package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/cloud"
)

func TestSettings(t *testing.T) {
	t.Setenv("ESTATE_SWEEP_PREFIX", "")
	t.Setenv("ESTATE_SWEEP_AGE", "")
	if o, err := settings(); err != nil || o.Prefix != "testacc-" || o.Age != 0 {
		t.Errorf("by default %+v: %v", o, err)
	}
	t.Setenv("ESTATE_SWEEP_PREFIX", "testacc-2026")
	t.Setenv("ESTATE_SWEEP_AGE", "3h")
	if o, err := settings(); err != nil || o.Prefix != "testacc-2026" || o.Age != 3*time.Hour {
		t.Errorf("read %+v: %v", o, err)
	}
	t.Setenv("ESTATE_SWEEP_AGE", "old")
	if _, err := settings(); err == nil || !strings.Contains(err.Error(), "ESTATE_SWEEP_AGE") {
		t.Errorf("a bad age: %v", err)
	}
}

func TestSweepNeedsAnAccount(t *testing.T) {
	t.Setenv("ESTATE_SWEEP_PREFIX", "")
	t.Setenv("ESTATE_SWEEP_AGE", "")
	t.Setenv(acceptance.AccountVariable, "")
	if err := sweep(t.Context(), cloud.Config{}, true, io.Discard); err == nil || !strings.Contains(err.Error(), acceptance.AccountVariable) {
		t.Errorf("without an account: %v", err)
	}
}
