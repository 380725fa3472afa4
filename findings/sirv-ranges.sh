#!/usr/bin/env bash
# sirv 3.0.2 (npm) reads some byte ranges as others, and labels the answer as what it sent.
#
# Valid input: a file of ten bytes, asked for its last three bytes, and for its first byte alone (RFC 9110, 14.1.2).
# Seen: `bytes=-3` gets the first four bytes, `bytes=0-0` the whole file, both with status 206.
# Who meets it: readers of Parquet and ZIP, which begin with the last bytes of a file, get its first ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . sirv@3.0.2 >/dev/null
mkdir files && printf '0123456789' > files/ten.bin
cat > server.mjs <<'JS'
import { createServer } from 'node:http';
import sirv from 'sirv';
const server = createServer(sirv('files'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node server.mjs > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
for range in -3 0-0 5-7; do
  printf 'bytes=%s: ' "$range"
  curl -s -w ' %{http_code} %header{content-range}\n' -H "Range: bytes=$range" "http://127.0.0.1:$(cat port)/ten.bin"
done > seen
diff - seen <<'SEEN'
bytes=-3: 0123 206 bytes 0-3/10
bytes=0-0: 0123456789 206 bytes 0-9/10
bytes=5-7: 567 206 bytes 5-7/10
SEEN
echo "as stated"
