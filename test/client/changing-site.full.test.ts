import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, PublicationChangedError, type Site } from '../../client/open-site.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { readSite } from '../units/site-tree.ts';
import { unpack } from './served-sites.ts';

/*
 * A site that gets its daily publication while a program is reading it.
 */

const folder = temporaryFolder();
const before = join(folder, 'before');
const after = join(folder, 'after');
const revisions = new Map<string, string>();
let host: StaticHost;

beforeAll(async () => {
  for (const at of [before, after]) {
    const dist = `${at}-dist`;
    await copyBuiltFixtures(dist, at === before ? 10 : 12);
    unpack(dist, at);
    revisions.set(at, readSite(dist).pointer.revision);
  }
  host = await StaticHost.start(before);
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  removeFolder(folder);
});

const ask = {
  comparison: (site: Site) =>
    site.compare({ skus: ['014100', '001204'], lat: 40.7, lng: -111.9, inventory_age: 'any_age' }),
  'a selection of changes': (site: Site) =>
    site.changes({ types: ['price_changed', 'store_inventory_changed'] }).take(40),
  'a selection of brands': (site: Site) => site.brands({ sort: '-name' }).take(40),
  'a document': (site: Site) => site.metadata(),
};

/**
 * Opens the site at the earlier publication. The later one is published before request number `switchAt` after that.
 */
async function openBeforeSwitch(switchAt: number, pinned: boolean): Promise<{ site: Site; taken: () => number }> {
  host.folder = before;
  let count = Number.NEGATIVE_INFINITY;
  const site = await openSite(host.url, {
    pinned,
    fetch: (url, init) => {
      count += 1;
      if (count === switchAt) host.folder = after;
      return fetch(url, init);
    },
  });
  count = 0;
  return { site, taken: () => count };
}

describe.each([
  ['of plain files', false],
  ['that names the publication of each answer', true],
])('a host %s', (_, hasHeaders) => {
  beforeAll(() => {
    host.intercept = (_, response) => {
      if (hasHeaders) response.setHeader('X-Publication-Revision', revisions.get(host.folder) ?? '');
      if (hasHeaders) response.setHeader('Cache-Control', 'max-age=60');
      return false;
    };
  });

  test.each(Object.entries(ask))(
    '%s comes from one publication, whenever the next one appears',
    async (_, question) => {
      const of = async (at: string) => {
        host.folder = at;
        return JSON.stringify(await question(await openSite(host.url)));
      };
      const [old, young] = [await of(before), await of(after)];
      expect(young).not.toBe(old);
      const seen = new Set<string>();
      const pinnedOutcomes = new Set<string>();
      for (let switchAt = 1; ; switchAt += 1) {
        const { site, taken } = await openBeforeSwitch(switchAt, false);
        const answer = JSON.stringify(await question(site));
        expect([old, young], `switch at request ${switchAt}`).toContain(answer);
        seen.add(answer);

        const pinned = await openBeforeSwitch(switchAt, true);
        const outcome = await question(pinned.site).then(JSON.stringify, (error: unknown) => {
          expect(error).toBeInstanceOf(PublicationChangedError);
          return 'changed';
        });
        expect([old, 'changed'], `pinned, switch at request ${switchAt}`).toContain(outcome);
        pinnedOutcomes.add(outcome);
        if (switchAt > Math.max(taken(), pinned.taken())) break;
      }
      expect(seen).toEqual(new Set([young, old]));
      expect(pinnedOutcomes).toEqual(new Set(['changed', old]));
    },
  );

  test('a reader in the middle of a list gets to its end', async () => {
    host.folder = before;
    const site = await openSite(host.url);
    const counts = (await site.metadata()).data.counts;
    for (const [list, count] of [
      [() => site.products(), counts.listed_products],
      [() => site.changes(), counts.change_events],
    ] as const) {
      host.folder = before;
      const ids = new Set<string>();
      for await (const { id } of list() as AsyncIterable<{ id: string }>) {
        host.folder = after;
        ids.add(id);
      }
      expect(ids.size).toBe(count);
    }
  });
});
