package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for name, test := range map[string]struct {
		args             []string
		status           int
		out, errs        string
		served, debugged bool
	}{
		"no argument":       {nil, 0, "", "", true, false},
		"debug":             {[]string{"-debug"}, 0, "", "", true, true},
		"version":           {[]string{"-version"}, 0, version + "\n", "", false, false},
		"help":              {[]string{"-h"}, 0, usage(), "", false, false},
		"help as a command": {[]string{"help"}, 0, usage(), "", false, false},
		"command":           {[]string{"audit", "-json"}, 2, "", `unknown command "audit"`, false, false},
		"unknown flag":      {[]string{"-x"}, 2, "", "terraform-provider-estate -debug", false, false},
		"word after a flag": {[]string{"-debug", "audit"}, 2, "", `unexpected argument "audit"`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			var served, debugged bool
			status := run(test.args, &out, &errs, func(debug bool) error {
				served, debugged = true, debug
				return nil
			})
			if status != test.status || out.String() != test.out || !strings.Contains(errs.String(), test.errs) {
				t.Errorf("status %d, output %q, errors %q", status, out.String(), errs.String())
			}
			if served != test.served || debugged != test.debugged {
				t.Errorf("served %t, debugged %t", served, debugged)
			}
		})
	}
}

func TestRunReportsAServerThatFails(t *testing.T) {
	var out, errs bytes.Buffer
	status := run(nil, &out, &errs, func(bool) error { return errors.New("no socket") })
	if status != 1 || !strings.Contains(errs.String(), "no socket") {
		t.Errorf("status %d, errors %q", status, errs.String())
	}
}
