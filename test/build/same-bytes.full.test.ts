import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/preview.ts';
import { build, publishAfresh, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { documentAt, identityOf, readSite, treeOf } from './site-tree.ts';

const folder = temporaryFolder();
const at = (name: string) => `${folder.path}/${name}`;
const last = fixtureFolders().length;

/** The files that a reader can see. The build cache is not one of them. */
function publicTree(site: string): [string, string][] {
  return [...treeOf(site)].filter(([name]) => name !== 'build-ledger.json').map(([name, { sha256 }]) => [name, sha256]);
}

beforeAll(async () => {
  await publishFixtures(at('once.sqlite'));
  await build(at('once.sqlite'), at('fresh'));
});
afterAll(folder.remove);

describe('the same snapshots give the same bytes', () => {
  test('two fresh builds of one database are the same to the byte', async () => {
    await build(at('once.sqlite'), at('again'));
    expect(publicTree(at('again'))).toEqual(publicTree(at('fresh')));
  });

  test('a database published anew gives the same site', async () => {
    await publishAfresh(at('anew.sqlite'));
    await build(at('anew.sqlite'), at('anew'));
    expect(publicTree(at('anew'))).toEqual(publicTree(at('fresh')));
  });

  test('publishing and building one snapshot at a time ends with the same table', async () => {
    for (let step = 0; step < last; step += 1) {
      await publishFixtures(at('daily.sqlite'), step, step + 1);
      await build(at('daily.sqlite'), at('daily'));
    }
    expect(identityOf(readSite(at('daily')).routes)).toEqual(identityOf(readSite(at('fresh')).routes));
  });

  test('without its ledger a build finds the same bytes', async () => {
    for (let step = 0; step < last; step += 4) {
      await publishFixtures(at('forgetful.sqlite'), step, step + 4);
      rmSync(at('forgetful/build-ledger.json'), { force: true });
      await build(at('forgetful.sqlite'), at('forgetful'));
    }
    expect(identityOf(readSite(at('forgetful')).routes)).toEqual(identityOf(readSite(at('fresh')).routes));
  });
});

describe('a build with nothing new', () => {
  test('writes nothing', async () => {
    await build(at('once.sqlite'), at('still'));
    const before = treeOf(at('still'));
    const summary = await build(at('once.sqlite'), at('still'));
    expect(summary).toMatchObject({ written: 0, bytes: 0, deleted: 0 });
    expect(treeOf(at('still'))).toEqual(before);
  });

  test('keeps Last-Modified of what did not change, and dates what did', async () => {
    await publishFixtures(at('dated.sqlite'), 0, last - 1);
    await build(at('dated.sqlite'), at('dated'));
    const before = readSite(at('dated'));
    await publishFixtures(at('dated.sqlite'), last - 1);
    await build(at('dated.sqlite'), at('dated'));
    const after = readSite(at('dated'));
    const now = `${after.pointer.published_at.slice(0, 19)}Z`;
    const [kept, changed] = [new Set<string>(), new Set<string>()];
    for (const route of after.routes.values()) {
      const old = before.routes.get(route.path);
      if (old?.sha256 === route.sha256) {
        expect(route.last_modified).toBe(old.last_modified);
        kept.add(route.path);
      } else if (old) {
        expect(route.last_modified).toBe(now);
        changed.add(route.path);
      }
    }
    expect(kept.has('/v1/problems/INTERNAL')).toBe(true);
    expect(changed.has('/v1/changes')).toBe(true);
    expect(kept.size).toBeGreaterThan(20);
  });

  test('--full makes everything anew, repairs a damaged object and ends with the same site', async () => {
    await build(at('once.sqlite'), at('mended'));
    const route = readSite(at('mended')).routes.get('/v1/metadata');
    writeFileSync(at(`mended/objects/${route?.sha256.slice(0, 2)}/${route?.sha256}`), 'damaged');
    await build(at('once.sqlite'), at('mended'), { full: true });
    expect(publicTree(at('mended'))).toEqual(publicTree(at('fresh')));
  });
});

describe('where a build is on its own', () => {
  test('absolute URLs stand in documents when there is a base URL', async () => {
    await build(at('once.sqlite'), at('absolute'), { baseUrl: 'https://stock.example/api/v1/' });
    const { routes } = readSite(at('absolute'));
    const index = documentAt<{ data: { links: Record<string, string> } }>(at('absolute'), '/v1');
    expect(index.data.links.changes).toBe('https://stock.example/api/v1/changes');
    expect([...routes.keys()]).toEqual([...readSite(at('fresh')).routes.keys()].filter((path) => routes.has(path)));
  });

  test('--exports current makes only the current exports', async () => {
    await build(at('once.sqlite'), at('preview'), { exports: 'current' });
    const { pointer, routes } = readSite(at('preview'));
    const exports = [...routes.keys()].filter((path) => path.endsWith('.gz'));
    expect(exports.map((path) => path.split('/')[3])).toEqual(Array(3).fill(pointer.revision));
    expect(pointer.publications.map(({ revision }) => revision)).toEqual([pointer.revision]);
  });
});
