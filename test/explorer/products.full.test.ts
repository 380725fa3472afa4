import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { BrandDetail } from '../../contract/schemas/brand.ts';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { Category } from '../../contract/schemas/category.ts';
import type { FamilyDocument } from '../../contract/schemas/family.ts';
import type { Metadata } from '../../contract/schemas/metadata.ts';
import type { ProductAvailability, ProductDetail, ProductSeries } from '../../contract/schemas/product.ts';
import type { ComparisonStores, StoreStock } from '../../contract/schemas/store.ts';
import { storePairs } from '../../contract/store-pairs.ts';
import { dateText, instantText, priceText } from '../../explorer/parts/text.ts';
import { fullName } from '../../explorer/products/product-index.ts';
import type { TestPage } from '../support/browser.ts';
import { cellsOf, describeExplorer, held, noteAt, notesOf, wholeTables } from './explorer-site.ts';

describeExplorer('products', (explorer) => {
  let index: BrowseIndex;
  beforeAll(() => {
    index = explorer.site.document('/v1/products/browse.json');
  });

  async function open(place: string): Promise<TestPage> {
    const view = await explorer.open(place);
    await view.page.locator('main table').waitFor();
    return view;
  }

  const skus = ({ page }: TestPage) => page.locator('main tbody td:nth-child(9)').allTextContents();
  /** The products reported by the most stores, then by quantity. */
  const ordered = () => {
    const { reported_positive_store_count: stores, reported_quantity: quantities, sku } = index.columns;
    const rank = (product: number) => (stores[product] ?? -1) * 1e9 + (quantities[product] ?? -1);
    return [...sku.keys()].sort((a, b) => rank(b) - rank(a) || a - b);
  };
  const skusWhere = (holds: (product: number) => boolean) =>
    ordered().flatMap((product) => (holds(product) ? (index.columns.sku[product] ?? []) : []));
  const productId = (sku: string) =>
    explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data.id;
  const isVodka = (product: number) => /vodka/i.test(index.columns.name[product] ?? '');

  test('show the price per litre on a phone, and are ordered by it', async () => {
    await using view = await explorer.open('#/browse', { width: 390 });
    const { page } = view;
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('.only-narrow select').selectOption('Lowest price per litre');
    const litres = async () => {
      const texts = await page.locator('main tbody .narrow').allInnerTexts();
      return texts.map((text) => Number(/^\$([\d,]+\.\d\d) \/ L$/.exec(text)?.[1]?.replaceAll(',', '')));
    };
    const { price_minor: prices, total_milliliters: volumes } = index.columns;
    const known = prices.flatMap((price, product) => {
      const volume = volumes[product] ?? null;
      return price === null || volume === null ? [] : [Math.round((price * 1000) / volume) / 100];
    });
    await expect.poll(litres).toEqual(known.sort((a, b) => a - b));
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/browse?sort=litre');
  });

  test('are all listed, most stores first, are saved as CSV, and are sorted by keyboard', async () => {
    await using view = await open('#/browse');
    const { page } = view;
    await expect.poll(() => skus(view)).toEqual(skusWhere(() => true));
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Stores');
    const priced = ordered().findIndex((product) => index.columns.price_minor[product] !== null);
    const row = await page.locator(`main tbody tr:nth-child(${priced + 1})`).textContent();
    expect(row).toContain(index.columns.name[ordered()[priced] ?? -1]);
    expect(row).toContain(priceText(index.columns.price_minor[ordered()[priced] ?? -1] ?? null));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Save (these|this) .*as CSV$/ }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(index.count + 2);
    expect(lines[0]).toBe(
      'Product,Size,Price (USD),Per litre (USD),Stores,Stores checked,Quantity (units),Status,SKU,Checked,Currency',
    );
    expect(lines[1]).toContain(skusWhere(() => true)[0]);
    expect(lines.slice(1, -1).every((line) => line.endsWith(',USD'))).toBe(true);
    await page.getByRole('button', { name: 'Price', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dearest = priceText(Math.max(...index.columns.price_minor.map((price) => price ?? 0)));
    const first = page.locator('main tbody tr:first-child td:nth-child(3)');
    await expect.poll(() => first.allInnerTexts()).toEqual([dearest]);
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Price');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/browse?sort=price');
    expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('Price');
  });

  test('follow a link right after typing, however late the view is drawn', async () => {
    await using view = await open('#/browse');
    await view.page.evaluate(`
      const input = document.querySelector('main input[type=search]');
      input.value = 'rye';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      location.hash = '#/browse?q=VODKA';
      for (const end = performance.now() + 600; performance.now() < end; );
    `);
    await expect.poll(() => skus(view)).toEqual(skusWhere(isVodka));
    expect(new URL(view.page.url()).hash).toBe('#/browse?q=VODKA');
  });

  test('return to the same position in their table', async () => {
    await using view = await explorer.open('#/browse');
    const { page } = view;
    for (const far of [700, 1100]) {
      await wholeTables(page);
      await page.evaluate(`scrollTo(0, ${far})`);
      await expect.poll(() => page.evaluate('history.state?.y === scrollY')).toBe(true);
      const y = await page.evaluate<number>('scrollY');
      expect(Math.abs(y - far)).toBeLessThan(200);
      await page.evaluate('document.querySelectorAll("tbody a")[2].click()');
      await page.getByRole('heading', { name: 'Over time' }).waitFor();
      expect(await page.evaluate('scrollY')).toBe(0);
      await page.goBack();
      // The browser compensates when rows above the reader grow.
      await expect.poll(async () => Math.abs((await page.evaluate<number>('scrollY')) - y)).toBeLessThan(100);
    }
  });

  test('are filtered by words, price and a category with its descendants, all in the address', async () => {
    await using view = await open('#/browse');
    await view.page.getByLabel('Name or SKU').fill('VODKA');
    await view.page.getByLabel('Price from').fill('10');
    const expected = skusWhere((product) => isVodka(product) && (index.columns.price_minor[product] ?? 0) >= 1000);
    expect(expected.length).toBeGreaterThan(0);
    await expect.poll(() => skus(view)).toEqual(expected);
    await view.page.waitForURL('**/#/browse?q=VODKA&from=10');
    await view.page.reload();
    await expect.poll(() => skus(view)).toEqual(expected);
    await view.page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => skus(view)).toEqual(skusWhere(() => true));
    const { data: categories } = explorer.site.document<{ data: Category[] }>('/v1/categories');
    const parent = categories.find(({ product_count, total_product_count }) => total_product_count > product_count);
    if (!parent) throw new Error('the fixtures have no category with products below it');
    const option = view.page.getByLabel('Category').locator(`option[value="${parent.id}"]`);
    expect(await option.textContent()).toContain(`${parent.name} (${parent.total_product_count})`);
    await view.page.getByLabel('Category').selectOption(parent.id);
    await expect.poll(async () => (await skus(view)).length).toBe(parent.total_product_count);
  });

  test('are filtered by several statuses and by the year in their names, all in the address', async () => {
    await using view = await open('#/browse');
    const { page } = view;
    const codeOf = (product: number) => index.statuses[index.columns.status[product] ?? -1]?.code ?? '';
    const button = page.getByRole('button', { name: /^Status / });
    await button.click();
    await page.getByRole('checkbox', { name: /^Delisted/ }).check();
    await page.getByRole('checkbox', { name: /^Not available/ }).check();
    const expected = skusWhere((product) => ['D', 'N'].includes(codeOf(product)));
    expect(expected.length).toBe(4);
    await expect.poll(() => skus(view)).toEqual(expected);
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    const codes = index.statuses.map(({ code }) => code).filter((code) => ['D', 'N'].includes(code));
    await page.waitForURL(`**/#/browse?status=${codes.join('%2C')}`);
    await page.reload();
    await expect.poll(() => skus(view)).toEqual(expected);
    const labels = index.statuses.filter(({ code }) => codes.includes(code)).map(({ label }) => label);
    expect(await button.textContent()).toBe(labels.join(', '));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Year in name').selectOption('2019');
    await expect
      .poll(() => skus(view))
      .toEqual(skusWhere((product) => index.columns.name[product]?.endsWith("'19") ?? false));
    await page.waitForURL('**/#/browse?year=2019');
  });

  test('of a brand are shown by lifecycle', async () => {
    await using view = await explorer.open('#/brand/old-pellander');
    const { page } = view;
    const tabs = page.getByRole('navigation', { name: 'Products by status' }).getByRole('link');
    await expect.poll(() => tabs.allTextContents()).toEqual(['All 3', 'Active 2', 'Discontinued 1']);
    await tabs.filter({ hasText: 'Discontinued' }).click();
    await page.waitForURL('**/#/brand/old-pellander?status=D');
    await expect.poll(async () => (await cellsOf(view, 'Listed products of the brand')).length).toBe(1);
    await page.getByRole('link', { name: 'Filter and compare these products' }).click();
    await page.waitForURL('**/#/browse?brand=old-pellander&status=D');
  });

  test('are not shown until it is known which of them a store reports', async () => {
    const store = explorer.site.document<{ data: { id: string }[] }>('/v1/stores').data[0]?.id ?? '';
    await using view = await open('#/browse');
    const { page } = view;
    const answer = await held(page, `**/v1/stores/${store}/availability`);
    const expectNoProducts = async () => {
      expect(await page.locator('main table, main button:text("as CSV")').count()).toBe(0);
    };
    await page.getByLabel('Reported in').selectOption(store);
    await page.getByText('Loading what is reported in this store').waitFor();
    await expectNoProducts();
    answer();
    await page.locator('main table').waitFor();
    const stock = explorer.site.document<{ data: StoreStock }>(`/v1/stores/${store}/availability`).data;
    expect((await skus(view)).sort()).toEqual(stock.products.map(({ agency_sku }) => agency_sku).sort());
    await page.unrouteAll();
    await page.waitForURL(`**/#/browse?store=${store}`);
    await page.evaluate("location.hash = '#/browse?store=00000000-0000-4000-8000-000000000000'");
    await page.getByRole('alert').getByText('There is no store with this id.').waitFor();
    await expectNoProducts();
    expect(view.takeProblems().join()).toContain('404');
  });

  /** A product with every state but one among its stores, with two prices, in a family. */
  const sku = '002051';

  test('show what the documents say, by SKU and by id, and sort by keyboard', async () => {
    const product = explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
    const path = `/v1/products/${product.id}`;
    const availability = explorer.site.document<{ data: ProductAvailability }>(`${path}/availability`).data;
    const pairs = storePairs(
      availability,
      explorer.site.document<ComparisonStores>('/v1/availability/stores.json').stores,
    );
    const { prices, retrievals } = explorer.site.document<ProductSeries>(`${path}/series.json`);
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(3);
    await shown.page.getByRole('heading', { name: `${product.brand} ${product.name}` }).waitFor();
    const { reported_positive_store_count, scope_store_count } = product.availability_summary;
    const text = (await shown.page.locator('main').textContent()) ?? '';
    const { eligible_positive_store_count: eligible, unchecked_store_count: unchecked } = product.availability_summary;
    expect([eligible, reported_positive_store_count]).toEqual([1, 1]);
    expect(text).toContain(`${product.price?.display} $13.14 per litre`);
    expect(text).toContain(
      `1 of ${scope_store_count - unchecked} checked stores reports it. ${unchecked} other stores were not checked.`,
    );
    expect(text).toContain('FIXTURE_DATA');
    await shown.page.getByText('These values as tables').click();
    const stores = await cellsOf(shown, 'Reported availability by store');
    const quantities = pairs.map((row) => [row.name, String(row.reported_quantity ?? '–')]);
    expect(stores.map(([name, quantity]) => [name, quantity]).sort()).toEqual(quantities.sort());
    const states = ['reported', 'reported zero', 'not in the report', 'not checked'];
    expect(new Set(stores.map(([, , state]) => state))).toEqual(new Set(states));
    const amounts = [...prices.price_minor, prices.price_minor.at(-1)].map((price) => priceText(price ?? null));
    expect((await cellsOf(shown, 'Price')).map(([, price]) => price)).toEqual(amounts);
    const reports = await cellsOf(shown, 'Reported quantity');
    expect(reports.map(([, quantity]) => quantity)).toEqual(
      retrievals.reported_quantity.map((quantity) => String(quantity ?? '–')),
    );
    await shown.go(`#/product/${product.id}`);
    const table = shown.page.locator('table', { hasText: 'Reported availability by store' });
    await table.getByRole('button', { name: 'Code' }).press('Enter');
    const codes = (await cellsOf(shown, 'Reported availability by store')).map(([, , , code]) => code ?? '');
    const known = pairs.flatMap(({ inventory_store_code: code }) => code ?? []).sort();
    expect(codes.slice(0, known.length)).toEqual(known);
  });

  test('have charts that follow the width and colours of the window', async () => {
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(3);
    const look = () => shown.page.evaluate<string>("document.querySelectorAll('.chart canvas')[2].toDataURL()");
    const light = await look();
    await shown.page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(look).not.toBe(light);
    await shown.page.setViewportSize({ width: 400, height: 800 });
    const follow = `[...document.querySelectorAll('.chart-place')].every(
      (place) => place.querySelector('.uplot').offsetWidth === place.clientWidth)`;
    await expect.poll(() => shown.page.evaluate(follow)).toBe(true);
  });

  test('have values over time as CSV, with prices in dollars and units in headings', async () => {
    const sku = '001204';
    const series = explorer.site.document<ProductSeries>(`/v1/products/${productId(sku)}/series.json`);
    await using view = await explorer.open(`#/product/${sku}`);
    const { page } = view;
    await page.getByText('These values as tables').click();
    const saved = async (table: string) => {
      const place = page.locator('.table', { has: page.getByRole('region', { name: table, exact: true }) });
      const saving = page.waitForEvent('download');
      await place.getByRole('button', { name: /^Save (these|this) .*as CSV$/ }).click();
      return readFileSync(await (await saving).path(), 'utf8').split('\r\n');
    };
    const [heading, ...prices] = await saved('Price');
    expect(heading).toBe('Catalog retrieved (UTC),Price (USD),Currency');
    const steps = series.prices.price_minor.map((price) => (price === null ? '' : (price / 100).toFixed(2)));
    expect(prices.slice(0, steps.length).map((line) => line.split(',').slice(1))).toEqual(
      steps.map((price) => [price, 'USD']),
    );
    expect((await saved('Reported quantity'))[0]).toBe('Retrieved (UTC),Reported quantity (units)');
  });

  test('have notes on one axis of time, and no day shows the report of another', async () => {
    const { id } = explorer.site.document<{ data: ProductDetail }>(`/v1/products/by-sku/${sku}`).data;
    const { prices, retrievals } = explorer.site.document<ProductSeries>(`/v1/products/${id}/series.json`);
    const { published_at } = explorer.site.document<{ data: Metadata }>('/v1/metadata').data.publication;
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(3);
    const end = Date.parse(published_at);
    const start = Math.min(Date.parse(prices.at[0] ?? ''), Date.parse(retrievals.attempted_at[0] ?? ''));
    const partOf = (instant: string) => (Date.parse(instant) - start) / (end - start);
    const last = retrievals.attempted_at.findLastIndex((at) => at < '2025-05-26');
    const at = retrievals.attempted_at[last] ?? '';
    const quantity = retrievals.reported_quantity[last];
    const stores = `${retrievals.reported_positive_store_count[last]} of ${retrievals.checked_store_count[last]}`;
    const notes = () =>
      Promise.all([0, 1, 2].map((place) => notesOf(shown.page.locator('.timeline .chart').nth(place))));
    const dots = () => shown.page.locator('.timeline .u-cursor-pt:not(.u-off)').count();
    const price = prices.price_minor[prices.at.findLastIndex((step) => step < '2025-05-26')] ?? null;
    const since = dateText(prices.at.findLast((step) => step < '2025-05-26') ?? '');
    // The product was checked on 10 May and on 29 May. The pointer is nearer to the later day.
    for (const [place, title] of ['Price', 'Reported quantity', 'Stores that report it'].entries()) {
      const pointed = await noteAt(shown, title, partOf('2025-05-25T12:00:00Z'));
      const expected = [
        ['25 May 2025', `Price: ${priceText(price)}, since ${since}`],
        ['25 May 2025: not checked', `${instantText(at)}: ${quantity}`],
        ['25 May 2025: not checked', `${instantText(at)}: ${stores}`],
      ];
      expect(pointed).toEqual(expected[place]);
      expect(await notes()).toEqual(expected);
      expect(await dots()).toBe(0);
    }
    expect(await noteAt(shown, 'Reported quantity', partOf(at))).toEqual([
      instantText(at),
      `Reported quantity: ${quantity}`,
    ]);
    expect(await dots()).toBe(2);
  });

  test('have charts that the arrow keys read', async () => {
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(1);
    const chart = shown.page.getByRole('group', { name: /^Price, chart\./ });
    const note = chart.getByRole('status');
    await chart.focus();
    await shown.page.keyboard.press('End');
    await expect.poll(() => note.textContent()).toContain('Price: $22.99, since 20 May 2025');
    await shown.page.keyboard.press('Home');
    await expect.poll(() => note.textContent()).toContain('Price: $21.99, since 3 Mar 2025');
    await shown.page.keyboard.press('ArrowRight');
    await expect.poll(() => note.textContent()).toContain('20 May 2025Price: $22.99');
  });

  test('have buttons that limit the charts to the last months', async () => {
    await using shown = await explorer.open(`#/product/${sku}`);
    await shown.passCharts(1);
    const summary = () => shown.page.locator('.timeline figcaption').first().textContent();
    const whole = await summary();
    expect(whole).toContain('since 3 Mar 2025');
    await shown.page.getByRole('button', { name: '3 months' }).click();
    expect(await shown.page.getByRole('button', { name: '3 months' }).getAttribute('aria-pressed')).toBe('true');
    // The first price is still in force three months before the end, where the range begins.
    await expect.poll(summary).toBe(whole?.replace('3 Mar', '6 Mar'));
    await expect.poll(() => shown.page.locator('.figures').textContent()).toContain('Lowest$21.99');
    await shown.page.getByRole('button', { name: 'All', exact: true }).click();
    await shown.passCharts(1);
  });

  test('report failed checks', async () => {
    const failing = explorer.site.document<{ data: ProductDetail }>('/v1/products/by-sku/020201').data;
    const { retrievals } = explorer.site.document<ProductSeries>(`/v1/products/${failing.id}/series.json`);
    expect(retrievals.succeeded.at(-1)).toBe(false);
    await using shown = await explorer.open('#/product/020201');
    await shown.page.locator('.chart-place').first().waitFor();
    await shown.passCharts(await shown.page.locator('.chart-place').count());
    expect(await noteAt(shown, 'Reported quantity', 1)).toEqual([
      instantText(retrievals.attempted_at.at(-1) ?? ''),
      'The check failed.',
    ]);
  });

  test('list the steps of a changed status', async () => {
    type Changed = { data: [{ product: { id: string; source_ids: { agency_sku: string } } }] };
    const { data } = await explorer.answer<Changed>('/v1/changes?types=status_changed&limit=1');
    const { id, source_ids } = data[0].product;
    await using shown = await explorer.open(`#/product/${source_ids.agency_sku}`);
    const { statuses, presence } = explorer.site.document<ProductSeries>(`/v1/products/${id}/series.json`);
    const rows = await cellsOf(shown, 'Status and catalog listing');
    expect(rows).toHaveLength(statuses.at.length + presence.at.length);
    expect(rows[0]?.[2]).toContain(statuses.label.at(-1));
  });

  test('are in families, lowest price per litre first, and in brands', async () => {
    const id = explorer.site.fact('family', 'gullspar-harbor-lager');
    const family = explorer.site.document<FamilyDocument>(`/v1/product-families/${id}`).data;
    const brand = explorer.site.document<{ data: BrandDetail }>(`/v1/brands/${family.brand_id}`).data;
    await using shown = await explorer.open(`#/family/${family.id}`);
    const members = await cellsOf(shown, 'Members of the family');
    // All have the same name, so links include their sizes.
    expect(members.map(([name, sku, price]) => [name, sku, price]).sort()).toEqual(
      family.members
        .map((member) => [
          `${fullName(member)}, ${member.package_size.display}`,
          member.source_ids.agency_sku,
          member.price?.display,
        ])
        .sort(),
    );
    // The twelve cans of the other one are certain, so it has a price for a litre too.
    expect(members.map((row) => row[3])).toEqual(['$5.86', '$6.73']);
    const { retained_change_count, retention_days } = family.observed_history;
    const counted = `${retained_change_count}, for ${retention_days} days`;
    expect(await shown.page.locator('main').textContent()).toContain(counted);
    expect((await cellsOf(shown, 'Changes')).flat().join()).toMatch(/Reported \d+ → \d+/);
    await shown.go(`#/brand/${brand.slug}`);
    const families = await cellsOf(shown, 'Families of the brand');
    expect(families).toEqual(brand.families.map(({ name, member_count }) => [name, String(member_count)]));
    expect(await cellsOf(shown, 'Listed products of the brand')).toHaveLength(brand.product_count);
    await shown.go(`#/brand/${brand.id}`);
    await shown.page.getByRole('heading', { name: brand.name, exact: true }).waitFor();
  });
});
