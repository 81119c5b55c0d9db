#!/usr/bin/env bash
# Makes .venv and installs the locked packages: `bootstrap.sh run` for the application, `bootstrap.sh dev` for its
# tests and checks too. Does nothing when the lock has not changed since the last time.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

checksum() { # of a lock file, as far as it has been installed completely
    cksum <"$1"
}

installed() { # lock, stamp
    [ -x .venv/bin/python ] && [ -f "$2" ] && [ "$(cat "$2")" = "$(checksum "$1")" ] && .venv/bin/python -c '' 2>/dev/null
}

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "Circuy needs Python 3.11 or later, and none was found: install it, or name it with PYTHON=/path/to/python3."
    exit 1
}

make_venv() {
    local python
    if [ -x .venv/bin/python ] && .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        return
    fi
    python=$(find_python)
    rm -rf .venv
    if ! "$python" -m venv .venv >/dev/null 2>&1; then
        rm -rf .venv
        say "$python cannot make virtual environments here: on Debian and Ubuntu, install the package python3-venv."
        exit 1
    fi
}

case "${1:-}" in
run) lock=requirements.lock stamp=.venv/.installed-run ;;
dev) lock=requirements-dev.lock stamp=.venv/.installed-dev ;;
*) say "usage: scripts/bootstrap.sh run|dev" && exit 2 ;;
esac

# The development lock holds everything the other one does.
if installed "$lock" "$stamp" || installed requirements-dev.lock .venv/.installed-dev; then
    exit 0
fi
make_venv
.venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null
say "Installing the locked packages into .venv (half a minute when they are in pip's cache) …"
.venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r "$lock"
checksum "$lock" >"$stamp"
