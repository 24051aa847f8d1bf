#!/usr/bin/env bash
# install.sh PROGRAM PACKAGE… installs Debian packages if the program is not here. It fails where that cannot be done. Others may call
# it at the same time.
set -euo pipefail

program=$1
shift
command -v "$program" >/dev/null ||
  # RUNLEVEL keeps packages from starting their services.
  { RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive flock "${TMPDIR:-/tmp}/gsd-install.lock" sh -c 'apt-get update -q && apt-get install -qy --no-install-recommends "$@"' - "$@"; } >/dev/null 2>&1 ||
  { echo "there is no $program, and it cannot be installed here"; exit 1; }
