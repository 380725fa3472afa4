#!/usr/bin/env bash
# Installs the Python packages of the examples for researchers, once for each state of requirements.txt, into a folder of
# the user's cache. It takes about a minute. Tests look there, and skip where it is missing.
set -euo pipefail
requirements=$(dirname "${BASH_SOURCE[0]}")/requirements.txt
folder=${XDG_CACHE_HOME:-$HOME/.cache}/shelfpress/python-$(sha256sum "$requirements" | cut -c1-16)

[[ -e $folder/installed ]] && exit
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --retries 0 --only-binary :all: -r "$requirements"
touch "$folder/installed"
