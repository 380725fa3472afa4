import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { readExplorer } from '../../generator/explorer/explorer-files.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { build, temporaryFolder } from '../build/fixture-series.ts';
import { documentAt } from '../build/site-tree.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import {
  curatedProduct,
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';

const publishedAt = '2025-03-01T12:00:00Z';

/** Three products: one that a store was asked about, one of the same family that none was, and a family of one like it. */
function partsOf() {
  const families = ['half', 'never'].map((slug) => ({ slug, name: `Family ${slug}`, brand: 'plain' }));
  const member = (sku: string, family: string) => curatedProduct(sku, { brand: 'plain', family });
  return {
    products: ['000001', '000002', '000003'].map((sku) => productLine(sku)),
    stores: [storeLine('0001')],
    inventory: { scope: ['0001'], lines: [retrievalLine('000001', publishedAt, [])] },
    curation: curationOf({
      brands: [{ slug: 'plain', name: 'Plain', aliases: [], reviewed: true }],
      families,
      products: [member('000001', 'half'), member('000002', 'half'), member('000003', 'never')],
    }),
  };
}

describeInBrowser('inventory that was never retrieved', () => {
  const folder = temporaryFolder();
  const dist = join(folder.path, 'dist');
  let server: RunningServer;
  beforeAll(async () => {
    const parts = partsOf();
    const header = headerOf({ published_at: publishedAt }, parts);
    const database = join(folder.path, 'db.sqlite');
    const connection = openForPublishing(database);
    const snapshot = writeSnapshot(join(folder.path, 'snapshot'), { header, ...parts });
    await publishSnapshot(connection, snapshot, { quarantine: false, acceptShrink: false });
    connection.close();
    await build(database, dist, { explorer: await readExplorer() });
    server = await RunningServer.start(['--dist', dist]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    folder.remove();
  });

  const cardOf = ({ page }: TestPage, label: string) => page.locator('.card', { hasText: label }).textContent();

  /** What the table of members says of stores, by SKU. */
  async function storesOfMembers({ page }: TestPage): Promise<Record<string, string>> {
    const table = page.locator('table', { has: page.locator('caption', { hasText: 'Members of the family' }) });
    await table.waitFor();
    const labels = await table.locator('th').allTextContents();
    const rows = await Promise.all(
      (await table.locator('tbody tr').all()).map((row) => row.locator('td').allTextContents()),
    );
    const [sku, stores] = [labels.indexOf('SKU'), labels.indexOf('Stores that report it')];
    return Object.fromEntries(rows.map((row) => [row[sku], row[stores]]));
  }

  test('is no count of stores in the view of a product', async () => {
    await using view = await openPage(`${server.origin}/#/product/000002`);
    expect(await cardOf(view, 'stores report it')).toBe('– stores report it');
    expect(await storesOfMembers(view)).toEqual({ '000001': '0', '000002': 'not checked' });
    await view.go('#/product/000001');
    expect(await cardOf(view, 'stores report it')).toBe('0 of 1 stores report it');
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('is no count of members in the view of a family', async () => {
    const { data } = documentAt<{ data: { id: string; slug: string }[] }>(dist, '/v1/product-families');
    const idOf = (slug: string) => data.find((family) => family.slug === slug)?.id;
    await using view = await openPage(`${server.origin}/#/family/${idOf('never')}`);
    expect(await cardOf(view, 'members that stores report')).toBe('– members that stores report');
    expect(await storesOfMembers(view)).toEqual({ '000003': 'not checked' });
    await view.page.getByText('Not checked', { exact: true }).waitFor();
    await view.go(`#/family/${idOf('half')}`);
    expect(await cardOf(view, 'members that stores report')).toBe('0 members that stores report');
  });
});
