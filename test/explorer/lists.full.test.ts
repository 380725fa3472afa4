import { expect, test } from 'vitest';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { Category } from '../../contract/schemas/category.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { Metadata } from '../../contract/schemas/metadata.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import type { SearchResult } from '../../contract/schemas/search.ts';
import { priceText } from '../../explorer/parts/text.ts';
import { fullName } from '../../explorer/products/product-index.ts';
import { describeExplorer, wholeTables } from './explorer-site.ts';

describeExplorer('search and changes', (explorer) => {
  test("search shows the API's results while the reader types, by kind, with product data from the catalog", async () => {
    await using view = await explorer.open('#/search');
    const { page } = view;
    await page.getByLabel('Name or SKU').pressSequentially('dun');
    const answerOf = (kind: string) => explorer.answer<SearchResult>(`/v1/search?q=dun&kinds=${kind}&limit=100`);
    const products = await answerOf('product');
    const names = async () => (await page.locator('main tbody td:first-child').allTextContents()).sort();
    await expect.poll(names).toEqual(products.data.map(fullName).sort());
    const first = page.locator('main tbody tr').first();
    await expect.poll(() => first.textContent()).toMatch(/\d mL.*\$\d+\.\d\d/);
    const tabs = page.getByRole('navigation', { name: 'Kinds of results' }).getByRole('link');
    const totals = await Promise.all(['product', 'product_family', 'brand', 'store'].map(answerOf));
    const counts = async () => (await tabs.allTextContents()).map((text) => Number(text.split(' ').at(-1)));
    await expect.poll(counts).toEqual(totals.map(({ meta }) => meta.total).toSpliced(1, 0, 0));
    // The number of results is visible once.
    expect(await page.getByText(/^\d+ rows$/).count()).toBe(0);
    expect(await page.getByText(/^\d+ results$/).evaluate((text) => text.clientWidth)).toBe(1);
    await tabs.filter({ hasText: 'Brands' }).click();
    await page.waitForURL('**/#/search?q=dun&kinds=brand');
    await expect.poll(names).toEqual(totals[2]?.data.map(({ name }) => name).sort());
  });

  test('every search puts whole words before beginnings, then orders by stores, and ignores letters inside words', async () => {
    const { columns } = explorer.site.document<BrowseIndex>('/v1/products/browse.json');
    const stores = new Map(columns.sku.map((sku, at) => [sku, columns.reported_positive_store_count[at] ?? -1]));
    await using view = await explorer.open('#/search?q=rum');
    const { page } = view;
    const links = (of: string) =>
      page
        .locator(`${of} a[href^="#/product/"]`)
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(10)));
    // Categories are loaded, so their words find products too.
    await page.getByRole('link', { name: /^Categories \d/ }).waitFor();
    const found = await links('main tbody');
    const texts = await page.locator('main tbody td:first-child').allTextContents();
    // A product without the word is in a category that has it.
    const rankOf = (text: string) => (/\brum\b/i.test(text) ? 2 : /\brum/i.test(text) ? 1 : 0);
    const ranked = found.map((sku, at) => ({
      sku,
      rank: rankOf(texts[at] ?? ''),
      stores: stores.get(sku ?? '') ?? -1,
    }));
    expect(ranked).toEqual(ranked.toSorted((a, b) => b.rank - a.rank || b.stores - a.stores));
    expect(ranked[0]?.rank).toBe(2);
    await view.go('#/browse?q=rum');
    await expect.poll(() => links('main tbody')).toEqual(found);
    await view.go('#/stores');
    await page.keyboard.press('/');
    await page.keyboard.type('rum');
    await expect.poll(() => links('.hits')).toEqual(found.slice(0, 6));
  });

  test('the search field lists categories with counts, brands and stores, and finds a SKU by its beginning', async () => {
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

  test('search suggests other words if nothing is found', async () => {
    await using view = await explorer.open('#/search?q=peech');
    await view.page.getByText('Did you mean').getByRole('link', { name: 'peach' }).click();
    await view.page.waitForURL('**/#/search?q=peach');
    await view.page.getByRole('link', { name: 'Dunmarrow Peach Schnapps' }).waitFor();
  });

  test('the search field in every view lists products while the reader types, and the keyboard opens one', async () => {
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

  test('changes are those of the API, in words, as far back as they are kept', async () => {
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
    // Rises and falls have an arrow and words.
    const isUp = (first.change.difference_minor ?? 0) > 0;
    const difference = priceText(Math.abs(first.change.difference_minor ?? 0));
    expect(await row.textContent()).toContain(isUp ? `▲ up ${difference}` : `▼ down ${difference}`);
    const more = page.getByRole('button', { name: 'Load more changes' });
    await expect
      .poll(async () => {
        if (await more.isVisible()) await more.click();
        return page.getByText('Changes are kept for').isVisible();
      })
      .toBe(true);
    expect(await page.getByText('Changes are kept for').textContent()).toMatch(/^[\d,]+ changes\. /);
    await wholeTables(page);
    expect(await page.locator('main tbody tr').count()).toBe(data.length);
  });

  test('store changes share a row per product and publication, with a link to each of them', async () => {
    const question = '/v1/changes?types=aggregate_inventory_changed&limit=1';
    const [first] = (await explorer.answer<{ data: ChangeEvent[] }>(question)).data;
    if (first?.type !== 'aggregate_inventory_changed') throw new Error('the fixtures have no change of a quantity');
    await using view = await explorer.open('#/changes');
    const { page } = view;
    await page.getByRole('navigation', { name: 'Kinds of changes' }).getByRole('link', { name: 'All' }).click();
    const { previous, current } = first.change;
    const row = page.locator('main tbody tr', { hasText: fullName(first.product) }).first();
    const sums = `Reported ${previous.reported_quantity} → ${current.reported_quantity}`;
    await expect.poll(() => row.textContent()).toContain(sums);
    await page.getByRole('link', { name: 'Quantities' }).click();
    await row.getByRole('link', { name: 'By store' }).click();
    const day = first.times.retrieved_at.slice(0, 10);
    const sku = first.product.source_ids.agency_sku;
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>(
      `/v1/changes?sku=${sku}&types=store_inventory_changed,store_inventory_first_observed&since=${day}T00:00:00Z&until=${day}T23:59:59.999Z`,
    );
    expect(data.length).toBeGreaterThan(0);
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(data.length);
  });

  test('products that left and products that returned are lists of their own, with a row each', async () => {
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>('/v1/changes?types=catalog_presence_changed');
    const changes = data.flatMap((event) => (event.type === 'catalog_presence_changed' ? [event] : []));
    const returned = changes.filter(({ change }) => change.current === 'listed');
    const isGone = ({ product }: ChangeEvent) =>
      changes.find((event) => event.product.id === product.id)?.change.current === 'absent';
    const gone = changes.filter(({ change }) => change.current === 'absent').filter(isGone);
    const back = changes.filter(({ change }) => change.current === 'absent').filter((event) => !isGone(event));
    expect([gone.length, returned.length, back.length]).toEqual([1, 1, 1]);
    await using view = await explorer.open('#/changes');
    const { page } = view;
    const tabs = page.getByRole('navigation', { name: 'Kinds of changes' }).getByRole('link');
    const labels = ['Prices', 'New', 'Gone', 'Returned', 'Status and names', 'Quantities', 'By store', 'All'];
    expect((await tabs.allTextContents()).map((text) => text.replace(/ [\d,]+$/, ''))).toEqual(labels);
    const rows = page.locator('main table').last().locator('tbody tr');
    const names = async () => Promise.all((await rows.all()).map((row) => row.locator('a').first().textContent()));
    for (const [label, presence, events, all] of [
      ['Gone', 'gone', gone, '1 product.'],
      ['Returned', 'returned', returned, '1 change.'],
    ] as const) {
      await tabs.filter({ hasText: label }).click();
      await page.waitForURL(`**/#/changes?types=catalog_presence_changed&presence=${presence}`);
      await page.getByText(all).waitFor();
      expect(await names()).toEqual(events.map(({ product }) => fullName(product)));
      await expect.poll(() => page.locator('.tabs [aria-current]').textContent()).toBe(`${label} 1`);
    }
    await tabs.filter({ hasText: 'Gone' }).click();
    const [last] = gone;
    const known = explorer.site.document<{ data: ProductDetail }>(`/v1/products/${last?.product.id}`).data;
    const facts = `Left the catalog ${known.package_size.display} · last price ${known.price?.display}`;
    await expect.poll(() => rows.first().textContent()).toContain(facts);
    // The first one that left has returned since, even if only its day is requested.
    const day = back[0]?.times.retrieved_at.slice(0, 10) ?? '';
    const place = `#/changes?types=catalog_presence_changed&presence=gone&since=${day}&until=${day}`;
    await page.evaluate(`location.hash = '${place}'`);
    await page.getByText('No changes match.').waitFor();
    const lastDay = gone[0]?.times.retrieved_at.slice(0, 10) ?? '';
    await page.getByLabel('Retrieved to (UTC)').fill(lastDay);
    await page.getByText('1 product.').waitFor();
  });

  test('products that left before the oldest kept change are counted', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.route('**/v1/metadata', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { data: Metadata };
      const counts = { ...data.counts, products: data.counts.products + 2 };
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, counts } } });
    });
    await page.goto(`${explorer.origin}/#/changes?types=catalog_presence_changed&presence=gone`);
    await page.reload();
    const all = '1 product. 2 other products left the catalog before the oldest change kept.';
    await page.getByText(all).waitFor();
    await page.unrouteAll();
  });

  test('changes after a publication are read up to it, and earlier ones on request', async () => {
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>('/v1/changes?types=price_changed');
    const after = '2025-05-20T22:00:00Z';
    const later = data.filter(({ times }) => times.published_at > after);
    expect(later.length).toBeGreaterThan(0);
    await using view = await explorer.open(`#/changes?types=price_changed&after=${after}`);
    const { page } = view;
    await page.getByText(`${later.length} change`).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Kinds of changes' }).getByRole('link');
    await expect.poll(() => tabs.first().textContent()).toBe(`Prices ${later.length}`);
    await page.getByText('Published after 20 May 2025.').waitFor();
    await page.getByRole('button', { name: 'Include earlier changes' }).click();
    await page.waitForURL('**/#/changes?types=price_changed');
    await expect.poll(() => tabs.first().textContent()).toBe(`Prices ${data.length}`);
    await wholeTables(page);
    await expect.poll(() => page.locator('main table').last().locator('tbody tr').count()).toBe(data.length);
  });

  test('a button limits changes to the last days', async () => {
    await using view = await explorer.open('#/changes');
    const { page } = view;
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.waitForURL('**/#/changes?since=2025-05-06');
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>(
      '/v1/changes?types=price_changed&since=2025-05-06T00:00:00Z&limit=100',
    );
    await wholeTables(page);
    await expect.poll(() => page.locator('main table').last().locator('tbody tr').count()).toBe(data.length);
    expect(await page.getByRole('button', { name: 'Last 30 days' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('changes are filtered by store and day, and an invalid SKU is explained', async () => {
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
    // Everything that a publication observed about a product is one row.
    const groups = new Set(data.map(({ product, times }) => `${product.id} ${times.published_at}`));
    expect(await rows.count()).toBe(groups.size);
    expect(await page.locator('main tbody').textContent()).not.toMatch(/sold|in stock/i);
    await page.getByLabel('SKU').fill('12');
    await page.getByText('A SKU is six digits.').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
  });
});
