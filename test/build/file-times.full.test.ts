import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/preview.ts';
import { filesOf } from '../../generator/site/checkout.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

const folder = temporaryFolder();
const at = (name: string) => `${folder.path}/${name}`;
afterAll(folder.remove);

type FileTime = { readonly address: string; readonly last_modified: string; readonly time: number };

/** The files that readers see now, with the times and sizes that a plain host makes validators of, and their bytes. */
function filesNow(site: string): (FileTime & { readonly size: number; readonly bytes: string })[] {
  return [...readSite(site).routes.values()].flatMap((route) =>
    filesOf(route).map(({ name }) => {
      const path = `${site}/site/${name}`;
      const { size, mtimeMs } = statSync(path);
      const bytes = createHash('sha256').update(readFileSync(path)).digest('hex');
      return { address: name, last_modified: route.last_modified, time: mtimeMs, size, bytes };
    }),
  );
}

test('at no address do files of one size and time have different bytes, whatever is published', async () => {
  const seen = new Map<string, string>();
  const last = new Map<string, { time: number; bytes: string }>();
  for (let step = 0; step < fixtureFolders().length; step += 1) {
    rmSync(at('series.sqlite'), { force: true });
    await publishFixtures(at('series.sqlite'), 0, step + 1);
    await build(at('series.sqlite'), at('series'));
    for (const { address, time, size, bytes } of filesNow(at('series'))) {
      const before = last.get(address);
      expect(seen.get(`${address} ${size} ${time}`) ?? bytes).toBe(bytes);
      // If-Modified-Since alone is enough: other bytes are always newer.
      if (before && before.bytes !== bytes) expect(time).toBeGreaterThan(before.time);
      seen.set(`${address} ${size} ${time}`, bytes);
      last.set(address, { time, bytes });
    }
  }
});

test('a file has the time of its Last-Modified, or the latest of those of its addresses', async () => {
  await publishFixtures(at('fresh.sqlite'));
  await build(at('fresh.sqlite'), at('fresh'));
  const files = filesNow(at('fresh'));
  const latest = new Map<string, number>();
  for (const { bytes, last_modified } of files) {
    latest.set(bytes, Math.max(latest.get(bytes) ?? 0, Date.parse(last_modified)));
  }
  expect(files.filter(({ bytes, time }) => latest.get(bytes) !== time)).toEqual([]);
  expect(new Set(files.map(({ time }) => time)).size).toBeGreaterThan(3);
});
