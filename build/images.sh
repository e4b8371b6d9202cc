#!/usr/bin/env bash
# Builds the image of each function, or of those named as arguments:
#
#   TAG=v1.2.3 build/images.sh [function...]
#
# PREFIX is the registry and folder of the images, TAG their tag, and GOARCH the architecture they are for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

prefix=${PREFIX:-ghcr.io/krm-packs}
tag=${TAG:-dev}
export CGO_ENABLED=0 GOOS=linux GOARCH=${GOARCH:-$(docker version --format '{{.Server.Arch}}')}

if [ $# -eq 0 ]; then
  for main in functions/*/main.go; do
    if [ ! -f "$main" ]; then
      echo "no programs in functions/: nothing to build" >&2
      exit 1
    fi
    set -- "$@" "$(basename "$(dirname "$main")")"
  done
fi

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
install -m 644 build/passwd "$context/passwd"
for function in "$@"; do
  go build -trimpath -ldflags '-s -w' -o "$context/function" "./functions/$function"
  chmod 755 "$context/function" # whatever the umask: the container has another user
  docker build --quiet --platform "linux/$GOARCH" --file build/Dockerfile --tag "$prefix/$function:$tag" "$context" >/dev/null
  echo "$prefix/$function:$tag ($GOOS/$GOARCH, $(wc -c <"$context/function") bytes)"
done
