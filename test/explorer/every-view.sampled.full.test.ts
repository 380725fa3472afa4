import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import { unpack } from '../client/served-sites.ts';
import { PlainServer } from '../hosts/plain-hosts.ts';
import { openPage, type PageOptions, type TestPage } from '../support/browser.ts';
import { isNight } from '../support/check-mode.ts';
import { needing } from '../support/installed-programs.ts';
import { programFile } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { describeExplorer, type ExplorerSite } from './explorer-site.ts';

/*
 * Every view, on a host that computes, on one that serves files at their addresses, and on one that only knows files.
 */

const places = [
  '#/',
  '#/browse',
  '#/browse?q=gin',
  '#/search?q=gin',
  '#/changes',
  '#/changes?types=price_changed',
  '#/changes?types=product_first_observed&after=2025-04-25T22:00:00Z',
  '#/changes?types=catalog_presence_changed&presence=gone',
  '#/compare',
  '#/compare?skus=001204,014100&lat=43.2217&lng=-118.3048&radius_m=100000',
  '#/prices?skus=001204,001205,006001,002051&unit=litre',
  '#/product/002051',
  '#/stores',
  '#/store/0001',
  '#/data',
  '#/api',
  '#/problems',
  '#/problem/SKU_AMBIGUOUS',
  '#/watch?skus=001204,006001&brands=wrenmoor',
];

/** Views of things in the fixtures, by id. */
function placesById({ site }: ExplorerSite): string[] {
  const [brand] = site.document<{ data: { id: string }[] }>('/v1/brands').data;
  const family = site.fact('family', 'gullspar-harbor-lager');
  return [`#/brand/${brand?.id}`, `#/family/${family}`, `#/product/${site.fact('product', '014100')}`];
}

/** A site as an unpacked bundle on a server that only knows files: `serve --plain`. */
class FileHost implements AsyncDisposable {
  readonly origin: string;
  readonly #server: ChildProcess;
  readonly #folder: string;

  private constructor(origin: string, server: ChildProcess, folder: string) {
    this.origin = origin;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(dist: string): Promise<FileHost> {
    const folder = temporaryFolder();
    unpack(dist, folder);
    const command = [programFile('generator/cli/cli.ts'), 'serve', '--plain', folder, '--port', '0'];
    const server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    while (!said.includes('\n')) said += String((await once(server.stdout, 'data'))[0]);
    return new FileHost(/http:\/\/[\d.:]+/.exec(said)?.[0] ?? '', server, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.kill();
    await once(this.#server, 'exit');
    removeFolder(this.#folder);
  }
}

/** Goes through all views in one window. Each has a heading, reports no failure, and fits the window's width. */
async function visitAll(
  explorer: ExplorerSite,
  url: string,
  options: PageOptions,
  look: (view: TestPage) => Promise<unknown> = async () => undefined,
  visited: readonly string[] = [...places, ...placesById(explorer)],
): Promise<TestPage> {
  const opened = await openPage(`${url}/`, options);
  for (const place of visited) {
    // The explorer shows a new address one or two frames later, and from then on says that it is loading.
    await opened.page.evaluate(`new Promise((resolve) => {
      location.hash = ${JSON.stringify(place)};
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    })`);
    await opened.page.waitForSelector('main h1');
    await opened.page.waitForSelector('main .loading', { state: 'detached' });
    const failed = await opened.page.locator('main .failed').allTextContents();
    const [width, window] = await opened.page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    expect([place, failed, width]).toEqual([place, [], window]);
    expect([place, await look(opened)]).toEqual([place, undefined]);
  }
  return opened;
}

/** Draws all charts, opens the first details, and expects no violations from axe, or only those of one rule. */
function accessible(rule?: string) {
  return async (view: TestPage) => {
    await view.passCharts(await view.page.locator('.chart-place').count());
    await view.page.evaluate(
      "[...document.querySelectorAll('details')].slice(0, 6).forEach((one) => { one.open = true; })",
    );
    const problems = await view.accessibilityProblems(rule);
    return problems.length === 0 ? undefined : problems;
  };
}

/** The explorer learns with one request what a host cannot do. */
function expectOnlyAsking(view: TestPage): void {
  for (const problem of view.takeProblems()) expect(problem).toMatch(/responded with a status of (400|404|501)/);
}

describeExplorer('every view', (explorer) => {
  test('is accessible and fits a narrow window, on serve.ts in dark mode', async () => {
    await using _ = await visitAll(explorer, explorer.origin, { scheme: 'dark', width: 320 }, accessible());
  });

  test.runIf(isNight)('has enough contrast in light mode, in a wide window', async () => {
    const views = new Map([...places, ...placesById(explorer)].map((place) => [/^#\/\w*/.exec(place)?.[0], place]));
    const once = [...views.values()];
    await using _ = await visitAll(explorer, explorer.origin, {}, accessible('color-contrast'), once);
  });

  test.runIf(isNight)('works on plain nginx', needing('nginx'), async () => {
    await using server = await PlainServer.nginx(explorer.site.dist);
    await using view = await visitAll(explorer, server.url, { width: 390 });
    expectOnlyAsking(view);
  });

  describe('of an unpacked bundle on a file server', () => {
    let files: FileHost;
    beforeAll(async () => {
      files = await FileHost.start(explorer.site.dist);
    });
    afterAll(() => files?.[Symbol.asyncDispose]());

    test('has every view, with the same changes as on a host that computes', async () => {
      await using view = await visitAll(explorer, files.origin, { width: 390 });
      const changes = await explorer.answer<{ data: ChangeEvent[] }>('/v1/changes?types=price_changed');
      await view.go('#/changes?types=price_changed');
      await expect.poll(() => view.page.locator('main tbody tr').count()).toBe(changes.data.length);
      const question = '#/compare?skus=014100&lat=43.2217&lng=-118.3048';
      const strategiesAt = async (at: TestPage) => {
        await at.page.getByRole('heading', { name: 'How certain this is' }).waitFor();
        return at.page.locator('.strategies').textContent();
      };
      await using computed = await explorer.open(question);
      await view.go(question);
      expect(await strategiesAt(view)).toBe(await strategiesAt(computed));
      // On a host that computes, the answer has an address of its own.
      const links = 'a[href*="/availability/comparison"]';
      expect([await computed.page.locator(links).count(), await view.page.locator(links).count()]).toEqual([1, 0]);
      await view.go('#/api');
      await view.page.getByText('This host only sends files.').waitFor();
      await view.page.locator('#metadata > summary').click();
      await view.page.locator('#metadata').getByRole('button', { name: 'Send' }).click();
      await view.page.locator('#metadata').getByText('200 OK').waitFor();
      expectOnlyAsking(view);
    });

    test('answers every address listed under changes with filters', async () => {
      const sources = async ({ page }: TestPage) => {
        const links = await page.locator('.sources a').all();
        return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
      };
      await using view = await openPage(`${files.origin}/#/changes?types=price_changed`);
      await view.page.getByText('Index of the pages').waitFor({ state: 'attached' });
      const named = await sources(view);
      expect(named).toHaveLength(3);
      for (const url of named) expect([url, (await fetch(url)).status]).toEqual([url.split('?')[0], 200]);
      await expect.poll(() => view.requested).toEqual(expect.arrayContaining(named));
      expectOnlyAsking(view);
      await view.page.goto(`${explorer.origin}/#/changes?types=price_changed`);
      await view.page.getByText('These changes').waitFor({ state: 'attached' });
      expect(await sources(view)).toContain(`${explorer.origin}/v1/changes?types=price_changed`);
      view.takeProblems();
    });
  });
});
