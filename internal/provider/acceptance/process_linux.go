package acceptance

import "syscall"

// dieWithParent makes a child end with this process, however this process ends.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
