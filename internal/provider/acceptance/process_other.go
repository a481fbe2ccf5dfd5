//go:build !linux

package acceptance

import "syscall"

// dieWithParent does nothing where the system cannot tie a child to its parent: a test process that is killed then
// leaves its emulator behind.
func dieWithParent() *syscall.SysProcAttr { return nil }
