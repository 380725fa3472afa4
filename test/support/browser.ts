import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';

const executablePath = '/usr/bin/chromium';
const isInstalled = existsSync(executablePath);

/** `describe` for tests in Chromium. Where it is not installed, the tests are skipped and their name says so. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(!isInstalled)(isInstalled ? name : `${name} (skipped: there is no ${executablePath})`, tests);
}

export type PageOptions = {
  readonly scheme?: 'light' | 'dark';
  /** The width of the window in pixels. */
  readonly width?: number;
};

/** Chromium, for the tests of a file. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(await chromium.launch({ executablePath, args: ['--no-sandbox'] }));
  }

  /** Opens a URL in a window of its own, with nothing cached. Resolves once the heading of a view is there. */
  async open(url: string, { scheme = 'light', width = 1280 }: PageOptions = {}): Promise<TestPage> {
    const context = await this.#browser.newContext({
      colorScheme: scheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(20_000);
    const opened = new TestPage(await context.newPage(), new URL(url).origin);
    await opened.page.goto(url);
    await opened.page.locator('main h1').waitFor();
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/**
 * A page that is watched. Code for it is text, because the tests' own types are those of Node. When it is disposed of, it throws for every error and warning in its console, every error that
 * its script does not catch, and every request to another host. Errors that a test provokes are taken by {@link TestPage.takeProblems}.
 */
export class TestPage implements AsyncDisposable {
  readonly page: Page;
  /** The URLs that were requested so far. */
  readonly requested: string[] = [];
  #problems: string[] = [];

  constructor(page: Page, origin: string) {
    this.page = page;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#problems.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.#problems.push(`error: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      this.requested.push(url.href);
      const isOwn = url.origin === origin || ['data:', 'blob:'].includes(url.protocol);
      if (!isOwn) this.#problems.push(`request to another host: ${url.href}`);
    });
  }

  /** Goes to another view of the explorer, such as `#/stores`, and waits until its heading is there. */
  async go(place: string): Promise<void> {
    const hash = JSON.stringify(place);
    await this.page.evaluate(
      `document.querySelector('main h1')?.setAttribute('data-left', ''); location.hash = ${hash}`,
    );
    await this.page.locator('main h1:not([data-left])').waitFor();
  }

  /** Goes past the first charts of a view, which are drawn when the reader comes near. Resolves when they are drawn. */
  async passCharts(count: number): Promise<void> {
    for (let chart = 0; chart < count; chart += 1) {
      await this.page.locator('.chart-place').nth(chart).scrollIntoViewIfNeeded();
      await this.page.locator('.chart-place').nth(chart).locator('canvas').waitFor();
    }
  }

  /** What axe finds wrong in the page as it is now: a line for each rule, with the elements. */
  async accessibilityProblems(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** The problems so far, which then do not fail the test. */
  takeProblems(): string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    if (this.#problems.length > 0) throw new Error(`the page has problems:\n${this.#problems.join('\n')}`);
  }
}
