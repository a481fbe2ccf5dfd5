#!/usr/bin/env bash
# Builds the OpenTofu CLI that go.mod pins, into the file that $1 names.
# version.dev=no makes it call itself 1.12.6 and not 1.12.6-dev.
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: $0 FILE" >&2
  exit 2
fi
out=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")"

# A build that is cut off must not leave half a binary under the final name.
CGO_ENABLED=0 go build -trimpath \
  -ldflags "-s -w -X github.com/opentofu/opentofu/version.dev=no" \
  -o "$out.part" github.com/opentofu/opentofu/cmd/tofu
mv "$out.part" "$out"
