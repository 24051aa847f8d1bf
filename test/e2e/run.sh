#!/usr/bin/env bash
# The real clients talk to a stand-in for the model on this machine, with and without a terminal. They are pinned in
# package-lock.json. They run where there is no network but loopback, if that is allowed.
set -euo pipefail
cd "$(dirname "$0")"

clients=${GSD_CLIENTS:-}
[ -n "$clients" ] || clients=$(./clients.sh) || { echo 'skipped: nothing was tried with the real clients'; exit 0; }
../install.sh tmux tmux || echo 'nothing is tried in a terminal'
alone=()
if unshare -n true 2>/dev/null; then
  alone=(unshare -n)
fi
core=${GSD_CORE:-$(../upstream/install.sh)} || core= # whose executor is tried; without it, one of the same name
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir" ../../cmd/gsd
go test -c -tags e2e -o "$dir/e2e.test" .

tried() { GSD_CORE=$core GSD_CLIENTS=$clients GSD=$dir/gsd "${alone[@]}" "$dir/e2e.test" -test.timeout 40m -test.v "$@" 2>&1; }
# failed lists the tests that failed according to a log, without those that only contain one.
failed() { sed -n 's/^ *--- FAIL: \([^ ]*\) .*/\1/p' | sort -r | awk 'index(last, $0 "/") != 1 { print; last = $0 }'; }

log=$(tried -test.parallel 6) || {
  # The clients are other people's programs, and lose a key or die at their start now and then. What failed has to pass alone.
  printf '%s\n' "$log"
  names=$(failed <<<"$log")
  [ -n "$names" ] || exit 1
  for name in $names; do
    printf 'once more, alone: %s\n' "$name"
    log=$(tried -test.run "^${name//\//\$/^}\$") || { printf '%s\n' "$log"; exit 1; }
  done
}
printf '%s\n' "$log" | grep -E -e '^ *--- (PASS|SKIP)' -e 'there is no' -e 'started again' -e '^PASS'
