#!/usr/bin/env bash
# Renders two of the examples with kpt: one whose values satisfy their schemas, and one whose values do not. Succeeds when
# kpt passes the first and refuses the second.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

make --silent build
PATH="$PWD/bin:$PATH"
if ! command -v kpt >/dev/null; then
  echo "There is no kpt on PATH: building the pinned one, which takes a minute or two the first time."
  make --silent tools
  PATH="$PATH:$PWD/.cache/bin"
fi
export PATH
echo "This is kpt $(kpt version | head -n 1), with the functions in bin/ on PATH."

# render copies an example, renders the copy, and fails unless kpt exits with the code that is expected.
render() {
  local example=$1 expected=$2 exit=0
  cp -R "examples/$example" "$scratch/$example"
  echo
  echo "\$ kpt fn render --allow-exec $example"
  (cd "$scratch" && kpt fn render --allow-exec --truncate-output=false "$example") || exit=$?
  echo "exit code $exit"
  if [ "$exit" -ne "$expected" ]; then
    echo "This should have been exit code $expected." >&2
    return 1
  fi
}

render validate-pack-values-simple 0
render validate-pack-values-failing 1
echo
echo "The first package can be deployed; the second was refused, and each finding says how to fix it."
