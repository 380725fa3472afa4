#!/usr/bin/env bash
# feedparser 6.0.14 (PyPI) gives the id of an entry as its link if the linked document is JSON.
#
# Valid input: an Atom feed (RFC 4287) whose entries have an id and one alternate link of another type each.
# Seen: `entry.link` is the address if the type is HTML or missing, and the `urn:uuid:` id if it is application/json,
#   application/pdf or text/plain. The address is only in `entry.links`.
# Who meets it: readers of feeds about data or documents, in programs made with feedparser: the links lead nowhere.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check feedparser==6.0.14
cat > read.py <<'PY'
import feedparser
ENTRY = '''<entry><id>urn:uuid:00000000-0000-4000-8000-00000000000%s</id><title>%s</title>
  <updated>2025-01-01T00:00:00Z</updated><link rel="alternate"%s href="http://example.org/%s"/><content>text</content></entry>'''
TYPES = '', 'text/html', 'application/xhtml+xml', 'application/json', 'application/pdf', 'text/plain'
feed = feedparser.parse('''<feed xmlns="http://www.w3.org/2005/Atom"><id>http://example.org/</id><title>feed</title>
  <updated>2025-01-01T00:00:00Z</updated><author><name>somebody</name></author>%s</feed>''' % ''.join(
    ENTRY % (number, kind or 'no type', kind and f' type="{kind}"', number) for number, kind in enumerate(TYPES)))
assert not feed.bozo
for entry in feed.entries: print(f'{entry.title}: {entry.link}; links: {" ".join(link.href for link in entry.links)}')
PY
venv/bin/python read.py > seen
diff - seen <<'SEEN'
no type: http://example.org/0; links: http://example.org/0
text/html: http://example.org/1; links: http://example.org/1
application/xhtml+xml: http://example.org/2; links: http://example.org/2
application/json: urn:uuid:00000000-0000-4000-8000-000000000003; links: http://example.org/3
application/pdf: urn:uuid:00000000-0000-4000-8000-000000000004; links: http://example.org/4
text/plain: urn:uuid:00000000-0000-4000-8000-000000000005; links: http://example.org/5
SEEN
echo "as stated"
