#!/usr/bin/env bash
# Installs the clients that the tests of this directory run, as package-lock.json pins them, and prints the directory:
#   GSD_CLIENTS=$(test/e2e/clients.sh) go test -tags e2e ./test/e2e
# They are kept from one time to the next. When they cannot be had within five minutes it says why, and ends with 1.
set -euo pipefail
cd "$(dirname "$0")"

command -v npm >/dev/null || { echo 'the clients cannot be installed: there is no npm' >&2; exit 1; }
pinned=$(git hash-object package-lock.json)
dir=${XDG_CACHE_HOME:-$HOME/.cache}/gsd-e2e/${pinned:0:12}
mkdir -p "$dir"
if ! cmp -s package-lock.json "$dir/installed"; then
  cp package.json package-lock.json "$dir"
  log=$(cd "$dir" && timeout 300 npm ci --no-audit --no-fund --loglevel=error 2>&1) || {
    code=$?
    [ "$code" = 124 ] && log='npm took longer than five minutes'
    printf 'the clients cannot be installed: %s\n' "$(head -n 4 <<<"$log")" >&2
    exit 1
  }
  cp package-lock.json "$dir/installed" # last: what is half installed is installed again
fi
printf '%s\n' "$dir"
