#!/usr/bin/env bash
# Caddy 2.6.2 (Debian 12; needs apt) and 2.11.9 (Go) do not make the same rewrites in a `route` block.
#
# Valid input: a `route` block with `rewrite @a /x{path}` and, after it, `rewrite * /y{path}`.
# Seen: 2.6.2 makes both, so that /a becomes /y/x/a. 2.11.9 makes only the first that matches: /x/a.
# Who meets it: sites whose configuration adds up a path in steps, when Caddy is updated: other files are sent, or 404.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root caddy=2.6.2-5
dpkg -x caddy_*.deb old
GOBIN=$PWD/new go install github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9
mv old/usr/bin/caddy caddy-2.6.2 && mv new/caddy caddy-2.11.9
for caddy in caddy-2.6.2 caddy-2.11.9; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat > Caddyfile <<CONFIG
{
  admin off
}
http://127.0.0.1:$port {
  route {
    @a path /a
    rewrite @a /x{path}
    rewrite * /y{path}
    respond {path}
  }
}
CONFIG
  HOME=$folder "./$caddy" run --config Caddyfile 2> log & server=$!
  until curl -s -o body "http://127.0.0.1:$port/"; do kill -0 "$server"; sleep 0.1; done
  for path in /a /b; do echo "$caddy: $path -> $(curl -s "http://127.0.0.1:$port$path")"; done
  kill "$server"
done > seen
diff - seen <<'SEEN'
caddy-2.6.2: /a -> /y/x/a
caddy-2.6.2: /b -> /y/b
caddy-2.11.9: /a -> /x/a
caddy-2.11.9: /b -> /y/b
SEEN
echo "as stated"
