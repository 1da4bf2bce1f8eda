#!/bin/bash
# Installs what is missing, builds CUDA Playground and runs all its tests, under a display of its own where there is none.
#   ./test.sh              every test
#   ./test.sh -R Lessons   arguments go to ctest: here, the tests whose names match "Lessons"
# The last line is "N passed, N failed"; the exit status is 0 only when some passed and none failed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
# shellcheck source=setup.sh
source ./setup.sh

installMissing "$buildPackages$testPackages"
build

display=()
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    display=(xvfb-run --auto-servernum --server-args='-screen 0 1920x1200x24')
fi
results=$PWD/build/log/tests.xml
rm -f "$results"
printf '== Testing\n'
status=0
"${display[@]}" ctest --preset release --parallel "$(nproc)" --output-junit "$results" "$@" || status=$?

# One <testcase status="..."> for each test: run, fail, disabled or notrun. A test that skipped itself is notrun too.
count() { grep -cP "^\t<testcase .* status=\"$1\"" "$results" || true; }
passed=0 failed=0 skipped=0
if [ -s "$results" ]; then
    passed=$(count run)
    skipped=$(grep -c '<skipped message="SKIP_' "$results" || true)
    failed=$(($(count fail) + $(count notrun) - skipped))
fi
if [ "$skipped" -gt 0 ]; then printf '%s skipped themselves; see "Skipped" above\n' "$skipped"; fi
if [ "$failed" -gt 0 ]; then
    printf 'To see one again: ctest --preset release --verbose -R NAME\n'
elif [ "$status" -ne 0 ]; then
    printf 'ctest ended with status %s: see its last lines above\n' "$status"
fi
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ] && [ "$status" -eq 0 ]
