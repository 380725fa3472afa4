import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { inspectSite } from '../../generator/verify/inspect/site-report.ts';
import { mirror } from '../mirror/published-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { useExampleSite } from '../verify/example-site.ts';

const example = useExampleSite(1, 2);

const inspect = (...args: string[]) => outcomeInProcess('inspect', ...args);

test('a site is described by its publications and kinds of answers', async () => {
  const { text } = await inspect(example.folder);
  const lines = text.replaceAll(example.folder, 'dist').split('\n');
  expect(lines[0]).toBe(
    'dist: a built site of publication 2, revision b863610d-f0f7-5ee5-b10d-a7afb9df3b19, published 2025-03-07T22:00:00Z',
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      '49 products (49 listed), 16 stores, 686 pairs, 284 change events',
      'warnings: fixture data, pairs never checked',
      'documents: of publications 2 and 1',
      'exports: of publications 2 and 1',
      'checkout: of the current publication',
      'signature: none',
    ]),
  );
  expect(lines.find((line) => line.startsWith('/v1/products/{product_id} '))).toMatch(/ {2}49 {2}/);
});

test('its counts are those of verify', async () => {
  const { totals, objects, answers } = inspectSite(example.folder);
  const { counts } = await verifySite(example.folder);
  expect(totals.routes).toBe(counts.routes);
  expect(objects.count + objects.of_tables).toBe(counts.objects);
  expect(answers.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(totals.bytes);
  expect(answers.find(({ kind }) => kind === 'products')?.compressed_bytes).toBeLessThan(totals.bytes);
});

test('a mirror names its source, and a partial one what it holds', async () => {
  await using host = await StaticHost.start(example.folder);
  const whole = join(example.folder, '..', 'whole');
  const part = join(example.folder, '..', 'part');
  await mirror(host.url, whole);
  await mirror(host.url, part, { only: ['exports'] });
  expect(inspectSite(whole)).toMatchObject({
    mirror: { source: host.url, only: null, unfinished: false },
    totals: inspectSite(example.folder).totals,
  });
  const { mirror: held, totals, current, publications } = inspectSite(part);
  expect(held).toMatchObject({ only: ['v1/exports.json', 'v1/exports/**'], routes: totals.routes });
  expect(current).toBeNull();
  expect(publications.map(({ documents }) => documents)).toEqual([true, false]);
  expect((await inspect(part)).text).toContain(
    `: a partial mirror of ${host.url}, only v1/exports.json v1/exports/** (${totals.routes} of `,
  );
  writeFileSync(join(part, 'mirror.unfinished'), '');
  expect((await inspect(part)).text).toContain(', last run unfinished, of publication 2, ');
});
