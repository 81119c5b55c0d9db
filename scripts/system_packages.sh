#!/usr/bin/env bash
# What the tests and the SDK need from the system: Node (20.19 or later) and Chromium with a font. Installs Chromium
# as root on Debian and its kin; says what to install everywhere else. `system_packages.sh node` asks for Node alone,
# `system_packages.sh browsers` for Firefox and WebKit too, without which their tests are skipped.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
    say "Node.js 20.19 or later is needed to check and test the SDK: install it from your system or from nodejs.org."
    exit 1
fi

install() { # packages; says no when they cannot be had
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "Installing $* …"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

if [ "${1:-}" = node ]; then
    exit 0
fi
if ! command -v chromium >/dev/null && ! install chromium fonts-liberation; then
    say "The browser tests need Chromium: sudo apt-get install chromium fonts-liberation (or your system's equivalent)."
    exit 1
fi
if [ "${1:-}" = browsers ] && ! command -v chromium-headless-shell >/dev/null; then
    install chromium-headless-shell || say "Without chromium-headless-shell, the browser tests run in Chromium: they take longer."
fi
if [ "${1:-}" = browsers ] && ! { command -v firefox-esr && command -v WebKitWebDriver && command -v Xvfb; } >/dev/null; then
    install firefox-esr webkit2gtk-driver xvfb || say "Without Firefox and WebKit, their tests are skipped."
fi
