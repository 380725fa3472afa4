#!/usr/bin/env bash
# Node 22.18.0 and 24.21.0 (npm) have different local times in four zones from the autumn of 2026.
#
# Valid input: noon UTC in December 2026 and in July 2027, in every zone of `Intl.supportedValuesOf('timeZone')`.
# Seen: with 22.18.0 (tzdata 2025b) Vancouver and Edmonton return to winter time and Morocco and Western Sahara are an
#   hour ahead of UTC. With 24.21.0 (tzdata 2026c) Vancouver and Edmonton stay on summer time and the other two are on
#   UTC.
# Who meets it: programs that turn instants into local days, or opening hours into instants, with different Nodes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > times.mjs <<'JS'
for (const timeZone of Intl.supportedValuesOf('timeZone'))
  for (const day of ['2026-12-15', '2027-07-15'])
    console.log(timeZone, day, new Date(`${day}T12:00Z`).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' }));
JS
for version in 22.18.0 24.21.0; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node@$version" >/dev/null
  "$version/node_modules/.bin/node" times.mjs > "times-$version"
done
paste -d' ' times-22.18.0 times-24.21.0 | awk '$1 != $4 || $3 != $6 { print $1, $2, $3, $6 }' > seen
diff - seen <<'SEEN'
Africa/Casablanca 2026-12-15 13:00 12:00
Africa/Casablanca 2027-07-15 13:00 12:00
Africa/El_Aaiun 2026-12-15 13:00 12:00
Africa/El_Aaiun 2027-07-15 13:00 12:00
America/Edmonton 2026-12-15 05:00 06:00
America/Vancouver 2026-12-15 04:00 05:00
SEEN
echo "as stated"
