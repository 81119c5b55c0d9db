#!/usr/bin/env bash
# Installs what `make bench-mask` compares with, apart from the product: into .circuy/bench/mask/. Once.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=.circuy/bench/mask
mkdir -p "$folder/node"
if [ ! -f "$folder/presidio/.installed" ]; then
    python3 -m venv "$folder/presidio"
    "$folder/presidio/bin/pip" install -qq --disable-pip-version-check presidio-analyzer==2.2.366
    touch "$folder/presidio/.installed"
fi
if [ ! -f "$folder/node/.installed" ]; then
    echo '{"private": true}' >"$folder/node/package.json"
    npm install --prefix "$folder/node" --silent --no-fund --no-audit redact-pii@3.4.0 recheck@4.5.0
    touch "$folder/node/.installed"
fi
