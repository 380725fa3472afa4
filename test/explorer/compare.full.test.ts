import { beforeAll, expect, test } from 'vitest';
import type { Product, ProductAvailability } from '../../contract/schemas/product.ts';
import type { Comparison } from '../../contract/schemas/store.ts';
import { distanceText } from '../../explorer/parts/text.ts';
import { reasonWords, strategyNames } from '../../explorer/trip/plans.tsx';
import { describeExplorer, wholeTables } from './explorer-site.ts';

describeExplorer('compare', (explorer) => {
  let skus: readonly string[];
  beforeAll(() => {
    const { data } = explorer.site.document<{ data: { source_ids: { agency_sku: string } }[] }>('/v1/products');
    skus = data.slice(0, 3).map(({ source_ids }) => source_ids.agency_sku);
  });
  const place = 'lat=43.2217&lng=-118.3048';

  test('answers in a sentence, shows each set of stops once, and says how certain it is', async () => {
    const query = `skus=${skus.join()}&${place}&radius_m=100000&inventory_age=any_age&purchase_eligibility=any`;
    const { data, meta } = await explorer.answer<Comparison>(`/v1/availability/comparison?${query}`);
    await using view = await explorer.open(`#/compare?${query}`);
    const { page } = view;
    await page.getByRole('heading', { name: 'How certain this is' }).waitFor();
    const plans = await page.locator('.strategies tbody tr').allTextContents();
    const stops = data.strategies.map(({ plan, no_solution_reason: reason }) =>
      plan ? plan.stores.map(({ store }) => store.id).join() : reason,
    );
    expect(plans).toHaveLength(new Set(stops).size);
    for (const { strategy, no_solution_reason: reason, plan } of data.strategies) {
      const row = plans.find((text) => text.includes(strategyNames[strategy])) ?? '';
      if (reason) expect(row).toContain(reasonWords[reason]);
      for (const { store } of plan?.stores ?? [])
        expect(row).toContain(`${store.name}, ${distanceText(store.distance_m ?? -1)}`);
    }
    const best = data.strategies.find(({ strategy }) => strategy === 'best_single_store')?.plan;
    const answer = await page.locator('.answer').textContent();
    expect(answer).toContain(
      `${best?.stores[0]?.store.name}, ${distanceText(best?.stores[0]?.store.distance_m ?? -1)}`,
    );
    expect(answer).toMatch(/reports (all 3|\d of 3)/);
    const table = page.getByRole('region', { name: 'What each store reports' });
    await table.locator('tbody tr').first().waitFor();
    await wholeTables(page);
    expect(await table.locator('tbody tr').count()).toBe(
      explorer.site.document<{ data: unknown[] }>('/v1/stores').data.length,
    );
    const facts = (await page.locator('main').textContent()) ?? '';
    expect(facts).toContain(`${meta.coverage.observed_pair_count} of ${meta.coverage.expected_pair_count} pairs`);
    const chosen = data.strategies.find(({ strategy }) => strategy === 'best_partial_plan');
    await expect.poll(() => page.locator('.map .point .stop').count()).toBe(chosen?.plan?.stop_count);
    await page.locator('.sources summary').click();
    const link = await page.locator('.sources a').getAttribute('href');
    expect(await (await fetch(link ?? '')).json()).toEqual({ data, meta });
    const other = page.locator('.strategies tbody tr:not([aria-current])').getByRole('button').first();
    await other.click();
    expect(page.url()).toMatch(/plan=\w+/);
  });

  test('says why plans leave out each product, includes it on request, and counts what was not checked', async () => {
    const question = `skus=001204,001311,016001&${place}&inventory_age=any_age`;
    const { meta } = await explorer.answer<Comparison>(`/v1/availability/comparison?${question}`);
    expect(meta.coverage.restricted_product_ids).toHaveLength(1);
    await using view = await explorer.open(`#/compare?${question}`);
    const { page } = view;
    const reasons = () => page.locator('.left-out li').allTextContents();
    await expect
      .poll(reasons)
      .toEqual([
        expect.stringMatching(
          /^.*Straight Rye 10 Year: restricted .*, so plans leave it out\. 3 of \d+ checked stores report it\.$/,
        ),
        expect.stringMatching(
          /^.*Aperitivo: not everyone may buy it in the stores near here that report it.*1 of \d+ checked stores reports it\.$/,
        ),
      ]);
    const { unchecked_pair_count: unchecked, expected_pair_count: pairs } = meta.coverage;
    await page
      .getByText(`${unchecked} of the ${pairs} pairs of a product and a store near here were not checked`)
      .waitFor();
    expect(await page.locator('main').textContent()).not.toContain('leave a product uncovered');
    await page.getByLabel('Include what is restricted').check();
    await page.waitForURL(/purchase_eligibility=any/);
    await page.getByText('Included, although not everyone may buy it near here').waitFor();
    await expect.poll(reasons).toEqual([expect.stringContaining('Straight Rye'), expect.stringContaining('Aperitivo')]);
    await page.getByLabel('Include what is restricted').uncheck();
    await page.getByText('Left out of every plan').waitFor();
  });

  test('names a product that was never checked, and has no column for it', async () => {
    const { data } = explorer.site.document<{ data: Product[] }>('/v1/products');
    const isAsked = ({ id }: Product) =>
      explorer.site.document<{ data: ProductAvailability }>(`/v1/products/${id}/availability`).data.retrieved_at !==
      null;
    const [asked, never] = [data.find(isAsked), data.find((product) => !isAsked(product))];
    if (!asked || !never) throw new Error('expected a product that was asked for, and one that was not');
    const both = [asked, never].map(({ source_ids }) => source_ids.agency_sku).join();
    await using view = await explorer.open(`#/compare?skus=${both}&${place}`);
    const table = view.page.getByRole('region', { name: 'What each store reports' });
    await table.locator('tbody tr').first().waitFor();
    const headings = (await table.locator('thead').textContent()) ?? '';
    expect(headings).toContain(asked.name);
    expect(headings).not.toContain(never.name);
    expect(await view.page.getByText('Not checked in any store:').textContent()).toContain(never.name);
  });

  test('starts with an example', async () => {
    await using view = await explorer.open('#/compare');
    await view.page.getByRole('link', { name: 'Try an example' }).click();
    await view.page
      .locator('.answer')
      .getByText(/report/)
      .waitFor();
  });

  test('takes products by SKU and name, a typed place and options, and a link shares them', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    const field = page.getByLabel('Add products by SKU or name');
    await field.fill('014100');
    await field.press('Enter');
    await page.getByRole('link', { name: /Peach Schnapps/ }).waitFor();
    await field.fill('vodka');
    await page.getByRole('option').first().click();
    await field.fill('999999');
    await field.press('Enter');
    await page.getByText('no published product has this SKU').waitFor();
    const near = page.getByLabel('Near');
    await near.fill('00212');
    await near.press('Enter');
    await page.getByText('No store is at “00212”').waitFor();
    await page.getByRole('button', { name: '00211, Harrow Falls' }).click();
    await near.fill('43.2217, -118.3048');
    await near.press('Enter');
    await page.getByText('Options:').click();
    await page.getByLabel('Maximum stops').selectOption('1');
    await page.getByLabel('Radius in km').fill('80');
    await page.getByLabel('Radius in km').press('Tab');
    await page.getByRole('heading', { name: 'How certain this is' }).waitFor();
    // The answer for the previous radius may still be shown.
    await page.waitForURL(
      /#\/compare\?skus=014100%2C\d{6}%2C999999&near=43.2217%2C\+-118.3048&radius_m=80000&max_stops=1$/,
    );
    const strategies = await page.locator('.strategies').textContent();
    await page.reload();
    await page.getByText('no published product has this SKU').waitFor();
    await expect.poll(() => page.locator('.strategies').textContent()).toBe(strategies);
    await page.getByRole('button', { name: 'Remove 999999' }).click();
    await page.getByRole('button', { name: 'Remove 014100' }).click();
    await page.getByText('no published product has this SKU').waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: /Peach Schnapps/ }).count()).toBe(0);
    // The API answers 404 for the SKU that no product has.
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('asks for the location only on request, and puts it into the address with three decimals', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    await page.context().setGeolocation({ latitude: 43.26891, longitude: -118.29509 });
    await page.context().grantPermissions(['geolocation'], { origin: explorer.origin });
    expect(page.url()).not.toContain('near');
    await page.getByRole('button', { name: 'My location' }).click();
    await page.getByText('rounded to about 100 metres').waitFor();
    expect(page.url()).toContain('near=43.269%2C-118.295');
    expect(await page.getByLabel('Near').inputValue()).toBe('43.269,-118.295');
    await page.locator('.map .origin').first().waitFor();
    await using refused = await explorer.open('#/compare');
    await refused.page.getByRole('button', { name: 'My location' }).click();
    await refused.page.getByText('The browser is not allowed to share its location.').waitFor();
    expect(refused.page.url()).not.toContain('near');
  });
});
