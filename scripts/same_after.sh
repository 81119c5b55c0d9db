#!/usr/bin/env bash
# same_after.sh FILE REMEDY COMMAND…: runs a command that writes FILE, and fails if FILE was not already what it writes.
set -euo pipefail
file=$1 remedy=$2
shift 2
before=$(mktemp)
trap 'rm -f "$before"' EXIT
cp "$file" "$before"
"$@" >/dev/null
if ! diff -u "$before" "$file"; then
  cp "$before" "$file"
  echo "$file is out of date: run $remedy" >&2
  exit 1
fi
