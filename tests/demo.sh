#!/usr/bin/env bash
# Shows the README's first example: imports a pack, checks it, breaks a value, and shows the finding, by packfn and by kpt.
# Succeeds when both pass the package and reject the broken one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "Building the functions, which takes a few minutes the first time."
make --silent build
PATH="$PWD/bin:$PATH"
if ! command -v kpt >/dev/null; then
  echo "There is no kpt on PATH: building the pinned one, which takes a minute or two the first time."
  make --silent tools
  PATH="$PATH:$PWD/.cache/bin"
fi
export PATH
echo "This is kpt $(kpt version | head -n 1), with the functions in bin/ on PATH."

# quoted prints the words of a command as they can be pasted into a shell.
quoted() {
  local word
  for word in "$@"; do
    case $word in
      *[[:space:]]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
}

# run shows a command, runs it, and fails unless it exits with the code that is expected.
run() {
  local expected=$1 exit=0
  shift
  echo
  echo "\$$(quoted "$@")"
  "$@" || exit=$?
  if [ "$exit" -ne "$expected" ]; then
    echo "This has exit code $exit, and not $expected." >&2
    return 1
  fi
}

pack=$PWD/docs/packs/registry-2.3.0
cd "$scratch"
run 0 packfn import "$pack" --to demo --exec
run 0 packfn check demo
run 0 kpt fn render demo --allow-exec --truncate-output=false
run 0 sed -i.bak 's/port: 5000/port: 70000/' demo/registry.yaml
rm demo/registry.yaml.bak
run 1 packfn check demo
run 1 kpt fn render demo --allow-exec --truncate-output=false
echo
echo "The package passed. After the change, packfn and kpt reject the port: the finding names its line and what is accepted."
