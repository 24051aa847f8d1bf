#!/usr/bin/env bash
# The packages that ask the system for most are tested as on Windows, and gsd.exe plays its demo, under wine where it can be had.
set -euo pipefail
cd "$(dirname "$0")/.."

# What wine 8 lacks, by the tests that need it.
wine_gaps=(
  # It makes no symbolic link, and says that it did.
  TestConversationOdd TestLinksLeadNowhere TestList TestMachineCannotBeMade TestOwnDirectory TestRead TestReadAt
  TestOwnCrumbLinks TestRefusals TestSessionLinkInsideIsReadWithoutTheGuard TestStateLinks TestSweepTemps
  # A directory that is open loses its files when it is renamed.
  TestGuardReadsWhereItWrites
  # A program that was not started by another one of Windows has no parent.
  TestThisProcess
  # It looks through a whole directory for each name. These have thousands of files, and pass, but take a minute.
  TestArchive TestManyCrumbs TestSweepConversations TestNewest
)

go=$(go env GOROOT) failed=0
packages=(internal/session internal/durable internal/run planfile internal/roadmap roadmap identity internal/planref)
{ [ "$(go env GOHOSTARCH)" = amd64 ] && test/install.sh wine wine wine64 && test/install.sh x86_64-w64-mingw32-ld binutils-mingw-w64-x86-64; } || {
  echo 'skipped: nothing was tried as on Windows, which needs wine for amd64'
  exit 0
}
dir=$(mktemp -d)
# Wine 8 lacks two things that Go expects of Windows 10: files that are open can be deleted (Go's own tests can switch to what it
# does elsewhere), and a library for random numbers (its one function leads to an older one here).
at=$go/src/internal/syscall/windows/at_windows.go
sed 's/^var TestDeleteatFallback bool/var TestDeleteatFallback = true/' "$at" >"$dir/at.go"
printf '{"Replace": {"%s": "%s"}}' "$at" "$dir/at.go" >"$dir/overlay.json"
(
  export WINEPREFIX=$dir/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
  export GOOS=windows GOARCH=amd64 CGO_ENABLED=0
  unset DISPLAY
  wineboot -i >/dev/null 2>&1
  printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\n  ProcessPrng = advapi32.SystemFunction036\n' >"$dir/random.def"
  x86_64-w64-mingw32-ld -shared -e 0 -o "$dir/wine/drive_c/windows/system32/bcryptprimitives.dll" "$dir/random.def"
  # under_wine PACKAGE FLAG…
  under_wine() {
    local name=${1//\//-}
    go test -c -overlay "$dir/overlay.json" -o "$dir/$name.exe" "./$1" && cd "$1" &&
      timeout 600 wine "$dir/$name.exe" -test.v "${@:2}" </dev/null >"$dir/$name.log" 2>&1 && touch "$dir/$name.passed"
  }
  for name in "${packages[@]}"; do
    under_wine "$name" -test.skip "^($(IFS='|' && echo "${wine_gaps[*]}"))\$" &
  done
  under_wine internal/app -test.run '^TestTwentySweepsAtOnce$' &
  go build -overlay "$dir/overlay.json" -o "$dir/gsd.exe" ./cmd/gsd &&
    timeout 300 wine "$dir/gsd.exe" demo </dev/null >"$dir/demo.log" 2>&1 && touch "$dir/demo.passed"
  wait
  wineserver -k
) || true # what passed, says so
for name in "${packages[@]}" internal/app demo; do
  name=${name//\//-}
  if [ -e "$dir/$name.passed" ]; then
    printf '%s: %d tests passed\n' "$name" "$(grep -c '^--- PASS' "$dir/$name.log")" | sed 's/^demo: .*/gsd.exe demo/'
  else
    failed=1
    printf '%s failed\n' "$name"
    cat "$dir/$name.log" || true
  fi
done
rm -r "$dir"
exit $failed
