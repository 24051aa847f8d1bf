#!/usr/bin/env bash
# Makes the pictures of the README from what gsd prints: a terminal, and the page of gsd status. The page needs Chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
pictures=$PWD/docs/pictures
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/gsd" ./cmd/gsd
cp -r testdata/sample "$dir/notes"
cd "$dir/notes"
export HOME=$dir PATH=$dir:$PATH TZ=UTC GIT_AUTHOR_DATE=2026-11-20T10:00Z GIT_COMMITTER_DATE=2026-11-20T10:00Z
git config --global user.name 'Ada Lovelace'
git config --global user.email ada@example.com
git config --global init.defaultBranch main
git init -q
git add .
git commit -qm 'docs: plan the notes'
gsd bootstrap 01-02 >/dev/null
gsd done 1 >/dev/null
gsd mark 2 in-progress >/dev/null

{
  printf '\e[1m$ gsd hydrate\e[0m\n'
  FORCE_COLOR=1 gsd hydrate
} >"$dir/terminal.ansi"
(cd "$pictures/../.." && go run github.com/charmbracelet/freeze@v0.2.2 --language ansi --window --padding 20 --font.family monospace \
  --font.size 14 --output "$pictures/terminal.svg" "$dir/terminal.ansi")

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo 'no Chromium: status.png stays as it is'; exit; }
gsd status --format html >"$dir/status.html"
"$chromium" --headless --no-sandbox --hide-scrollbars --window-size=1200,800 --screenshot="$pictures/status.png" "file://$dir/status.html" 2>/dev/null
