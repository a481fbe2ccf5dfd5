// Command start measures how long the provider's binary takes from its start to the answer of GetProviderSchema, and
// how much memory it has used by then. A CLI starts the provider four times for one apply, so that both are felt.
//
// It speaks the plugin protocol itself: the handshake line, then one gRPC call. It does not measure a first start
// after a build, when the binary is not in the page cache yet. `make bench-start` runs it; the exit status is 1
// when a median is above its limit.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
)

// The limits of the medians.
const (
	timeLimit   = 300 * time.Millisecond
	memoryLimit = 80 << 20
)

const (
	// cookie is what a CLI shows a provider to say that it is one.
	cookie = "TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"
	// schemaLimit is the size up to which the CLIs take an answer.
	schemaLimit = 256 << 20
	// runLimit is how long one start may take; a hang must not stop a build.
	runLimit = time.Minute
)

func main() {
	runs := flag.Int("runs", 5, "number of starts")
	flag.Parse()
	if flag.NArg() != 1 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: start [-runs N] PROVIDER")
		os.Exit(2)
	}
	if err := bench(flag.Arg(0), *runs); err != nil {
		fmt.Fprintln(os.Stderr, "FAILED:", err)
		os.Exit(1)
	}
}

// measure is what one start took.
type measure struct {
	took time.Duration
	// memory is the greatest resident size in bytes, 0 where the system does not tell.
	memory int64
	// schema is the size of the answer in bytes.
	schema int
}

func (m measure) String() string {
	memory := "memory not known here"
	if m.memory > 0 {
		memory = fmt.Sprintf("%.0f MB", float64(m.memory)/(1<<20))
	}
	return fmt.Sprintf("%.3f s, %s", m.took.Seconds(), memory)
}

func bench(provider string, runs int) error {
	all := make([]measure, 0, runs)
	for n := range runs {
		m, err := start(provider)
		if err != nil {
			return fmt.Errorf("start %d: %w", n+1, err)
		}
		fmt.Printf("start %d: %s, schema of %d bytes\n", n+1, m, m.schema)
		all = append(all, m)
	}
	m := median(all)
	fmt.Printf("median:  %s; limits %.1f s, %d MB\n", m, timeLimit.Seconds(), memoryLimit>>20)
	return check(m)
}

// median takes the medians of time and memory apart.
func median(all []measure) measure {
	byTime, byMemory := slices.Clone(all), slices.Clone(all)
	slices.SortFunc(byTime, func(a, b measure) int { return int(a.took - b.took) })
	slices.SortFunc(byMemory, func(a, b measure) int { return int(a.memory - b.memory) })
	return measure{took: byTime[len(all)/2].took, memory: byMemory[len(all)/2].memory}
}

// check compares the medians with the limits.
func check(m measure) error {
	var err error
	if m.took > timeLimit {
		err = fmt.Errorf("the start takes %.3f s, more than %.1f s", m.took.Seconds(), timeLimit.Seconds())
	}
	if m.memory > memoryLimit {
		err = errors.Join(err, fmt.Errorf("the start takes %d MB, more than %d MB", m.memory>>20, memoryLimit>>20))
	}
	return err
}

// start runs the provider once, asks for its schema and ends it.
func start(provider string) (m measure, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	command := exec.CommandContext(ctx, provider)
	command.Env = append(os.Environ(), cookie, "PLUGIN_PROTOCOL_VERSIONS=6")
	stdout, err := command.StdoutPipe()
	if err != nil {
		return m, err
	}
	began := time.Now()
	if err := command.Start(); err != nil {
		return m, err
	}
	defer func() {
		// The kill is what Wait then reports; it is no fault.
		err = errors.Join(err, command.Process.Kill())
		_ = command.Wait()
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return m, fmt.Errorf("no handshake: %w", err)
	}
	target, err := targetOf(line)
	if err != nil {
		return m, err
	}
	if m.schema, err = askSchema(ctx, target); err != nil {
		return m, err
	}
	m.took = time.Since(began)
	m.memory, err = peakMemory(command.Process.Pid)
	return m, err
}

// targetOf reads where the provider listens from its handshake: core version, protocol, network, address, "grpc".
func targetOf(line string) (string, error) {
	fields := strings.Split(strings.TrimSpace(line), "|")
	if len(fields) < 5 || fields[0] != "1" || fields[1] != "6" || fields[4] != "grpc" {
		return "", fmt.Errorf("unexpected handshake %q", line)
	}
	switch network, address := fields[2], fields[3]; network {
	case "unix":
		return "unix:" + address, nil
	case "tcp":
		return address, nil
	default:
		return "", fmt.Errorf("unexpected network %q in the handshake", network)
	}
}

// askSchema calls GetProviderSchema and returns the size of the answer. The request has no fields, and the answer is
// not taken apart: a message without fields of its own keeps all that it is sent.
func askSchema(ctx context.Context, target string) (size int, err error) {
	conn, err := grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(schemaLimit)))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var answer emptypb.Empty
	if err := conn.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", &emptypb.Empty{}, &answer); err != nil {
		return 0, fmt.Errorf("asking for the schema: %w", err)
	}
	if size = proto.Size(&answer); size == 0 {
		return 0, errors.New("the provider answered without a schema")
	}
	return size, nil
}
