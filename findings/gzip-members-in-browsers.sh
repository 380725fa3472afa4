#!/usr/bin/env bash
# Firefox 153.8 (ESR, Debian 12; needs apt and GTK) and Chromium 153 (npm) read only the first member of a gzip body.
#
# Valid input: a body with `Content-Encoding: gzip` that is a gzip file of two members. RFC 9110, 8.4.1.3, names the
#   format of RFC 1952, which says that a file is a series of members, whose contents follow each other.
# Seen: `fetch` resolves with the content of the first member in both browsers, and no error says that bytes were left
#   over. The `fetch` of Node, and gunzip, give both.
# Who meets it: sites that join compressed logs or tables by appending members: people save a part, and cannot tell.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill ${server-} ${browser-} 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root firefox-esr=153.8.0esr-1~deb12u1
dpkg -x firefox-esr_*.deb .
npm install --silent --no-audit --no-fund @sparticuz/chromium@153.0.0
cat > server.mjs <<'JS'
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
const members = Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]);
const page = `<script>fetch('/file').then((answer) => answer.text()).catch(String)
  .then((text) => fetch('/seen?' + encodeURIComponent(text)))</script>`;
const server = createServer(({ url }, response) => {
  if (url === '/file') response.setHeader('Content-Encoding', 'gzip').end(members);
  else if (url.startsWith('/seen?')) console.log(JSON.stringify(decodeURIComponent(url.slice(6)))), response.end();
  else response.setHeader('Content-Type', 'text/html').end(url === '/' ? page : '');
});
server.listen(0, '127.0.0.1', () => console.error(server.address().port));
JS
node server.mjs >> texts 2> port & server=$!
until [[ -s port ]]; do kill -0 "$server"; sleep 0.1; done
export site=http://127.0.0.1:$(cat port)
# It unpacks its libraries only if it believes that it runs at Amazon.
chromium=$(TMPDIR=$folder AWS_EXECUTION_ENV=AWS_Lambda_nodejs20.x node --input-type=module -e \
  "console.log(await (await import('@sparticuz/chromium')).default.executablePath())")
see() {
  : > texts
  HOME=$folder "${@:2}" 2> log > /dev/null & browser=$!
  until [[ -s texts ]]; do kill -0 "$browser"; sleep 0.1; done
  kill "$browser" && wait "$browser" || true
  browser=
  echo "$1: $(cat texts)"
}
{
  node -e 'fetch(process.env.site + "/file").then((answer) => answer.text())
    .then((text) => console.log("Node:", JSON.stringify(text)))'
  echo "gunzip: $(curl -s "$site/file" | gunzip -c | node -p 'JSON.stringify(require("fs").readFileSync(0, "utf8"))')"
  see Firefox env LD_LIBRARY_PATH=usr/lib/firefox-esr usr/lib/firefox-esr/firefox-bin \
    --headless --profile "$folder" "$site"
  see Chromium env LD_LIBRARY_PATH=al2023/lib "$chromium" --headless --no-sandbox --user-data-dir=profile "$site"
} > seen
diff - seen <<'SEEN'
Node: "first\nsecond\n"
gunzip: "first\nsecond\n"
Firefox: "first\n"
Chromium: "first\n"
SEEN
echo "as stated"
