#!/usr/bin/env bash
# Squid 5.7 (Debian 12; needs apt) answers 304 from its cache without the ETag and the Vary that it stored.
#
# Valid input: an origin with ETag, Vary and Cache-Control, asked again with If-None-Match.
# Seen: the origin's 304 has all three, Squid's only Cache-Control. RFC 9110, 15.4.5: a 304 must have those that the 200 would
#   have. Its 200 has them.
# Who meets it: caches behind it, which cannot tell which stored answer the 304 is about, and clients that take the ETag from it.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${origin-}" "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root squid=5.7-2+deb12u6 libecap3 libnetfilter-conntrack3 libltdl7
for package in *.deb; do dpkg -x "$package" .; done
cat > origin.py <<'PY'
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        same = self.headers.get('If-None-Match') == '"one"'
        self.send_response(304 if same else 200)
        self.send_header('ETag', '"one"')
        self.send_header('Vary', 'Accept-Encoding')
        self.send_header('Cache-Control', 'max-age=60')
        if not same: self.send_header('Content-Length', '4')
        self.end_headers()
        if not same: self.wfile.write(b'text')
    def log_message(self, *_): pass
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PY
python3 origin.py > port 2> errors & origin=$!
until [[ -s port ]]; do kill -0 "$origin"; sleep 0.1; done
listen=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > squid.conf <<CONF
http_port 127.0.0.1:$listen accel defaultsite=localhost no-vhost
cache_peer 127.0.0.1 parent $(cat port) 0 no-query originserver
http_access allow all
cache_mem 8 MB
memory_cache_shared off
pid_filename none
access_log none
cache_log /dev/null
coredump_dir none
pinger_enable off
mime_table /dev/null
icon_directory $folder
error_directory $folder
shutdown_lifetime 0 seconds
visible_hostname localhost
CONF
LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/sbin/squid -n "finding$$" -N -f squid.conf & server=$!
for i in 1 2 3 4 5 6 7 8 9; do curl -s -o body "http://127.0.0.1:$listen/ready" && break; sleep 1; cat log;  done
get() { 
curl -s -o body -w '%{http_code} %header{etag} %header{vary} %header{age} %header{cache-control}\n' "$@"
}
{
  get http://127.0.0.1:$listen/a
  get http://127.0.0.1:$listen/a
  get -H 'If-None-Match: "one"' http://127.0.0.1:$listen/a
} > seen
cat seen
ls /dev/shm $folder
