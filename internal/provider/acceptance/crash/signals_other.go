//go:build !unix

package main

import "errors"

// errSignals is returned where processes cannot be signalled.
var errSignals = errors.New("the CLIs are killed on Unix alone")

func pause(int) error     { return errSignals }
func end(int) error       { return errSignals }
func interrupt(int) error { return errSignals }
