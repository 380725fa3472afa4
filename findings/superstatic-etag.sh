#!/usr/bin/env bash
# superstatic 11.0.0 (npm) sends a file that changed under its old ETag.
#
# Valid input: a JSON file, asked for before and after it is replaced by one of another date and length.
# Seen: both answers have one ETag, which also lacks the quotes that RFC 9110, 8.8.3, requires. Only Last-Modified changes.
# Who meets it: caches and programs that ask with If-None-Match or If-Match, while the server is not restarted.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . superstatic@11.0.0 >/dev/null
mkdir files
cat > server.mjs <<'JS'
import { createServer } from 'node:http';
import superstatic from 'superstatic';
const files = superstatic({ cwd: process.cwd(), config: { public: 'files' } });
const server = createServer((request, response) => files(request, response, () => response.end()));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node server.mjs > port & server=$!
until [[ -s port ]]; do sleep 0.1; done
get() {
  curl -s -w ' %{http_code}, ETag %header{etag}, %header{last-modified}\n' "http://127.0.0.1:$(cat port)/price.json"
}
{
  echo '{"price":1}' > files/price.json && touch -d 2025-06-05T22:00:00Z files/price.json
  get
  echo '{"price":1000}' > files/price.json && touch -d 2025-06-06T22:00:00Z files/price.json
  get
} > seen
cat seen
