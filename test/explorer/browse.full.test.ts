import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Category } from '../../generator/contract/documents/curation.ts';
import type { BrowseIndex } from '../../generator/contract/documents/search.ts';
import type { StoreStock } from '../../generator/contract/documents/store.ts';
import { priceText } from '../../templates/explorer/components/text.ts';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('products', () => {
  let explorer: ExplorerSite;
  let index: BrowseIndex;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
    index = explorer.site.document('/v1/products/browse.json');
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  async function open(place: string): Promise<TestPage> {
    const view = await explorer.open(place);
    await view.page.locator('main table').waitFor();
    return view;
  }

  const skus = ({ page }: TestPage) => page.locator('main tbody td:nth-child(10)').allTextContents();
  const skusWhere = (holds: (product: number) => boolean) => index.columns.sku.filter((_, product) => holds(product));

  test('are all there, as the document has them, and save as CSV', async () => {
    await using view = await open('#/browse');
    expect(await skus(view)).toEqual(index.columns.sku);
    const priced = index.columns.price_minor.findIndex((price) => price !== null);
    const row = await view.page.locator(`main tbody tr:nth-child(${priced + 1})`).textContent();
    expect(row).toContain(index.columns.name[priced]);
    expect(row).toContain(priceText(index.columns.price_minor[priced] ?? null));
    const saving = view.page.waitForEvent('download');
    await view.page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = await saving;
    const lines = readFileSync(await saved.path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(index.count + 2);
    expect(lines[0]).toContain(
      'Brand,Name,Size,Price,Stores reporting,Reported quantity,Price per litre,Category,Status,SKU',
    );
    expect(lines[1]).toContain(index.columns.sku[0]);
  });

  test('follow a link that comes right after a word was typed, however late the page is drawn', async () => {
    await using view = await open('#/browse');
    await view.page.evaluate(`
      const input = document.querySelector('main input[type=search]');
      input.value = 'rye';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      location.hash = '#/browse?q=VODKA';
      for (const end = performance.now() + 600; performance.now() < end; );
    `);
    const vodkas = skusWhere((product) => /vodka/i.test(index.columns.name[product] ?? ''));
    await expect.poll(() => skus(view)).toEqual(vodkas);
    expect(new URL(view.page.url()).hash).toBe('#/browse?q=VODKA');
  });

  test('are filtered by words and price, and the address shows others the same', async () => {
    await using view = await open('#/browse');
    await view.page.getByLabel('Words in the name').fill('VODKA');
    await view.page.getByLabel('Price from, $').fill('10');
    const expected = skusWhere(
      (product) =>
        /vodka/i.test(index.columns.name[product] ?? '') && (index.columns.price_minor[product] ?? 0) >= 1000,
    );
    expect(expected.length).toBeGreaterThan(0);
    await expect.poll(() => skus(view)).toEqual(expected);
    await view.page.waitForURL('**/#/browse?q=VODKA&from=10');
    await using other = await open('#/browse?q=VODKA&from=10');
    expect(await skus(other)).toEqual(expected);
    await other.page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => skus(other)).toEqual(index.columns.sku);
  });

  test('are filtered by a category with all below it, and by a store', async () => {
    await using view = await open('#/browse');
    const { data: categories } = explorer.site.document<{ data: Category[] }>('/v1/categories');
    const parent = categories.find(({ product_count, total_product_count }) => total_product_count > product_count);
    if (!parent) throw new Error('the fixtures have no category with products below it');
    const link = view.page.locator('.tree li', { hasText: parent.name }).first();
    await link.getByRole('link').click();
    await expect.poll(async () => (await skus(view)).length).toBe(parent.total_product_count);
    const store = explorer.site.document<{ data: { id: string }[] }>('/v1/stores').data[0]?.id ?? '';
    const stock = explorer.site.document<{ data: StoreStock }>(`/v1/stores/${store}/availability`).data;
    await view.page.evaluate(`location.hash = '#/browse?store=${store}'`);
    await expect.poll(async () => (await skus(view)).sort()).toEqual(stock.products.map((p) => p.agency_sku).sort());
  });

  test('are not shown while it is not known which of them a store reports', async () => {
    const store = explorer.site.document<{ data: { id: string }[] }>('/v1/stores').data[0]?.id ?? '';
    await using view = await open('#/browse');
    const { page } = view;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/v1/stores/${store}/availability`, async (route) => {
      await answered;
      await route.continue();
    });
    const expectNoProducts = async () => {
      expect(await page.locator('main table').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Save as CSV' }).count()).toBe(0);
      expect(await page.locator('.tree .muted').count()).toBe(0);
    };
    await page.getByLabel('Reported in store').selectOption(store);
    await page.getByText('Loading what is reported in this store').waitFor();
    await expectNoProducts();
    answer();
    await page.locator('main table').waitFor();
    const stock = explorer.site.document<{ data: StoreStock }>(`/v1/stores/${store}/availability`).data;
    expect((await skus(view)).sort()).toEqual(stock.products.map(({ agency_sku }) => agency_sku).sort());
    await page.unrouteAll();
    await page.waitForURL(`**/#/browse?store=${store}`);
    await page.evaluate("location.hash = '#/browse?store=00000000-0000-4000-8000-000000000000'");
    await page.getByRole('alert').getByText('RESOURCE_NOT_FOUND').waitFor();
    await expectNoProducts();
    expect(view.takeProblems().join()).toContain('404');
  });

  test('are ordered by each heading, with the keyboard alone', async () => {
    await using view = await open('#/browse');
    const { page } = view;
    await page.getByRole('button', { name: 'Price', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dearest = Math.max(...index.columns.price_minor.map((price) => price ?? 0));
    await expect
      .poll(() => page.locator('main tbody tr:first-child td:nth-child(4)').textContent())
      .toBe(priceText(dearest));
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Price');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/browse?sort=price');
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('Price');
  });

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)('are accessible, %s, %i pixels wide', async (scheme, width) => {
    await using view = await explorer.open('#/browse', { scheme, width });
    await view.page.locator('main table').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(await view.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
