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
# Property tests draw more than in a test.
echo "== property tests, RAPID_CHECKS=${RAPID_CHECKS:=1000}"
mapfile -t drawing < <(go list -f '{{range .TestImports}}{{if eq . "pgregory.net/rapid"}}{{$.ImportPath}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "pgregory.net/rapid"}}{{$.ImportPath}}{{end}}{{end}}' ./... | grep .)
RAPID_CHECKS=$RAPID_CHECKS go test -count=1 -timeout 60m "${drawing[@]}" || failed=$((failed + 1))
# Every letter of every name slips.
echo "== slips"
SLIPS=all go test -count=1 -timeout 60m ./tests/slips || failed=$((failed + 1))
echo "$found fuzz targets and the property tests of ${#drawing[@]} packages, $failed failed"
[ "$found" -gt 0 ] && [ "$failed" -eq 0 ]
