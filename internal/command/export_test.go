package command

// Language is what a configuration may call, for tests that evaluate one themselves.
var Language = language
