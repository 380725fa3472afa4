import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ProductAvailability } from '../../contract/schemas/product.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { isCheck, isNight } from '../support/check-mode.ts';
import { expectAgreement } from '../support/derivations.ts';
import { randomWorld, thinned } from '../support/random-world.ts';
import { build, expectAsFromNothing, publishParts, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

const root = temporaryFolder();
afterAll(root.remove);

/** By product, how many different retrievals its availability comes from. */
function retrievalCounts(site: string): number[] {
  const routes = [...readSite(site).routes.values()];
  return routes.flatMap(({ path, sha256 }) => {
    if (!/^\/v1\/products\/[^/]+\/availability$/.test(path)) return [];
    const { data } = readJson(site, sha256) as { data: ProductAvailability };
    return new Set(data.stores.flatMap(({ retrieved_at }) => retrieved_at ?? [])).size;
  });
}

/**
 * `isThin`: only a fifth of the publications have a catalog, and few products are retrieved. `historyDays`: the
 * retention of events in each publication, repeated as often as needed.
 */
const series = [
  { seed: 1, publications: isNight ? 6 : 4, isThin: false, historyDays: [365] },
  { seed: 2, publications: 8, isThin: false, historyDays: [365, 0, 3, 365, 1] },
  { seed: 4, publications: 14, isThin: true, historyDays: [40] },
];

test.each(isNight ? series : series.slice(0, isCheck ? 2 : 1))(
  'a random series makes the same site built day by day and built at once (seed $seed, thin: $isThin, history: $historyDays)',
  async ({ seed, publications, isThin, historyDays }) => {
    const folder = mkdtempSync(join(root.path, 'world-'));
    const [database, daily] = [join(folder, 'db.sqlite'), join(folder, 'daily')];
    const seen = new Set<number>();
    const world = randomWorld({ seed, products: 12, stores: 6, publications });
    const snapshots = isThin ? thinned(world) : world;
    for (const [index, snapshot] of snapshots.entries()) {
      const history_days = historyDays[index % historyDays.length] ?? 0;
      const retention = { history_days, publication_days: 30 };
      await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } });
      await build(database, daily);
      // A document that a build keeps wrongly mostly stays in later builds too.
      if (index % 3 === 1 || index === snapshots.length - 1) {
        await expectAsFromNothing(database, daily);
        expectAgreement(daily);
      }
      for (const count of retrievalCounts(daily)) seen.add(count);
    }
    expect((await verifySite(daily)).faults).toEqual([]);
    // Zero: never retrieved. One: retrieved as a whole. Two: a later retrieval left out some stores.
    expect([...seen].sort().slice(0, 3)).toEqual(publications > 4 ? [0, 1, 2] : [0, 1]);
  },
);
