#!/usr/bin/env bash
# serve 14.2.7 (npm) gives the brotli, gzip and plain bytes of a file one strong ETag.
#
# Valid input: a text file, asked for with three values of Accept-Encoding.
# Seen: three byte strings, one ETag. RFC 9110, 8.8.1 and 8.8.3.3: a strong ETag belongs to the bytes of one coding.
# Who meets it: caches that know a copy by its ETag, and downloads begun in one coding and continued in another.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . serve@14.2.7 >/dev/null
mkdir files && seq 5000 > files/numbers.txt
NO_UPDATE_CHECK=1 node node_modules/serve/build/main.js files --no-clipboard -l tcp://127.0.0.1:0 > log & server=$!
until grep -q Accepting log; do kill -0 "$server"; sleep 0.1; done
url=$(grep -o 'http://127.0.0.1:[0-9]*' log)
for coding in br gzip identity; do
  curl -s -o "$coding" -w '%header{content-encoding} %header{etag}\n' -H "Accept-Encoding: $coding" "$url/numbers.txt"
done > seen
echo "$(md5sum br gzip identity | cut -c-32 | sort -u | wc -l) byte strings" >> seen

diff - seen <<'SEEN'
br "6ba65d91caa82f592302ad9b9ba8945acd74c845"
gzip "6ba65d91caa82f592302ad9b9ba8945acd74c845"
 "6ba65d91caa82f592302ad9b9ba8945acd74c845"
3 byte strings
SEEN
echo "as stated"
