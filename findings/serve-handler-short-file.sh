#!/usr/bin/env bash
# serve-handler 6.1.8 (npm) refuses the last N bytes of a file shorter than N, and sends it with the refusal.
#
# Valid input: a file asked for its last N bytes, where it has fewer. By RFC 9110, 14.1.2, that is the whole file.
# Seen: 416 Range Not Satisfiable, and the whole file is the body of the 416.
# Who meets it: polars 2.1.0 (PyPI) reads the last 262,144 bytes first. It takes the body of a refusal for text, so over
#   this server it opens no smaller Parquet file, and says only that something is not UTF-8.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . serve-handler@6.1.8 >/dev/null
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check polars==2.1.0
mkdir files && printf '0123456789' > files/ten.bin
venv/bin/python -c 'import polars; polars.DataFrame({"n": range(500)}).write_parquet("files/rows.parquet")'
cat > server.mjs <<'JS'
import { createServer } from 'node:http';
import handler from 'serve-handler';
const server = createServer((request, response) => handler(request, response, { public: 'files' }));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node server.mjs > port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
{
  for last in 3 10 11; do
    printf 'last %s of ten bytes: ' "$last"
    curl -s -w ' %{http_code} %header{content-range}\n' -H "Range: bytes=-$last" "$url/ten.bin"
  done
  (($(wc -c < files/rows.parquet) < 262144)) && echo 'a Parquet file of less than 262,144 bytes'
  curl -s -o body -w 'its last 262,144 bytes: %{http_code}' -H 'Range: bytes=-262144' "$url/rows.parquet"
  cmp body files/rows.parquet && echo ', the body is the file'
  venv/bin/python - "$url/rows.parquet" <<'PY'
import re, sys, polars
for name in 'files/rows.parquet', sys.argv[1]:
    try: print('polars:', polars.read_parquet(name).height, 'rows')
    except Exception as error: print('polars:', re.search(r'invalid utf-8 sequence', str(error)).group())
PY
} > seen
diff - seen <<'SEEN'
last 3 of ten bytes: 789 206 bytes 7-9/10
last 10 of ten bytes: 0123456789 206 bytes 0-9/10
last 11 of ten bytes: 0123456789 416 bytes */10
a Parquet file of less than 262,144 bytes
its last 262,144 bytes: 416, the body is the file
polars: 500 rows
polars: invalid utf-8 sequence
SEEN
echo "as stated"
