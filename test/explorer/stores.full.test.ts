import { expect, test } from 'vitest';
import type { StoreDetail, StoreStock, StoreSummary } from '../../contract/schemas/store.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, markOf, openClusters } from './explorer-site.ts';

describeExplorer('stores', (explorer) => {
  const stores = () => explorer.site.document<{ data: StoreSummary[] }>('/v1/stores').data;
  const located = () => stores().filter(({ location }) => location !== null);
  /** The ids of the stores of each mark on the map. */
  const storesOfMarks = async ({ page }: TestPage): Promise<string[][]> => {
    const marks = await page.locator('.map .point').all();
    return Promise.all(marks.map(async (mark) => (await mark.getAttribute('data-stores'))?.split(' ') ?? []));
  };

  test('are in the table and on the map, with filters in the address', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.locator('.map .point').first().waitFor();
    const names = () => page.locator('tbody td:first-child a').allTextContents();
    await expect.poll(names).toEqual(stores().map(({ name }) => name));
    expect((await storesOfMarks(view)).flat().sort()).toEqual(
      located()
        .map(({ id }) => id)
        .sort(),
    );
    expect(await page.getByText('no published location').count()).toBe(located().length < stores().length ? 1 : 0);
    await page.getByLabel('Service').selectOption('parking');
    await page.getByLabel('Name or code').fill('store');
    expect(page.url()).toContain('service=parking');
    const expected = stores().filter(({ name, services }) => services.includes('parking') && /store/i.test(name));
    await expect.poll(names).toEqual(expected.map(({ name }) => name));
    await page.reload();
    await expect.poll(names).toEqual(expected.map(({ name }) => name));
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(async () => (await names()).length).toBe(stores().length);
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { level: 1, name: stores()[0]?.name ?? '' }).waitFor();
  });

  test('show by code their document, their reports and their changes', async () => {
    const { data: store } = explorer.site.document<{ data: StoreDetail }>('/v1/stores/by-code/0001');
    const { data: stock } = explorer.site.document<{ data: StoreStock }>(`/v1/stores/${store.id}/availability`);
    await using view = await explorer.open('#/store/0001');
    const { page } = view;
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.waitFor();
    expect(await page.locator('h1').textContent()).toBe(store.name);
    const facts = (await page.locator('dl.facts').allTextContents()).join();
    for (const text of [store.address.line1, store.regular_hours, '0001', 'open to the public'])
      expect(facts).toContain(text);
    expect(await page.locator('a[href^="tel:"]').getAttribute('href')).toBe(store.contact_links.telephone_uri);
    expect(await page.locator('a[href^="geo:"]').getAttribute('href')).toBe(store.contact_links.geo_uri);
    const rows = page.getByRole('region', { name: 'Reported products' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(stock.products.length);
    const reported = await Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()));
    const quantities = stock.products.map(({ agency_sku, reported_quantity }) => [
      String(reported_quantity),
      agency_sku,
    ]);
    expect(reported.map(([, , , quantity, sku]) => [quantity?.split(' ').at(-1), sku]).sort()).toEqual(
      quantities.sort(),
    );
    type Events = { data: { product: { source_ids: { agency_sku: string } } }[] };
    const { data: events } = await explorer.answer<Events>(`/v1/changes?store_id=${store.id}&limit=50`);
    const links = await changes.locator('a[href^="#/product/"]').all();
    const changed = await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.slice(-6)));
    expect(changed).toEqual(events.map(({ product }) => product.source_ids.agency_sku));
    await page.locator('.map .point .mark.here').waitFor();
    await view.go('#/store/0003');
    expect(await page.locator('dl.facts').first().textContent()).toContain('Roof repair');
  });

  test('start with what readers come for: on a phone the map follows hours and stock, on a wide screen it is beside them', async () => {
    await using view = await explorer.open('#/store/0001', { width: 390 });
    const { page } = view;
    const boxOf = async (locator: ReturnType<typeof page.locator>) => {
      const box = await locator.boundingBox();
      if (!box) throw new Error('expected it to be in the page');
      return box;
    };
    const hours = page.getByText('Hours', { exact: true });
    const stock = page.getByRole('region', { name: 'Reported products' });
    const map = page.locator('.map-frame');
    await stock.locator('tbody tr').first().waitFor();
    await map.waitFor();
    expect((await boxOf(hours)).y).toBeLessThan((await boxOf(stock)).y);
    expect((await boxOf(stock)).y).toBeLessThan((await boxOf(map)).y);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect((await boxOf(map)).x).toBeGreaterThan((await boxOf(hours)).x);
    expect((await boxOf(map)).y).toBeLessThan((await boxOf(stock)).y);
  });

  async function openMap(place: string): Promise<TestPage> {
    const view = await explorer.open(place);
    await view.page.locator('.map .point').first().waitFor();
    // The drawing has its final size.
    await view.page.locator('.map-frame > svg').scrollIntoViewIfNeeded();
    const isDrawn = `(() => {
      const svg = document.querySelector('.map-frame > svg');
      return svg.viewBox.baseVal.width === svg.clientWidth;
    })()`;
    await expect.poll(() => view.page.evaluate(isDrawn)).toBe(true);
    return view;
  }
  async function middleOfMap({ page }: TestPage): Promise<{ x: number; y: number }> {
    const box = await page.locator('.map-frame > svg').boundingBox();
    if (!box) throw new Error('the map has no place in the page');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  const focused = ({ page }: TestPage) =>
    page.evaluate(`document.activeElement.getAttribute('aria-label')`) as Promise<string>;
  const scale = ({ page }: TestPage) => page.locator('.map .scale').textContent();
  const firstPoint = ({ page }: TestPage) => page.locator('.map .point').first().getAttribute('transform');

  test('are on a map that the keyboard can pan, zoom, step through and open', async () => {
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

    await openClusters(page);
    await page.keyboard.press('Tab');
    const seen = new Set([await focused(view)]);
    for (let step = 0; step < located().length; step++) {
      await page.keyboard.press('PageUp');
      seen.add(await focused(view));
    }
    const names = (labels: Iterable<string>) => [...labels].map((label) => label.slice(0, 5)).sort();
    expect(names(seen)).toEqual(names(located().map(({ name }) => name)));
    await expect.poll(() => page.locator('.map-label').textContent()).toBe(await focused(view));
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    expect([...seen]).toContain(await focused(view));
    await page.keyboard.press('Escape');
    expect(await focused(view)).toMatch(/^Map: /);
    await page.keyboard.press('Tab');
    const name = (await focused(view)).split(', ').slice(0, -2).join(', ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  });

  test('are on a map that works by pointer and touch, and leaves vertical swipes to the window', async () => {
    await using view = await openMap('#/stores');
    const { page } = view;
    const [start, startScale] = [await firstPoint(view), await scale(view)];
    const { x, y } = await middleOfMap(view);
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
    const point = page.locator('.map .point:not(.cluster)').last();
    await point.hover();
    await expect.poll(() => page.locator('.map-label').textContent()).toBe(await point.getAttribute('aria-label'));

    await page.evaluate('scrollTo(0, 0)');
    await page.locator('.map-frame > svg').scrollIntoViewIfNeeded();
    const at = await middleOfMap(view);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
    const pinch = (apart: number) => [-apart, apart].map((from) => ({ x: at.x + from, y: at.y }));
    await touch('touchStart', ...pinch(30));
    for (let apart = 40; apart <= 120; apart += 20) await touch('touchMove', ...pinch(apart));
    await touch('touchEnd');
    await expect.poll(() => scale(view)).not.toBe(startScale);
    const before = await firstPoint(view);
    const scrolled = await page.evaluate<number>('scrollY');
    await touch('touchStart', at);
    for (let up = 10; up <= 160; up += 15) await touch('touchMove', { x: at.x, y: at.y - up });
    await touch('touchEnd');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(scrolled + 50);
    expect(await firstPoint(view)).toBe(before);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await devtools.detach();
  });

  test('are on a map that picks a place by click, and its centre by Enter', async () => {
    await using view = await openMap('#/compare');
    const { page } = view;
    const store = stores().find(({ source_ids }) => source_ids.inventory_store_code === '0001');
    if (!store?.location) throw new Error('the store has no location');
    for (const mark = markOf(page, store.id); (await mark.getAttribute('class'))?.includes('cluster'); )
      await mark.press('Enter');
    const box = await markOf(page, store.id).locator('.mark').boundingBox();
    if (!box) throw new Error('the store has no place on the map');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.map .origin').first().waitFor();
    const picked = new URLSearchParams(page.url().split('?')[1]).get('near') ?? '';
    const [latitude, longitude] = picked.split(',').map(Number);
    // A pixel of this map is a few hundred metres.
    expect(latitude).toBeCloseTo(store.location.latitude, 1);
    expect(longitude).toBeCloseTo(store.location.longitude, 1);
    await page.locator('.map-frame > svg').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/near=-?[\d.]+,-?[\d.]+$/);
    expect(decodeURIComponent(page.url())).not.toContain(picked);
  });

  test('have a shape on the map for what they report about a product, which the legend explains', async () => {
    await using view = await openMap('#/compare?skus=002051');
    await view.page.locator('.map .point .mark:not(.store)').first().waitFor();
    await openClusters(view.page);
    const legend = await view.page.locator('.map-legend').textContent();
    const meanings = {
      reported: 'reported',
      zero: 'reported zero',
      absent: 'not in the report',
      unchecked: 'not checked',
    };
    for (const [look, meaning] of Object.entries(meanings)) {
      expect(await view.page.locator(`.map .point .mark.${look}`).count(), look).toBeGreaterThan(0);
      expect(legend).toContain(meaning);
    }
  });

  test('share a mark with their number if marks would overlap, until it is opened', async () => {
    await using view = await openMap('#/compare?skus=002051');
    const { page } = view;
    await page.locator('.map .point .mark:not(.store)').first().waitFor();
    const clusters = page.locator('.map .cluster');
    const boxes = await page.locator('.map .point .hit').evaluateAll((all) =>
      all.map((hit) => {
        const { left, right, top, bottom } = hit.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
    for (const [index, a] of boxes.entries())
      for (const b of boxes.slice(index + 1))
        expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);

    const before = await storesOfMarks(view);
    const largest = before.reduce((most, ids) => (ids.length > most.length ? ids : most));
    expect(largest.length).toBeGreaterThan(1);
    const cluster = markOf(page, largest[0] ?? '');
    expect(await cluster.locator('text').textContent()).toBe(String(largest.length));
    expect(await cluster.getAttribute('aria-label')).toMatch(
      new RegExp(`^${largest.length} stores: \\d+ (reported|not in the report|not checked)`),
    );
    const partsOf = async () =>
      (await storesOfMarks(view)).filter((ids) => ids.some((id) => largest.includes(id))).length;
    const address = page.url();
    await cluster.locator('.pill').click();
    await expect.poll(partsOf).toBeGreaterThan(1);
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'Show all stores' }).click();
    await expect.poll(partsOf).toBe(1);

    // The top store has the focus afterwards.
    await cluster.focus();
    await page.keyboard.press('Enter');
    await expect.poll(partsOf).toBeGreaterThan(1);
    const held = () => page.evaluate<string>('document.activeElement.dataset.stores');
    await expect.poll(held).toContain(largest.at(-1));
    await page.keyboard.press('0');
    await expect.poll(held).toBe(largest.join(' '));
    await openClusters(page);
    expect(await clusters.count()).toBe(0);
  });

  test('are shown by the best look of a mark, and stops of a plan never share one', async () => {
    await using view = await openMap('#/compare?skus=002051,001204&near=Harrow Falls');
    const { page } = view;
    await page.locator('.map .point .stop').first().waitFor();
    const stops = await page.locator('.map .stop').count();
    await page.getByRole('button', { name: 'Show all stores' }).click();
    expect(await page.locator('.map .point:not(.cluster) > .stop').count()).toBe(stops);
    const ranks = ['reported', 'limited', 'zero', 'absent', 'unchecked'];
    /** The stores of each mark, and the rank of its look; -1 for a stop. */
    const read = () =>
      page.locator('.map .point').evaluateAll(
        (all, ranks) =>
          all.map((point) => ({
            ids: point.getAttribute('data-stores')?.split(' ') ?? [],
            rank: ranks.indexOf(point.querySelector('.mark')?.getAttribute('class')?.slice('mark '.length) ?? ''),
          })),
        ranks,
      );
    const whole = await read();
    const clusters = whole.filter(({ ids }) => ids.length > 1);
    expect(clusters.length).toBeGreaterThan(0);
    expect(clusters.filter(({ rank }) => rank < 0)).toEqual([]);
    await openClusters(page);
    const ranked = new Map((await read()).map(({ ids: [id = ''], rank }) => [id, rank]));
    for (const { ids, rank } of clusters) expect(rank).toBe(Math.min(...ids.map((id) => ranked.get(id) ?? -1)));
  });

  test.for(['#/stores', '#/product/002051', '#/compare?skus=002051'])(
    'light up on the map with their row in the table, and the other way round, at %s',
    async (place) => {
      await using view = await openMap(place);
      const { page } = view;
      await page.setViewportSize({ width: 1280, height: 420 });
      const table = page.locator('.scrolled', { has: page.locator('a[href^="#/store/"]') }).first();
      const rows = table.locator('tbody tr');
      const idOf = async (row: typeof rows) =>
        (await row.locator('a').first().getAttribute('href'))?.split('/').at(-1) ?? '';
      const ids = located().map(({ id }) => id);
      const all = await rows.all();
      let row = rows.first();
      for (const one of all) if (ids.includes(await idOf(one))) row = one;
      const id = await idOf(row);
      const box = () => page.locator('.map').first().boundingBox();
      await row.scrollIntoViewIfNeeded();
      await row.hover();
      const halo = page.locator('.map .halo');
      await expect.poll(() => halo.count()).toBe(1);
      const hrefFor = (mark: typeof halo) => mark.getAttribute('transform');
      await expect.poll(async () => (await hrefFor(halo)) === (await hrefFor(markOf(page, id)))).toBe(true);
      expect(await page.locator('.map-label').textContent()).toContain(await row.locator('a').first().textContent());
      await page.mouse.move(1, 1);
      await expect.poll(() => halo.count()).toBe(0);
      const before = await box();
      await row.locator('a').first().focus();
      await expect.poll(() => halo.count()).toBe(1);
      expect((await box())?.height).toBe(before?.height);

      await table.evaluate((element) => element.scrollTo(0, 0));
      const scrolled = () => table.evaluate((element) => element.scrollTop);
      await openClusters(page);
      await markOf(page, id).dispatchEvent('pointerenter');
      const lit = page.locator('tr.lit');
      await expect.poll(() => lit.count()).toBe(1);
      expect(await idOf(lit)).toBe(id);
      expect(await scrolled()).toBe(0);
      await markOf(page, id).dispatchEvent('pointerleave');
      await expect.poll(() => lit.count()).toBe(0);
      await markOf(page, id).focus();
      await expect.poll(() => lit.count()).toBe(1);
      const isInSight = async () => {
        const [inner, outer] = [await lit.boundingBox(), await table.boundingBox()];
        return !!inner && !!outer && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
      };
      await expect.poll(isInSight).toBe(true);
      expect(await scrolled()).toBeGreaterThan(0);
    },
  );

  test('are on a map with small controls in a corner, and arrows in a group that opens', async () => {
    await using view = await explorer.open('#/stores', { width: 390 });
    const { page } = view;
    await page.locator('.map .point').first().waitFor();
    const [controls, map] = [page.locator('.map-controls'), page.locator('.map-frame')];
    const [inner, outer] = [await controls.boundingBox(), await map.boundingBox()];
    expect(inner?.width).toBeLessThan(48);
    expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThan((outer?.y ?? 0) + (outer?.height ?? 0));
    expect(await page.getByRole('button', { name: 'Move north' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Move the map' }).click();
    const start = await firstPoint(view);
    for (const direction of ['north', 'west']) await page.getByRole('button', { name: `Move ${direction}` }).click();
    await expect.poll(() => firstPoint(view)).not.toBe(start);
    for (const direction of ['south', 'east']) await page.getByRole('button', { name: `Move ${direction}` }).click();
    await expect.poll(() => firstPoint(view)).toBe(start);
    expect(await map.boundingBox()).toEqual(outer);
    await page.getByRole('button', { name: 'Move the map' }).click();
    expect(await page.getByRole('button', { name: 'Move north' }).count()).toBe(0);
  });
});
