//go:build !unix

package acceptance

import "errors"

// errSignals is returned where processes cannot be signalled.
var errSignals = errors.New("processes are signalled on Unix alone")

// Pause fails.
func Pause(int) error { return errSignals }

// End fails.
func End(int) error { return errSignals }

// Interrupt fails.
func Interrupt(int) error { return errSignals }
