#!/usr/bin/env bash
# Prints the OpenTofu CLI that the acceptance tests use: the one on PATH where it is at least the version
# that go.mod pins, else the file that $1 names, which `make` then builds.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: $0 FILE" >&2
  exit 2
fi
pinned=$(awk '$1 == "github.com/opentofu/opentofu" { sub(/^v/, "", $2); print $2 }' "$(dirname "$0")/go.mod")

if found=$(command -v tofu); then
  # A configuration file that is missing makes the CLI print a warning before its version.
  version=$(TF_CLI_CONFIG_FILE=/dev/null "$found" version 2>/dev/null | awk '/^OpenTofu v/ { print substr($2, 2); exit }')
  if [ -n "$version" ] && [ "$(printf '%s\n' "$pinned" "$version" | sort -V | head -n 1)" = "$pinned" ]; then
    echo "$found"
    exit 0
  fi
fi
echo "$1"
