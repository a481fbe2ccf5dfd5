//go:build unix

package main

import "syscall"

// pause, end and interrupt signal a process by its id.
func pause(pid int) error     { return syscall.Kill(pid, syscall.SIGSTOP) }
func end(pid int) error       { return syscall.Kill(pid, syscall.SIGKILL) }
func interrupt(pid int) error { return syscall.Kill(pid, syscall.SIGINT) }
