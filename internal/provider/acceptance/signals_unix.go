//go:build unix

package acceptance

import "syscall"

// Pause sends SIGSTOP to a process.
func Pause(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

// End sends SIGKILL to a process.
func End(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

// Interrupt sends SIGINT to a process, as Ctrl-C does.
func Interrupt(pid int) error { return syscall.Kill(pid, syscall.SIGINT) }
