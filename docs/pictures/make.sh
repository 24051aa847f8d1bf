#!/usr/bin/env bash
# Makes the pictures of the documentation from what gsd prints: a terminal, the page of gsd status, and what fits on a terminal of
# 80 columns and 24 lines, and of 120 and 40. Those need tmux, the page Chromium; what is missing stays as it is.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD pictures=$PWD/docs/pictures
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/gsd" ./cmd/gsd
cp -r testdata/sample "$dir/notes"
cd "$dir/notes"
export GOPATH=${GOPATH:-$(go env GOPATH)} GOCACHE=${GOCACHE:-$(go env GOCACHE)}
export HOME=$dir PATH=$dir:$PATH TZ=UTC GIT_AUTHOR_DATE=2026-11-20T10:00Z GIT_COMMITTER_DATE=2026-11-20T10:00Z
git config --global user.name 'Ada Lovelace'
git config --global user.email ada@example.com
git config --global init.defaultBranch main

planned() { # planned DIR: its plans are committed
  cd "$1"
  git init -q
  git add .
  git commit -qm 'docs: plan the notes'
}

begin() { # begin DIR: its plans are committed, and one of them is begun
  planned "$1"
  gsd bootstrap 01-02 >/dev/null
  gsd done 1 >/dev/null
  gsd mark 2 in-progress >/dev/null
}

draw() { # draw FILE NAME: the picture NAME of what a terminal shows
  (cd "$root" && go run github.com/charmbracelet/freeze@v0.2.2 --language ansi --window --padding 20 --font.family monospace \
    --font.size 14 --output "$pictures/$2" "$1")
}

# What most projects see after a /clear: nobody has told gsd anything, and the next task is half done.
cp -r "$dir/notes" "$dir/cleared"
planned "$dir/cleared"
touch add.go && git add add.go && git commit -qm 'feat(01-02): add a note'
touch list.go
{
  printf '\e[1m$ gsd hydrate\e[0m\n'
  FORCE_COLOR=1 gsd hydrate
} >"$dir/terminal.ansi"
draw "$dir/terminal.ansi" terminal.svg

begin "$dir/notes"
if chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome); then
  gsd status --format html >"$dir/status.html"
  "$chromium" --headless --no-sandbox --hide-scrollbars --window-size=1200,940 --screenshot="$pictures/status.png" "file://$dir/status.html" 2>/dev/null
else
  echo 'no Chromium: status.png stays as it is'
fi

# A project with more than a screen of phases, a long task, somebody else's session and an agent at work.
grow() {
  local n id text=
  cp -r "$root/testdata/sample" "$dir/large"
  cd "$dir/large/.planning"
  for n in $(seq 3 24); do
    printf -v id %02d "$n"
    printf '\n### Phase %s: Part %s of the notes\n\nPlans:\n- [ ] %s-01-PLAN.md: do it\n' "$n" "$n" "$id" >>ROADMAP.md
    sed -i "/Phase 2: /a - [ ] **Phase $n: Part $n of the notes** - what it does" ROADMAP.md
    mkdir "phases/$id-part"
    sed "s/01-02/$id-01/; s/^phase: .*/phase: $id-part/" phases/01-notes/01-01-PLAN.md >"phases/$id-part/$id-01-PLAN.md"
    [ "$n" -gt 12 ] || printf '# Done\n' >"phases/$id-part/$id-01-SUMMARY.md"
  done
  for n in $(seq 30); do
    text="$text"$'\n'"$n. Keep the order of the notes as they were added, and print nothing for a note that was removed meanwhile."
  done
  text=${text//$'\n'/\\n}
  sed -i "s/^Newest first, one a line:/&\\n$text\\n/" phases/01-notes/01-02-PLAN.md
  begin "$dir/large"
  git config user.name 'Grace Hopper' && gsd bootstrap 13-01 >/dev/null && git config --unset user.name
  gsd run start --host claude --id 3f2a --pid $$ >/dev/null
}

screen() { tmux -L gsd-pictures -f /dev/null "$@"; }

shown=0
show() { # show COMMAND…: what the terminal shows of it
  shown=$((shown + 1))
  if [ "$*" = 'gsd status --watch' ]; then
    screen send-keys "clear; $*" Enter
    until screen capture-pane -p | grep -q '^next: '; do :; done
  else
    screen send-keys "clear; $*; tmux -L gsd-pictures wait-for -S $shown" Enter
    timeout 60 tmux -L gsd-pictures wait-for "$shown"
  fi
  printf '\e[1m── %s ──\e[0m\n' "$*"
  screen capture-pane -e -p | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' # without the blank lines at the end
  [ "$*" != 'gsd status --watch' ] || screen send-keys q
}

if command -v tmux >/dev/null; then
  grow
  for size in '80 24' '120 40'; do
    screen new-session -d -x "${size% *}" -y "${size#* }" "PS1='$ ' exec sh" \; set-option -g status off
    screen resize-window -x "${size% *}" -y "${size#* }"
    for command in hydrate 'tasks 2' next status 'status --watch' doctor 'makr 2 complete' 'bootstrap --help'; do
      show "gsd $command"
    done >"$dir/sizes.ansi"
    screen kill-server
    while screen has-session 2>/dev/null; do :; done
    draw "$dir/sizes.ansi" "${size/ /x}.svg"
  done
else
  echo 'no tmux: 80x24.svg and 120x40.svg stay as they are'
fi
