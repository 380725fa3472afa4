import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductSeries } from '../../generator/contract/documents/product.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const [bourbon, gin] = ['001204', '003110'];

function seriesPath(site: EditedSite, sku: string): string {
  return `/v1/products/${site.document(`/v1/products/by-sku/${sku}`).data.id}/series.json`;
}

/** Edits of a series, each of another product. */
const edits: [string, (series: ProductSeries) => void][] = [
  ['a column that is too short', ({ retrievals }) => retrievals.attempted_at.shift()],
  ['publications out of order', ({ retrievals: { publication } }) => publication.reverse()],
  ['a success without counts', ({ retrievals }) => retrievals.reported_quantity.splice(0, 1, null)],
  ['a failure with counts', ({ retrievals }) => retrievals.succeeded.splice(0, 1, false)],
  ['another last price', ({ prices }) => prices.price_minor.splice(-1, 1, 1)],
  ['another last status', ({ statuses }) => statuses.label.splice(-1, 1, 'Other')],
  ['another last presence', ({ presence }) => presence.catalog_presence.splice(-1, 1, 'absent')],
  ['another last attempt', ({ retrievals }) => retrievals.attempted_at.splice(-1, 1, '2001-01-01T00:00:00Z')],
  ['fewer stores', ({ retrievals }) => retrievals.reported_positive_store_count.splice(-1, 1, 1)],
  ['more stores than there are', ({ retrievals }) => retrievals.reported_positive_store_count.splice(-1, 1, 999)],
  ['a smaller quantity', ({ retrievals }) => retrievals.reported_quantity.splice(-1, 1, 1)],
  ['another name', ({ product }) => Object.assign(product, { name: 'Water' })],
  ["a warning that is not the product's", ({ warnings }) => warnings.push({ code: 'SOURCE_REFRESH_DELAYED' })],
];

test('each series that differs from itself or from what else is said of its product', async () => {
  const site = new EditedSite(example.folder);
  const paths = site.paths(/^\/v1\/products\/[^/]+\/series\.json$/).filter((path) => {
    const { retrievals, prices } = site.document(path) as ProductSeries;
    const [first, last] = [
      retrievals.reported_positive_store_count[0],
      retrievals.reported_positive_store_count.at(-1),
    ];
    return retrievals.attempted_at.length > 1 && prices.price_minor.length > 0 && (first ?? 0) > 1 && (last ?? 0) > 1;
  });
  const edited = new Map(paths.slice(0, edits.length).map((path, i) => [path, edits[i]]));
  expect(edited.size).toBe(edits.length);
  for (const [path, [, edit] = ['', () => undefined]] of edited) site.editDocument(path, edit);
  expect(new Set(await site.faults())).toEqual(new Set([...edited.keys()].map((path) => `series_mismatch ${path}`)));
});

test('a series without its retrievals', async () => {
  const site = new EditedSite(example.folder);
  const path = seriesPath(site, bourbon);
  site.editDocument(path, ({ retrievals }) => {
    for (const column of Object.values(retrievals)) (column as unknown[]).length = 0;
  });
  expect(new Set(await site.faults())).toEqual(new Set([`series_mismatch ${path}`]));
});

test('a series at the address of another product', async () => {
  const site = new EditedSite(example.folder);
  const [own, other] = [seriesPath(site, bourbon), seriesPath(site, gin)];
  const { path: _, cache: __, last_modified: ___, ...foreign } = site.route(other);
  site.editRoute(own, (route) => Object.assign(route, foreign));
  const faults = await site.faults();
  expect(faults).toContain(`document_misplaced ${own}`);
  expect(faults).toContain(`series_mismatch ${own}`);
});

test('a product without its series, where others have one', async () => {
  const site = new EditedSite(example.folder);
  const path = seriesPath(site, bourbon);
  site.removeRoute(path);
  expect(await site.faults()).toEqual([`route_missing ${path}`]);
});

test('a site that was built before there were series is whole', async () => {
  const site = new EditedSite(example.folder);
  const isSeries = ({ path }: { path: string }) => path.endsWith('/series.json');
  for (const path of site.paths(/\/series\.json$/)) site.remove(site.checkoutOf(path));
  site.editTable(({ root, shards }) => {
    root.route_count -= shards.flat().filter(isSeries).length;
    for (const [i, routes] of shards.entries()) shards[i] = routes.filter((route) => !isSeries(route));
  });
  expect(await site.faults()).toEqual([]);
});
