//go:build unix

package acceptance

import "syscall"

// Pause, End and Interrupt signal a process by its id: SIGSTOP, SIGKILL and SIGINT.
func Pause(pid int) error     { return syscall.Kill(pid, syscall.SIGSTOP) }
func End(pid int) error       { return syscall.Kill(pid, syscall.SIGKILL) }
func Interrupt(pid int) error { return syscall.Kill(pid, syscall.SIGINT) }
