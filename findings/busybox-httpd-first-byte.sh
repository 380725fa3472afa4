#!/usr/bin/env bash
# busybox 1.35.0 httpd (Debian 12; needs apt) sends a whole file for its first byte, and a body after HEAD.
#
# Valid input: a file of ten bytes, asked for parts of it (RFC 9110, 14.1.2), and for its fields with HEAD (9.3.2).
# Seen: `bytes=0-0` gets all ten bytes, with status 206 and the Content-Range of ten; `bytes=0-1` and `bytes=1-1` are
#   right. After the fields of the answer to HEAD come the ten bytes of the file.
# Who meets it: programs that ask for one byte to learn whether a server knows ranges and how long a file is.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root busybox=1:1.35.0-4+deb12u1+b1
dpkg -x busybox_*.deb .
mkdir files && printf '0123456789' > files/ten.bin
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
bin/busybox httpd -f -p "127.0.0.1:$port" -h files & server=$!
until curl -s -o ready "http://127.0.0.1:$port/ten.bin"; do kill -0 "$server"; sleep 0.1; done
{
  for range in 0-0 0-1 1-1; do
    printf 'bytes=%s: ' "$range"
    curl -s -w ' %{http_code} %header{content-range}\n' -H "Range: bytes=$range" "http://127.0.0.1:$port/ten.bin"
  done
  exec 3<> "/dev/tcp/127.0.0.1/$port"
  printf 'HEAD /ten.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
  timeout 5 cat <&3 | tr -d '\r' | awk '/^HTTP/ { print "HEAD:", $2 } body { print "body:", $0 } $0 == "" { body = 1 }'
} > seen
diff - seen <<'SEEN'
bytes=0-0: 0123456789 206 bytes 0-9/10
bytes=0-1: 01 206 bytes 0-1/10
bytes=1-1: 1 206 bytes 1-1/10
HEAD: 200
body: 0123456789
SEEN
echo "as stated"
