import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Browser, type BrowserPage } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addressTableValues } from '../../generator/client-bundle.ts';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { buildHostileSite, hostileNames } from '../support/hostile-names.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/* The page as serve.ts sends it, run without a browser: no layout, no drawing, no policy. The other files here have those. */

/** The script of the page as one, because the modules that the site has of it are not read here. */
async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../templates/explorer/main.tsx', import.meta.url))],
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty' },
    plugins: [addressTableValues],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** The page of a server. Its script runs in a window of its own. */
class OpenedPage implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: BrowserPage;

  private constructor(browser: Browser, page: BrowserPage) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(origin: string): Promise<OpenedPage> {
    const settings = { disableCSSFileLoading: true, handleDisabledFileLoadingAsSuccess: true };
    const browser = new Browser({ settings });
    const page = browser.newPage();
    await page.goto(`${origin}/`);
    page.evaluate(await script());
    const opened = new OpenedPage(browser, page);
    await vi.waitFor(() => expect(opened.all('main h1')).toHaveLength(1), { timeout: 20_000 });
    return opened;
  }

  /** Goes to a view, and resolves with its text once it has loaded all that it shows. */
  async go(place: string): Promise<string> {
    const [view] = place.split('?');
    const isOther = view !== (this.window.location.hash || '#/').split('?')[0];
    if (isOther) this.window.document.querySelector('main h1')?.setAttribute('data-left', '');
    this.window.location.hash = place;
    await expect.poll(() => this.all('main h1:not([data-left])').length).toBe(1);
    await this.#page.waitUntilComplete();
    await expect.poll(() => this.all('main .loading')).toEqual([]);
    expect([place, this.all('main .failed')]).toEqual([place, []]);
    return this.text('main');
  }

  get window() {
    return this.#page.mainFrame.window;
  }

  text(selector: string): string {
    return this.window.document.querySelector(selector)?.textContent ?? '';
  }

  all(selector: string): string[] {
    return [...this.window.document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  }

  /** What the page wrote to its console. */
  problems(): string {
    return this.#page.virtualConsolePrinter.readAsString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

describe('of the bundled snapshots', () => {
  let site: FixtureSite;
  let server: RunningServer;
  let page: OpenedPage;
  beforeAll(async () => {
    site = await FixtureSite.build(12, 'whole');
    server = await RunningServer.start(['--dist', site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
    page = await OpenedPage.open(server.origin);
  });
  afterAll(async () => {
    await page?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    site?.[Symbol.dispose]();
  });

  const names = (path: string) => site.document<{ data: { name: string }[] }>(path).data.map(({ name }) => name);

  test('home says what is published, and leads to every section', async () => {
    const text = await page.go('#/');
    expect(text).toContain(`This is publication ${site.pointer.sequence} of 5 Jun 2025`);
    expect(text).toContain('52 products listed');
    expect(page.all('nav[aria-label="Sections"] a')).toHaveLength(7);
    expect(page.text('footer')).toContain('not purchase guarantees');
  });

  test('products: names in a table, and filters of the address', async () => {
    await page.go('#/browse');
    const all = page.all('main tbody tr').length;
    expect(await page.go('#/browse?q=peach')).toContain('Dunmarrow Peach Schnapps');
    await expect.poll(() => page.all('main tbody tr').length).toBeLessThan(all);
  });

  test('search finds what the service finds', async () => {
    const text = await page.go('#/search?q=peach');
    const { data } = (await (await fetch(`${server.origin}/v1/search?q=peach`)).json()) as { data: { name: string }[] };
    expect(data.length).toBeGreaterThan(0);
    for (const { name } of data) expect(text).toContain(name);
  });

  test('a product: its name, SKU, price and stores', async () => {
    const text = await page.go('#/product/014100');
    const { data } = site.document<Named>('/v1/products/by-sku/014100');
    expect(page.text('main h1')).toBe(data.name);
    for (const fact of ['014100', '$11.99']) expect(text).toContain(fact);
  });

  test('stores, and one of them', async () => {
    const text = await page.go('#/stores');
    for (const name of names('/v1/stores')) expect(text).toContain(name);
    await page.go(`#/store/${site.fact('store', '0001')}`);
    expect(page.text('main h1')).toBe(site.document<Named>('/v1/stores/by-code/0001').data.name);
  });

  test('a comparison names its plans', async () => {
    const text = await page.go('#/compare?skus=001204,014100&lat=43.2217&lng=-118.3048&radius_m=100000');
    expect(text).toContain('Dunmarrow Peach Schnapps');
    expect(text).toMatch(/store/i);
  });

  test('changes, with a filter', async () => {
    await page.go('#/changes?types=price_changed');
    const answer = await fetch(`${server.origin}/v1/changes?types=price_changed`);
    const { data } = (await answer.json()) as { data: ChangeEvent[] };
    expect(page.all('main tbody tr')).toHaveLength(data.length);
  });

  test('categories, a brand and a family', async () => {
    const categories = await page.go('#/categories');
    for (const name of names('/v1/categories')) expect(categories).toContain(name);
    for (const [view, list] of [
      ['brand', '/v1/brands'],
      ['family', '/v1/product-families'],
    ] as const) {
      const [first] = site.document<{ data: { id: string; name: string }[] }>(list).data;
      await page.go(`#/${view}/${first?.id}`);
      expect(page.text('main h1')).toContain(first?.name);
    }
  });

  test('data, API and problems', async () => {
    expect(await page.go('#/data')).toContain('inventory.parquet');
    expect(await page.go('#/api')).toContain('/v1/products');
    expect(await page.go('#/problems')).toContain('SKU_AMBIGUOUS');
    await page.go('#/problem/SKU_AMBIGUOUS');
  });

  test('nothing went wrong in its console', () => {
    expect(page.problems()).toBe('');
  });
});

type Named = { readonly data: { readonly id: string; readonly name: string } };

test('names that look like a script are text', async () => {
  const folder = temporaryFolder();
  try {
    const dist = await buildHostileSite(folder);
    await using server = await RunningServer.start(['--dist', dist], { RATE_LIMIT_PER_MINUTE: '0' });
    await using page = await OpenedPage.open(server.origin);
    for (const place of ['#/categories', '#/changes', '#/stores']) {
      const text = await page.go(place);
      for (const name of hostileNames) expect([place, text]).toEqual([place, expect.stringContaining(name)]);
      expect(page.window.document.querySelectorAll('main img, main script, main a[href^="javascript:"]')).toHaveLength(
        0,
      );
    }
    expect('owned' in page.window).toBe(false);
  } finally {
    removeFolder(folder);
  }
});
