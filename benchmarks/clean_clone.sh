#!/usr/bin/env bash
# clean_clone.sh: what a newcomer waits for. Clones this repository into an empty folder, with an empty data folder, and
# times `make demo` and `make test`, each twice. What apt and pip fetch comes over the network unless they have it cached.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
export PGRAG_DATA_DIR="$place/data"
trap '"$place/pgrag/.venv/bin/pgrag" db stop >/dev/null 2>&1 || true; rm -rf "$place"' EXIT

git clone -q "$source" "$place/pgrag"
cd "$place/pgrag"
for run in "make demo, first" "make demo, again" "make test, first" "make test, again"; do
    start=$SECONDS
    make "$(echo "$run" | cut -d' ' -f2 | tr -d ,)" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
    echo "$run: $((SECONDS - start)) s"
    grep -hE '✓|passed|── .* done' "$place/log" | sed 's/^/    /' || true
done
