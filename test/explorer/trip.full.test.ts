import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import type { Metadata, RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { ProductAvailability } from '../../contract/schemas/product.ts';
import type { Comparison } from '../../contract/schemas/store.ts';
import { distanceBetween } from '../../explorer/map/projection.ts';
import { distanceText, instantText, priceText } from '../../explorer/parts/text.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, wholeTables } from './explorer-site.ts';

describeExplorer('the trip', (explorer) => {
  const place = 'near=43.2217,-118.3048';
  const section = ({ page }: Pick<TestPage, 'page'>) => page.getByRole('link', { name: /^Trip/ });
  const kept = ({ page }: Pick<TestPage, 'page'>) => page.evaluate<string | null>("localStorage.getItem('trip /')");
  const chosen = ({ page }: Pick<TestPage, 'page'>) =>
    page
      .getByRole('region', { name: 'Products' })
      .getByRole('button', { name: /^Remove / })
      .count();

  /** Opens a view for a reader with a trip. */
  async function openWith(skus: readonly string[], place: string): Promise<TestPage> {
    const view = await explorer.open('#/problems');
    await view.page.evaluate(`localStorage.setItem('trip /', ${JSON.stringify(skus.join())})`);
    await view.page.reload();
    await view.go(place);
    return view;
  }

  test('takes products from rows and from their own view, and stays on the device until it is empty', async () => {
    await using view = await explorer.open('#/browse?q=014100');
    const { page } = view;
    const add = page.getByRole('button', { name: 'Add Dunmarrow Peach Schnapps to the trip' });
    await add.waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(await section(view).textContent()).toBe('Trip');
    await add.click();
    expect(await add.getAttribute('aria-pressed')).toBe('true');
    expect(await section(view).textContent()).toBe('Trip 1 product');
    await page.reload();
    await page.locator('.trip-mark[aria-pressed=true]').waitFor();
    await view.go('#/product/001204');
    await page.getByRole('button', { name: 'Add to trip' }).click();
    expect(await section(view).textContent()).toBe('Trip 2 products');
    expect(await kept(view)).toBe('014100,001204');
    await page.getByRole('button', { name: 'Remove from trip' }).click();
    await view.go('#/browse?q=014100');
    await add.focus();
    await page.keyboard.press('Enter');
    expect(await add.getAttribute('aria-pressed')).toBe('false');
    expect(await section(view).textContent()).toBe('Trip');
    expect(await kept(view)).toBeNull();
  });

  test('has a button in every row of products, always visible on a phone and large enough for a thumb', async () => {
    const { data: brands } = explorer.site.document<{ data: { id: string; slug: string }[] }>('/v1/brands');
    const family = explorer.site.fact('family', 'gullspar-harbor-lager');
    const views = ['#/browse', '#/search?q=gin', `#/brand/${brands[0]?.id}`, `#/family/${family}`, '#/store/0001'];
    await using view = await explorer.open('#/problems', { width: 390 });
    const { page } = view;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    expect(await page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true);
    for (const place of views) {
      await view.go(place);
      const table = page.locator('.table', { has: page.locator('.trip-mark') }).first();
      await table.locator('.trip-mark').first().waitFor();
      await wholeTables(page);
      const rows = await table.locator('tbody tr').count();
      expect([place, await table.locator('tbody tr .trip-mark').count()]).toEqual([place, rows]);
      const box = await table.locator('.trip-mark').first().boundingBox();
      if (!box) throw new Error(`the button of ${place} is not seen`);
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
      expect(box.x + box.width).toBeLessThan(390);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await devtools.detach();
    await page.locator('.trip-mark').first().waitFor();
    const mouse = await page.locator('.trip-mark').first().boundingBox();
    expect(Math.min(mouse?.width ?? 0, mouse?.height ?? 0)).toBeGreaterThanOrEqual(24);
  });

  test('is full at 25 products, and says so', async () => {
    const skus = Array.from({ length: 25 }, (_, number) => String(100_000 + number));
    await using view = await openWith(skus, '#/product/014100');
    await view.page.getByText('A trip holds at most 25 products.').waitFor();
    expect(await view.page.getByRole('button', { name: 'Add to trip' }).isDisabled()).toBe(true);
    await view.go('#/browse?q=014100');
    const row = view.page.getByRole('button', { name: 'Add Dunmarrow Peach Schnapps to the trip' });
    await row.waitFor();
    expect(await row.isDisabled()).toBe(true);
    expect(await section(view).textContent()).toBe('Trip 25 products');
  });

  test('names products that are no longer published, and removes them', async () => {
    await using view = await openWith(['999999', '014100'], `#/compare?${place}`);
    const { page } = view;
    await page.waitForURL('**/#/compare?skus=999999%2C014100&near=*');
    await page.getByText('999999: no published product has this SKU').waitFor();
    await page.getByRole('button', { name: 'Remove 999999' }).click();
    await page.waitForURL('**/#/compare?skus=014100&near=*');
    expect(await kept(view)).toBe('014100');
    expect(await section(view).textContent()).toBe('Trip 1 product');
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('survives invalid data on the device', async () => {
    await using view = await openWith(['<b>', '12', '014100', '014100', '', 'null'], '#/browse');
    expect(await section(view).textContent()).toBe('Trip 1 product');
  });

  test('is the same in several tabs, and the view follows', async () => {
    await using view = await openWith(['014100'], `#/compare?${place}`);
    const { page } = view;
    await page.waitForURL('**/#/compare?skus=014100&near=*');
    const other = await page.context().newPage();
    await other.goto(`${explorer.origin}/#/product/001204`);
    await other.getByRole('button', { name: 'Add to trip' }).click();
    await page.waitForURL('**/#/compare?skus=014100%2C001204&near=*');
    await expect.poll(() => section(view).textContent()).toBe('Trip 2 products');
    await page.getByRole('button', { name: 'Remove 001204' }).click();
    await other.getByRole('button', { name: 'Add to trip' }).waitFor();
    expect(await section({ page: other }).textContent()).toBe('Trip 1 product');
    await page.evaluate('localStorage.clear()');
    await expect.poll(() => section({ page: other }).textContent()).toBe('Trip');
    await other.close();
  });

  test('lasts as long as the tab if the browser keeps nothing', async () => {
    await using view = await explorer.open('#/problems');
    for (const refusal of [
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    ]) {
      const page = await view.page.context().newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.addInitScript(refusal);
      await page.goto(`${explorer.origin}/#/product/014100`);
      await page.getByRole('button', { name: 'Add to trip' }).click();
      expect(await section({ page }).textContent()).toBe('Trip 1 product');
      await section({ page }).click();
      await page.waitForURL('**/#/compare?skus=014100');
      await page.getByText('your trip is lost when you close this tab').waitFor();
      await page.getByRole('button', { name: 'Remove 014100' }).click();
      expect(await section({ page }).textContent()).toBe('Trip');
      expect(errors).toEqual([]);
      await page.close();
    }
  });

  test('from a link is shown as shared, is taken over on request, and can be undone', async () => {
    const shared = `#/compare?skus=001204,001311&${place}`;
    await using view = await explorer.open(shared);
    const { page } = view;
    await page.getByText('This is a shared trip with 2 products.').waitFor();
    await page.getByRole('button', { name: 'Remove 001311' }).click();
    await page.getByText('This is a shared trip with 1 product.').waitFor();
    expect(await kept(view)).toBeNull();
    await page.getByRole('button', { name: 'Make it my trip' }).click();
    await page.getByText('shared trip').waitFor({ state: 'detached' });
    expect(await kept(view)).toBe('001204');
    await view.page.evaluate(`location.hash = ${JSON.stringify(shared)}`);
    await page.getByText('This is a shared trip with 2 products, not your own with 1 product.').waitFor();
    await page.getByRole('button', { name: 'Make it my trip' }).click();
    await expect.poll(() => kept(view)).toBe('001204,001311');
    expect(await chosen(view)).toBe(2);
    await page.getByRole('button', { name: 'Bring it back' }).click();
    await page.waitForURL('**/#/compare?skus=001204&near=*');
    expect(await kept(view)).toBe('001204');
    await view.page.evaluate(`location.hash = ${JSON.stringify(shared)}`);
    await page.getByRole('link', { name: 'your own with 1 product' }).click();
    await page.waitForURL('**/#/compare?skus=001204&near=*');
    // A product added to the reader's own trip is on it.
    await page.getByLabel('Add products by SKU or name').fill('014100');
    await page.getByLabel('Add products by SKU or name').press('Enter');
    await page.waitForURL('**/#/compare?skus=001204%2C014100&near=*');
    expect(await kept(view)).toBe('001204,014100');
  });

  describe('near a place', () => {
    const skus = ['001204', '014100', '001310', '002050', '011502'];
    const options = 'radius_m=300000&inventory_age=any_age&purchase_eligibility=any';
    const question = `skus=${skus.join()}&${options}`;
    const bestPlan = async () => {
      const { data } = await explorer.answer<Comparison>(
        `/v1/availability/comparison?${question}&lat=43.2217&lng=-118.3048`,
      );
      const plan = data.strategies.find(({ strategy }) => strategy === 'best_partial_plan')?.plan;
      if (!plan || plan.stop_count < 2) throw new Error('expected a plan with several stops');
      return { plan, products: data.requested_products };
    };

    test('has a plan with products, costs and distances for each stop', async () => {
      const { plan, products } = await bestPlan();
      await using view = await explorer.open(`#/compare?${question}&${place}`);
      const { page } = view;
      const stops = page.locator('.trip-stops > li');
      await stops.first().waitFor();
      await page.getByText('hours', { exact: false }).first().waitFor();
      expect(await stops.count()).toBe(plan.stop_count);
      // What was reported arrives after the plan.
      const reports = page.locator('.trip-products li', { hasText: 'reported, checked' });
      const assigned = plan.stores.flatMap(({ assigned_product_ids }) => assigned_product_ids);
      await expect.poll(() => reports.count()).toBe(assigned.length);
      for (const [at, stop] of plan.stores.entries()) {
        const text = (await stops.nth(at).textContent()) ?? '';
        expect(text).toContain(`${at + 1} ${stop.store.name} ${distanceText(stop.store.distance_m ?? -1)}`);
        expect(text).toContain(stop.store.address.line1);
        const lines = await stops.nth(at).locator('.trip-products li').allTextContents();
        expect(lines).toHaveLength(stop.assigned_product_ids.length);
        for (const id of stop.assigned_product_ids) {
          const product = products.find((one) => one.id === id);
          const { data } = explorer.site.document<{ data: ProductAvailability }>(`/v1/products/${id}/availability`);
          const report = data.stores.find(({ store_id }) => store_id === stop.store.id);
          const line = lines.find((text) => text.includes(product?.name ?? '?')) ?? '';
          expect(line).toContain(priceText(product?.price?.amount_minor ?? null));
          expect(line).toContain(
            `${report?.reported_quantity} reported, checked ${instantText(report?.retrieved_at ?? '')}`,
          );
        }
      }
      const covered = products.filter(({ id }) => plan.covered_product_ids.includes(id));
      const cost = covered.reduce((sum, { price }) => sum + (price?.amount_minor ?? 0), 0);
      const start = { latitude: 43.2217, longitude: -118.3048 };
      const points = [start, ...plan.stores.flatMap(({ store }) => store.location ?? []), start];
      const metres = points.slice(1).reduce((sum, to, at) => sum + distanceBetween(points[at] ?? to, to), 0);
      const sums = await page.locator('.trip-sums').textContent();
      expect(sums).toContain(`${priceText(cost)} for one each of ${covered.length} products`);
      expect(sums).toContain(`${distanceText(metres)} from 43.2217,-118.3048`);
      await expect.poll(() => page.locator('.map .point .stop').count()).toBe(plan.stop_count);
      const [way = ''] = await page
        .locator('.map .way')
        .evaluateAll((all) => all.map((path) => path.getAttribute('d')));
      expect(way?.split('L')).toHaveLength(plan.stop_count + 1);
      expect((await page.locator('main').textContent())?.match(/not a promise/g)).toHaveLength(1);
      expect(await view.accessibilityProblems()).toEqual([]);
    });

    test('is shared as a link and a QR code with products, place, options and publication', async () => {
      const { data } = explorer.site.document<{ data: Metadata }>('/v1/metadata');
      await using view = await explorer.open(`#/compare?${question}&${place}&plan=best_single_store`);
      const { page } = view;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: explorer.origin });
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const link = await page.evaluate<string>('navigator.clipboard.readText()');
      const query = new URLSearchParams(link.split('?')[1]);
      expect(link).toMatch(new RegExp(`^${explorer.origin}/#/compare\\?skus=`));
      expect(Object.fromEntries(query)).toEqual({
        skus: skus.join(),
        near: '43.2217,-118.3048',
        radius_m: '300000',
        purchase_eligibility: 'any',
        inventory_age: 'any_age',
        plan: 'best_single_store',
        revision: data.publication.revision,
      });
      const before = view.requested.length;
      await page.getByRole('button', { name: 'QR code' }).click();
      const code = page.getByRole('img', { name: 'QR code of this link' });
      await code.waitFor();
      expect(view.requested.slice(before).filter((url) => url.endsWith('.js'))).toHaveLength(1);
      const dark = encode(link, { ecc: 'M', border: 4 }).data.flat().filter(Boolean).length;
      expect((await code.locator('path').getAttribute('d'))?.split('M')).toHaveLength(dark + 1);
      await page.getByRole('button', { name: 'QR code' }).click();
      await code.waitFor({ state: 'detached' });

      await view.go('#/problems');
      await view.go(link.slice(link.indexOf('#')));
      await page.locator('.trip-stops').waitFor();
      expect(await page.getByText('This link was made from').count()).toBe(0);
    });

    test('from a link to another publication says so', async () => {
      const { data } = explorer.site.document<{ data: RetainedPublication[] }>('/v1/metadata/publications');
      const earlier = data.find(({ current }) => !current);
      if (!earlier) throw new Error('expected an earlier publication');
      await using view = await explorer.open(`#/compare?skus=014100&${place}&revision=${earlier.revision}`);
      const { page } = view;
      const { sequence, published_at } = earlier;
      await page
        .getByText(
          `This link was made from publication ${sequence} of ${instantText(published_at)}; reports may have changed since.`,
        )
        .waitFor();
      await page.evaluate(`location.hash = '#/compare?skus=014100&revision=00000000-0000-4000-8000-000000000000'`);
      await page.getByText('This link was made from an earlier publication;').waitFor();
      await page.evaluate(`location.hash = '#/compare?skus=014100&revision=12'`);
      await page.getByText('revision: expected the UUID of a publication, got 12').waitFor();
      expect(await page.getByText('This link was made from').count()).toBe(0);
    });

    test('prints on one page: stops with hours and a checkbox per product, without forms or long tables', async () => {
      const { plan } = await bestPlan();
      await using view = await explorer.open(`#/compare?${question}&${place}`);
      const { page } = view;
      await page.getByRole('heading', { name: 'How certain this is' }).waitFor();
      await page.getByText('Monday').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      const shown = await page.evaluate<string>("document.querySelector('main').innerText");
      for (const { store } of plan.stores) {
        expect(shown).toContain(store.name);
        expect(shown).toContain(store.address.line1);
        if (store.phone !== null) expect(shown).toContain(store.phone);
      }
      expect(shown).toContain('Monday');
      for (const hidden of ['main form', 'main input', 'main select', 'main button', 'main table', '.map'])
        expect([hidden, await page.locator(hidden).filter({ visible: true }).count()]).toEqual([hidden, 0]);
      const boxes = await page
        .locator('.trip-products li')
        .evaluateAll((all) => all.map((line) => getComputedStyle(line, '::before').borderTopStyle));
      expect(boxes).toEqual(plan.stores.flatMap((stop) => stop.assigned_product_ids.map(() => 'solid')));
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
      await page.emulateMedia({ media: null });
    });
  });
});
