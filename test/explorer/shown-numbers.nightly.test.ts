import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { FamilyDocument } from '../../contract/schemas/family.ts';
import type { ProductAvailability, ProductDetail } from '../../contract/schemas/product.ts';
import type { ComparisonStores, StoreStock, StoreSummary } from '../../contract/schemas/store.ts';
import { storePairs } from '../../contract/store-pairs.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import { bundledExplorer } from '../support/programs.ts';
import {
  curatedProduct,
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishParts } from '../units/fixture-series.ts';
import { cellsOf } from './explorer-site.ts';

/*
 * What views say in numbers, compared with what the API says. With NUMBERS_OF=ORIGIN the views of that site are
 * compared instead of those of an invented one.
 */

const elsewhere = process.env.NUMBERS_OF;
const [storeCount, productCount, familyCount] = [130, 64, 26] as const;
const days = ['2025-05-01', '2025-05-08', '2025-05-15', '2025-05-22'] as const;
const code = (store: number) => String(store + 1).padStart(4, '0');
const sku = (product: number) => String(100_000 + product);

/**
 * A site whose products have far more events in a publication than an answer holds, and whose first family has more
 * than a hundred members' events. A third of the stores is never checked; some products are restricted, never checked,
 * left the catalog, or left it and returned.
 */
async function buildSite(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const database = join(folder, 'numbers.sqlite');
  for (const [index, day] of days.entries()) await publishParts(database, partsOf(`${day}T08:00:00Z`, index));
  await build(database, join(folder, 'dist'), { explorer: bundledExplorer() });
  return join(folder, 'dist');
}

function partsOf(published_at: string, index: number) {
  const isListed = (product: number) =>
    !(product === 5 && index >= 2) && !(product === 6 && index === 2) && !(product === 7 && index === 3);
  const products = Array.from({ length: productCount }, (_, product) => product);
  const stores = Array.from({ length: storeCount }, (_, store) => store);
  const checked = stores.slice(0, 90);
  const parts = {
    products: products.filter(isListed).map((product) =>
      productLine(sku(product), {
        price_minor: 1000 + product * 10 + (product % 3 === 0 ? index * 100 : 0),
        size_ml: [750, 1000, 375][product % 3],
        size_text: null,
        ...(product % 10 === 9 && { status_code: 'A', status_label: 'Allocated', lifecycle: 'restricted' }),
      }),
    ),
    stores: stores.map((store) =>
      storeLine(code(store), {
        ...(store % 20 === 3 && { access_type: 'licensee_only' }),
        location: { latitude: 40 + store / 100, longitude: -111 },
      }),
    ),
    inventory: {
      scope: checked.map(code),
      lines: products
        .filter((product) => isListed(product) && product % 13 !== 12)
        .map((product) => retrievalLine(sku(product), published_at, rowsOf(product, checked, index))),
    },
    curation: curationOf({
      brands: [{ slug: 'wren', name: 'Wren', aliases: [], reviewed: true }],
      families: Array.from({ length: familyCount }, (_, family) => ({
        ...{ slug: `family-${family}`, name: `Family ${family}`, brand: 'wren' },
      })),
      products: products.map((product) =>
        curatedProduct(sku(product), {
          brand: 'wren',
          family: `family-${product < 34 ? 0 : product % familyCount}`,
        }),
      ),
    }),
  };
  return { header: headerOf({ published_at }, parts), ...parts };
}

/** Every store reports another quantity each time. Some products are nowhere, or move between stores alone. */
function rowsOf(product: number, checked: readonly number[], index: number): [string, number][] {
  if (product % 16 === 15) return [];
  return checked.flatMap((store): [string, number][] => {
    const quantity = (product * 7 + store * 5 + index * (store % 2 === 0 ? 3 : 4)) % 23;
    if (product % 8 === 3) return [[code(store), 5 + ((store + index) % 2)]];
    return quantity > 19 ? [] : [[code(store), quantity]];
  });
}

/** All rows of a list, however many pages it has. */
async function rowsFrom<Row>(origin: string, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = path; next !== null; ) {
    const answer: { data: Row[]; links: { next: string | null } } = await read(origin, next);
    rows.push(...answer.data);
    next = answer.links.next;
  }
  return rows;
}

