import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { InventoryRecord, ProductRecord } from '../../contract/columns/export.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import { instantText, priceText } from '../../explorer/parts/text.ts';
import { cellsOf, describeExplorer } from './explorer-site.ts';

describeExplorer('an earlier publication', (explorer) => {
  /** A day after the ninth publication and before the tenth. */
  const day = '2025-05-12';
  let publication: RetainedPublication;
  let products: ProductRecord[];
  let inventory: InventoryRecord[];

  async function recordsOf<Shape>(url: string): Promise<Shape[]> {
    const bytes = Buffer.from(await (await fetch(`${explorer.origin}${url}`)).arrayBuffer());
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
    return text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line));
  }

  beforeAll(async () => {
    const { data } = await explorer.answer<{ data: RetainedPublication[] }>('/v1/metadata/publications');
    const found = data.find(({ sequence }) => sequence === 9);
    if (!found) throw new Error('the fixtures have no ninth publication');
    publication = found;
    products = await recordsOf(found.exports.products.url);
    inventory = await recordsOf(found.exports.inventory.url);
  });

  const banner = () => `This is publication 9 of ${instantText(publication.published_at)}, not the newest.`;

  test('shows its products with prices and stores, filters them, and its links stay in it', async () => {
    await using view = await explorer.open('#/browse');
    const { page } = view;
    await page.getByRole('button', { name: 'Show an earlier day' }).click();
    await page.getByLabel('As of').fill(day);
    await page.getByText(banner()).waitFor();
    await page.waitForURL(`**/#/browse?as_of=${day}`);
    const listed = products.filter(({ catalog_presence }) => catalog_presence === 'listed');
    const expected = listed.map(({ agency_sku, price_amount_minor, inventory_retrieved_at, ...product }) => [
      agency_sku,
      priceText(price_amount_minor),
      inventory_retrieved_at === null
        ? '–'
        : `${product.reported_positive_store_count} of ${product.scope_store_count - product.unchecked_store_count}`,
    ]);
    const shown = async () => {
      const cells = await cellsOf(view, 'Products');
      return cells
        .map((row) => [row[6], row[2]?.replace(/\$[\d.,]+ \/ L$/, ''), row[4]?.replace(/^restricted /, '').trim()])
        .sort();
    };
    await expect.poll(shown).toEqual(expected.sort());
    await page.getByLabel('Name or SKU').fill('rye');
    await expect.poll(() => page.locator('main tbody tr').count()).toBeLessThan(listed.length);
    await page.waitForURL(new RegExp(`q=rye&as_of=${day}$`));
    await page.locator('main tbody a').first().click();
    await page.waitForURL(new RegExp(`#/product/\\d{6}\\?as_of=${day}$`));
    await page.getByText(banner()).waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('shows the price and the stores of a product, and the products of a store, as reported then', async () => {
    const product = products.find(({ agency_sku }) => agency_sku === '001204');
    await using view = await explorer.open(`#/product/001204?as_of=${day}`);
    const { page } = view;
    await page.getByText(banner()).waitFor();
    await page.locator('.product-answer .price', { hasText: priceText(product?.price_amount_minor ?? null) }).waitFor();
    const pairs = inventory.filter(({ agency_sku }) => agency_sku === '001204');
    const quantities = async () =>
      (await cellsOf(view, 'Reported availability by store')).map(([name, quantity]) => [name, quantity]).length;
    await expect.poll(quantities).toBe(pairs.length);
    const reported = (await cellsOf(view, 'Reported availability by store')).map(([, quantity]) => quantity);
    expect(reported.toSorted()).toEqual(pairs.map(({ reported_quantity: of }) => String(of ?? '–')).toSorted());
    await view.go(`#/store/0001?as_of=${day}`);
    await page.getByText(banner()).waitFor();
    const stocked = inventory.filter(
      ({ inventory_store_code: code, state }) => code === '0001' && state === 'reported_positive',
    );
    const isListed = new Set(products.flatMap((of) => (of.catalog_presence === 'listed' ? [of.id] : [])));
    const checked = inventory.filter((pair) => pair.inventory_store_code === '0001' && isListed.has(pair.product_id));
    await page.getByText(`${stocked.length} of ${checked.length} products checked here have`).waitFor();
    await page.getByRole('button', { name: 'Show the newest' }).click();
    await page.waitForURL('**/#/store/0001');
    await page.getByText('Latest changes').waitFor();
  });

  test('is not shown if the site has none from that day, or if the day is invalid', async () => {
    await using view = await explorer.open('#/browse?as_of=2020-01-01');
    const { page } = view;
    await page
      .getByText('The site has no publication from 1 Jan 2020 or earlier any more; the oldest publication is from')
      .waitFor();
    expect(await page.locator('main table').count()).toBe(0);
    await view.go('#/product/001204?as_of=tomorrow');
    await page.getByText('“tomorrow” is not a day such as 2025-01-31; the oldest publication is from').waitFor();
    expect(await page.locator('.product-answer').count()).toBe(0);
    // The day of the newest publication shows the newest.
    await view.go('#/browse?as_of=2030-01-01');
    await page.locator('main table').waitFor();
  });
});
