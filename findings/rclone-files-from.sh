#!/usr/bin/env bash
# rclone 1.60.1 (Debian 12; needs apt) leaves out files that lie below the name of another, and says nothing.
#
# Valid input: `rclone copy :http: --files-from` with the paths a, a/b and c/d, each of which the server has.
# Seen: a and c/d are copied and a/b is not, with exit status 0 and no message, even with -vv. Alone, a/b is copied.
# Who meets it: copies of an API or a site, where /items and /items/1 are both documents. Count what arrived.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root rclone=1.60.1+dfsg-2+b5
dpkg -x rclone_*.deb .
cat > server.py <<'PY'
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = f'document {self.path}\n'.encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.send_header('Last-Modified', 'Wed, 01 Jan 2025 00:00:00 GMT')
        self.end_headers()
        if self.command == 'GET': self.wfile.write(body)
    do_HEAD = do_GET
    def log_message(self, *_): pass
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 server.py > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
copy() {
  local name=$1; shift
  printf '%s\n' "$@" > "$name.list"
  usr/bin/rclone --config none.conf copy :http: "$name" --http-url "http://127.0.0.1:$(cat port)/" \
    --files-from "$name.list" --no-traverse -vv 2> "$name.log" && status=0 || status=$?
  echo "$* -> exit $status, $(cd "$name" && find . -type f | sort | cut -c3- | paste -sd' ')"
}
{
  copy alone a/b
  copy three a a/b c/d
  echo "lines about a/b: $(grep -c a/b three.log)"
} > seen
diff - seen <<'SEEN'
a/b -> exit 0, a/b
a a/b c/d -> exit 0, a c/d
lines about a/b: 0
SEEN
echo "as stated"
