#!/usr/bin/env bash
# Prints which CLIs the acceptance tests ran and how many tests each ran, from the file that the tests wrote:
# one line for each test, of CLI, version, result and name. Fails where no CLI ran any, or where a test failed.
set -euo pipefail

counts=${1:?usage: $0 FILE}
if [ ! -s "$counts" ]; then
  echo "==> no acceptance test ran through a CLI" >&2
  exit 1
fi
sort "$counts" | awk -F '\t' '
  { cli = $1 " " $2; if (!(cli in total)) order[++n] = cli; total[cli]++; results[cli, $3]++ }
  END {
    for (i = 1; i <= n; i++) {
      cli = order[i]
      printf "==> %s: %d tests, %d passed, %d failed, %d skipped\n", cli, total[cli],
        results[cli, "pass"], results[cli, "fail"], results[cli, "skip"]
      failed += results[cli, "fail"]
    }
    exit failed > 0
  }'
if ! cut -f 1 "$counts" | grep -qx Terraform; then
  echo "==> Terraform: not on PATH, ran no tests"
fi
