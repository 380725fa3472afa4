import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchResult } from '../../contract/schemas/search.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { fullName } from '../../explorer/products/product-index.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import { needing, program } from '../support/installed-programs.ts';
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

/** Names that HTML or a spreadsheet could mistake for code. A script in one of them would set `owned`. */
const hostileNames = [
  '<img src=x onerror="globalThis.owned = 1">',
  '</script><script>globalThis.owned = 1</script>',
  'javascript:globalThis.owned=1',
  '\u202eright to left\u202c שלום مرحبا',
  '🍷👩‍👩‍👧‍👦🏴‍☠️ e\u0301\u0302\u0303\u0304',
  'W'.repeat(300),
  'Long words in a row '.repeat(15).trim(),
  '=1+1',
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  'a "quoted" name, with a comma',
  'two\nlines',
  "it's &amp; %2F ../.. #/home?x=1",
] as const;

/** Ordinary products, so that tables are long. They are never checked in any store. */
const ordinaryProducts = 200;

/** The operator's statement about these data. */
const hostileStatement = {
  title: 'Orchard </title><script>globalThis.owned = 1</script>',
  agency: 'Orchard & Board',
  notice: 'Reports "of" the board.',
  license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  source_url: 'https://board.example/lists',
  contact: 'prices@orchard.example',
};

const hostileSku = (number: number) => String(900_000 + number);
const ordinarySku = (number: number) => String(100_000 + number);

/**
 * Builds a site of two publications whose products, brands, families, categories and stores have these names. In the
 * second one, each of these products has another price and another reported quantity.
 */
async function buildHostileSite(folder: string): Promise<string> {
  const database = join(folder, 'hostile.sqlite');
  for (const [index, day] of ['2025-05-01', '2025-05-02'].entries()) {
    await publishParts(database, partsOf(`${day}T08:00:00Z`, index));
  }
  await build(database, join(folder, 'dist'), { explorer: bundledExplorer() });
  return join(folder, 'dist');
}

function partsOf(published_at: string, index: number) {
  const code = (number: number) => String(number + 1).padStart(4, '0');
  const ordinary = Array.from({ length: ordinaryProducts }, (_, number) => productLine(ordinarySku(number)));
  const parts = {
    products: [
      ...ordinary,
      ...hostileNames.map((name, number) =>
        productLine(hostileSku(number), {
          name,
          source_name: name,
          size_text: name,
          status_label: name,
          price_minor: 1000 + number + index,
          category_id: `cat_hostile_${number}`,
        }),
      ),
    ],
    stores: hostileNames.map((name, number) =>
      storeLine(code(number), {
        name,
        address: { line1: name, line2: name, city: name, region: 'CX', postal_code: '00210' },
      }),
    ),
    inventory: {
      scope: hostileNames.map((_, number) => code(number)),
      lines: hostileNames.map((_, number) => {
        const first = [code(0), 7 + index] as const;
        const rows = number === 0 ? [first] : [[code(number), 5 + index] as const, first];
        return retrievalLine(hostileSku(number), published_at, rows);
      }),
    },
    curation: curationOf({
      about: hostileStatement,
      categories: hostileNames.map((name, number) => ({
        id: `cat_hostile_${number}`,
        parent_id: number === 0 ? null : 'cat_hostile_0',
        name,
        active: true,
      })),
      brands: hostileNames.map((name, number) => ({ slug: `brand-${number}`, name, aliases: [name], reviewed: true })),
      families: [
        ...hostileNames.map((name, number) => ({ slug: `family-${number}`, name, brand: `brand-${number}` })),
        { slug: 'never-checked', name: 'Never checked', brand: 'brand-0' },
      ],
      products: [
        ...hostileNames.map((_, number) =>
          curatedProduct(hostileSku(number), { brand: `brand-${number}`, family: `family-${number}` }),
        ),
        // A product that was never checked, in a family with a checked one, and in a family alone.
        curatedProduct(ordinarySku(1), { brand: 'brand-0', family: 'family-0' }),
        curatedProduct(ordinarySku(2), { brand: 'brand-0', family: 'never-checked' }),
      ],
    }),
  };
  return { header: headerOf({ published_at }, parts), ...parts };
}

