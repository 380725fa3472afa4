import { expect, test } from 'vitest';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { ProductDetail, ProductSeries } from '../../contract/schemas/product.ts';
import type { TestPage } from '../support/browser.ts';
import { cellsOf, describeExplorer } from './explorer-site.ts';

describeExplorer('the watch list', (explorer) => {
  const detail = (sku: string) => explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
  const amount = (minor: number | null | undefined) => `$${((minor ?? 0) / 100).toFixed(2)}`;
  const stored = ({ page }: TestPage) => page.evaluate<string[]>('Object.values(localStorage)');
  const section = ({ page }: TestPage) => page.getByRole('navigation', { name: 'Sections' }).getByText('Watch').count();

  test('is kept on the device from its first entry on, and shows what changed in the last 30 days', async () => {
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: 'Watched' }).waitFor();
    await view.go('#/product/006001');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('link', { name: 'Your list (2)' }).click();
    await page.waitForURL(/#\/watch$/);
    await page.reload();
    await page.getByText('Kept on this device only.').waitFor();
    await page.getByText('before this publication, since 6 May 2025.').waitFor();
    const rows = await cellsOf(view, 'Watched products');
    expect(rows).toHaveLength(2);
    for (const sku of ['001204', '006001']) {
      const { id, name } = detail(sku);
      const { prices, retrievals } = explorer.site.document<ProductSeries>(`/v1/products/${id}/series.json`);
      const row = rows.find((cells) => cells[0]?.includes(name));
      const [before, now] = [prices.at.findLastIndex((at) => at < '2025-05-06T22'), prices.at.length - 1];
      expect(now).toBeGreaterThan(before);
      expect(row?.[1]).toContain(`Price ${amount(prices.price_minor[now - 1])} → ${amount(prices.price_minor[now])}, `);
      expect(row?.[2]).toContain(amount(prices.price_minor[now]));
      expect(row?.[5]).toMatch(new RegExp(`^${retrievals.reported_positive_store_count.at(-1)}`));
    }
    expect(await page.locator('main').textContent()).toContain('says nothing about sales');
    expect(await section(view)).toBe(1);
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.getByRole('button', { name: 'Remove 006001' }).click();
    await page.getByRole('button', { name: 'Remove 006001' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Wrenmoor Straight Bourbon' }).first().click();
    await page.getByText('Your list (1), kept on this device').waitFor();
    await page.getByRole('link', { name: 'Your list (1)' }).click();
    await page.getByRole('button', { name: 'Remove 001204' }).click();
    await page.getByText('No products yet. Add up to 50.').waitFor();
    expect(await page.evaluate('location.hash')).toBe('#/watch');
    expect([await stored(view), await section(view)]).toEqual([[], 0]);
  });

  test('is said to be lost on reload if the browser keeps nothing', async () => {
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }");
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByText('Your list (1), lost when you close or reload this page.').waitFor();
    await page.getByRole('link', { name: 'Your list (1)' }).click();
    await page.waitForURL(/#\/watch\?skus=001204$/);
    await page.getByRole('button', { name: 'Keep this list on this device' }).click();
    await page.getByText('Your browser does not allow this site to keep anything.').waitFor();
  });

  test('comes with a link, is kept on request, then shows changes since the last visit, and is removed', async () => {
    await using view = await explorer.open('#/watch?skus=001204,002050');
    const { page } = view;
    await page.getByRole('button', { name: 'Keep this list on this device' }).click();
    await page.waitForURL(/#\/watch$/);
    await page.getByText('Kept on this device only.').waitFor();
    await expect.poll(() => section(view)).toBe(1);
    const [text = ''] = await stored(view);
    expect(JSON.parse(text)).toMatchObject({
      list: { skus: ['001204', '002050'] },
      seen: { sequence: 12 },
      before: null,
    });
    // As if the last visit had been two publications ago.
    const earlier = { ...JSON.parse(text), seen: { sequence: 10, published_at: '2025-05-20T22:00:00Z' } };
    await page.evaluate(
      `localStorage.setItem(Object.keys(localStorage)[0], ${JSON.stringify(JSON.stringify(earlier))})`,
    );
    for (const _ of ['once', 'and again']) {
      await page.reload();
      await page.getByText('Changes since your last visit, when you saw the publication of 20 May 2025.').waitFor();
      const rows = await cellsOf(view, 'Watched products');
      const bourbon = rows.find(([name]) => name?.includes('Bourbon'));
      expect(bourbon?.[1]).toContain('Price $27.99 → $28.99, up $1.00 (3.6 %), 5 Jun 2025');
      expect(bourbon?.[2]).toBe('$28.99 was $27.99');
      expect(rows.find(([name]) => name?.includes('Vodka'))?.[2]).toBe('$12.49');
    }
    await view.go('#/product/006001');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('link', { name: 'Your list (3)' }).click();
    await page.getByRole('button', { name: 'Remove 002050' }).click();
    await expect.poll(async () => JSON.parse((await stored(view))[0] ?? '{}').list?.skus).toEqual(['001204', '006001']);
    await page.evaluate("location.hash = '#/watch?skus=003110'");
    await page.getByText('This list came with a link.').waitFor();
    await page.getByRole('button', { name: 'Add these to it' }).click();
    await page.waitForURL(/#\/watch$/);
    await page.getByRole('button', { name: 'Remove 003110' }).waitFor();
    await page.getByRole('button', { name: 'Stop keeping it' }).click();
    await page.waitForURL(/#\/watch\?skus=001204%2C006001%2C003110$/);
    await expect.poll(() => section(view)).toBe(0);
    expect(await stored(view)).toEqual([]);
  });

  test('has brands and categories with the changes of their products, and names those that are not published', async () => {
    const { data } = await explorer.answer<{ data: ChangeEvent[] }>(
      '/v1/changes?types=price_changed,status_changed,catalog_presence_changed,product_first_observed,product_presentation_changed&since=2025-05-06T22:00:00Z&limit=100',
    );
    const ofBrand = data.filter(({ product }) => product.brand === 'Wrenmoor');
    expect(ofBrand.length).toBeGreaterThan(0);
    await using view = await explorer.open('#/brand/wrenmoor');
    const { page } = view;
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await view.go('#/browse?category=cat_vodka');
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('link', { name: 'Your list (2)' }).click();
    await page.waitForURL(/#\/watch$/);
    const brand = page.locator('.chosen li', { hasText: 'Wrenmoor' });
    await brand.getByText(`${ofBrand.length} change`).waitFor();
    const rows = await cellsOf(view, 'Changes');
    // The pepper vodka left the catalog, and the index of listed products does not know its category.
    const isVodka = ({ product }: ChangeEvent) => product.name === 'Vodka';
    expect(data.some(({ product }) => product.name === 'Pepper Vodka')).toBe(true);
    await page.getByText('Categories include only products that are listed now').waitFor();
    const expected = new Set(
      data
        .filter((event) => ofBrand.includes(event) || isVodka(event))
        .map(({ product, times }) => `${product.id} ${times.published_at}`),
    );
    expect(rows).toHaveLength(expected.size);
    await page.getByRole('button', { name: 'Remove Wrenmoor' }).click();
    await brand.waitFor({ state: 'detached' });
    await page.evaluate("location.hash = '#/watch?skus=999999&brands=nobody'");
    await page.getByText('999999: no published product has this SKU').waitFor();
    await page.getByText('nobody: not published').waitFor();
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });
});
