import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './repository.ts';

/* Nothing here runs a finding: they install packages, and CONTRIBUTING.md says who runs them. */

const names = readdirSync(join(root, 'findings'));

test.each(names)('findings/%s has the form that CONTRIBUTING.md states', (name) => {
  const file = join(root, 'findings', name);
  const text = readFileSync(file, 'utf8');
  const [shebang, ...lines] = text.split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  );
  expect([name, shebang]).toEqual([expect.stringMatching(/^[a-z0-9-]+\.sh$/), expect.stringMatching(/^#!\S+ bash$/)]);
  for (const said of ['Valid input:', 'Seen:', 'Who meets it:']) expect(head.join('\n')).toContain(said);
  // The version is in the head, and what is installed is pinned.
  expect(head[0]).toMatch(/\d+\.\d+/);
  expect(text).toMatch(/^set -euo pipefail$/m);
  expect(text).toMatch(/folder=\$\(mktemp -d\)/);
  expect(text).toMatch(/(npm install .*|pip install .*|go install .*|cargo install .*|apt-get download .*)[@=]/);
  expect(text).not.toMatch(/shelfpress|https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org|\S*example\.)/i);
  expect(statSync(file).mode & 0o111).not.toBe(0);
});
