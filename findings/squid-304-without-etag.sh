#!/usr/bin/env bash
# Squid 5.7 (Debian 12; needs apt) answers 304 from its cache without the ETag and the Vary that it stored.
#
# Valid input: an origin with ETag, Vary and Cache-Control, asked again with If-None-Match.
# Seen: the 304 of the origin has ETag and Vary, as RFC 9110, 15.4.5, requires. The 304 of Squid has neither.
# Who meets it: caches behind it that hold several answers for one address: the 304 does not say which one it means.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${origin-}" "${server-}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root squid=5.7-2+deb12u6 \
  libecap3 libnetfilter-conntrack3 libnfnetlink0 libmnl0 libltdl7
for package in *.deb; do dpkg -x "$package" .; done
cat > origin.mjs <<'JS'
import { createServer } from 'node:http';
const origin = createServer(({ headers }, response) => {
  response.setHeader('ETag', '"one"').setHeader('Vary', 'Accept-Encoding').setHeader('Cache-Control', 'max-age=60');
  if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
  else response.end('text');
});
origin.listen(0, '127.0.0.1', () => console.log(origin.address().port));
JS
node origin.mjs > port & origin=$!
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
unlinkd_program $folder/usr/lib/squid/unlinkd
mime_table /dev/null
icon_directory $folder
error_directory $folder
shutdown_lifetime 0 seconds
visible_hostname localhost
CONF
LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/sbin/squid -n "${folder##*.}" -N -f squid.conf & server=$!
until curl -s -o body "http://127.0.0.1:$listen/ready"; do kill -0 "$server"; sleep 0.1; done
get() {
  curl -s -o body -w "$1: %{http_code}, ETag [%header{etag}], Vary [%header{vary}], %header{x-cache}\n" "${@:3}" \
    "http://127.0.0.1:$2/file"
}
{
  get 'origin' "$(cat port)"
  get 'origin, If-None-Match' "$(cat port)" -H 'If-None-Match: "one"'
  get 'Squid' "$listen"
  get 'Squid, If-None-Match' "$listen" -H 'If-None-Match: "one"'
} | sed 's/, $//' > seen
diff - seen <<'SEEN'
origin: 200, ETag ["one"], Vary [Accept-Encoding]
origin, If-None-Match: 304, ETag ["one"], Vary [Accept-Encoding]
Squid: 200, ETag ["one"], Vary [Accept-Encoding], MISS from localhost
Squid, If-None-Match: 304, ETag [], Vary [], HIT from localhost
SEEN
echo "as stated"
