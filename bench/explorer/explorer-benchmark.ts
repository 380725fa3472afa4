import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../test/support/chromium.ts';
import { installed } from '../../test/support/installed-programs.ts';
import type { Lab } from '../lab.ts';
import { subjectsOf } from '../load/load-benchmark.ts';
import { startService } from '../load/servers.ts';
import { type Spread, spreadOf } from '../statistics.ts';
import {
  type InteractionFigure,
  measureFilters,
  measureHeaderKeys,
  measureScrolling,
  type ScrollFigure,
} from './interactions.ts';

/** What one view of the explorer takes, in a browser whose processor is slowed. Bytes are as sent. */
export type ViewFigure = {
  readonly view: string;
  readonly requests: number;
  readonly codeBytes: number;
  readonly dataBytes: number;
  /**
   * Milliseconds by the browser's clock from the start of the navigation to the first frame that is {@link usableAt}.
   */
  readonly usable: Spread;
};

export type ExplorerFigures = {
  readonly views: readonly ViewFigure[];
  readonly interactions: readonly InteractionFigure[];
  /** Null without a browser. */
  readonly scrolling: ScrollFigure | null;
};

/** How many times slower the processor of the page is than this machine's. */
const slowdown = 4;

/** What a browser needs for any page at all, as a yardstick. */
const emptyPage = '<!doctype html><title>Empty</title><main><h1>Empty</h1></main>';

/** Measures the explorer on one series, served by the service: a new window for each view, nothing cached. */
export async function explorerBenchmark(lab: Lab): Promise<ExplorerFigures> {
  const executablePath = installed('chromium');
  if (executablePath === undefined) {
    lab.say('no chromium: nothing to show the page with');
    return { views: [], interactions: [], scrolling: null };
  }
  const dist = lab.workspace.path('dist');
  lab.say('building the site with the page');
  await lab.build((await lab.databases()).at(-1) ?? '', dist, 'current');
  const service = await startService(lab.program, dist, lab.workspace.path('service'));
  const empty = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(emptyPage));
  await once(empty.listen(0, '127.0.0.1'), 'listening');
  const browser = await startChromium(executablePath);
  try {
    const views: ViewFigure[] = [];
    const emptyUrl = `http://127.0.0.1:${(empty.address() as AddressInfo).port}`;
    const places = (await placesOf(service.url)).map(([view, hash]) => [view, `${service.url}/${hash}`] as const);
    for (const [view, url] of [['an empty page', emptyUrl] as const, ...places]) {
      lab.say(`the view ${view}`);
      views.push(await measureView(browser, url, view, lab.repetitions));
    }
    const interactions: InteractionFigure[] = [];
    for (const measure of [measureFilters, measureHeaderKeys]) {
      lab.say(measure === measureFilters ? 'filters' : 'keys');
      const page = await openSlowed(browser);
      interactions.push(...(await measure(page, service.url)));
      await page.context().close();
    }
    lab.say('scrolling');
    const scrolling = await measureScrolling(await openSlowed(browser), service.url);
    return { views, interactions, scrolling };
  } finally {
    await browser.close();
    empty.close();
    await service.stop();
  }
}

/** An address for each kind of view, of things that the site has. */
async function placesOf(url: string): Promise<[view: string, hash: string][]> {
  const { skus, stores } = await subjectsOf(url);
  const [store] = stores;
  const near = `lat=${store?.latitude}&lng=${store?.longitude}`;
  return [
    ['home', ''],
    ['browse', '#/browse'],
    ['search', '#/search?q=red'],
    ['product', `#/product/${skus[0]}`],
    ['store', `#/store/${store?.id}`],
    ['stores', '#/stores'],
    ['compare', `#/compare?skus=${skus.slice(0, 5).join(',')}&${near}`],
    ['changes', '#/changes'],
    ['data', '#/data'],
    ['api', '#/api'],
  ];
}

async function measureView(browser: Browser, url: string, view: string, repetitions: number): Promise<ViewFigure> {
  const times: number[] = [];
  let [requests, codeBytes, dataBytes] = [0, 0, 0];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const page = await openSlowed(browser);
    await page.addInitScript(noteUsable);
    await page.goto(url, { waitUntil: 'networkidle' });
    times.push(await usableAt(page));
    const all = await page.evaluate<{ readonly name: string; readonly transferSize: number }[]>(
      "performance.getEntries().filter((entry) => 'transferSize' in entry).map((entry) => entry.toJSON())",
    );
    const isCode = ({ name }: { readonly name: string }) => !/\/v1|\.json/.test(new URL(name).pathname);
    const sum = (of: boolean) => all.reduce((bytes, one) => bytes + (isCode(one) === of ? one.transferSize : 0), 0);
    [requests, codeBytes, dataBytes] = [all.length, sum(true), sum(false)];
    await page.context().close();
  }
  return { view, requests, codeBytes, dataBytes, usable: spreadOf(times) };
}

/** Runs in the page: notes when a frame shows a heading and no longer says that it is loading. */
const noteUsable = `{
  let isUsable = false;
  new MutationObserver(() => {
    const isNow = document.querySelector('main h1') !== null && document.querySelector('.loading') === null;
    if (isNow === isUsable) return;
    isUsable = isNow;
    window.usableAt = undefined;
    if (isNow) requestAnimationFrame(() => setTimeout(() => { if (isUsable) window.usableAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
}`;

/** What {@link noteUsable} noted. Asking the page earlier would slow it down. */
async function usableAt(page: Page): Promise<number> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const at = await page.evaluate('window.usableAt');
    if (typeof at === 'number') return at;
    await page.waitForTimeout(100);
  }
  throw new Error(`${page.url()}: the view still says that it is loading`);
}

async function openSlowed(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}
