#!/usr/bin/env bash
# Makes a release in dist/: release/build.sh --snapshot for one of the latest commit that is not published. Further arguments go to
# goreleaser. The packages for npm are made if there is node; CONTRIBUTING.md says how they are published.
set -euo pipefail
cd "$(dirname "$0")/.."

# The version is written in the plugin's manifest, and nowhere else but over its part of CHANGELOG.md.
GSD_VERSION=$(sed -n 's/^ *"version": "\(.*\)",$/\1/p' plugin/.claude-plugin/plugin.json)
export GSD_VERSION
if [[ " $* " != *' --snapshot '* ]]; then
  [ "$(git describe --exact-match)" = "v$GSD_VERSION" ] || { echo "the plugin's manifest says $GSD_VERSION, and the commit has another tag, or none"; exit 1; }
  grep -q "^## $GSD_VERSION, 20" CHANGELOG.md || { echo "CHANGELOG.md has no date for $GSD_VERSION"; exit 1; }
fi

goreleaser='github.com/goreleaser/goreleaser/v2@v2.12.7' # v2.18 does not build with Go 1.26
skip=()
go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 version >/dev/null || {
  echo 'skipped: lists of what the binaries are made of, as cyclonedx-gomod cannot be had'
  skip=(--skip=sbom)
}
# goreleaser takes a repository without a remote for one without commits.
git config remote.origin.url >/dev/null ||
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/gsd-cli/gsd
go run "$goreleaser" release --clean "${skip[@]}" "$@"
if command -v npm >/dev/null; then
  node release/npm/pack.js
else
  echo 'skipped: the packages for npm, as there is no npm'
fi
