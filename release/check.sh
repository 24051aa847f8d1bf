#!/usr/bin/env bash
# Installs the packages of a release that release/build.sh has made in dist/, and runs what was installed. Nothing is installed in the
# system, and nothing is downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."

dist=$PWD/dist
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }
read -r version commit < <(sed 's/.*"version":"\([^"]*\)".*"commit":"\(.\{12\}\).*/\1 \2/' dist/metadata.json; echo)

# works NAME COMMAND… checks that a gsd was built from this commit, and plays the demo.
works() {
  local name=$1 start=$SECONDS said
  shift
  said=$("$@" --version)
  [[ $said = "gsd version v$version of github.com/gsd-cli/gsd, commit $commit of 20"* ]] || fail "$name: $said"
  "$@" demo >"$dir/demo.txt" || fail "$name: gsd demo failed"
  grep -q 'That was a temporary directory' "$dir/demo.txt" || fail "$name: gsd demo did not come to its end"
  echo "$name: gsd --version and gsd demo took $((SECONDS - start)) s"
}

deb() {
  command -v dpkg >/dev/null || { echo 'skipped: the .deb was not installed, as there is no dpkg'; return; }
  [ "$(id -u)" = 0 ] || { echo 'skipped: the .deb was not installed, as only root can'; return; }
  local root=$dir/root name shell
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
  touch "$root/var/lib/dpkg/status"
  dpkg --root="$root" --log="$dir/dpkg.log" -i "$dist"/*_"$(uname -s | tr A-Z a-z)_$(dpkg --print-architecture)".deb >/dev/null
  mkdir "$root/tmp"
  works deb env -u TMPDIR chroot "$root" /usr/bin/gsd # where there is nothing else, no shell and no TMPDIR of ours
  for name in bash-completion/completions/gsd zsh/vendor-completions/_gsd fish/vendor_completions.d/gsd.fish gsd/completion.ps1; do
    [ -s "$root/usr/share/$name" ] || fail "deb: no $name"
  done
  bash -c "source '$root/usr/share/bash-completion/completions/gsd' && complete -p gsd" >/dev/null
  for shell in "zsh zsh/vendor-completions/_gsd" "fish fish/vendor_completions.d/gsd.fish"; do
    command -v "${shell% *}" >/dev/null || continue
    "${shell% *}" -n "$root/usr/share/${shell#* }"
  done
  if command -v man >/dev/null; then
    for name in $("$root/usr/bin/gsd" __complete -- ''); do
      said=$(MANPATH=$root/usr/share/man man --warnings "gsd-$name" 2>&1) || fail "deb: man gsd-$name: $said"
      [[ $said = *"gsd-$name - "*OPTIONS* && $said != *warning:* ]] || fail "deb: man gsd-$name" "$said"
    done
    MANPATH=$root/usr/share/man man gsd | grep -q 'EXIT STATUS' || fail 'deb: man gsd'
  else
    echo 'skipped: the man pages were not shown, as there is no man'
  fi
  dpkg --root="$root" --log="$dir/dpkg.log" -r gsd >/dev/null
  [ ! -e "$root/usr/bin/gsd" ] || fail 'deb: its program is still there after its removal'
}

npm_packages() {
  command -v npm >/dev/null || { echo 'skipped: nothing was installed with npm, which is not here'; return; }
  local there platform program status
  export npm_config_loglevel=error
  mkdir "$dir/npm"
  cd "$dir/npm"
  # Overrides stand for the registry: npm chooses among the packages of all platforms.
  node - "$dist/npm" <<'JS'
const fs = require("node:fs");
const dir = process.argv[2];
const { version, optionalDependencies } = JSON.parse(fs.readFileSync(dir + "/packages/gsd-cli/package.json"));
const file = (name) => `file:${dir}/${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
const overrides = Object.fromEntries(Object.keys(optionalDependencies).map((name) => [name, file(name)]));
fs.writeFileSync("package.json", JSON.stringify({ dependencies: { "gsd-cli": file("gsd-cli") }, overrides }));
JS
  npm install --offline --no-audit --no-fund --ignore-scripts --cache "$dir/cache" >"$dir/npm.log" 2>&1 || fail "npm install: $(cat "$dir/npm.log")"
  there=$(ls node_modules/@gsd-cli)
  platform=$(node -p 'process.platform + "-" + process.arch')
  [ "$there" = "$platform" ] || fail "npm: of the platforms, these are installed: $there"
  works npm npx --offline gsd

  # The launcher passes on exit statuses, and signals in both directions.
  status=0
  npx --offline gsd nonsense 2>/dev/null || status=$?
  [ "$status" = 64 ] || fail "npm: exit status $status, not 64"
  program=node_modules/@gsd-cli/$platform/bin/gsd
  printf '#!/bin/sh\ntrap "exit 7" TERM\nkill -TERM $PPID\nwhile :; do sleep 1; done\n' >"$program"
  status=0
  node_modules/.bin/gsd || status=$?
  [ "$status" = 7 ] || fail "npm: the launcher got SIGTERM, and ended with $status"
  printf '#!/bin/sh\nkill -KILL $$\n' >"$program"
  status=0
  { node_modules/.bin/gsd || status=$?; } 2>/dev/null # where bash says that it was killed
  [ "$status" = 137 ] || fail "npm: the program was killed, and the launcher ended with $status"
  rm "$program"
  status=0
  node_modules/.bin/gsd 2>"$dir/missing.txt" || status=$?
  [ "$status" = 69 ] && grep -q "@gsd-cli/$platform is not installed" "$dir/missing.txt" || fail "npm: without the program, exit status $status"
}

deb
npm_packages
