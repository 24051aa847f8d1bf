#!/usr/bin/env bash
# The real upstream and gsd are asked the same questions about generated projects and about the heads of the replay bundles.
# Upstream is pinned in package-lock.json.
set -euo pipefail
cd "$(dirname "$0")"

export GSD_CORE=${GSD_CORE:-}
[ -n "$GSD_CORE" ] || GSD_CORE=$(./install.sh) || { echo 'skipped: upstream was not asked'; exit 0; }
log=$(GSD_THOROUGH=1 go test -count=1 -v . 2>&1) || { printf '%s\n' "$log"; exit 1; }
printf '%s\n' "$log" | grep -v -e '=== ' -e '^ *--- PASS'
