#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, each for FUZZTIME.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fuzztime=${FUZZTIME:-10s}
found=0
failed=0
packages=$(go list ./...)
for package in $packages; do
  listed=$(go test -list '^Fuzz' "$package")
  for target in $(grep '^Fuzz' <<<"$listed" || true); do
    found=$((found + 1))
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzzminimizetime 20x -fuzztime "$fuzztime" "$package" || failed=$((failed + 1))
  done
done
echo "$found fuzz targets, $failed failed"
[ "$found" -gt 0 ] && [ "$failed" -eq 0 ]
