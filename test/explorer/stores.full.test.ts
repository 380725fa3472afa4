import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreDetail, StoreStock, StoreSummary } from '../../generator/contract/documents/store.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('stores', () => {
  let explorer: ExplorerSite;
  let stores: readonly StoreSummary[];
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
    stores = explorer.site.document<{ data: StoreSummary[] }>('/v1/stores').data;
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  test('all are in the table; those with a location are on the map, and the others are counted', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.locator('.map .point').first().waitFor();
    expect(await page.locator('tbody td:first-child').allTextContents()).toEqual(stores.map(({ name }) => name));
    const located = stores.filter(({ location }) => location !== null).length;
    expect(await page.locator('.map .point').count()).toBe(located);
    const unplaced = stores.length - located;
    expect(await page.getByText('no published location').count()).toBe(unplaced > 0 ? 1 : 0);
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { level: 1, name: stores[0]?.name ?? '' }).waitFor();
  });

  test('filters are in the address, and a link shows the same', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.getByLabel('Service').selectOption('parking');
    await page.getByLabel('Name or code').fill('store');
    expect(page.url()).toContain('service=parking');
    await using other = await explorer.open(new URL(page.url()).hash);
    const expected = stores.filter(({ name, services }) => services.includes('parking') && /store/i.test(name));
    for (const shown of [page, other.page]) {
      await shown.locator('tbody td:first-child').first().waitFor();
      expect(await shown.locator('tbody td:first-child').allTextContents()).toEqual(expected.map(({ name }) => name));
    }
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.locator('tbody tr').count()).toBe(stores.length);
  });

  test('a store by its code shows its document, what it reports and what changed', async () => {
    const { data: store } = explorer.site.document<{ data: StoreDetail }>('/v1/stores/by-code/0001');
    const { data: stock } = explorer.site.document<{ data: StoreStock }>(`/v1/stores/${store.id}/availability`);
    await using view = await explorer.open('#/store/0001');
    const { page } = view;
    const reported = page.getByRole('region', { name: 'Products reported' });
    await page.getByRole('region', { name: 'Newest changes' }).waitFor();
    expect(await page.locator('h1').textContent()).toBe(store.name);
    const facts = await page.locator('dl.facts').textContent();
    for (const text of [store.address.line1, store.regular_hours, '0001', 'consumer state store'])
      expect(facts).toContain(text);
    expect(await page.locator('a[href^="tel:"]').getAttribute('href')).toBe(store.contact_links.telephone_uri);
    expect(await page.locator('a[href^="geo:"]').getAttribute('href')).toBe(store.contact_links.geo_uri);
    expect(await reported.locator('tbody td:nth-child(3)').allTextContents()).toEqual(
      stock.products.map(({ agency_sku }) => agency_sku),
    );
    expect(await reported.locator('tbody td:nth-child(4)').allTextContents()).toEqual(
      stock.products.map(({ reported_quantity }) => String(reported_quantity)),
    );
    const answer = await fetch(`${explorer.origin}/v1/changes?store_id=${store.id}&limit=50`);
    const { data: events } = (await answer.json()) as { data: { product: { source_ids: { agency_sku: string } } }[] };
    const changes = page.getByRole('region', { name: 'Newest changes' });
    expect(await changes.locator('tbody td:nth-child(3)').allTextContents()).toEqual(
      events.map(({ product }) => product.source_ids.agency_sku),
    );
    await page.locator('.map .point .mark.here').waitFor();
  });

  test('a note on a store is shown, and a store that does not exist is said to be missing', async () => {
    await using view = await explorer.open('#/store/0003');
    expect(await view.page.locator('dl.facts').textContent()).toContain('Roof repair');
    await view.go('#/store/9999');
    await view.page.getByRole('alert').waitFor();
    expect(await view.page.getByRole('alert').textContent()).toContain('RESOURCE_NOT_FOUND');
    view.takeProblems();
  });

  test.each(['light', 'dark'] as const)('are accessible, %s', async (scheme) => {
    await using view = await explorer.open('#/stores', { scheme, width: scheme === 'dark' ? 320 : 1280 });
    await view.page.locator('.map .point').first().waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(await view.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await view.go('#/store/0001');
    await view.page.getByRole('region', { name: 'Newest changes' }).waitFor();
    await view.page.locator('.map .point').first().waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(await view.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
