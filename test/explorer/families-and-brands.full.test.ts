import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrandDetail, FamilyDocument, FamilyRow } from '../../generator/contract/documents/curation.ts';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('families and brands', () => {
  let explorer: ExplorerSite;
  let family: FamilyDocument['data'];
  let brand: BrandDetail;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
    const { data } = explorer.site.document<{ data: FamilyRow[] }>('/v1/product-families');
    const row = data.find(({ slug }) => slug.includes('harbor-lager'));
    family = explorer.site.document<FamilyDocument>(`/v1/product-families/${row?.id}`).data;
    brand = explorer.site.document<{ data: BrandDetail }>(`/v1/brands/${family.brand_id}`).data;
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  async function rowsOf({ page }: TestPage, caption: string): Promise<string[][]> {
    const rows = page.locator('table', { hasText: caption }).locator('tbody tr');
    await rows.first().waitFor();
    return Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()));
  }

  test('a family shows its members, the cheapest litre first, and no litre of a pack', async () => {
    await using shown = await explorer.open(`#/family/${family.id}`);
    const rows = await rowsOf(shown, 'Members of the family');
    expect(rows.map(([name, sku, size, price]) => [name, sku, size, price])).toEqual(
      family.members.map(({ name, source_ids, package_size, price }) => [
        name,
        source_ids.agency_sku,
        package_size.display,
        price?.display,
      ]),
    );
    expect(rows.map((row) => row[4])).toEqual(['$6.73', '–']);
    expect(await shown.page.locator('main').textContent()).toContain(
      `${family.observed_history.retained_change_count}, for ${family.observed_history.retention_days} days`,
    );
    expect(await rowsOf(shown, 'Latest changes')).toHaveLength(20);
  });

  test('a brand, by slug and by id, shows its families and products', async () => {
    await using shown = await explorer.open(`#/brand/${brand.slug}`);
    const families = await rowsOf(shown, 'Families of the brand');
    expect(families).toEqual(brand.families.map(({ name, member_count }) => [name, String(member_count)]));
    expect(await rowsOf(shown, 'Listed products of the brand')).toHaveLength(brand.product_count);
    await shown.go(`#/brand/${brand.id}`);
    await shown.page.getByRole('heading', { name: brand.name, exact: true }).waitFor();
  });

  test.each(['light', 'dark'] as const)('are accessible, %s', async (scheme) => {
    await using shown = await explorer.open(`#/family/${family.id}`, { scheme, width: 320 });
    await rowsOf(shown, 'Latest changes');
    expect(await shown.accessibilityProblems()).toEqual([]);
    expect(await shown.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await shown.go(`#/brand/${brand.slug}`);
    await rowsOf(shown, 'Listed products of the brand');
    expect(await shown.accessibilityProblems()).toEqual([]);
  });
});
