import type { Locator } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { describeInBrowser, holding, openPage, type PageOptions, type TestPage } from '../support/browser.ts';
import { programFile } from '../support/programs.ts';
import { sharedServer } from '../support/shared-servers.ts';

/** The site of the bundled snapshots, served by serve.ts. All tests share both, and only read them. */
export class ExplorerSite {
  origin = '';
  #site: FixtureSite | null = null;

  async start(): Promise<void> {
    this.#site = await FixtureSite.shared();
    this.origin = await sharedServer(programFile('serve.ts'), this.#site.dist);
  }

  get site(): FixtureSite {
    if (!this.#site) throw new Error('the site is not built yet');
    return this.#site;
  }

  /** Opens a view of the explorer, such as `#/stores`. */
  open(place: string, options: PageOptions = {}): Promise<TestPage> {
    return openPage(`${this.origin}/${place}`, options);
  }

  /** The API's answer to a request. */
  async answer<Shape>(target: string): Promise<Shape> {
    return (await (await fetch(`${this.origin}${target}`)).json()) as Shape;
  }
}

/** A group of tests in Chromium that share the site and its server. */
export function describeExplorer(name: string, tests: (explorer: ExplorerSite) => void): void {
  describeInBrowser(name, () => {
    const explorer = new ExplorerSite();
    beforeAll(() => explorer.start());
    tests(explorer);
  });
}

/** Holds back requests that match a pattern until the returned function is called. */
export async function held(page: TestPage['page'], pattern: string): Promise<() => void> {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(pattern, async (route) => {
    await answered;
    await route.continue();
  });
  holding.add(page);
  return () => {
    holding.delete(page);
    answer();
  };
}

/** Gives the explorer a catalog of many products: those of the fixtures repeated, with SKUs of their own. */
export async function withProducts(page: TestPage['page'], count: number): Promise<void> {
  await page.route('**/v1/products/browse.json', async (route) => {
    const response = await route.fetch();
    const index = (await response.json()) as BrowseIndex;
    const columns = Object.entries(index.columns).map(([name, values]) => {
      const at = (product: number) => (values as readonly unknown[])[product % index.count];
      const sku = (product: number) => String(product).padStart(6, '0');
      return [name, Array.from({ length: count }, (_, product) => (name === 'sku' ? sku(product) : at(product)))];
    });
    await route.fulfill({ response, json: { ...index, count, columns: Object.fromEntries(columns) } });
  });
}

/** Resolves when every table has its rows: those below the window come later. */
export async function wholeTables(page: TestPage['page']): Promise<void> {
  await expect.poll(() => page.locator('.scrolled:not(.long) .gap').count()).toBe(0);
}

/** The cells of a table, row by row, by a part of its caption, even in closed details. */
export async function cellsOf({ page }: TestPage, caption: string): Promise<string[][]> {
  const table = page.locator('table', { has: page.locator('caption', { hasText: caption }) }).first();
  await table.locator('tbody tr').first().waitFor({ state: 'attached' });
  await wholeTables(page);
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
}

/**
 * Points at a chart, at a fraction of its width, and resolves with its note: the heading and what follows; null for
 * none.
 */
export async function noteAt({ page }: TestPage, title: string, part: number): Promise<string[] | null> {
  const chart = page.locator('.chart', { has: page.locator('figcaption', { hasText: `${title}.` }) });
  const drawn = chart.locator('.u-over');
  // Waits until the chart no longer moves, so that its width is the final one.
  await drawn.hover();
  const { width = 0 } = (await drawn.boundingBox()) ?? {};
  await drawn.hover({ position: { x: Math.min(part * width, width - 2), y: 20 } });
  // The chart answers the pointer with its next picture.
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  return notesOf(chart);
}

/** The note that a chart shows. */
export async function notesOf(chart: Locator): Promise<string[] | null> {
  const note = chart.locator('.chart-note');
  return (await note.isVisible()) ? note.locator('> *').allTextContents() : null;
}

/** The mark of a store on the map: its own, or the cluster that contains it. */
export function markOf(page: TestPage['page'], storeId: string) {
  return page.locator(`.map .point[data-stores~="${storeId}"]`);
}

/** Zooms in until every store has a mark of its own. */
export async function openClusters(page: TestPage['page']): Promise<void> {
  await page.locator('.map-frame > svg').focus();
  for (let step = 0; step < 20; step++) await page.keyboard.press('+');
  await expect.poll(() => page.locator('.map .cluster').count()).toBe(0);
}
