#!/usr/bin/env bash
# The tests of the picture drive a real browser. Installs Debian's when there is none and we may.
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "── installing chromium for the tests of the picture"
    apt-get update -qq && apt-get install -y -qq chromium >/dev/null
else
    echo "── no chromium here: the tests of the picture will be skipped (sudo apt-get install chromium)"
fi
