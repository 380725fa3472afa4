#!/usr/bin/env bash
# commander 15.1.0 (npm), beside 14.0.3: `--no-page` without `--page` has no value until a command line is parsed.
#
# Valid input: a command with the options `--no-page` and `--size <n>`, the latter with a default; `opts()` is read twice.
# Seen: by the README, `--no-page` alone makes `page` true by default. In 14 that is so at once, as for every other
#   default. In 15 `opts()` lacks `page` before `parse()`, although it has `size`: a check for a falsy value takes what is
#   missing for the option itself.
# Who meets it: programs that read the defaults of commands without parsing, to list them or to call what they do.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save c14@npm:commander@14.0.3 c15@npm:commander@15.1.0
cat > try.mjs <<'JS'
for (const version of ['c14', 'c15']) {
  const { Command } = await import(version);
  const command = new Command().option('--no-page', 'no page').option('--size <n>', 'a size', '5');
  const shown = () => JSON.stringify(Object.entries(command.opts()).sort());
  console.log(version, 'before', shown());
  command.parse([], { from: 'user' });
  console.log(version, 'after', shown());
}
JS
node try.mjs | diff - /dev/fd/3 3<<'SEEN'
c14 before [["page",true],["size","5"]]
c14 after [["page",true],["size","5"]]
c15 before [["size","5"]]
c15 after [["page",true],["size","5"]]
SEEN
echo "as stated"
