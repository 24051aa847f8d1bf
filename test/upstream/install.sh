#!/usr/bin/env bash
# Installs upstream as package-lock.json pins it, and prints the directory:
#   GSD_CORE=$(test/upstream/install.sh) go test ./test/upstream
# It is kept from one time to the next. When it cannot be had within two minutes it says why, and ends with 1.
set -euo pipefail
cd "$(dirname "$0")"

command -v npm >/dev/null && command -v node >/dev/null || { echo 'upstream cannot be installed: there is no npm or no node' >&2; exit 1; }
pinned=$(git hash-object package-lock.json)
dir=${XDG_CACHE_HOME:-$HOME/.cache}/gsd-upstream/${pinned:0:12}
mkdir -p "$dir"
if ! cmp -s package-lock.json "$dir/installed"; then
  cp package.json package-lock.json "$dir"
  log=$(cd "$dir" && timeout 120 npm ci --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error 2>&1) || {
    code=$?
    [ "$code" = 124 ] && log='npm took longer than two minutes'
    printf 'upstream cannot be installed: %s\n' "$(head -n 4 <<<"$log")" >&2
    exit 1
  }
  cp package-lock.json "$dir/installed" # last: what is half installed is installed again
fi
printf '%s\n' "$dir"
