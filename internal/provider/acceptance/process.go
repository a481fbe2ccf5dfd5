package acceptance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// KillProviders sends SIGKILL to every provider process that the CLI with this process id started, and returns how
// many there were.
func KillProviders(cli int) (int, error) {
	table, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,args=").Output()
	if err != nil {
		// Small images have no ps; Linux has the same table as files.
		if table, err = procTable(); err != nil {
			return 0, fmt.Errorf("listing processes: %w", err)
		}
	}
	killed := 0
	for line := range strings.Lines(string(table)) {
		pid, parent, args := processLine(line)
		if parent != cli || !strings.Contains(args, "terraform-provider-estate") {
			continue
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			return killed, err
		}
		if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return killed, fmt.Errorf("killing process %d: %w", pid, err)
		}
		killed++
	}
	return killed, nil
}

// KillCLI sends SIGKILL to a CLI and its providers. It is stopped first, so that it does not see a provider die and has no time to
// write the state.
func KillCLI(cli int) error {
	stopped := Pause(cli)
	_, err := KillProviders(cli)
	return errors.Join(stopped, err, End(cli))
}

// processLine takes a line of "pid ppid args" apart; a malformed one gives zeros.
func processLine(line string) (pid, parent int, args string) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, ""
	}
	pid, errPid := strconv.Atoi(fields[0])
	parent, errParent := strconv.Atoi(fields[1])
	if errPid != nil || errParent != nil {
		return 0, 0, ""
	}
	return pid, parent, fields[2]
}

// procTable lists /proc in the form that ps prints.
func procTable() ([]byte, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var table strings.Builder
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // no process, or one that has ended since
		}
		command, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil {
			continue
		}
		// The second field is the command in parentheses and may hold spaces; state and parent follow it.
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 {
			fmt.Fprintf(&table, "%s %s %s\n", e.Name(), fields[1], strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return []byte(table.String()), nil
}
