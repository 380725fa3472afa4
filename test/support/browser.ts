import axe, { type AxeResults } from 'axe-core';
import type { Browser, ConsoleMessage, Page, Request } from 'playwright-core';
import { describe } from 'vitest';
import { startChromium } from './chromium.ts';
import { needing, program } from './installed-programs.ts';

/** `describe` for tests in Chromium. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(name, needing('chromium'), tests);
}

export type PageOptions = {
  readonly scheme?: 'light' | 'dark';
  /** The width of the window in pixels. */
  readonly width?: number;
  /**
   * Whether the page may have a worker. A test cannot answer a worker's requests, so a page has none unless the test is
   * about it.
   */
  readonly worker?: boolean;
};

/** Chromium and the windows that tests have left. The files of tests that share a process share them. */
const shared: { launched: Promise<Browser> | null; readonly left: Page[] } = { launched: null, left: [] };

/** The windows in which a test holds an answer back, so that they load until it comes. */
export const holding = new WeakSet<Page>();

/** Chromium takes a second to start, so it runs until the process ends, which closes the pipe to it. */
export function launchedChromium(): Promise<Browser> {
  shared.launched ??= startChromium(program('chromium'));
  return shared.launched;
}

/**
 * Opens a URL in its own window, with nothing cached. Resolves once the heading of a view and its data are there. A
 * window also costs a second, so a window that an earlier test left is reused.
 */
export async function openPage(
  url: string,
  { scheme = 'light', width = 1280, worker = false }: PageOptions = {},
): Promise<TestPage> {
  const page = (worker ? undefined : shared.left.pop()) ?? (await newWindow(worker));
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
  const opened = new TestPage(page, new URL(url).origin, worker);
  await page.goto(url);
  await page.locator('main h1').waitFor();
  await opened.settle();
  return opened;
}

async function newWindow(worker: boolean): Promise<Page> {
  // If the system has no locale, Chromium uses one that `Intl` does not accept.
  const context = await (await launchedChromium()).newContext({
    locale: 'en-US',
    serviceWorkers: worker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

/**
 * Leaves a window to the next test as if it were new: without cache, permissions, and what the page keeps on the
 * device.
 */
async function leaveWindow(page: Page, origin: string): Promise<void> {
  // A page without a script. For one of another origin, such as about:blank, the browser would start a process.
  await page.goto(`${origin}/v1`);
  await page.mouse.move(-1, -1);
  await page.context().clearPermissions();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await devtools.detach();
  shared.left.push(page);
}

/**
 * A page that is watched. Code for it is text, because the tests have Node's types. When it is disposed of, it throws
 * for every error and warning in its console, every error that its script does not catch, and every request to another
 * host. A test that provokes errors collects them with {@link TestPage.takeProblems}.
 */
export class TestPage implements AsyncDisposable {
  readonly page: Page;
  /** The URLs that were requested so far. */
  readonly requested: string[] = [];
  #problems: string[] = [];

  readonly #origin: string;
  readonly #mayHaveWorker: boolean;

  constructor(page: Page, origin: string, mayHaveWorker: boolean) {
    this.page = page;
    this.#origin = origin;
    this.#mayHaveWorker = mayHaveWorker;
    page.on('console', this.#hear).on('pageerror', this.#catch).on('request', this.#follow);
  }

  readonly #hear = (message: ConsoleMessage) => {
    // If workers are blocked, the browser's driver says so.
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (['error', 'warning'].includes(message.type())) this.#problems.push(`console: ${message.text()}`);
  };

  readonly #catch = (error: Error) => {
    this.#problems.push(`error: ${error.message}`);
  };

  readonly #follow = (request: Request) => {
    const url = new URL(request.url());
    this.requested.push(url.href);
    const isOwn = url.origin === this.#origin || ['data:', 'blob:'].includes(url.protocol);
    if (!isOwn) this.#problems.push(`request to another host: ${url.href}`);
  };

  /** Goes to another view of the explorer, such as `#/stores`, and waits until its heading and its data are there. */
  async go(place: string): Promise<void> {
    const hash = JSON.stringify(place);
    await this.page.evaluate(
      `document.querySelector('main h1')?.setAttribute('data-left', ''); location.hash = ${hash}`,
    );
    await this.page.locator('main h1:not([data-left])').waitFor();
    await this.settle();
  }

  /** Resolves when nothing in the view is loading any more, at once if a test holds an answer back. */
  async settle(): Promise<void> {
    if (holding.has(this.page)) return;
    await this.page.waitForSelector('main .loading', { state: 'detached' });
  }

  /**
   * Scrolls past the first charts of a view, which are drawn when the reader comes near. Resolves when they are drawn.
   */
  async passCharts(count: number): Promise<void> {
    for (let chart = 0; chart < count; chart += 1) {
      await this.page.locator('.chart-place').nth(chart).scrollIntoViewIfNeeded();
      await this.page.locator('.chart-place').nth(chart).locator('canvas').waitFor();
    }
  }

  /**
   * What axe finds wrong in the page as it is now: a line for each rule, with the elements. `rule` is the only one to
   * check. In each table and list it looks at the first items only, because the others are made like them.
   */
  async accessibilityProblems(rule?: string): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>("'axe' in window"))) await this.page.evaluate(axe.source);
    const context = {
      exclude: ['tbody > tr:nth-child(n + 7)', 'ul > li:nth-child(n + 25)', 'ol > li:nth-child(n + 25)'],
    };
    // Rules that are kept or do not apply are counted, but not described.
    const options = { resultTypes: ['violations'], ...(rule === undefined ? {} : { runOnly: [rule] }) };
    const violations = await this.page.evaluate<AxeResults['violations']>(
      `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** The problems so far, which then do not make the test fail. */
  takeProblems(): string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.page.off('console', this.#hear).off('pageerror', this.#catch).off('request', this.#follow);
    if (this.#problems.length === 0 && !this.#mayHaveWorker) return leaveWindow(this.page, this.#origin);
    // What a worker stores is deleted with its window.
    await this.page.context().close();
    if (this.#problems.length > 0) throw new Error(`the page has problems:\n${this.#problems.join('\n')}`);
  }
}
