import { expect, test } from 'vitest';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { distanceBetween } from '../../explorer/map/projection.ts';
import { Gazetteer, pointIn } from '../../explorer/stores/gazetteer.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, markOf } from './explorer-site.ts';

describeExplorer('places', (explorer) => {
  const stores = () => explorer.site.document<{ data: StoreSummary[] }>('/v1/stores').data;
  const near = ({ page }: TestPage) => page.getByLabel('Near');
  const firstDistance = ({ page }: TestPage) =>
    page.locator('main tbody tr').first().getByText(' km (').first().textContent();

  test('are ZIP codes, cities and streets of stores, and coordinates', () => {
    const gazetteer = new Gazetteer(stores());
    const store = stores().find(({ address }) => address.city === 'Vesper');
    if (!store?.location) throw new Error('the fixtures have no store in Vesper');
    for (const text of ['Vesper', 'vesper', '00252', '00252-1234', '118 Kiln Street, Vesper', '118 kiln', 'vesp'])
      expect(gazetteer.find(text), text).toMatchObject(store.location);
    for (const text of ['', '  ', 'Kiln', 'x', '999', '91, 0']) expect(gazetteer.find(text), text).toBeNull();
    expect(gazetteer.find(' 43.5 -118 ')).toMatchObject({ latitude: 43.5, longitude: -118 });
    expect(gazetteer.suggestions('Vespre').map(({ name }) => name)).toEqual(['Vesper']);
    expect(gazetteer.suggestions('00253').map(({ name }) => name)[0]).toBe('00252');
    expect(gazetteer.largestCity?.name).toBe('Harrow Falls');
    for (const text of ['43.5,-181', '43.5', 'a,b', '43.5,-118,1']) expect(pointIn(text), text).toBeNull();
  });

  test('are in the address, survive a reload, and carry over to every view that uses them', async () => {
    await using view = await explorer.open('#/product/001204');
    const { page } = view;
    await near(view).fill('00210');
    await page.waitForURL('**/#/product/001204?near=00210');
    await expect.poll(() => firstDistance(view)).toContain('0.0 km');
    await page.reload();
    await expect.poll(() => firstDistance(view)).toContain('0.0 km');
    expect(await near(view).inputValue()).toBe('00210');
    await view.go('#/stores');
    await page.waitForURL('**/#/stores?near=00210');
    await expect.poll(() => firstDistance(view)).toContain('0.0 km');
    await page.getByLabel('Name or code').fill('store');
    await page.waitForURL('**/#/stores?near=00210&q=store');
    await view.go('#/compare?skus=001204');
    await page.waitForURL('**/#/compare?skus=001204&near=00210');
    await page.locator('.answer').waitFor();
    await near(view).fill('');
    await page.waitForURL('**/#/compare?skus=001204');
    await view.go('#/product/001205');
    await page.locator('.place-field').waitFor();
    expect(page.url()).not.toContain('near');
  });

  test('without stores are reported, with suggestions', async () => {
    await using view = await explorer.open('#/stores?near=00253');
    await view.page.getByText('No store is at “00253”').waitFor();
    await view.page.getByRole('button', { name: '00252, Vesper' }).click();
    await view.page.waitForURL('**/#/stores?near=00252');
    await expect.poll(() => firstDistance(view)).toContain('0.0 km');
  });

  test('are on the map with the eight nearest stores, and nothing farther away', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await near(view).fill('00252');
    await page.locator('.map .origin').first().waitFor();
    const origin = stores().find(({ address }) => address.city === 'Vesper')?.location;
    if (!origin) throw new Error('the fixtures have no store in Vesper');
    const located = stores().flatMap(({ id, name, location }) => (location ? [{ id, name, location }] : []));
    const byDistance = located.toSorted(
      (a, b) => distanceBetween(origin, a.location) - distanceBetween(origin, b.location),
    );
    const isInSight = async (id: string) => {
      const at = await markOf(page, id).getAttribute('transform');
      const [x = -1, y = -1] = (at?.match(/-?[\d.]+/g) ?? []).map(Number);
      const svg = await page.locator('.map-frame > svg').boundingBox();
      return x >= 0 && y >= 0 && x <= (svg?.width ?? 0) && y <= (svg?.height ?? 0);
    };
    for (const { id, name } of byDistance.slice(0, 8))
      await expect.poll(() => isInSight(id), { message: name }).toBe(true);
    expect(await isInSight(byDistance.at(-1)?.id ?? '')).toBe(false);
  });
});
