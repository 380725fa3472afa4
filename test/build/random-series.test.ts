import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductAvailability } from '../../generator/contract/documents/product.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { isCheck } from '../support/check-mode.ts';
import { randomWorld, thinned } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build } from './fixture-series.ts';
import { identityOf, readJson, readSite } from './site-tree.ts';

let root: string;
beforeAll(() => {
  root = temporaryFolder();
});
afterAll(() => removeFolder(root));

/** By product, how many retrievals the rows of its availability are of. */
function retrievalCounts(site: string): number[] {
  const routes = [...readSite(site).routes.values()];
  return routes.flatMap(({ path, sha256 }) => {
    if (!/^\/v1\/products\/[^/]+\/availability$/.test(path)) return [];
    const { data } = readJson(site, sha256) as { data: ProductAvailability };
    return new Set(data.stores.flatMap(({ retrieved_at }) => retrieved_at ?? [])).size;
  });
}

/**
 * A catalog in every publication; or in a fifth of them, with few products asked for. `historyDays`: the retention of events,
 * by publication, one after the other and again.
 */
const series = [
  { seed: 1, publications: isCheck ? 8 : 4, isThin: false, historyDays: [365] },
  { seed: 2, publications: 8, isThin: false, historyDays: [365, 0, 3, 365, 1] },
  { seed: 3, publications: 8, isThin: false, historyDays: [3, 3, 365] },
  { seed: 4, publications: 14, isThin: true, historyDays: [40] },
  { seed: 5, publications: 14, isThin: true, historyDays: [40] },
];

test.each(isCheck ? series : series.slice(0, 1))(
  'a series in which everything moves, built day by day, is the site built at once (seed $seed, thin: $isThin, history: $historyDays)',
  async ({ seed, publications, isThin, historyDays }) => {
    const folder = mkdtempSync(join(root, 'world-'));
    const [database, daily] = [join(folder, 'db.sqlite'), join(folder, 'daily')];
    const seen = new Set<number>();
    const world = randomWorld({ seed, products: 12, stores: 6, publications });
    const snapshots = isThin ? thinned(world) : world;
    for (const [index, snapshot] of snapshots.entries()) {
      const connection = openForPublishing(database);
      const history_days = historyDays[index % historyDays.length] ?? 0;
      const retention = { history_days, publication_days: 30 };
      const header = { ...snapshot.header, retention };
      const source = writeSnapshot(join(folder, `snapshot-${index}`), { ...snapshot, header });
      await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true });
      connection.close();
      await build(database, daily);
      const { faults } = await verifySite(daily);
      expect(faults, `publication ${index + 1}`).toEqual([]);
      const fresh = join(folder, `fresh-${index}`);
      await build(database, fresh);
      const expected = identityOf(readSite(fresh).routes);
      const kept = new Set(identityOf(readSite(daily).routes));
      expect(
        expected.filter((route) => !kept.has(route)),
        `publication ${index + 1}`,
      ).toEqual([]);
      for (const count of retrievalCounts(daily)) seen.add(count);
    }
    // Zero: never retrieved. One: retrieved as a whole. Two: a later retrieval left out stores.
    expect([...seen].sort().slice(0, 3)).toEqual(isCheck ? [0, 1, 2] : [0, 1]);
  },
);
