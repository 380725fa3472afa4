#!/usr/bin/env bash
# hono 4.13.19 with @hono/node-server 2.1.9 (npm): a range has an ETag of its own, made from its bytes.
#
# Valid input: a file of ten bytes behind `etag()` and `serveStatic()`, asked for the whole and for its halves.
# Seen: three strong ETags, where RFC 9110, 15.3.7, gives a part the ETag of the whole. `If-Range` is not read: any
#   value gets 206, and the ETag of the answer, which alone could show a change, is never that of the first part.
# Who meets it: downloads that were cut off and are continued, and readers of Parquet and ZIP that join ranges by ETag.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . hono@4.13.19 @hono/node-server@2.1.9 >/dev/null
mkdir files && printf '0123456789' > files/ten.bin
cat > server.mjs <<'JS'
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
const app = new Hono().use(etag()).use(serveStatic({ root: './files' }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port));
JS
node server.mjs > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
get() { curl -s -w ' %{http_code} %header{etag}\n' "$@" "http://127.0.0.1:$(cat port)/ten.bin"; }
{
  echo "whole: $(get)"
  echo "0-4: $(get -r 0-4)"
  echo "5-9: $(get -r 5-9)"
  first=$(get -r 0-4 | cut -d' ' -f3)
  for tag in "$first" '"another"'; do echo "5-9 if $tag: $(get -r 5-9 -H "If-Range: $tag")"; done
} > seen
diff - seen <<'SEEN'
whole: 0123456789 200 "87acec17cd9dcd20a716cc2cf67417b71c8a7016"
0-4: 01234 206 "11904a4e8b77f6242e2d288705023adad00a9310"
5-9: 56789 206 "f2231d2871e690a2995704f7a297bd7bc64be720"
5-9 if "11904a4e8b77f6242e2d288705023adad00a9310": 56789 206 "f2231d2871e690a2995704f7a297bd7bc64be720"
5-9 if "another": 56789 206 "f2231d2871e690a2995704f7a297bd7bc64be720"
SEEN
echo "as stated"
