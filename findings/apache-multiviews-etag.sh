#!/usr/bin/env bash
# Apache httpd 2.4.71 (Debian 12; needs apt): with MultiViews, the ETag has no closing quote.
#
# Valid input: a JSON file, asked for by its name without the extension and by its whole name, with If-None-Match too.
# Seen: without the extension the ETag is `W/"…;…`, where RFC 9110, 8.8.3, has `W/"…;…"`. Sent back before another ETag,
#   it runs on into that one, and Apache itself answers 200 instead of 304. Alone it gets 304.
# Who meets it: caches with several stored copies, which send all their ETags in one list, and strict parsers.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root apache2-bin=2.4.71-1~deb12u1 libapr1 libaprutil1
for package in *.deb; do dpkg -x "$package" .; done
mkdir files && echo '{"a":1}' > files/news.json && touch -d 2025-06-05T22:00:00Z files/news.json
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
{
  for module in mpm_event authz_core mime negotiation; do
    echo "LoadModule ${module}_module $folder/usr/lib/apache2/modules/mod_$module.so"
  done
  cat <<CONF
ServerName localhost
Listen 127.0.0.1:$port
PidFile $folder/pid
ErrorLog $folder/log
TypesConfig $folder/types
DocumentRoot $folder/files
<Directory $folder/files>
  Require all granted
  Options MultiViews
</Directory>
CONF
} > httpd.conf
echo 'application/json json' > types
chmod 755 .
LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/sbin/apache2 -f "$folder/httpd.conf" -DFOREGROUND & server=$!
until curl -s -o body "http://127.0.0.1:$port/"; do kill -0 "$server"; sleep 0.1; done
get() { curl -s -o body -w '%{http_code} %header{etag}\n' "${@:2}" "http://127.0.0.1:$port/$1"; }
for name in news.json news; do
  echo "$name: $(get $name)"
  tag=$(get $name | cut -d' ' -f2)
  echo "its ETag: $(get $name -H "If-None-Match: $tag")"
  echo "its ETag and another: $(get $name -H "If-None-Match: $tag, \"other\"")"
done | sed -E 's/[0-9a-f]+-[0-9a-f]+/N/; s/;[0-9a-f]+/;N/' > seen
diff - seen <<'SEEN'
news.json: 200 "N"
its ETag: 304 "N"
its ETag and another: 304 "N"
news: 200 W/"N;N
its ETag: 304 W/"N;N
its ETag and another: 200 W/"N;N
SEEN
echo "as stated"