async function read<Shape>(origin: string, path: string): Promise<Shape> {
  return (await (await fetch(new URL(path, origin))).json()) as Shape;
}

const storeTypes: readonly ChangeType[] = ['store_inventory_changed', 'store_inventory_first_observed'];
const counts = (text: string) => (/\d/.test(text) ? Number(text.replaceAll(',', '')) : 0);

/** What a row of changes says of quantities: the totals, or in how many stores they moved or began. */
type Said = { totals?: [number, number]; moved?: number; first?: number };

/** Reads a cell such as `Reported 841 → 882, in 18 → 20 stores, ▲ up 41`. */
function saidBy(text: string): Said {
  const totals = /Reported ([\d,]+) → ([\d,]+), in /.exec(text);
  const moved = /Reported differently in ([\d,]+) stores?, with the same total/.exec(text);
  const first = /First observed in ([\d,]+) stores?/.exec(text);
  return {
    ...(totals && { totals: [counts(totals[1] ?? ''), counts(totals[2] ?? '')] }),
    ...(moved && { moved: counts(moved[1] ?? '') }),
    ...(first && { first: counts(first[1] ?? '') }),
  };
}

/** What the events of a product in a publication say of quantities. */
function saidOf(events: readonly ChangeEvent[]): Said {
  const total = events.find((event) => event.type === 'aggregate_inventory_changed');
  if (total?.type === 'aggregate_inventory_changed') {
    const { previous, current } = total.change;
    return { totals: [previous.reported_quantity, current.reported_quantity] };
  }
  const ofStores = events.filter(({ type }) => storeTypes.includes(type));
  if (ofStores.length < 2) return {};
  const moved = ofStores.filter((event) => event.type === 'store_inventory_changed');
  const first = ofStores.length - moved.length;
  return { ...(moved.length > 0 && { moved: moved.length }), ...(first > 0 && { first }) };
}

/** The rows that a list of changes may begin with: those of whole publications, newest first. */
function groupsOf(events: readonly ChangeEvent[], types: (type: ChangeType) => boolean): Said[] {
  const groups = Map.groupBy(
    events.filter(({ type }) => types(type)),
    ({ times, product }) => `${times.published_at} ${product.id}`,
  );
  return [...groups.values()].map(saidOf);
}

/** The cells of a column of the changes, without what narrow windows repeat in them. */
async function changeCells(view: TestPage, column: number): Promise<string[]> {
  await cellsOf(view, 'Changes');
  const table = view.page.locator('table', { has: view.page.locator('caption', { hasText: 'Changes' }) }).first();
  return table.locator(`tbody tr td:nth-child(${column + 1})`).evaluateAll((cells) =>
    cells.map((cell) => {
      const copy = cell.cloneNode(true) as typeof cell;
      for (const narrow of copy.querySelectorAll('.narrow')) narrow.remove();
      return copy.textContent;
    }),
  );
}

const mainText = ({ page }: TestPage) =>
  page.evaluate<string>("document.querySelector('main').innerText.replace(/\\s+/g, ' ')");

