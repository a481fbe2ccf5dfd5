//go:build !unix

package acceptance

import "errors"

// errSignals is returned where processes cannot be signalled.
var errSignals = errors.New("processes are signalled on Unix alone")

// Pause, End and Interrupt fail.
func Pause(int) error     { return errSignals }
func End(int) error       { return errSignals }
func Interrupt(int) error { return errSignals }
