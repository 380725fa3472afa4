import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BrandDetail } from '../../contract/schemas/brand.ts';
import type { ProductDetail, ProductSeries } from '../../contract/schemas/product.ts';
import { cellsOf, describeExplorer, noteAt } from './explorer-site.ts';

describeExplorer('prices side by side', (explorer) => {
  const detail = (sku: string) => explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
  const pricesOf = (sku: string) =>
    explorer.site.document<ProductSeries>(`/v1/products/${detail(sku).id}/series.json`).prices;
  const amount = (minor: number | null | undefined) => `$${((minor ?? 0) / 100).toFixed(2)}`;

  test('are steps with a letter each, a list with current prices, and a table that is saved in dollars', async () => {
    const skus = ['001204', '002051', '006001'];
    await using view = await explorer.open(`#/prices?skus=${skus.join()}`);
    const { page } = view;
    await view.passCharts(1);
    const items = page.locator('.chosen li');
    for (const [place, sku] of skus.entries()) {
      const text = (await items.nth(place).textContent()) ?? '';
      const { price_minor, at } = pricesOf(sku);
      const [first = 0, now = 0] = [price_minor[0], price_minor.at(-1)];
      expect(text).toMatch(new RegExp(`^${'ABC'[place]}`));
      expect(text).toContain(detail(sku).name);
      expect(text).toContain(`${amount(now)} now`);
      expect(at[0]).toMatch(/^2025-03-03/);
      expect(text).toContain(
        first === now
          ? ', the same as on 3 Mar 2025'
          : `, ${(now ?? 0) > (first ?? 0) ? '▲ up' : '▼ down'} ${amount(Math.abs((now ?? 0) - (first ?? 0)))} (`,
      );
    }
    // Lines also differ by their dashes.
    const strokes = await page
      .locator('.line-mark path')
      .evaluateAll((paths) =>
        paths.map((path) => `${path.getAttribute('stroke')} ${path.getAttribute('stroke-dasharray')}`),
      );
    expect(new Set(strokes.map((stroke) => stroke.split(')')[1])).size).toBe(3);
    const note = await noteAt(view, 'Prices', 0.5);
    expect(note).toHaveLength(4);
    expect(note?.[1]).toMatch(/^A, .*: \$\d+\.99, since \d+ Mar 2025$/);
    await page.getByText('Prices as a table').click();
    const rows = await cellsOf(view, 'Prices');
    expect(rows.at(-1)?.slice(1)).toEqual(skus.map((sku) => amount(pricesOf(sku).price_minor.at(-1))));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: /rows as CSV$/ }).click();
    const [heading, ...lines] = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(heading).toMatch(/^As of \(UTC\),.*\(USD\).*,Currency$/);
    expect(lines.at(-1)).toBe(
      [
        '2025-06-05T22:00:00.000Z',
        ...skus.map((sku) => ((pricesOf(sku).price_minor.at(-1) ?? 0) / 100).toFixed(2)),
        'USD',
      ].join(),
    );
    expect(lines).toHaveLength(rows.length);
    expect(await view.accessibilityProblems()).toEqual([]);
  });

  test('become relative or per litre on request, name products without a size, and are all in the address', async () => {
    await using view = await explorer.open('#/prices?skus=001204,006004,001206');
    const { page } = view;
    await page.getByRole('button', { name: 'Per litre' }).click();
    await page.getByText(/^No price per litre, .*Mixed Dozen/).waitFor();
    const { price_minor } = pricesOf('001204');
    await page.getByText(`${amount(Math.round(((price_minor.at(-1) ?? 0) * 1000) / 750))} per litre now`).waitFor();
    await page.getByRole('button', { name: 'Change in percent' }).click();
    await page.getByRole('button', { name: '3 months' }).click();
    await expect
      .poll(() => page.evaluate('location.hash'))
      .toBe('#/prices?skus=001204%2C006004%2C001206&scale=relative&unit=litre&range=3m');
    expect(await page.getByRole('button', { name: '3 months' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByText('compared with its price per litre on').waitFor();
    await page.getByText('Prices per litre as a table').click();
    const rows = await cellsOf(view, 'Prices per litre');
    expect(rows[0]?.slice(1)).toEqual(['±0.0 %', '±0.0 %']);
    await page.reload();
    await page.getByText('compared with its price per litre on').waitFor();
  });

  test('take up to eight products by name, name those that are not published, and remove them', async () => {
    const eight = ['001204', '001205', '001206', '002050', '002051', '002052', '003110', '999999'];
    await using view = await explorer.open(`#/prices?skus=${[...eight, '003111', 'x'].join()}&range=week`);
    const { page } = view;
    await expect
      .poll(() => page.locator('main .note li').allTextContents())
      .toEqual([
        'skus: expected SKUs of six digits, got x',
        'skus: expected at most 8 products, got 003111',
        'range: expected all or 1y or 3m, got week',
      ]);
    await page.getByText('999999: no published product has this SKU').waitFor();
    const field = page.getByLabel('Add products by SKU or name');
    await field.fill('013001');
    await field.press('Enter');
    await page.getByText('A chart holds at most 8 products.').waitFor();
    await page.getByRole('button', { name: 'Remove 999999' }).click();
    await field.fill('peach schnapps');
    await page.getByRole('option', { name: /Peach Schnapps/ }).click();
    await page.locator('.chosen li', { hasText: 'Peach Schnapps' }).getByText('now').waitFor();
    expect(await page.locator('.chosen .line-mark').count()).toBe(8);
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('start with an example, and are linked from a product, a family and a brand', async () => {
    await using view = await explorer.open('#/prices');
    const { page } = view;
    await page.getByRole('link', { name: 'Try an example' }).click();
    await expect.poll(() => page.locator('.line-mark').count()).toBe(3);
    await view.go('#/product/001204');
    await page.getByRole('link', { name: 'Compare its price with others' }).click();
    await expect.poll(() => page.locator('.line-mark').count()).toBe(1);
    await view.go(`#/family/${detail('001204').family_id}`);
    const family = page.getByRole('link', { name: 'Prices over time' });
    const rows = page.locator('main table').first().locator('tbody tr');
    await rows.first().waitFor();
    const members = await rows.count();
    await family.click();
    await expect.poll(() => page.locator('.line-mark').count()).toBe(members);
    const { slug, product_count } = explorer.site.document<{ data: BrandDetail }>(
      `/v1/brands/${detail('001204').brand_id}`,
    ).data;
    await view.go(`#/brand/${slug}`);
    await page.getByRole('link', { name: 'Prices over time' }).click();
    await expect.poll(() => page.locator('.line-mark').count()).toBe(Math.min(8, product_count));
  });
});
