#!/bin/bash
# Installs what is missing, builds CUDA Playground and opens its window.
#   ./run.sh                          on the first lesson
#   ./run.sh --lesson 07-coalescing   arguments go to the window; --help lists them
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
# shellcheck source=setup.sh
source ./setup.sh

installMissing "$buildPackages"
build

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    fail "Built, but there is no display to open the window on (DISPLAY and WAYLAND_DISPLAY are not set)." \
        "Run this on a desktop, or connect with ssh -X. Without a window: build/release/playground-cli --help"
fi
if [ $# -eq 0 ]; then set -- --lesson 01-thread-indexing; fi
exec build/release/playground "$@"
