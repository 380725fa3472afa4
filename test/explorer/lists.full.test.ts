import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { Category } from '../../generator/contract/documents/curation.ts';
import type { SearchResult } from '../../generator/contract/documents/search.ts';
import type { Problem } from '../../generator/contract/problem.ts';
import { countOf, priceText } from '../../templates/explorer/components/text.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('search, categories and changes', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  async function answerOf<Shape>(target: string): Promise<Shape> {
    return (await (await fetch(`${explorer.origin}${target}`)).json()) as Shape;
  }

  test('search shows the hits of the service while one types, by kind', async () => {
    await using view = await explorer.open('#/search');
    const { page } = view;
    await page.getByLabel('Words of a name').pressSequentially('dun');
    const { data, meta } = await answerOf<SearchResult>('/v1/search?q=dun&limit=100');
    await page.getByText(`${countOf(meta.total, 'hit')}.`).waitFor();
    expect((await page.locator('.hits a').allTextContents()).sort()).toEqual(data.map(({ name }) => name).sort());
    const asked = view.requested.filter((url) => url.includes('/v1/search?q='));
    expect(new URL(asked.at(-1) ?? '').searchParams.get('q')).toBe('dun');
    await page.getByLabel('Brands', { exact: true }).check();
    await page.waitForURL('**/#/search?q=dun&kinds=brand');
    const brands = await answerOf<SearchResult>('/v1/search?q=dun&kinds=brand&limit=100');
    await expect.poll(() => page.locator('.hits a').count()).toBe(brands.data.length);
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('every category is there with its products and families', async () => {
    await using view = await explorer.open('#/categories', { scheme: 'dark', width: 320 });
    await view.page.locator('main table').waitFor();
    const { data } = explorer.site.document<{ data: Category[] }>('/v1/categories');
    await expect.poll(() => view.page.locator('main tbody tr').count()).toBe(data.length);
    const row = view.page.locator('main tbody tr', { hasText: data[0]?.name ?? '' }).first();
    expect(await row.locator('td:nth-child(3)').textContent()).toBe(String(data[0]?.total_product_count));
    await expect.poll(() => row.locator('td:nth-child(4)').textContent()).toMatch(/^\d+$/);
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('changes are those of the service, in words, as far back as they are kept', async () => {
    await using view = await explorer.open('#/changes?types=price_changed');
    const { page } = view;
    await page.locator('main table').waitFor();
    const { data } = await answerOf<{ data: ChangeEvent[] }>('/v1/changes?types=price_changed');
    const [first] = data;
    if (first?.type !== 'price_changed') throw new Error('the fixtures have no change of a price');
    const { previous, current } = first.change;
    const row = await page.locator('main tbody tr:first-child').textContent();
    expect(row).toContain(
      `Price from ${priceText(previous?.amount_minor ?? null)} to ${priceText(current?.amount_minor ?? null)}`,
    );
    const more = page.getByRole('button', { name: 'Load more changes' });
    await expect
      .poll(async () => {
        if (await more.isVisible()) await more.click();
        return page.getByText('These are all.').isVisible();
      })
      .toBe(true);
    expect(await page.getByText('The service keeps changes for').textContent()).toContain('These are all.');
    expect(await page.locator('main tbody tr').count()).toBe(data.length);
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('changes are filtered by store and day, and a SKU that is none is explained', async () => {
    const { data: all } = await answerOf<{ data: ChangeEvent[] }>('/v1/changes?types=store_inventory_changed&limit=1');
    const [event] = all;
    const day = event?.times.retrieved_at.slice(0, 10) ?? '';
    await using view = await explorer.open(`#/changes?store=${event?.store?.id}&since=${day}&until=${day}`, {
      scheme: 'dark',
    });
    const { page } = view;
    const rows = page.locator('main tbody tr');
    await rows.first().waitFor();
    const { data } = await answerOf<{ data: ChangeEvent[] }>(
      `/v1/changes?store_id=${event?.store?.id}&since=${day}T00:00:00Z&until=${day}T23:59:59.999Z`,
    );
    expect(await rows.count()).toBe(data.length);
    expect(await page.locator('main tbody').textContent()).not.toMatch(/sold|in stock/i);
    await page.getByLabel('Product by SKU').fill('12');
    await page.getByText('A SKU has six digits.').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('parameters that the service refuses are named with the reason for each', async () => {
    await using view = await explorer.open('#/changes?since=abc&store=nope');
    const alert = view.page.getByRole('alert');
    await alert.waitFor();
    const answer = await fetch(`${explorer.origin}/v1/changes?store_id=nope&since=abcT00:00:00Z`);
    const { invalid_params: invalid = [] } = (await answer.json()) as Problem;
    expect(invalid.map(({ name }) => name).sort()).toEqual(['since', 'store_id']);
    expect(await alert.locator('li').allTextContents()).toEqual(
      invalid.map(({ name, reason }) => `${name}: ${reason}`),
    );
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(view.takeProblems().join()).toContain('400');
  });
});
