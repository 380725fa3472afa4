#!/usr/bin/env bash
# @extractus/feed-extractor 8.0.3 (npm) changes the links of a feed: it cuts fragments off, and empties relative links.
#
# Valid input: an Atom feed (RFC 4287) whose links are absolute with a fragment, or relative to the address of the feed.
# Seen: `http://127.0.0.1/app#/news/1` becomes `http://127.0.0.1/app`, and `news/1` becomes an empty string, although
#   the extractor fetched the feed itself and so knows its address.
# Who meets it: readers of sites that route by fragment: every entry leads to the same page.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @extractus/feed-extractor@8.0.3 >/dev/null
cat > read.mjs <<'JS'
import { createServer } from 'node:http';
import { extract } from '@extractus/feed-extractor';
const links = ['http://127.0.0.1/app#/news/1', 'http://127.0.0.1/app#/news/2', 'http://127.0.0.1/page', '/news/1', 'news/1'];
const entry = (href, n) => `<entry><id>urn:uuid:00000000-0000-4000-8000-00000000000${n}</id><title>${href}</title>
  <updated>2025-01-01T00:00:00Z</updated><link href="${href}"/><content>text</content></entry>`;
const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><id>http://example.org/</id><title>feed</title>
  <updated>2025-01-01T00:00:00Z</updated><author><name>somebody</name></author>${links.map(entry).join('')}</feed>`;
const server = createServer((_, response) => response.setHeader('Content-Type', 'application/atom+xml').end(feed));
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { entries } = await extract(`http://127.0.0.1:${server.address().port}/feed.atom`);
for (const { title, link } of entries) console.log(`${title} -> ${JSON.stringify(link)}`);
server.close();
JS
node read.mjs > seen
diff - seen <<'SEEN'
http://127.0.0.1/app#/news/1 -> "http://127.0.0.1/app"
http://127.0.0.1/app#/news/2 -> "http://127.0.0.1/app"
http://127.0.0.1/page -> "http://127.0.0.1/page"
/news/1 -> ""
news/1 -> ""
SEEN
echo "as stated"
