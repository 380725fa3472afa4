#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian 12; needs apt), with `process-vary on`, sends stored brotli to clients that did not ask for it.
#
# Valid input: an origin with brotli for those who accept it and plain bytes for others, and `Vary: Accept-Encoding`.
# Seen: once the brotli is stored, a request without Accept-Encoding gets it, though the origin has plain bytes for it.
#   RFC 9111, 4.1: a request that lacks the field matches only one that lacks it too. `identity` gets plain bytes.
# Who meets it: `curl` without --compressed and other small HTTP clients, after a browser has asked.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${origin-}" "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root haproxy=2.6.12-1+deb12u4 \
  liblua5.3-0 libopentracing-c-wrapper0 libopentracing1
for package in *.deb; do dpkg -x "$package" .; done
cat > origin.mjs <<'JS'
import { createServer } from 'node:http';
const forms = { br: Buffer.from('0b0280706c61696e03', 'hex'), plain: Buffer.from('plain') };
const origin = createServer(({ headers }, response) => {
  const form = headers['accept-encoding']?.includes('br') ? 'br' : 'plain';
  if (form === 'br') response.setHeader('Content-Encoding', form);
  response.setHeader('ETag', `"${form}"`).setHeader('Vary', 'Accept-Encoding').setHeader('Cache-Control', 'max-age=60');
  response.end(forms[form]);
});
origin.listen(0, '127.0.0.1', () => console.log(origin.address().port));
JS
node origin.mjs > port & origin=$!
until [[ -s port ]]; do kill -0 "$origin"; sleep 0.1; done
listen=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > haproxy.cfg <<CFG
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
cache small
  total-max-size 4
  process-vary on
listen proxy
  bind 127.0.0.1:$listen
  http-request cache-use small
  http-response cache-store small
  server origin 127.0.0.1:$(cat port)
CFG
LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/sbin/haproxy -db -f haproxy.cfg 2> log & server=$!
until curl -s -o body "http://127.0.0.1:$listen/ready"; do kill -0 "$server"; sleep 0.1; done
get() {
  curl -s -o body -w "$1: ETag %header{etag}, coding [%header{content-encoding}], age [%header{age}]\n" "${@:3}" \
    "http://127.0.0.1:$2"
}
{
  get 'origin, nothing said' "$(cat port)/a"
  get 'br' "$listen/a" -H 'Accept-Encoding: br'
  get 'nothing said' "$listen/a"
  get 'identity' "$listen/a" -H 'Accept-Encoding: identity'
  get 'nothing said, first' "$listen/b"
} > seen
diff - seen <<'SEEN'
origin, nothing said: ETag "plain", coding [], age []
br: ETag "br", coding [br], age []
nothing said: ETag "br", coding [br], age [0]
identity: ETag "plain", coding [], age []
nothing said, first: ETag "plain", coding [], age []
SEEN
echo "as stated"
