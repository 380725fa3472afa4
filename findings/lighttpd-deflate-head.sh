#!/usr/bin/env bash
# lighttpd 1.4.69 with mod_deflate (Debian 12; needs apt): HEAD is not about what GET sends, and `q=0` is ignored.
#
# Valid input: a text file, asked for with GET, with HEAD, and with `br;q=0, gzip;q=0` (RFC 9110, 12.5.3).
# Seen: for gzip, HEAD has the ETag and length of the plain bytes, and no Content-Encoding. Who refuses both codings
#   gets brotli.
# Who meets it: programs that take the length or the ETag from HEAD and then load with GET.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root lighttpd=1.4.69-1 lighttpd-mod-deflate=1.4.69-1 libdeflate0
for package in *.deb; do dpkg -x "$package" .; done
mkdir files && seq 500 > files/numbers.txt
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > lighttpd.conf <<CONF
server.document-root = "$folder/files"
server.bind = "127.0.0.1"
server.port = $port
server.modules = ("mod_deflate")
mimetype.assign = (".txt" => "text/plain")
deflate.mimetypes = ("text/plain")
deflate.allowed-encodings = ("br", "gzip")
CONF
LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/sbin/lighttpd -D -f lighttpd.conf -m usr/lib/lighttpd 2> log & server=$!
until curl -s -o body "http://127.0.0.1:$port/"; do kill -0 "$server"; sleep 0.1; done
get() {
  curl -s -o body -w "$1: ETag %header{etag}, %header{content-length} bytes, coding [%header{content-encoding}]\n" "${@:2}" \
    "http://127.0.0.1:$port/numbers.txt"
}
{
  get 'GET, nothing said'
  get 'GET, gzip' -H 'Accept-Encoding: gzip'
  get 'HEAD, gzip' --head -H 'Accept-Encoding: gzip'
  get 'GET, both refused' -H 'Accept-Encoding: br;q=0, gzip;q=0'
} | sed -E 's/"[0-9]+/"N/; /, 1892 bytes/! s/, [0-9]+ bytes/, fewer bytes/' > seen
diff - seen <<'SEEN'
GET, nothing said: ETag "N", 1892 bytes, coding []
GET, gzip: ETag "N-gzip", fewer bytes, coding [gzip]
HEAD, gzip: ETag "N", 1892 bytes, coding []
GET, both refused: ETag "N-br", fewer bytes, coding [br]
SEEN
echo "as stated"
