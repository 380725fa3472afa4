#!/usr/bin/env bash
# aria2 1.36.0 (Debian 12; needs apt) saves few files of addresses that end in one name, if it loads two at a time.
#
# Valid input: a list of 60 addresses, /1/feed.txt to /60/feed.txt, with texts of different lengths.
# Seen: with -j1 it saves 60 files, named feed.txt, feed.1.txt and so on. With -j2 (-j5 if nothing is said) it saves a
#   few and exits with 1: two loads that begin together take one file for theirs, and what they leave there is in the
#   way of the others.
# Who meets it: whoever loads a list of feeds, pages or tiles of one name, unless each has an `out=` of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root aria2=1.36.0-1 libaria2-0=1.36.0-1 libc-ares2 libxml2 libicu72
for package in *.deb; do dpkg -x "$package" .; done
cat > server.py <<'PY'
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        body = b'line\n' * int(self.path.split('/')[1])
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 server.py > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
for number in $(seq 60); do echo "http://127.0.0.1:$(cat port)/$number/feed.txt"; done > list
export LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu)
for loads in 1 2; do
  usr/bin/aria2c --no-conf -q -j$loads -d "saved-$loads" -i list && status=0 || status=$?
  saved=$(find "saved-$loads" -name '*.txt' | wc -l)
  ((saved < 30)) && saved='fewer than 30'
  echo "-j$loads: exit $status, $saved files of 60"
done > seen
diff - seen <<'SEEN'
-j1: exit 0, 60 files of 60
-j2: exit 1, fewer than 30 files of 60
SEEN
echo "as stated"
