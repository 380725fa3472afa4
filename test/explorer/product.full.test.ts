import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { ProductAvailability, ProductDetail, ProductSeries } from '../../generator/contract/documents/product.ts';
import { eventually } from '../serve/running-server.ts';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

/** A product in every state of a store but one, with two prices, in a family. */
const sku = '002051';

describeInBrowser('product', () => {
  let explorer: ExplorerSite;
  let product: ProductDetail;
  let availability: ProductAvailability;
  let series: ProductSeries;
  /** A product whose status changed last. */
  let changed: ChangeEvent['product'];
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
    product = explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
    availability = explorer.site.document<{ data: ProductAvailability }>(
      `/v1/products/${product.id}/availability`,
    ).data;
    series = explorer.site.document<ProductSeries>(`/v1/products/${product.id}/series.json`);
    const answer = await fetch(`${explorer.origin}/v1/changes?types=status_changed&limit=1`);
    const { data } = (await answer.json()) as { data: [ChangeEvent] };
    changed = data[0].product;
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  /** The cells of a table, by its caption. Tables in closed details have them too. */
  async function cellsOf({ page }: TestPage, caption: string): Promise<string[][]> {
    const table = page.locator('table', { has: page.locator('caption', { hasText: caption }) }).first();
    await table.locator('tbody tr').first().waitFor({ state: 'attached' });
    const rows = await table.locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
  }

  test('shows what the documents say', async () => {
    await using shown = await explorer.open(`#/product/${sku}`);
    const main = shown.page.locator('main');
    await shown.passCharts(3);
    await shown.page.getByRole('heading', { name: `${product.brand} ${product.name}` }).waitFor();
    const summary = product.availability_summary;
    const text = (await main.textContent()) ?? '';
    expect(text).toContain(`${product.price?.display} price`);
    expect(text).toContain(`${summary.reported_positive_store_count} of ${summary.scope_store_count} stores report it`);
    expect(text).toContain('FIXTURE_DATA');
    const stores = await cellsOf(shown, 'Reported availability by store');
    const quantities = availability.stores.map(({ name, reported_quantity }) => [
      name,
      String(reported_quantity ?? '–'),
    ]);
    expect(stores.map(([name, , , quantity]) => [name, quantity]).sort()).toEqual(quantities.sort());
    expect(new Set(stores.map(([, , state]) => state))).toEqual(
      new Set(['reported', 'reported zero', 'not in any row', 'not checked']),
    );
    const prices = await cellsOf(shown, 'Price');
    expect(prices.map(([, price]) => price)).toEqual(
      [...series.prices.price_minor, series.prices.price_minor.at(-1)].map(
        (price) => `$${((price ?? 0) / 100).toFixed(2)}`,
      ),
    );
    const reports = await cellsOf(shown, 'Reported quantity');
    expect(reports.map(([, quantity]) => quantity)).toEqual(
      series.retrievals.reported_quantity.map((quantity) => String(quantity ?? '–')),
    );
  });

  test('is the same by id, and sorts by keyboard', async () => {
    await using shown = await explorer.open(`#/product/${product.id}`);
    const table = shown.page.locator('table', { hasText: 'Reported availability by store' });
    await table.getByRole('button', { name: 'Code' }).press('Enter');
    const codes = (await cellsOf(shown, 'Reported availability by store')).map(([, code]) => code ?? '');
    const known = availability.stores.flatMap(({ inventory_store_code: code }) => code ?? []).sort();
    expect(codes.slice(0, known.length)).toEqual(known);
  });

  test.each(['light', 'dark'] as const)('is accessible, %s', async (scheme) => {
    await using shown = await explorer.open(`#/product/${sku}`, { scheme, width: 360 });
    await shown.passCharts(3);
    await shown.page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    expect(await shown.accessibilityProblems()).toEqual([]);
    expect(await shown.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test('has charts that follow the width and the colours of the page', async () => {
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(3);
    const look = () => shown.page.evaluate<string>("document.querySelectorAll('.chart canvas')[2].toDataURL()");
    const light = await look();
    await shown.page.emulateMedia({ colorScheme: 'dark' });
    expect(await eventually(async () => (await look()) !== light)).toBe(true);
    await shown.page.setViewportSize({ width: 400, height: 800 });
    const follow = () =>
      shown.page.evaluate<boolean>(
        "[...document.querySelectorAll('.chart-place')].every((place) => place.querySelector('.uplot').offsetWidth === place.clientWidth)",
      );
    expect(await eventually(follow)).toBe(true);
  });

  test('that changed its status has the steps of it', async () => {
    await using shown = await explorer.open(`#/product/${changed.source_ids.agency_sku}`);
    const { statuses, presence } = explorer.site.document<ProductSeries>(`/v1/products/${changed.id}/series.json`);
    const rows = await cellsOf(shown, 'Status and presence in the catalog');
    expect(rows).toHaveLength(statuses.at.length + presence.at.length);
    expect(rows[0]?.[2]).toContain(statuses.label.at(-1));
  });

  test('that is not there is said to be so', async () => {
    await using shown = await explorer.open('#/product/999999');
    await shown.page.getByRole('alert').getByRole('link', { name: 'SKU_NOT_FOUND' }).waitFor();
    expect(shown.takeProblems().join()).toContain('404');
  });
});
