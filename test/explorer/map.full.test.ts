import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreSummary } from '../../generator/contract/documents/store.ts';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('the map', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  async function openMap(place: string): Promise<TestPage> {
    const view = await explorer.open(place);
    await view.page.locator('.map .point').first().waitFor();
    // The drawing has its size.
    await view.page.locator('.map-frame > svg').scrollIntoViewIfNeeded();
    const isDrawn = `(() => {
      const svg = document.querySelector('.map-frame > svg');
      return svg.viewBox.baseVal.width === svg.clientWidth;
    })()`;
    await expect.poll(() => view.page.evaluate(isDrawn)).toBe(true);
    return view;
  }
  const focused = ({ page }: TestPage) =>
    page.evaluate(`document.activeElement.getAttribute('aria-label')`) as Promise<string>;
  const scale = ({ page }: TestPage) => page.locator('.map .scale').textContent();
  const firstPoint = ({ page }: TestPage) => page.locator('.map .point').first().getAttribute('transform');

  test('works by keyboard: moves, zooms, goes from store to store, and opens one', async () => {
    await using view = await openMap('#/stores');
    const { page } = view;
    const [start, startScale] = [await firstPoint(view), await scale(view)];
    await page.locator('.map-frame > svg').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => firstPoint(view)).not.toBe(start);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(() => scale(view)).not.toBe(startScale);
    await page.keyboard.press('0');
    await expect.poll(async () => [await firstPoint(view), await scale(view)]).toEqual([start, startScale]);

    await page.keyboard.press('Tab');
    const seen = new Set([await focused(view)]);
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('PageUp');
      seen.add(await focused(view));
    }
    const { data } = explorer.site.document<{ data: StoreSummary[] }>('/v1/stores');
    const located = data.filter(({ location }) => location !== null);
    expect([...seen].map((label) => label.slice(0, 5)).sort()).toEqual(
      located.map(({ name }) => name.slice(0, 5)).sort(),
    );
    await expect.poll(() => page.locator('.map-label').textContent()).toBe(await focused(view));
    const before = await focused(view);
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    expect([...seen]).toContain(await focused(view));
    await page.keyboard.press('Escape');
    expect(await focused(view)).toMatch(/^Map: /);
    expect(before).not.toMatch(/^Map: /);
    await page.keyboard.press('Tab');
    const name = (await focused(view)).split(', ').slice(0, -2).join(', ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  });

  test('works by pointer: drags, zooms with Ctrl and the wheel alone, and shows a store below the pointer', async () => {
    await using view = await openMap('#/stores');
    const { page } = view;
    const box = await page.locator('.map-frame > svg').boundingBox();
    if (!box) throw new Error('the map has no place in the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const [start, startScale] = [await firstPoint(view), await scale(view)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => firstPoint(view)).not.toBe(start);
    expect(page.url()).toContain('#/stores');
    await page.mouse.wheel(0, -100);
    expect(await scale(view)).toBe(startScale);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await expect.poll(() => scale(view)).not.toBe(startScale);
    await page.getByRole('button', { name: 'Show all stores' }).click();
    await expect.poll(() => scale(view)).toBe(startScale);
    await page.locator('.map .point').first().hover();
    const label = await page.locator('.map .point').first().getAttribute('aria-label');
    await expect.poll(() => page.locator('.map-label').textContent()).toBe(label);
  });

  test('zooms by two fingers, and leaves one finger that moves up to the page', async () => {
    await using view = await openMap('#/stores');
    const { page } = view;
    const box = await page.locator('.map-frame > svg').boundingBox();
    if (!box) throw new Error('the map has no place in the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
    const startScale = await scale(view);
    await touch('touchStart', { x: x - 30, y }, { x: x + 30, y });
    for (let apart = 40; apart <= 120; apart += 20) await touch('touchMove', { x: x - apart, y }, { x: x + apart, y });
    await touch('touchEnd');
    await expect.poll(() => scale(view)).not.toBe(startScale);
    const before = await firstPoint(view);
    await touch('touchStart', { x, y });
    for (let up = 10; up <= 160; up += 15) await touch('touchMove', { x, y: y - up });
    await touch('touchEnd');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(50);
    expect(await firstPoint(view)).toBe(before);
    await devtools.detach();
  });

  test('picks the place below a click, and its middle by Enter', async () => {
    await using view = await openMap('#/compare');
    const { page } = view;
    const { data } = explorer.site.document<{ data: StoreSummary[] }>('/v1/stores');
    const store = data.find(({ source_ids }) => source_ids.inventory_store_code === '0001');
    const point = page.locator(`.map .point[aria-label^="${store?.name}"]`);
    const box = await point.locator('.mark').boundingBox();
    if (!box || !store?.location) throw new Error('the store has no place on the map');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.map .origin').first().waitFor();
    const picked = new URLSearchParams(page.url().split('?')[1]);
    // A pixel of this map is some hundred metres.
    expect(Number(picked.get('lat'))).toBeCloseTo(store.location.latitude, 1);
    expect(Number(picked.get('lng'))).toBeCloseTo(store.location.longitude, 1);
    await page.locator('.map-frame > svg').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toContain(`lat=${picked.get('lat')}`);
  });

  test('shows four states as four shapes, with what they mean', async () => {
    const skus = explorer.site
      .document<{ data: { source_ids: { agency_sku: string } }[] }>('/v1/products')
      .data.slice(0, 1)
      .map(({ source_ids }) => source_ids.agency_sku);
    await using view = await openMap(`#/compare?skus=${skus.join()}`);
    await view.page.locator('.map .point .mark:not(.store)').first().waitFor();
    const legend = await view.page.locator('.map-legend').textContent();
    for (const look of ['reported', 'zero', 'absent', 'unchecked']) {
      const shown = await view.page.locator(`.map .point .mark.${look}`).count();
      const meaning = {
        reported: 'reported',
        zero: 'reported zero',
        absent: 'not in any row',
        unchecked: 'not checked',
      }[look];
      if (shown > 0) expect(legend).toContain(meaning);
    }
  });
});
