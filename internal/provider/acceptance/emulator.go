package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// emulatorStart is how long the emulator may take to answer; it needs 2 to 11 seconds.
const emulatorStart = 90 * time.Second

// Emulator is a running moto server. It serves any number of AWS accounts, each empty until it is used.
type Emulator struct {
	// URL is where it answers, on 127.0.0.1.
	URL string

	command *exec.Cmd
	log     *os.File
}

// startEmulator runs the server on a free port and waits until it answers.
func startEmulator(ctx context.Context, server string) (*Emulator, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp("", "estate-moto-*.log")
	if err != nil {
		return nil, err
	}
	// The command outlives ctx on purpose: stop ends it by its process id.
	command := exec.Command(server, "-H", "127.0.0.1", "-p", port)
	command.Env = append(os.Environ(), "MOTO_IAM_LOAD_MANAGED_POLICIES=true")
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = dieWithParent()
	if err := command.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the AWS emulator: %w", err), log.Close())
	}
	e := &Emulator{URL: "http://127.0.0.1:" + port, command: command, log: log}
	if err := e.wait(ctx); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, errors.Join(fmt.Errorf("AWS emulator: %w\n%s", err, said), e.stop())
	}
	return e, nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// wait returns when the server answers, or the error of the last try.
func (e *Emulator) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, emulatorStart)
	defer cancel()
	for {
		err := e.call(ctx, http.MethodGet, "/moto-api/")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Reset empties every account.
func (e *Emulator) Reset(ctx context.Context) error {
	return e.call(ctx, http.MethodPost, "/moto-api/reset")
}

func (e *Emulator) call(ctx context.Context, method, path string) error {
	return e.send(ctx, method, path, "")
}

// send is call with a body.
func (e *Emulator) send(ctx context.Context, method, path, body string) (err error) {
	request, err := http.NewRequestWithContext(ctx, method, e.URL+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return nil
}

// Log returns what the server printed, for a test that failed in a way that only the emulator can explain.
func (e *Emulator) Log() string {
	said, err := os.ReadFile(e.log.Name())
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(said))
}

func (e *Emulator) stop() error {
	err := e.command.Process.Kill()
	// Wait reports the kill itself; what matters is that the process is gone.
	_ = e.command.Wait()
	return errors.Join(err, e.log.Close(), os.Remove(e.log.Name()))
}
