#!/usr/bin/env bash
# Node 22.18.0 and 24.21.0 (npm) differ in the decimal digits of five currencies.
#
# Valid input: `maximumFractionDigits` of `Intl.NumberFormat` for each of `Intl.supportedValuesOf('currency')`.
# Seen: COP, HUF, IDR and PKR go from 2 digits to 0, RSD from 0 to 2. The other 157 stay. ISO 4217 has 2 for all five.
# Who meets it: programs that keep amounts in minor units with the digits of `Intl`. What one version of Node wrote, the
#   next reads as a hundred times as much, or a hundredth.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > digits.mjs <<'JS'
export const format = (currency) => new Intl.NumberFormat('en', { style: 'currency', currency });
export const digits = (currency) => format(currency).resolvedOptions().maximumFractionDigits;
JS
cat > list.mjs <<'JS'
import { digits } from './digits.mjs';
for (const currency of Intl.supportedValuesOf('currency')) console.log(currency, digits(currency));
JS
cat > write.mjs <<'JS'
import { digits } from './digits.mjs';
console.log(1500 * 10 ** digits('HUF'));
JS
cat > read.mjs <<'JS'
import { digits, format } from './digits.mjs';
console.log(format('HUF').format(process.argv[2] / 10 ** digits('HUF')).replace('\u00a0', ' '));
JS
for version in 22.18.0 24.21.0; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node@$version" >/dev/null
  ln -s "$version/node_modules/.bin/node" "node-${version%%.*}"
  "./node-${version%%.*}" list.mjs > "digits-$version"
done
{
  paste -d' ' digits-22.18.0 digits-24.21.0 | awk '$1 != $3 || $2 != $4 { print $1, $2, $4 }'
  echo "HUF 1,500 is written as $(./node-22 write.mjs) and read as $(./node-24 read.mjs "$(./node-22 write.mjs)")"
} > seen
diff - seen <<'SEEN'
COP 2 0
HUF 2 0
IDR 2 0
PKR 2 0
RSD 0 2
HUF 1,500 is written as 150000 and read as HUF 150,000
SEEN
echo "as stated"
