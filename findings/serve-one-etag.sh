#!/usr/bin/env bash
# serve 14.2.7 (npm) gives the brotli, gzip and plain bytes of a file one strong ETag.
#
# Valid input: a text file, asked for with three values of Accept-Encoding.
# Seen: three byte strings, one ETag. RFC 9110, 8.8.1 and 8.8.3.3: a strong ETag belongs to the bytes of one coding.
# Who meets it: caches, and downloads that were begun in one coding and are continued in another.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . serve@14.2.7 >/dev/null
mkdir files && seq 5000 > files/numbers.txt
port=$(node -p 'const s = require("net").createServer().listen(0); s.address().port' -e 0 2>/dev/null || true)