describeInBrowser('names that look like something else', () => {
  const folder = temporaryFolder();
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start([await buildHostileSite(folder)], { RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    removeFolder(folder);
  });

  /**
   * A window of 320 pixels. If the policy stopped an inline script, the test would fail with an error in the console.
   */
  const open = (place: string) => openPage(`${server.origin}/${place}`, { width: 320 });

  async function expectOnlyText({ page, requested }: TestPage): Promise<void> {
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(await page.locator('main img, main script, main a[href^="javascript:"]').count()).toBe(0);
    expect(requested.filter((url) => new URL(url).pathname.endsWith('/x'))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  }

  const links = ({ page }: TestPage) => page.locator('main table a').allTextContents();

  test('are text in the table of products, which only has the visible rows in the document', async () => {
    await using view = await open('#/browse');
    const rows = view.page.locator('main tbody tr[aria-rowindex]');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(100);
    expect(await view.page.locator('main table').getAttribute('aria-rowcount')).toBe(String(hostileNames.length + 201));
    await view.page.evaluate("document.querySelector('.scrolled').scrollTo(0, 1e6)");
    await view.page.locator(`tr[aria-rowindex="${hostileNames.length + 201}"]`).waitFor();
    await view.page.getByLabel('Name or SKU').fill('9000');
    await expect.poll(async () => (await links(view)).length).toBe(hostileNames.length);
    const shown = await links(view);
    for (const name of hostileNames) expect(shown).toContain(name);
    await expectOnlyText(view);
  });

  test('are data in the CSV file, and formulas are disarmed', needing('python3'), async () => {
    await using view = await open('#/browse?q=9000&sort=sku');
    const saving = view.page.waitForEvent('download');
    await view.page.getByRole('button', { name: /^Save (these|this) .*as CSV$/ }).click();
    const path = await (await saving).path();
    const read = 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="")))))';
    const rows = JSON.parse(execFileSync(program('python3'), ['-X', 'utf8', '-c', read, path], { encoding: 'utf8' }));
    const expected = hostileNames.map((name) => name.replace(/(^|[,;|])( *)(?=[=+\-@＝＋－＠])/gu, "$1$2'"));
    expect(rows.map((row: { Product: string }) => row.Product)).toEqual(expected);
    expect(rows.map((row: { SKU: string }) => row.SKU)).toEqual(hostileNames.map((_, number) => hostileSku(number)));
  });

  test('are text in search results, changes and categories', async () => {
    await using view = await open('#/search?q=img');
    const { data } = (await (await fetch(`${server.origin}/v1/search?q=img&limit=100`)).json()) as SearchResult;
    expect(new Set(data.map(({ kind }) => kind)).size).toBe(4);
    for (const kind of new Set(data.map(({ kind }) => kind))) {
      await view.page.evaluate(`location.hash = '#/search?q=img&kinds=${kind}'`);
      const expected = data.flatMap((hit) => (hit.kind === kind ? [kind === 'brand' ? hit.name : fullName(hit)] : []));
      // Products are also found by the words of their categories.
      await expect.poll(() => links(view)).toEqual(expect.arrayContaining(expected));
      await expectOnlyText(view);
    }
    await view.go('#/changes');
    const changes = view.page.locator('main table');
    for (const name of hostileNames) await expect.poll(() => changes.textContent()).toContain(name);
    await expectOnlyText(view);
    await view.go('#/browse');
    await expect.poll(() => view.page.getByLabel('Category').textContent()).toContain(hostileNames[1]);
    const categories = await view.page.getByLabel('Category').textContent();
    for (const name of hostileNames) expect(categories).toContain(name);
    await expectOnlyText(view);
  });

  test('are text in the views of a product and a store', async () => {
    const { data: stores } = (await (await fetch(`${server.origin}/v1/stores`)).json()) as { data: StoreSummary[] };
    await using view = await open('#/browse');
    for (const number of [0, 3, 5, 6]) {
      const name = hostileNames[number] ?? '';
      const store = stores.find((one) => one.name === name);
      for (const place of [`#/product/${hostileSku(number)}`, `#/store/${store?.id}`]) {
        await view.go(place);
        await expect.poll(() => view.page.locator('main h1').textContent()).toContain(name);
        await view.page.locator('main .loading').first().waitFor({ state: 'detached' });
        await expectOnlyText(view);
      }
    }
  });

  test("are text in the operator's statement, also for readers without scripts", async () => {
    const html = (await server.get('/')).body.toString();
    expect(html).toContain('<title>Orchard &#60;/title&#62;&#60;script&#62;');
    expect(html).toContain('content="Reports &#34;of&#34; the board. This service is independent of the agency');
    expect(html).toContain('<meta property="og:title" content="Orchard &#60;/title&#62;&#60;script&#62;');
    expect(html).toContain('<p>What <a href="https://board.example/lists">Orchard &#38; Board</a> reports.</p>');
    const { title, notice, license, source_url, contact } = hostileStatement;
    expect(html).toContain(`<p>License of the data: <a href="${license.url}">CC-BY-4.0</a></p>`);
    await using home = await open('');
    await home.page.locator('.brand b', { hasText: title }).waitFor();
    const footer = home.page.locator('footer');
    expect(await footer.textContent()).toContain(notice);
    const links = await footer.locator('a').all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets).toEqual([license.url, source_url, `mailto:${contact}`]);
    expect(await home.page.title()).toBe(title);
    await expectOnlyText(home);
  });

  test('show no count for inventory that was never retrieved', async () => {
    const cardOf = ({ page }: TestPage, label: string) => page.locator('.card', { hasText: label }).textContent();
    const members = async (view: TestPage) => (await cellsOf(view, 'Members of the family')).flat().join();
    await using view = await open(`#/product/${ordinarySku(1)}`);
    await view.page.getByText('This product was never checked').waitFor();
    expect(await members(view)).toMatch(/100001.*not checked/);
    await view.go(`#/product/${hostileSku(0)}`);
    await view.page.getByText(/^1 of \d+ checked stores? reports it\.$/).waitFor();
    const answer = await fetch(`${server.origin}/v1/product-families`);
    const { data } = (await answer.json()) as { data: { id: string; slug: string }[] };
    await view.go(`#/family/${data.find(({ slug }) => slug.endsWith('never-checked'))?.id}`);
    expect(await cardOf(view, 'members that stores report')).toBe('– members that stores report');
    expect(await members(view)).toMatch(/100002.*not checked/);
    await view.page.getByText('Not checked', { exact: true }).waitFor();
  });
});
