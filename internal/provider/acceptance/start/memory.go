package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// peakMemory is the greatest resident size that a running process has had, in bytes; 0 on systems without /proc.
func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return peakIn(string(status))
}

// peakIn reads the line "VmHWM:  12345 kB".
func peakIn(status string) (int64, error) {
	for line := range strings.Lines(status) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmHWM:" && fields[2] == "kB" {
			size, err := strconv.ParseInt(fields[1], 10, 64)
			return size << 10, err
		}
	}
	return 0, fmt.Errorf("no peak size in %q", status)
}
