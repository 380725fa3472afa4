import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Browser, type BrowserPage } from 'happy-dom';
import { expect, test, vi } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';

/*
 * The explorer as serve.ts sends it, run without a browser: no layout, no drawing, no policy. The other files here test
 * those.
 */

/** The explorer's script as one file, because happy-dom does not load its modules. */
async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../explorer/start.tsx', import.meta.url))],
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty' },
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

let bundled: Promise<string> | null = null;

/** The explorer of a server. Its script runs in a window of its own. */
class OpenedPage implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: BrowserPage;

  private constructor(browser: Browser, page: BrowserPage) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(origin: string): Promise<OpenedPage> {
    // Nothing depends on the longest timers. No request takes so long that this would abort it.
    const timer = { maxTimeout: 4000 };
    const settings = { disableCSSFileLoading: true, handleDisabledFileLoadingAsSuccess: true, timer };
    const browser = new Browser({ settings });
    const page = browser.newPage();
    await page.goto(`${origin}/`);
    bundled ??= script();
    page.evaluate(await bundled);
    const opened = new OpenedPage(browser, page);
    await vi.waitFor(() => expect(opened.all('main h1')).toHaveLength(1), { timeout: 20_000 });
    return opened;
  }

  /** Goes to a view, and resolves with its text once everything in it has loaded. */
  async go(place: string): Promise<string> {
    const [view] = place.split('?');
    const isOther = view !== (this.window.location.hash || '#/').split('?')[0];
    if (isOther) this.window.document.querySelector('main h1')?.setAttribute('data-left', '');
    this.window.location.hash = place;
    await expect.poll(() => this.all('main h1:not([data-left])').length).toBe(1);
    await this.#page.waitUntilComplete();
    await expect.poll(() => this.all('main .loading')).toEqual([]);
    // The last answer may have caused more requests.
    await this.#page.waitUntilComplete();
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

  /** What the explorer wrote to its console. */
  problems(): string {
    return this.#page.virtualConsolePrinter.readAsString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

type Row = { readonly id: string; readonly name: string };

test('the explorer of the bundled snapshots shows in every view what the documents say', async () => {
  using site = await FixtureSite.build(12, 'whole');
  await using server = await RunningServer.start([site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
  await using page = await OpenedPage.open(server.origin);
  const rows = (path: string) => site.document<{ data: Row[] }>(path).data;
  const one = (path: string) => site.document<{ data: Row }>(path).data;
  const answered = async (target: string) => {
    const answer = await fetch(`${server.origin}${target}`);
    return ((await answer.json()) as { data: Row[] }).data;
  };
  const named = (data: readonly Row[]) => data.map(({ name }) => name);

  const [product, store] = [one('/v1/products/by-sku/014100'), one('/v1/stores/by-code/0001')];
  const [[brand], [family]] = [rows('/v1/brands'), rows('/v1/product-families')];
  const compared = 'skus=001204,014100&lat=43.2217&lng=-118.3048&radius_m=100000';
  const views: readonly (readonly [place: string, texts: readonly (string | undefined)[]])[] = [
    [
      '#/',
      [
        '5 Jun 2025 catalog and prices retrieved',
        '52 products with their prices',
        '9 prices changed since 25 Apr 2025',
      ],
    ],
    ['#/browse', named(rows('/v1/products'))],
    ['#/search?q=peach', named(await answered('/v1/search?q=peach'))],
    [`#/product/014100`, [product.name, '014100', '$11.99']],
    [`#/product/${product.id}`, [product.name]],
    ['#/stores', named(rows('/v1/stores'))],
    [`#/store/${store.id}`, [store.name]],
    [`#/compare?${compared}`, ['Dunmarrow Peach Schnapps', 'How certain this is']],
    [`#/brand/${brand?.id}`, [brand?.name]],
    [`#/family/${family?.id}`, [family?.name]],
    ['#/data', ['inventory.parquet']],
    ['#/api', ['/v1/products']],
    ['#/problems', ['SKU_AMBIGUOUS']],
    ['#/problem/SKU_AMBIGUOUS', ['SKU_AMBIGUOUS']],
  ];
  for (const [place, texts] of views) {
    const shown = await page.go(place);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect([place, shown]).toEqual([place, expect.stringContaining(text ?? 'a name')]);
  }
  await page.go('#/changes?types=price_changed');
  expect(page.all('main tbody tr')).toHaveLength((await answered('/v1/changes?types=price_changed')).length);
  expect(await page.go('#/changes?types=catalog_presence_changed&presence=gone')).toContain('1 product.');
  await page.go('#/browse?q=peach');
  await expect.poll(() => page.all('main tbody tr').length).toBe(1);
  expect(page.all('nav[aria-label="Sections"] a')).toHaveLength(7);
  expect(page.text('footer')).toContain('not purchase guarantees');
  expect(page.problems()).toBe('');
});
