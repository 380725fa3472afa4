import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchResult } from '../../generator/contract/documents/search.ts';
import type { StoreSummary } from '../../generator/contract/documents/store.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import { hostileNames, hostileSite, hostileSku, hostileStatement, ordinarySku } from '../support/hostile-names.ts';
import { needing, program } from '../support/installed-programs.ts';
import { cellsOf } from './explorer-site.ts';

describeInBrowser('names that look like something else', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start(['--dist', await hostileSite()], { RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  /** A page of 320 pixels. An inline script that its policy stops would fail it with an error in the console. */
  const open = (place: string) => openPage(`${server.origin}/${place}`, { width: 320 });

  async function expectOnlyText({ page, requested }: TestPage): Promise<void> {
    expect(await page.evaluate('globalThis.owned')).toBeUndefined();
    expect(await page.locator('main img, main script, main a[href^="javascript:"]').count()).toBe(0);
    expect(requested.filter((url) => new URL(url).pathname.endsWith('/x'))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  }

  const links = ({ page }: TestPage) => page.locator('main table a').allTextContents();

  test('are text in the table of products, of which only the rows in sight are in the page', async () => {
    await using view = await open('#/browse');
    const rows = view.page.locator('main tbody tr[aria-rowindex]');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(100);
    expect(await view.page.locator('main table').getAttribute('aria-rowcount')).toBe(String(hostileNames.length + 201));
    await view.page.evaluate("document.querySelector('.scrolled').scrollTo(0, 1e6)");
    await view.page.locator(`tr[aria-rowindex="${hostileNames.length + 201}"]`).waitFor();
    await view.page.getByLabel('Words in the name').fill('9000');
    await expect.poll(async () => (await links(view)).length).toBe(2 * hostileNames.length);
    const shown = await links(view);
    for (const name of hostileNames) expect(shown).toContain(name);
    await expectOnlyText(view);
  });

  test('are data in the CSV file, and a formula is none', needing('python3'), async () => {
    await using view = await open('#/browse?q=9000&sort=sku');
    const saving = view.page.waitForEvent('download');
    await view.page.getByRole('button', { name: 'Save as CSV' }).click();
    const path = await (await saving).path();
    const read = 'import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="")))))';
    const rows = JSON.parse(execFileSync(program('python3'), ['-X', 'utf8', '-c', read, path], { encoding: 'utf8' }));
    const expected = hostileNames.map((name) => (/^[=+\-@]/.test(name) ? `'${name}` : name));
    expect(rows.map((row: { Name: string }) => row.Name)).toEqual(expected);
    expect(rows.map((row: { SKU: string }) => row.SKU)).toEqual(hostileNames.map((_, number) => hostileSku(number)));
  });

  test('are text among the hits of a search, and in changes and categories', async () => {
    await using view = await open('#/search?q=img');
    const { data } = (await (await fetch(`${server.origin}/v1/search?q=img&limit=100`)).json()) as SearchResult;
    expect(new Set(data.map(({ kind }) => kind)).size).toBe(4);
    const hits = async () => (await view.page.locator('.hits a').allTextContents()).sort();
    await expect.poll(hits).toEqual(data.map(({ name }) => name).sort());
    await expectOnlyText(view);
    for (const place of ['#/changes', '#/categories']) {
      await view.go(place);
      await view.page.locator('main table a').first().waitFor();
      const text = await view.page.locator('main table').textContent();
      for (const name of hostileNames) expect(text).toContain(name);
      await expectOnlyText(view);
    }
  });

  test('are text in the views of a product and of a store', async () => {
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

  test('are text where the operator states them, also in the page for readers without scripts', async () => {
    const html = (await server.get('/')).body.toString();
    expect(html).toContain('<title>Orchard &#60;/title&#62;&#60;script&#62;');
    expect(html).toContain('content="Reports &#34;of&#34; the board. This service is independent of the agency');
    expect(html).toContain('<p>What <a href="https://board.example/lists">Orchard &#38; Board</a> reports.</p>');
    const { title, notice, license, source_url, contact } = hostileStatement;
    expect(html).toContain(`<p>License of the data: <a href="${license.url}">CC-BY-4.0</a></p>`);
    await using home = await open('');
    await home.page.getByRole('heading', { name: title }).waitFor();
    const footer = home.page.locator('footer');
    expect(await footer.textContent()).toContain(notice);
    const links = await footer.locator('a').all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets).toEqual([license.url, source_url, `mailto:${contact}`]);
    expect(await home.page.title()).toBe(title);
    await expectOnlyText(home);
  });

  test('inventory that was never retrieved is no count, of a product and of members of a family', async () => {
    const cardOf = ({ page }: TestPage, label: string) => page.locator('.card', { hasText: label }).textContent();
    const members = async (view: TestPage) => (await cellsOf(view, 'Members of the family')).flat().join();
    await using view = await open(`#/product/${ordinarySku(1)}`);
    expect(await cardOf(view, 'stores report it')).toBe('– stores report it');
    expect(await members(view)).toMatch(/100001.*not checked/);
    await view.go(`#/product/${hostileSku(0)}`);
    expect(await cardOf(view, 'stores report it')).toBe(`1 of ${hostileNames.length} stores report it`);
    const answer = await fetch(`${server.origin}/v1/product-families`);
    const { data } = (await answer.json()) as { data: { id: string; slug: string }[] };
    await view.go(`#/family/${data.find(({ slug }) => slug.endsWith('never-checked'))?.id}`);
    expect(await cardOf(view, 'members that stores report')).toBe('– members that stores report');
    expect(await members(view)).toMatch(/100002.*not checked/);
    await view.page.getByText('Not checked', { exact: true }).waitFor();
  });
});
