#!/usr/bin/env bash
# Runs `go test` over packages, and reports the result with gotestsum: a line for each package when it ends, each failure
# when it happens and again at the end, each skipped test with its reason, and the counts. gotestsum does not print the
# output of tests that pass, and succeeds if no test ran. Therefore this script prints the lines of any test that begin
# with "note: ", and fails if no test passed.
#
#	tests/gotestsum/run.sh [-C DIR] PACKAGES AND FLAGS OF GO TEST
set -euo pipefail

dir=.
if [ "${1:-}" = -C ]; then # the folder of another module
  dir=$2
  shift 2
fi
events=$(mktemp)
trap 'rm -f "$events"' EXIT

# This builds it into Go's cache, and prints its path.
gotestsum=$(CGO_ENABLED=0 go -C "$(dirname "${BASH_SOURCE[0]}")" tool -n gotestsum)
status=0
# go test ends a package after 10 minutes unless told otherwise, which a busy machine can take.
"$gotestsum" --format pkgname-and-test-fails --jsonfile "$events" --raw-command -- \
  go -C "$dir" test -json -count=1 -timeout=3h '-ldflags=-s -w' "$@" || status=$?

# Each event is a line such as {"Action":"output","Package":"p","Test":"TestA","Output":"note: \"x\" \u003c y\n"}
sed -n '/"Output":"note: /{s/.*"Output":"//;s/\\n".*//;s/\\u003c/</g;s/\\u003e/>/g;s/\\u0026/\&/g;s/\\\(["\\]\)/\1/g;p;}' "$events"
if ! grep -q '"Action":"pass".*"Test":' "$events"; then
  echo "no test passed" >&2
  exit 1
fi
exit "$status"