async function checkProduct(view: TestPage, origin: string, agencySku: string): Promise<void> {
  const { data } = await read<{ data: ProductDetail }>(origin, `/v1/products/by-sku/${agencySku}`);
  const { data: availability } = await read<{ data: ProductAvailability }>(
    origin,
    `/v1/products/${data.id}/availability`,
  );
  const summary = data.availability_summary;
  const checked = summary.scope_store_count - summary.unchecked_store_count;
  await view.go(`#/product/${agencySku}`);
  await view.page.getByRole('heading', { name: 'Latest changes' }).waitFor();
  const text = await mainText(view);
  const isGone = data.catalog_presence === 'absent';
  expect([text.includes('This product left the catalog.'), text.includes('Price now')], agencySku).toEqual([
    isGone,
    !isGone,
  ]);
  expect(text, agencySku).toContain(data.price?.display);
  const said = [...text.matchAll(/(None|[\d,]+) of ([\d,]+) checked stores? reports? it/g)].map(
    ([, reporting = '', of = '']) => [counts(reporting), counts(of)],
  );
  const isAsked = data.inventory_retrieved_at !== null;
  // Once in the answer, and once above the table of stores.
  const expected = [summary.reported_positive_store_count, checked];
  expect(said, agencySku).toEqual(isAsked ? [expected, expected] : []);
  expect(text.includes('never checked in any store'), agencySku).toBe(!isAsked);
  if (isAsked && summary.unchecked_store_count > 0)
    expect(text, agencySku).toMatch(
      new RegExp(`${summary.unchecked_store_count} other stores? (was|were) not checked`),
    );
  const { stores: inScope } = await read<ComparisonStores>(origin, '/v1/availability/stores.json');
  const unchecked = storePairs(availability, inScope).filter(({ state }) => state === 'unchecked');
  expect(unchecked).toHaveLength(summary.unchecked_store_count);
  const events = await rowsFrom<ChangeEvent>(origin, `/v1/products/${data.id}/changes`);
  const shown = (await changeCells(view, 0)).map(saidBy);
  expect(shown.length, agencySku).toBeGreaterThan(0);
  expect(shown, agencySku).toEqual(groupsOf(events, () => true).slice(0, shown.length));
}

async function checkFamily(view: TestPage, origin: string, id: string): Promise<void> {
  const { data } = await read<FamilyDocument>(origin, `/v1/product-families/${id}`);
  await view.go(`#/family/${id}`);
  await view.page.getByRole('heading', { name: 'Latest changes' }).waitFor();
  const members = await cellsOf(view, 'Members of the family');
  const expected = data.members.map(({ source_ids, availability_summary: summary, inventory_retrieved_at: at }) => {
    const checked = summary.scope_store_count - summary.unchecked_store_count;
    return [
      source_ids.agency_sku,
      at === null ? 'not checked' : `${summary.reported_positive_store_count} of ${checked}`,
    ];
  });
  const shownMembers = members.map((cells) => {
    const found = cells.find((cell) => /^\d+ of \d+|^not checked/.test(cell)) ?? '';
    return [cells[1], /^\d+ of \d+|^not checked/.exec(found)?.[0]];
  });
  expect(shownMembers.sort(), id).toEqual(expected.sort());
  const events = await rowsFrom<ChangeEvent>(origin, `/v1/product-families/${id}/changes`);
  const known = Map.groupBy(events, ({ times, product }) => `${times.published_at} ${product.source_ids.agency_sku}`);
  const shown = await changeCells(view, 1);
  expect(shown.length, id).toBeGreaterThan(0);
  // The rows of a publication have no fixed order, so they are compared as sets of what is said.
  const bySaid = (said: readonly Said[]) => said.map((one) => JSON.stringify(one)).sort();
  const groups = [...known.entries()].filter(([, of]) => of.some(({ type }) => !storeTypes.includes(type)));
  const said = groups.map(([key, of]) => ({
    at: key.split(' ')[0],
    said: saidOf(of.filter(({ type }) => !storeTypes.includes(type))),
  }));
  const publications = [...new Set(said.map(({ at }) => at))];
  let rest = shown.map(saidBy);
  for (const at of publications) {
    if (rest.length === 0) break;
    const whole = said.filter((group) => group.at === at).map((group) => group.said);
    expect(bySaid(rest.slice(0, whole.length)), id).toEqual(bySaid(whole));
    rest = rest.slice(whole.length);
  }
  expect(rest, id).toEqual([]);
}

