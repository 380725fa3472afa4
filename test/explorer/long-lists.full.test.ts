import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { bundledExplorer } from '../support/programs.ts';
import { curatedProduct, curationOf, headerOf, productLine, storeLine } from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishParts } from '../units/fixture-series.ts';

const published_at = '2025-05-01T08:00:00Z';
const brands = Array.from({ length: 60 }, (_, number) => `Brand ${String(number).padStart(2, '0')}`);
const slugOf = (brand: string) => brand.toLowerCase().replace(' ', '-');
/** Five products of each brand, at $10 to $14. */
const products = brands.flatMap((brand, at) =>
  [0, 1, 2, 3, 4].map((number) => ({
    sku: String(100_000 + at * 5 + number),
    price_minor: 1000 + number * 100,
    brand,
  })),
);

describeInBrowser('a catalog with more brands and products than are drawn at once', () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  beforeAll(async () => {
    const parts = {
      stores: [storeLine('0001')],
      products: products.map(({ sku, price_minor }) => productLine(sku, { price_minor })),
      curation: curationOf({
        brands: brands.map((name) => ({ slug: slugOf(name), name, aliases: [], reviewed: true })),
        products: products.map(({ sku, brand }) => curatedProduct(sku, { brand: slugOf(brand) })),
      }),
    };
    await publishParts(join(folder, 'db.sqlite'), { header: headerOf({ published_at }, parts), ...parts });
    await build(join(folder, 'db.sqlite'), join(folder, 'dist'), { explorer: bundledExplorer() });
    server = await RunningServer.start([join(folder, 'dist')], { RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    removeFolder(folder);
  });

  test('fills a long list when the reader opens it by key or press, and then keeps only the chosen value', async () => {
    await using view = await openPage(`${server.origin}/#/browse`);
    const { page } = view;
    const list = page.locator('.filters label', { hasText: /^Brand/ }).locator('select');
    const values = () => list.locator('option').allTextContents();
    const words = page.getByLabel('Name or SKU');
    await words.focus();
    expect(await values()).toEqual(['All']);
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.labels[0].firstChild.data')).toBe('Brand');
    await expect.poll(values).toEqual(['All', ...brands.map((brand) => `${brand} (5)`)]);
    await list.selectOption('brand-07');
    await page.getByText('5 rows', { exact: true }).waitFor();
    expect(await values()).toHaveLength(61);
    await page.getByLabel('Price from').fill('12.50');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await expect.poll(values).toEqual(['All', 'Brand 07 (2)']);
    expect(await list.inputValue()).toBe('brand-07');
    await list.dispatchEvent('pointerdown');
    await expect.poll(values).toEqual(['All', ...brands.map((brand) => `${brand} (2)`)]);
    // No product of the brand costs that much, so the value leaves nothing, but it is still the chosen one.
    await page.getByLabel('Price from').fill('99');
    await expect.poll(values).toEqual(['All', 'Brand 07 (0)']);
  });

  test('keeps the rows of a table while it scrolls, and starts other rows at the top', async () => {
    await using view = await openPage(`${server.origin}/#/browse`);
    const { page } = view;
    const row = (position: number) => page.locator(`main tr[aria-rowindex="${position}"]`);
    const rowHeight = 36;
    await row(25).waitFor();
    await page.evaluate(`document.querySelector('tr[aria-rowindex="25"]').dataset.kept = ''`);
    await page.evaluate(`document.querySelector('.scrolled').scrollTo(0, ${20 * rowHeight})`);
    await row(2).waitFor({ state: 'detached' });
    await row(40).waitFor();
    expect(await page.locator('tr[data-kept]').getAttribute('aria-rowindex')).toBe('25');
    await page.evaluate(`document.querySelector('.scrolled').scrollTo(0, 1e6)`);
    await row(products.length + 1).waitFor();
    await page.getByLabel('Price to').fill('13');
    await page.getByText('240 rows', { exact: true }).waitFor();
    await row(2).waitFor();
    expect(await page.evaluate(`document.querySelector('.scrolled').scrollTop`)).toBe(0);
  });
});
