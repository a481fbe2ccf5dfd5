package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// serve runs the command before an API that answers everything, and returns its lines.
func serve(t *testing.T, restore <-chan os.Signal, args ...string) (lines *bufio.Scanner, stop func() error) {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<R/>")
	}))
	t.Cleanup(upstream.Close)
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, append([]string{"-upstream", upstream.URL}, args...), restore, in, io.Discard)
		_ = in.Close()
	}()
	return bufio.NewScanner(out), func() error { cancel(); return <-done }
}

// write puts rules into a file.
func write(t *testing.T, rules string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(file, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func next(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	if !lines.Scan() {
		t.Fatal("no more lines")
	}
	return lines.Text()
}

// call makes a call of EC2 and does not wait for its answer: the command's line comes first.
func call(t *testing.T, url, action string) {
	t.Helper()
	form := strings.NewReader("Action=" + action + "&Version=2016-11-15")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, form)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	go func() {
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_ = resp.Body.Close()
		}
	}()
}

func TestServes(t *testing.T) {
	rules := write(t, `{"rules": [{"actions": ["ec2:CreateVpc"], "faults": ["deny"], "times": 1}]}`)
	lines, stop := serve(t, nil, "-rules", rules)
	url, ok := strings.CutPrefix(next(t, lines), "listening on ")
	if !ok {
		t.Fatal("it does not say where it listens")
	}
	for _, want := range []string{"1 ec2:CreateVpc 403 UnauthorizedOperation [deny]", "2 ec2:CreateVpc 200"} {
		call(t, url, "CreateVpc")
		if got := next(t, lines); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://")); err == nil {
		_ = conn.Close()
		t.Error("it serves on")
	}
}

func TestRestores(t *testing.T) {
	rules := write(t, `{"rules": [{"faults": ["kill-after"], "times": 1}]}`)
	restore := make(chan os.Signal) // without a buffer: a send is one that was received
	lines, stop := serve(t, restore, "-rules", rules)
	url, _ := strings.CutPrefix(next(t, lines), "listening on ")
	for i, want := range []string{
		"1 ec2:CreateVpc 200 [kill after dead]", "2 ec2:CreateVpc 0 [dead]", "3 ec2:CreateVpc 200",
	} {
		if i == 2 {
			restore <- syscall.SIGHUP
			restore <- syscall.SIGHUP // the first has been heeded when the second is received
		}
		call(t, url, "CreateVpc")
		if got := next(t, lines); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestJournalInJSON(t *testing.T) {
	lines, stop := serve(t, nil, "-journal", "json", "-as-aws")
	var ready struct{ URL string }
	if err := json.Unmarshal([]byte(next(t, lines)), &ready); err != nil {
		t.Fatal(err)
	}
	call(t, ready.URL, "DescribeVpcs")
	var got struct {
		Action string
		Status int
	}
	if err := json.Unmarshal([]byte(next(t, lines)), &got); err != nil || got.Action != "DescribeVpcs" || got.Status != 200 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestRefuses(t *testing.T) {
	rules := write(t, `{"rules": [{"faults": ["explode"]}]}`)
	ended, end := context.WithCancel(t.Context())
	end() // what is not refused ends at once
	for _, tt := range []struct {
		args string
		says string
	}{
		{"", "upstream"},
		{"-upstream http://h/path", "not of the form"},
		{"-upstream http://h -listen 127.0.0.1:x", "listen"},
		{"-upstream http://h -journal xml", `journal "xml"`},
		{"-upstream http://h odd", `"odd" is no flag`},
		{"-upstream http://h -rules " + rules, "explode"},
		{"-upstream http://h -rules /nowhere/rules.json", "no such file"},
	} {
		err := run(ended, strings.Fields(tt.args), nil, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.args, err, tt.says)
		}
	}
}

// Each example of the usage text must be one that works.
func TestUsage(t *testing.T) {
	var help bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, nil, io.Discard, &help); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	for _, want := range []string{"-upstream URL", "-as-aws", `"kill-after"`} {
		if !strings.Contains(help.String(), want) {
			t.Errorf("the usage text lacks %s", want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	examples := 0
	for rest := usage; ; examples++ {
		at := strings.Index(rest, `    {"rules"`)
		if at < 0 {
			break
		}
		example, after, _ := strings.Cut(rest[at:], "\n\n")
		rest = after
		file := write(t, example)
		if err := run(ended, []string{"-upstream", "http://h", "-rules", file}, nil, io.Discard, io.Discard); err != nil {
			t.Errorf("%s: %v", example, err)
		}
	}
	if examples != 2 {
		t.Errorf("%d examples", examples)
	}
}
