import { expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { Category } from '../../generator/contract/documents/curation.ts';
import type { SearchResult } from '../../generator/contract/documents/search.ts';
import { countOf, priceText } from '../../templates/explorer/components/text.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('search, categories and changes', (explorer) => {
  test('search shows the hits of the service while one types, by kind', async () => {
    await using view = await explorer.open('#/search');
    const { page } = view;
    await page.getByLabel('Words of a name').pressSequentially('dun');
    const { data, meta } = await explorer.answer<SearchResult>('/v1/search?q=dun&limit=100');
    await page.getByText(`${countOf(meta.total, 'hit')}.`).waitFor();
    expect((await page.locator('.hits a').allTextContents()).sort()).toEqual(data.map(({ name }) => name).sort());
    const asked = view.requested.filter((url) => url.includes('/v1/search?q='));
    expect(new URL(asked.at(-1) ?? '').searchParams.get('q')).toBe('dun');
    await page.getByLabel('Brands', { exact: true }).check();
    await page.waitForURL('**/#/search?q=dun&kinds=brand');
    const brands = await explorer.answer<SearchResult>('/v1/search?q=dun&kinds=brand&limit=100');
    await expect.poll(() => page.locator('.hits a').count()).toBe(brands.data.length);
  });

  test('every category is there with its products and families', async () => {
    await using view = await explorer.open('#/categories');
    const { data } = explorer.site.document<{ data: Category[] }>('/v1/categories');
    await expect.poll(() => view.page.locator('main tbody tr').count()).toBe(data.length);
    const row = view.page.locator('main tbody tr', { hasText: data[0]?.name ?? '' }).first();
    expect(await row.locator('td:nth-child(3)').textContent()).toBe(String(data[0]?.total_product_count));
    await expect.poll(() => row.locator('td:nth-child(4)').textContent()).toMatch(/^\d+$/);
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
    await expect.poll(() => row.textContent()).toContain(`Price from ${previous} to ${current}`);
    const more = page.getByRole('button', { name: 'Load more changes' });
    await expect
      .poll(async () => {
        if (await more.isVisible()) await more.click();
        return page.getByText('These are all.').isVisible();
      })
      .toBe(true);
    expect(await page.getByText('The service keeps changes for').textContent()).toContain('These are all.');
    expect(await page.locator('main tbody tr').count()).toBe(data.length);
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
    expect(await rows.count()).toBe(data.length);
    expect(await page.locator('main tbody').textContent()).not.toMatch(/sold|in stock/i);
    await page.getByLabel('Product by SKU').fill('12');
    await page.getByText('A SKU has six digits.').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
  });
});
