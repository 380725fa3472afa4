#!/usr/bin/env bash
# newsboat 2.21.0 (Debian 12; needs apt) resolves the links of an Atom feed, but not its enclosures.
#
# Valid input: an Atom feed (RFC 4287) whose entry has a relative link and a relative enclosure.
# Seen: the link becomes an address of the server. The enclosure stays `/talk.mp3`, which has no server.
# Who meets it: podcasts whose feed has relative addresses: the entry can be read and not heard.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root newsboat=2.21-1.5 libcurl3-gnutls libxml2 libicu72 libstfl0 libjson-c5
for package in *.deb; do dpkg -x "$package" .; done
mkdir files
cat > files/feed.atom <<'XML'
<feed xmlns="http://www.w3.org/2005/Atom"><id>http://example.org/</id><title>feed</title>
  <updated>2025-01-01T00:00:00Z</updated><author><name>somebody</name></author>
  <entry><id>http://example.org/1</id><title>entry</title><updated>2025-01-01T00:00:00Z</updated>
    <link href="/page"/><link rel="enclosure" type="audio/mpeg" length="3" href="/talk.mp3"/>
    <content>text</content></entry></feed>
XML
python3 -u -m http.server 0 --bind 127.0.0.1 --directory files > log 2>&1 & server=$!
until grep -q '^Serving' log; do kill -0 "$server"; sleep 0.1; done
grep -o 'http://127.0.0.1:[0-9]*' log | sed 's|$|/feed.atom|' > urls
HOME=$folder LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu):usr/lib usr/bin/newsboat -u urls -c cache.db -C /dev/null -x reload
python3 -c 'import sqlite3
for row in sqlite3.connect("cache.db").execute("select url, enclosure_url from rss_item"): print(*row)' |
  sed -E 's/:[0-9]+/:PORT/' > seen
diff - seen <<'SEEN'
http://127.0.0.1:PORT/page /talk.mp3
SEEN
echo "as stated"