async function checkStore(view: TestPage, origin: string, store: StoreSummary): Promise<void> {
  const { data } = await read<{ data: StoreStock }>(origin, `/v1/stores/${store.id}/availability`);
  await view.go(`#/store/${store.id}`);
  const text = await mainText(view);
  const said = /([\d,]+) of ([\d,]+) products? checked here/.exec(text)?.slice(1).map(counts) ?? null;
  const isAsked = data.checked_product_count > 0;
  expect(said, store.name).toEqual(isAsked ? [data.products.length, data.checked_product_count] : null);
  expect(text.includes('This store was never checked'), store.name).toBe(!isAsked);
  const rows = data.products.length;
  if (rows > 0) expect(text, store.name).toContain(`${rows} ${rows === 1 ? 'row' : 'rows'}`);
  if (!isAsked) return;
  const events = await rowsFrom<ChangeEvent>(origin, `/v1/changes?store_id=${store.id}&limit=100`);
  const shown = events.length === 0 ? [] : await changeCells(view, 1);
  const moves = events.slice(0, shown.length).map(({ change }) => {
    const difference = 'difference' in change && typeof change.difference === 'number' ? change.difference : 0;
    return difference === 0 ? '' : `${difference > 0 ? 'up' : 'down'} ${Math.abs(difference).toLocaleString('en-US')}`;
  });
  const shownMoves = shown.map((cell) => /(?:up|down) [\d,]+/.exec(cell)?.[0] ?? '');
  expect(shownMoves.sort(), store.name).toEqual(moves.sort());
}

/** `count` of some values, spread evenly. */
function spread<Value>(values: readonly Value[], count: number): Value[] {
  const step = Math.max(1, values.length / count);
  return Array.from(
    { length: Math.min(count, values.length) },
    (_, index) => values[Math.floor(index * step)] as Value,
  );
}

describeInBrowser('numbers in views', () => {
  const folder = temporaryFolder();
  let server: RunningServer | null = null;
  let origin = elsewhere ?? '';
  beforeAll(async () => {
    if (elsewhere !== undefined) return;
    server = await RunningServer.start([await buildSite(folder)], { RATE_LIMIT_PER_MINUTE: '0' });
    origin = server.origin;
  }, 300_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    removeFolder(folder);
  });

  test('of products are those of the API', { timeout: 600_000 }, async () => {
    const { columns } = await read<{ columns: { sku: string[] } }>(origin, '/v1/products/browse.json');
    const gone = await read<{ columns: { sku: string[] } }>(origin, '/v1/products/absent.json');
    await using view = await openPage(`${origin}/#/browse`);
    for (const sku of [...spread(columns.sku, 40), ...spread(gone.columns.sku, 4)])
      await checkProduct(view, origin, sku);
  });

  test('of families are those of the API', { timeout: 600_000 }, async () => {
    const families = await rowsFrom<{ id: string }>(origin, '/v1/product-families');
    await using view = await openPage(`${origin}/#/browse`);
    for (const { id } of spread(families, 25)) await checkFamily(view, origin, id);
  });

  test('of stores are those of the API', { timeout: 600_000 }, async () => {
    const stores = await rowsFrom<StoreSummary>(origin, '/v1/stores');
    await using view = await openPage(`${origin}/#/browse`);
    for (const store of spread(stores, 10)) await checkStore(view, origin, store);
  });

  test('in changes are of single stores, or of whole publications of a product', async () => {
    const { columns } = await read<{ columns: { sku: string[] } }>(origin, '/v1/products/browse.json');
    await using view = await openPage(`${origin}/#/changes?types=${storeTypes.join()}`);
    const { page } = view;
    expect((await changeCells(view, 1)).map(saidBy).every((said) => Object.keys(said).length === 0)).toBe(true);
    const [one = ''] = columns.sku;
    await view.go('#/stores');
    await view.go(`#/changes?types=all&sku=${one}`);
    await page.locator('main table').first().waitFor();
    const { data } = await read<{ data: ProductDetail }>(origin, `/v1/products/by-sku/${one}`);
    const events = await rowsFrom<ChangeEvent>(origin, `/v1/products/${data.id}/changes`);
    const expected = groupsOf(events, () => true);
    for (let rows = 0; rows < expected.length; ) {
      const shown = (await changeCells(view, 1)).map(saidBy);
      expect(shown).toEqual(expected.slice(0, shown.length));
      rows = shown.length;
      if (rows < expected.length) await page.getByRole('button', { name: 'Load more changes' }).click();
      await expect
        .poll(async () => (await cellsOf(view, 'Changes')).length > rows || rows === expected.length)
        .toBe(true);
    }
  });
});
