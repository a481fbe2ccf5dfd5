package main

import (
	"context"
	"slices"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// subject is one resource type of the matrix.
type subject struct {
	typ string
	// setup makes what the objects belong to, once for each account, and adds its ids to vars.
	setup func(ctx context.Context, a *acceptance.AWS, vars map[string]string) error
	// mend makes the emulator keep what AWS keeps. Optional.
	mend func(ctx context.Context, s *acceptance.Sandbox)
	// first is the configuration that every case begins with.
	first func(vars map[string]string) conf
	// changed differs from first in attributes that change in place, replaced in one that does not, and beside in one that
	// lets the new object live beside the old one. A nil one is an operation that the type has not; absent says why.
	changed, replaced, beside func(vars map[string]string) conf
	// live lists the ids of objects of a type without tags under what setup made.
	live func(ctx context.Context, a *acceptance.AWS, vars map[string]string) ([]string, error)
	// tier is how an object is found without a state.
	tier tier
	// keyed are the replacements that change the name by which an object is found.
	keyed []operation
	// absent are the operations that the type has not, with the reason.
	absent map[operation]string
}

// tier is how an object is found: by its marker, by its name, or by its parts, without a marker.
type tier string

const (
	marked   tier = "marked"
	named    tier = "named"
	composed tier = "composed"
)

// tagged tells whether objects carry a marker.
func (s *subject) tagged() bool { return s.tier != composed }

// subjects are all types of the matrix.
var subjects = slices.Concat(iamSubjects, ec2Subjects, route53Subjects, otherSubjects)

// fixed is a configuration that needs nothing of the account.
func fixed(c conf) func(map[string]string) conf {
	return func(map[string]string) conf { return c }
}

// address is the tofu_address of an instance's first name; renamed the one that a rename gives it.
func (s *subject) address() string { return s.typ + ".a" }
func (s *subject) renamed() string { return s.typ + ".b" }

// config completes a configuration with the instance's address.
func (s *subject) config(says func(map[string]string) conf, vars map[string]string, address string) conf {
	c := says(vars)
	if s.tagged() {
		return with(c, conf{"tofu_address": address})
	}
	return c
}
