// Package command is the front end of the provider's binary: commands that read a configuration and say what it declares, whether
// its markers are right and what a refactoring would do. They need no credentials, no providers and no network, and but for
// stamp -write they change nothing.
//
// A command prints its result on the standard output and diagnostics, with file, line and the source, on the other; with -json
// both are one object on the standard output. It returns Fine, Findings or Failed.
package command
