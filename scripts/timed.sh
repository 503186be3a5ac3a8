#!/usr/bin/env bash
# timed.sh WHAT COMMAND…: says what is done, does it, says how long it took.
set -euo pipefail
what=$1
shift
echo "── $what"
start=$SECONDS
if "$@"; then
    echo "── $what: done in $((SECONDS - start)) s"
else
    status=$?
    echo "── $what: failed after $((SECONDS - start)) s" >&2
    exit "$status"
fi
