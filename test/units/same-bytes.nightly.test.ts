import { execFileSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../contract/schemas/site-files.ts';
import { routeFiles } from '../../generator/site/checkout.ts';
import { build, publishAfresh, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { readSite, readTree, routeIdentities } from './site-tree.ts';

const folder = temporaryFolder();
const at = (name: string) => `${folder.path}/${name}`;
/** How many publications the series has. */
const last = 8;

/**
 * The files of a site with their hashes, without the ledger, which says in which publication a unit was made.
 */
function publicTree(site: string): [string, string][] {
  return [...readTree(site)]
    .filter(([name]) => name !== 'build-ledger.json')
    .map(([name, { sha256 }]) => [name, sha256]);
}

/** The files that readers see now, with their times and sizes, from which a plain host makes validators. */
function filesNow(site: string) {
  return [...readSite(site).routes.values()].flatMap((route) =>
    routeFiles(route).map(({ name, sha256 }) => {
      const { size, mtimeMs } = statSync(`${site}/site/${name}`);
      return { name, sha256, size, time: mtimeMs, last_modified: route.last_modified };
    }),
  );
}

/**
 * Expects that the answers whose bytes changed have the time of the publication, and that the others keep their own.
 */
function expectDated(before: ReadonlyMap<string, Route>, { pointer, routes }: ReturnType<typeof readSite>): void {
  const now = `${pointer.published_at.slice(0, 19)}Z`;
  for (const { path, sha256, last_modified } of routes.values()) {
    const old = before.get(path);
    if (old) expect(last_modified, path).toBe(old.sha256 === sha256 ? old.last_modified : now);
  }
}

beforeAll(async () => {
  await publishFixtures(at('once.sqlite'), 0, last);
  await build(at('once.sqlite'), at('fresh'), { threads: 0 });
});
afterAll(folder.remove);

test('the same snapshots give the same bytes, also from another database and with threads', async () => {
  await publishAfresh(at('anew.sqlite'), 0, last);
  // Only builds with thousands of products start threads by default.
  await build(at('anew.sqlite'), at('anew'), { threads: 1 });
  expect(publicTree(at('anew'))).toEqual(publicTree(at('fresh')));
});

test('day by day, with or without the ledger, changed answers get a new time and others keep theirs', async () => {
  const seen = new Map<string, string>();
  const files = new Map<string, { time: number; sha256: string }>();
  const ledger = at('daily/build-ledger.json');
  const damages = [null, '', '5', '{}', '{"key":"', 'no units'];
  let before: ReadonlyMap<string, Route> = new Map();
  for (let step = 0; step < last; step += 1) {
    await publishFixtures(at('daily.sqlite'), step, step + 1);
    // On three of four days, the ledger is lost or damaged.
    const damage = step % 4 === 0 ? undefined : damages.shift();
    if (damage === null) rmSync(ledger);
    else if (damage === 'no units')
      writeFileSync(ledger, JSON.stringify({ key: 'one', table: readSite(at('daily')).pointer.routes.sha256 }));
    else if (damage !== undefined) writeFileSync(ledger, damage);
    await build(at('daily.sqlite'), at('daily'));
    const site = readSite(at('daily'));
    expectDated(before, site);
    before = site.routes;
    for (const { name, sha256, size, time } of filesNow(at('daily'))) {
      // Changed bytes are always newer, and two files of the same size and time at one address have the same bytes.
      const old = files.get(name);
      if (old && old.sha256 !== sha256) expect(time, name).toBeGreaterThan(old.time);
      expect(seen.get(`${name} ${size} ${time}`) ?? sha256, name).toBe(sha256);
      seen.set(`${name} ${size} ${time}`, sha256);
      files.set(name, { time, sha256 });
    }
  }
  expect(damages).toEqual([]);
  // The Parquet files of publications that expired stay for readers under way.
  const own = new Map([...before].filter(([, { last_sequence }]) => last_sequence === undefined));
  expect(
    [...before.keys()].filter((path) => !own.has(path) && !/^\/v1\/exports\/[^/]+\/\w+\.parquet$/.test(path)),
  ).toEqual([]);
  expect(routeIdentities(own)).toEqual(routeIdentities(readSite(at('fresh')).routes));
});

test('a file has the time of its Last-Modified, or the latest one of its addresses', () => {
  const latest = new Map<string, number>();
  const files = filesNow(at('fresh'));
  for (const { sha256, last_modified } of files) {
    latest.set(sha256, Math.max(latest.get(sha256) ?? 0, Date.parse(last_modified)));
  }
  expect(files.filter(({ sha256, time }) => latest.get(sha256) !== time)).toEqual([]);
  expect(new Set(files.map(({ time }) => time)).size).toBeGreaterThan(3);
});

test('a build without anything new writes nothing, and --full repairs a damaged object and makes the same site', async () => {
  execFileSync('cp', ['-a', at('fresh'), at('still')]);
  const before = readTree(at('still'));
  expect(await build(at('once.sqlite'), at('still'))).toMatchObject({ written: 0, bytes: 0, deleted: 0 });
  expect(readTree(at('still'))).toEqual(before);
  const sha256 = readSite(at('still')).routes.get('/v1/metadata')?.sha256;
  writeFileSync(at(`still/objects/${sha256?.slice(0, 2)}/${sha256}`), 'damaged');
  await build(at('once.sqlite'), at('still'), { full: true });
  expect(publicTree(at('still'))).toEqual(publicTree(at('fresh')));
});
