#!/usr/bin/env bash
# Two releases of one commit, made in different directories, have the same files, byte for byte, and the programs name neither
# directory. Then packages are installed, and what was installed is run.
set -euo pipefail
cd "$(dirname "$0")/.."

goreleaser=$(sed -n "s/^goreleaser='\(.*\)'.*/\1/p" release/build.sh)
go run "$goreleaser" --version >/dev/null || { echo 'skipped: goreleaser cannot be had'; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for name in one another/place; do
  git clone -q . "$dir/$name"
  log=$("$dir/$name/release/build.sh" --snapshot 2>&1) || { printf '%s\n' "$log"; exit 1; }
  printf '%s\n' "$log" | grep '^skipped' || true
  # Left out are goreleaser's notes for itself: when and where it ran, and what was ready first.
  (cd "$dir/$name/dist" && find . -type f ! -name metadata.json ! -name artifacts.json ! -name config.yaml -exec sha256sum {} + | sort -k 2) >"$dir/$(basename "$name").sums"
done
diff "$dir/one.sums" "$dir/place.sums"
if grep -rlF -e "$dir" -e "$PWD" "$dir/one/dist" --include=gsd --include=gsd.exe; then exit 1; fi
printf '%d files are the same twice\n' "$(wc -l <"$dir/one.sums")"
"$dir/one/release/check.sh"
