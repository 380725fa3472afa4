import { expect, test } from 'vitest';
import type { BrowseIndex, Category, SearchResult } from '../../generator/contract/documents/catalog.ts';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import { fullName } from '../../templates/explorer/components/product-index.ts';
import { priceText } from '../../templates/explorer/components/text.ts';
import { describeExplorer, wholeTables } from './explorer-site.ts';

describeExplorer('search and changes', (explorer) => {
  test('search shows while one types what the service finds, by kind, with what the catalog says of products', async () => {
    await using view = await explorer.open('#/search');
    const { page } = view;
    await page.getByLabel('Words of a name').pressSequentially('dun');
    const answerOf = (kind: string) => explorer.answer<SearchResult>(`/v1/search?q=dun&kinds=${kind}&limit=100`);
    const products = await answerOf('product');
    const names = async () => (await page.locator('main tbody td:first-child').allTextContents()).sort();
    await expect.poll(names).toEqual(products.data.map(fullName).sort());
    const first = page.locator('main tbody tr').first();
    await expect.poll(() => first.textContent()).toMatch(/\d mL.*\$\d+\.\d\d/);
    const tabs = page.getByRole('navigation', { name: 'Kinds of hits' }).getByRole('link');
    const totals = await Promise.all(['product', 'product_family', 'brand', 'store'].map(answerOf));
    const counts = async () => (await tabs.allTextContents()).map((text) => Number(text.split(' ').at(-1)));
    await expect.poll(counts).toEqual(totals.map(({ meta }) => meta.total).toSpliced(1, 0, 0));
    await tabs.filter({ hasText: 'Brands' }).click();
    await page.waitForURL('**/#/search?q=dun&kinds=brand');
    await expect.poll(names).toEqual(totals[2]?.data.map(({ name }) => name).sort());
  });

  test('every search has whole words before beginnings, and these by stores; letters within a word are no hit', async () => {
    const { columns } = explorer.site.document<BrowseIndex>('/v1/products/browse.json');
    const stores = new Map(columns.sku.map((sku, at) => [sku, columns.reported_positive_store_count[at] ?? -1]));
    await using view = await explorer.open('#/search?q=rum');
    const { page } = view;
    const links = (of: string) =>
      page
        .locator(`${of} a[href^="#/product/"]`)
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(10)));
    await expect.poll(() => links('main tbody')).not.toEqual([]);
    const found = await links('main tbody');
    const texts = await page.locator('main tbody td:first-child').allTextContents();
    const isWhole = texts.map((text) => /\brum\b/i.test(text));
    expect(texts.every((text) => /\brum/i.test(text))).toBe(true);
    const ranked = found.map((sku, at) => ({ sku, whole: isWhole[at], stores: stores.get(sku ?? '') ?? -1 }));
    expect(ranked).toEqual(ranked.toSorted((a, b) => Number(b.whole) - Number(a.whole) || b.stores - a.stores));
    await view.go('#/browse?q=rum');
    await expect.poll(() => links('main tbody')).toEqual(found);
    await view.go('#/stores');
    await page.keyboard.press('/');
    await page.keyboard.type('rum');
    await expect.poll(() => links('.hits')).toEqual(found.slice(0, 6));
  });

  test('the field lists a category with the number of its products, brands and stores, and finds a SKU from its start', async () => {
    const { data: categories } = explorer.site.document<{ data: Category[] }>('/v1/categories');
    const gin = categories.find(({ name }) => name === 'Gin');
    await using view = await explorer.open('#/changes');
    const { page } = view;
    const group = (name: string) => page.getByRole('group', { name }).getByRole('option');
    await page.keyboard.press('/');
    await page.keyboard.type('gin');
    await expect
      .poll(() => group('Categories').first().textContent())
      .toContain(`Gin ${gin?.total_product_count} product`);
    await page.getByRole('combobox', { name: /^Search/ }).fill('harrow falls');
    await expect.poll(() => group('Stores').count()).toBe(2);
    await page.getByRole('combobox', { name: /^Search/ }).fill('0141');
    await expect.poll(() => group('Products').allTextContents()).not.toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/product\/0141\d\d$/);
  });

  test('search says what was meant where nothing is found', async () => {
    await using view = await explorer.open('#/search?q=peech');
    await view.page.getByText('Did you mean').getByRole('link', { name: 'peach' }).click();
    await view.page.waitForURL('**/#/search?q=peach');
    await view.page.getByRole('link', { name: 'Dunmarrow Peach Schnapps' }).waitFor();
  });

  test('the field of every view lists products while one types, and the keyboard opens one', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.keyboard.press('/');
    await page.keyboard.type('peach');
    await page.getByRole('option', { name: /Dunmarrow Peach Schnapps/ }).waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/product/014100');
  });

  test('changes are those of the service, in words, as far back as they are kept', async () => {
    await using view = await explorer.open('#/changes?types=price_changed');
    const { page } = view;
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>('/v1/changes?types=price_changed');
    const [first] = data;
    if (first?.type !== 'price_changed') throw new Error('the fixtures have no change of a price');
    const [previous, current] = [first.change.previous, first.change.current].map((price) =>
      priceText(price?.amount_minor ?? null),
    );
    const row = page.locator('main tbody tr:first-child');
    await expect.poll(() => row.textContent()).toContain(`Price ${previous} → ${current}`);
    const more = page.getByRole('button', { name: 'Load more changes' });
    await expect
      .poll(async () => {
        if (await more.isVisible()) await more.click();
        return page.getByText('These are all').isVisible();
      })
      .toBe(true);
    expect(await page.getByText('The service keeps changes for').textContent()).toContain('These are all');
    await wholeTables(page);
    expect(await page.locator('main tbody tr').count()).toBe(data.length);
  });

  test('changes of stores are one row of a product and publication, which leads to each of them', async () => {
    const question = '/v1/changes?types=aggregate_inventory_changed&limit=1';
    const [first] = (await explorer.answer<{ data: ChangeEvent[] }>(question)).data;
    if (first?.type !== 'aggregate_inventory_changed') throw new Error('the fixtures have no change of a quantity');
    await using view = await explorer.open('#/changes');
    const { page } = view;
    await page.getByRole('navigation', { name: 'Kinds of changes' }).getByRole('link', { name: 'Everything' }).click();
    const { previous, current } = first.change;
    const row = page.locator('main tbody tr', { hasText: fullName(first.product) }).first();
    const sums = `Reported ${previous.reported_quantity} → ${current.reported_quantity}`;
    await expect.poll(() => row.textContent()).toContain(sums);
    await page.getByRole('link', { name: 'Quantities' }).click();
    await row.getByRole('link', { name: 'Each store' }).click();
    const day = first.times.retrieved_at.slice(0, 10);
    const sku = first.product.source_ids.agency_sku;
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>(
      `/v1/changes?sku=${sku}&types=store_inventory_changed,store_inventory_first_observed&since=${day}T00:00:00Z&until=${day}T23:59:59.999Z`,
    );
    expect(data.length).toBeGreaterThan(0);
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(data.length);
  });

  test('changes are filtered by store and day, and a SKU that is none is explained', async () => {
    const { data: all } = await explorer.answer<{ data: ChangeEvent[] }>(
      '/v1/changes?types=store_inventory_changed&limit=1',
    );
    const store = all[0]?.store?.id;
    const day = all[0]?.times.retrieved_at.slice(0, 10) ?? '';
    await using view = await explorer.open(`#/changes?store=${store}&since=${day}&until=${day}`);
    const { page } = view;
    const rows = page.locator('main tbody tr');
    await rows.first().waitFor();
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>(
      `/v1/changes?store_id=${store}&since=${day}T00:00:00Z&until=${day}T23:59:59.999Z`,
    );
    // All that a publication observed of a product is a row.
    const groups = new Set(data.map(({ product, times }) => `${product.id} ${times.published_at}`));
    expect(await rows.count()).toBe(groups.size);
    expect(await page.locator('main tbody').textContent()).not.toMatch(/sold|in stock/i);
    await page.getByLabel('Product by SKU').fill('12');
    await page.getByText('A SKU is six digits.').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
  });
});
