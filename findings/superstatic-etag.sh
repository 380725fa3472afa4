#!/usr/bin/env bash
# superstatic 11.0.0 (npm) on Node 24.21.0 (npm) sends a file that changed under its old ETag.
#
# Valid input: a JSON file, asked for before and after it is replaced by one of another date and length.
# Seen: both answers have one ETag, which also lacks the quotes that RFC 9110, 8.8.3, requires. Only Last-Modified
#   changes. On Node 20 the ETag changes, but superstatic 11 is for Node 22 and later.
# Who meets it: caches and programs that take an equal ETag for an equal file, until the server is restarted.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --omit=optional --prefix . superstatic@11.0.0 node@24.21.0 >/dev/null
mkdir files
cat > server.mjs <<'JS'
import { createServer } from 'node:http';
import superstatic from 'superstatic';
const files = superstatic.default({ cwd: process.cwd(), config: { public: 'files' } });
const server = createServer((request, response) => files(request, response, () => response.end()));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node_modules/.bin/node server.mjs > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
for price in 1 1000; do
  echo "{\"price\":$price}" > files/price.json && touch -d "2025-06-05T22:00:00Z + $price seconds" files/price.json
  curl -s -w 'ETag: %header{etag}, %header{last-modified}\n' "http://127.0.0.1:$(cat port)/price.json"
done > seen
diff - seen <<'SEEN'
{"price":1}
ETag: 0425f9bfde1ecc7592bd7314c09e6d34, Thu, 05 Jun 2025 22:00:01 GMT
{"price":1000}
ETag: 0425f9bfde1ecc7592bd7314c09e6d34, Thu, 05 Jun 2025 22:16:40 GMT
SEEN
echo "as stated"
