#!/bin/bash
# What run.sh and test.sh share: install what is missing, configure, build. Sourced by them from the project's root.
set -euo pipefail

# One package a line, with what it is for. The names are the same on Debian 12, Debian 13 and Ubuntu 24.04.
# shellcheck disable=SC2034
readonly buildPackages='
cmake                   configures the build
ninja-build             runs the build
g++                     compiles the project
ccache                  makes a second build fast
pkg-config              finds installed libraries
llvm-19-dev             reads and optimises compiled kernels
libclang-19-dev         compiles CUDA C++ for the simulator
clang-19                lets CMake find Clang, and brings the headers that kernels include
zlib1g-dev              computes checksums
libzstd-dev             is needed to link LLVM
nlohmann-json3-dev      reads and writes JSON
libcli11-dev            reads the command line
libtomlplusplus-dev     reads lesson.toml
libmd4c-dev             reads the lessons'\'' Markdown
libimgui-dev            draws the window
libglfw3-dev            opens the window
libgl-dev               draws through OpenGL
libpng-dev              writes screenshots
libfontconfig-dev       finds fonts
libfreetype-dev         draws letters
fonts-dejavu-core       is the font of texts and code
fonts-wqy-microhei      is the font of Chinese texts
libgtest-dev            holds the tests together
'
# shellcheck disable=SC2034
readonly testPackages='
xvfb                    is a display for tests on a machine without one
xauth                   lets tests use that display
libgl1-mesa-dri         draws without a graphics card
'

# fail MESSAGE...: each MESSAGE is a line; the first says what went wrong, the others what to do.
fail() {
    printf '\n' >&2
    printf '%s\n' "$@" >&2
    exit 1
}

# step NAME LOG ADVICE COMMAND...: runs COMMAND, shows and logs its output; on failure says what to do.
step() {
    local name=$1 log=$2 advice=$3
    shift 3
    printf '== %s\n' "$name"
    mkdir -p "$(dirname "$log")"
    if ! "$@" 2>&1 | tee "$log"; then
        fail "FAILED: $name" "The last lines of $log:" "$(tail -n 15 "$log" | sed 's/^/    /')" "$advice"
    fi
}

isInstalled() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

asRoot() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# installMissing PACKAGES: PACKAGES are lines of "name  why". Touches nothing when all are there.
installMissing() {
    local name why missing=() table=''
    if [ -n "${PLAYGROUND_NO_INSTALL:-}" ]; then return; fi
    while read -r name why; do
        if [ -z "$name" ] || { command -v dpkg-query >/dev/null && isInstalled "$name"; }; then continue; fi
        missing+=("$name")
        table+=$(printf '  %-23s %s' "$name" "$why")$'\n'
    done <<<"$1"
    if [ ${#missing[@]} -eq 0 ]; then return; fi

    if ! command -v apt-get >/dev/null; then
        fail "This system has no apt-get, so nothing can be installed for you. Debian's names for what is needed:" "$table" \
            "Install these with your package manager, then run PLAYGROUND_NO_INSTALL=1 $0"
    fi
    printf 'Not installed yet, needed from %s:\n%s' "$(. /etc/os-release && printf '%s' "$PRETTY_NAME")" "$table"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "Installing needs root, and there is no sudo here." \
            "As root, run: apt-get install ${missing[*]}" "and then $0 again."
        printf 'sudo may ask for your password, to install these and for nothing else.\n'
    fi
    step "Reading the package lists" build/log/apt-update.log "Is there a network? See the lines above." \
        asRoot apt-get -q update
    step "Installing ${#missing[@]} packages" build/log/apt-install.log \
        "On Ubuntu, turn on the universe component: sudo add-apt-repository universe. Then run $0 again." \
        asRoot env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}"
}

# As many compilers at once as there are processors, but no more than fit into free memory at 1.2 GB each.
jobs() {
    local processors fitting
    processors=$(nproc)
    fitting=$(awk '/^MemAvailable/ { print int($2 / 1200000) }' /proc/meminfo)
    if [ "${fitting:-1}" -lt 1 ]; then fitting=1; fi
    printf '%s' "$((fitting < processors ? fitting : processors))"
}

# build: Release, in build/release. Each step is quick when nothing has changed.
build() {
    step "Configuring" build/log/configure.log "Remove build/release and try again; if that does not help, report these lines." \
        cmake --preset release
    step "Building" build/log/build.log "The first line with 'error:' above says why. Your own change? Otherwise report it." \
        cmake --build --preset release --parallel "$(jobs)"
}
