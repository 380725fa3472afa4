import { expect, test } from 'vitest';
import type { ProductAvailability, ProductDetail } from '../../contract/schemas/product.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, openClusters, wholeTables } from './explorer-site.ts';

/** A club that sells to licensees only, in the same ZIP code as a store for everyone farther away. */
const [club, nearClub] = ['Club Store 6, Harrow Falls', '00211'];

describeExplorer('what only some may buy', (explorer) => {
  function productOf(sku: string): ProductDetail {
    return explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
  }
  function availabilityOf(sku: string): ProductAvailability {
    const path = `/v1/products/${productOf(sku).id}/availability`;
    return explorer.site.document<{ data: ProductAvailability }>(path).data;
  }
  async function statesOf({ page }: TestPage): Promise<{ store: string; state: string; isGreen: boolean }[]> {
    await page.locator('main tbody tr').first().waitFor();
    await wholeTables(page);
    const rows = page.getByRole('region', { name: 'Reported availability by store' }).locator('tbody tr');
    return rows.evaluateAll((all) =>
      all.map((row) => ({
        store: row.querySelector('td a')?.textContent ?? '',
        state: row.querySelector('.state')?.textContent ?? '',
        isGreen: row.querySelector('.state.reported') !== null,
      })),
    );
  }

  test.for([390, 1280])('stands below what everyone may buy, near a place too, at %i pixels', async (width) => {
    const { stores } = availabilityOf('001204');
    const isEligible = new Map(stores.map(({ name, purchase_eligibility: of }) => [name, of === 'eligible']));
    await using view = await explorer.open(`#/product/001204?near=${nearClub}`, { width });
    await view.page.getByText(' km (').first().waitFor({ state: 'attached' });
    const rows = await statesOf(view);
    const reported = stores.filter(({ state }) => state === 'reported_positive').length;
    const eligible = [...isEligible.values()].filter(Boolean).length;
    expect(eligible).toBeGreaterThan(0);
    expect(reported).toBeGreaterThan(eligible);
    for (const [place, { store, isGreen }] of rows.entries()) {
      expect(isGreen, store).toBe(place < eligible);
      expect(isEligible.get(store) ?? false, store).toBe(place < eligible);
    }
    expect(rows[eligible]).toEqual({ store: club, state: 'licensees only', isGreen: false });
    expect(rows.slice(eligible, reported).map(({ state }) => state)).toContain('store closed');
    const tag = view.page.locator('main tbody tr', { hasText: club }).locator('.state');
    const box = await tag.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await openClusters(view.page);
    const mark = view.page.locator(`.map .point[aria-label^="${club}"] .mark`);
    expect(await mark.getAttribute('class')).toBe('mark limited');
    await view.page.getByText('reported, not sold to everyone').waitFor();
  });

  test('is explained if no store sells a product to everyone', async () => {
    await using view = await explorer.open('#/product/016001');
    await view.page
      .getByText(/^1 of \d+ checked stores reports it, but not everyone may buy it there \(1 licensees only\)/)
      .waitFor();
    expect((await statesOf(view)).some(({ isGreen }) => isGreen)).toBe(false);
    await view.go('#/product/001311');
    await view.page
      .getByText(/^3 of \d+ checked stores report it, but not everyone may buy it there \(3 restricted\)/)
      .waitFor();
    const states = (await statesOf(view)).slice(0, 3).map(({ state }) => state);
    expect(states).toEqual(['restricted', 'restricted', 'restricted']);
  });

  test.for([390, 1280])('is marked in a family, a store, a comparison and lists, at %i pixels', async (width) => {
    await using view = await explorer.open(`#/family/${productOf('001311').family_id}`, { width });
    const { page } = view;
    const tagged = (text: string) =>
      page.locator('main tbody tr', { has: page.locator('.state.limited:visible', { hasText: text }) });
    await tagged('restricted').first().waitFor();
    const restricted = (
      await tagged('restricted')
        .locator('a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    ).sort();
    expect(restricted).toEqual(['#/product/001311', '#/product/001312']);

    await view.go('#/store/0006');
    await page.getByText('Not everyone may buy here: licensees only.').waitFor();
    await wholeTables(page);
    const products = page.getByRole('region', { name: 'Reported products' }).locator('tbody tr');
    expect(await products.locator('.state.limited:visible').count()).toBe(await products.count());

    await view.go(`#/compare?skus=001205&near=${nearClub}`);
    await tagged('licensees only').filter({ hasText: club }).waitFor();
    const first = page.getByRole('region', { name: 'What each store reports' }).locator('tbody tr').first();
    expect(await first.textContent()).not.toContain(club);
    expect(await first.textContent()).not.toContain('licensees only');

    await view.go('#/browse?q=001311');
    await tagged('restricted').first().waitFor();
  });
});
