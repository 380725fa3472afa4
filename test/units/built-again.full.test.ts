import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { formatPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { copySite } from '../mirror/published-sites.ts';
import { randomWorld } from '../support/random-world.ts';
import { SmallSites } from '../support/small-sites.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

/* A publication that is built again with another base URL, or by other code, gets other answers. */

const sites = SmallSites.use(3);
const folder = temporaryFolder();
let number = 0;
let database: string;
let site: string;
beforeEach(() => {
  number += 1;
  database = join(folder.path, `${number}.sqlite`);
  site = join(folder.path, `${number}`);
  copySite(sites.at('dist-2'), site);
  copyFileSync(sites.at('2.sqlite'), database);
});
afterAll(folder.remove);

const other = { baseUrl: 'https://stock.example' };
const whole = { faults: 0, unnamed_objects: 0, unnamed_checkouts: 0 };

/** How many files that plain servers show print the other base URL, and how many do not. */
function shown(): { other: number; own: number } {
  const root = realpathSync(join(site, 'site'));
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => /(^|\/)(index|products|brands|stores|changes)\.json$/.test(name))
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .filter((text) => text.includes('"links"'));
  const others = texts.filter((text) => text.includes(other.baseUrl)).length;
  return { other: others, own: texts.length - others };
}

/** Builds with another base URL. `stopAt`: the stage at which it fails; null for none. */
function buildOther(stopAt: string | null, onStage: (stage: string) => void = () => undefined) {
  return build(database, site, other, null, (stage) => {
    onStage(stage);
    if (stage === stopAt) throw new Error(`stopped at ${stage}`);
  });
}

describe('with another base URL', () => {
  test('plain servers show either all previous answers or all new ones, at every moment', async () => {
    const seen: string[] = [];
    const { own } = shown();
    expect(own).toBeGreaterThan(3);
    await buildOther(null, () => {
      const now = shown();
      expect(now.own === 0 || now.other === 0, JSON.stringify(now)).toBe(true);
      seen.push(now.own === 0 ? 'other' : 'own');
    });
    expect([...new Set(seen)]).toEqual(['own', 'other']);
    expect(shown()).toEqual({ own: 0, other: own });
    expect((await verifySite(site)).counts).toMatchObject(whole);
    expect(readdirSync(join(site, 'checkouts'))).toEqual([readSite(site).pointer.revision]);
  });

  test('a build that fails before the switch leaves the site as it was', async () => {
    for (const stage of ['making documents', 'writing the route table', 'checking out', 'flushing to the disk']) {
      await expect(buildOther(stage)).rejects.toThrow(`stopped at ${stage}`);
      expect(shown().other, stage).toBe(0);
      expect((await verifySite(site)).faults, stage).toEqual([]);
    }
    await build(database, site);
    expect((await verifySite(site)).counts).toMatchObject(whole);
  });

  test.each([
    ['the same build', () => build(database, site, other)],
    ['the previous build', () => build(database, site)],
    [
      'the build of the next publication',
      async () => {
        copyFileSync(sites.at('3.sqlite'), database);
        await build(database, site, other);
      },
    ],
  ])('a build that fails after plain servers have switched is finished by %s', async (_, next) => {
    const stage = 'checking out under the name of the publication';
    await expect(buildOther(stage)).rejects.toThrow(`stopped at ${stage}`);
    expect(shown().own).toBe(0);
    await next();
    expect((await verifySite(site)).counts).toMatchObject(whole);
    expect(readdirSync(join(site, 'checkouts')).some((name) => name.endsWith('.next'))).toBe(false);
  });
});

test('answers by other code, which could not write its ledger, are made again', async () => {
  const cache = join(site, 'build-ledger.json');
  const before = readFileSync(cache, 'utf8');
  // Other code made the next publication. Its ledger is missing, and its answers are different.
  copyFileSync(sites.at('3.sqlite'), database);
  mkdirSync(`${cache}.tmp`);
  await expect(build(database, site, { dataLicense: { name: 'CC0-1.0' } })).rejects.toThrow('build-ledger.json.tmp');
  rmSync(`${cache}.tmp`, { recursive: true });
  expect(readFileSync(cache, 'utf8')).toBe(before);
  await build(database, site);
  const fresh = join(folder.path, `${number}-fresh`);
  await build(database, fresh);
  expect(documentAt(site, formatPath('metadata'))).toEqual(documentAt(fresh, formatPath('metadata')));
  expect((await verifySite(site)).counts).toMatchObject({ faults: 0, unnamed_objects: 0 });
});

test('expired exports do not come back when publication_days grows', async () => {
  for (const path of [database, site]) rmSync(path, { recursive: true });
  const days = [30, 30, 0, 30];
  const revisions: string[] = [];
  for (const [index, snapshot] of randomWorld({ seed: 7, products: 8, stores: 3, publications: 4 }).entries()) {
    const retention = { history_days: 365, publication_days: days[index] };
    const { revision } = await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } });
    revisions.push(revision);
    await build(database, site);
  }
  const exported = revisions.filter((revision) =>
    readSite(site).routes.has(formatPath('export', { revision, resource: 'products' })),
  );
  expect(exported).toEqual(revisions.slice(2));
  expect((await verifySite(site)).counts.faults).toBe(0);
  expect(existsSync(join(site, 'spare'))).toBe(true);
});
