import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unpack } from '../client/served-sites.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import { bundledExplorer } from '../support/programs.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { copyWithPage } from '../units/built-fixtures.ts';
import { build, publishFixtures } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';

/* The explorer without a connection: on a host that computes, and on one that only knows files, below a path. */

const folder = folderForFile();

const trip = '#/compare?skus=001204,014100&lat=43.2217&lng=-118.3048&radius_m=100000';
const unreachable = 'The site cannot be reached. Check your connection.';
const newer = 'A newer publication is available.';

/** A host with a site, at the last publication or the one before it. */
type SiteHost = {
  /** The URL of the explorer. */
  readonly url: string;
  publish(): Promise<void>;
  stop(): Promise<void>;
};

/** A database with all publications, and a site of all but the last. */
async function siteBefore(name: string): Promise<{ readonly dist: string; readonly publish: () => Promise<void> }> {
  const [database, dist] = [join(folder, `${name}.sqlite`), join(folder, `${name}-dist`)];
  await copyWithPage('whole', dist, 11);
  await publishFixtures(database, 0, 12);
  const explorer = bundledExplorer();
  return { dist, publish: async () => void (await build(database, dist, { explorer })) };
}

async function service(name: string): Promise<SiteHost> {
  const { dist, publish } = await siteBefore(name);
  const server = await RunningServer.start([dist], { RATE_LIMIT_PER_MINUTE: '0' });
  return { url: `${server.origin}/`, publish, stop: () => server[Symbol.asyncDispose]() };
}

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Answers like a file server, below `/data/`. */
function asFile(request: IncomingMessage, response: ServerResponse): boolean {
  const path = (request.url ?? '').replace(/[?#].*/, '').replace(/^\/data\//, '/');
  request.url = path === '/' ? '/index.html' : path;
  response.setHeader('Content-Type', types[request.url.split('.').at(-1) ?? ''] ?? 'application/json');
  return false;
}

async function files(name: string): Promise<SiteHost & { readonly host: StaticHost }> {
  const { dist, publish } = await siteBefore(name);
  const [before, after] = [join(folder, `${name}-before`), join(folder, `${name}-after`)];
  unpack(dist, before);
  const host = await StaticHost.start(before);
  host.intercept = asFile;
  return {
    url: `${host.url}/data/`,
    host,
    publish: async () => {
      await publish();
      unpack(dist, after);
      host.folder = after;
    },
    stop: () => host[Symbol.asyncDispose](),
  };
}

/** The names of the worker's caches, without their prefix. To open one here could bring it back while it is removed. */
async function kept({ page }: TestPage): Promise<string[]> {
  const names = await page.evaluate<string[]>('caches.keys()');
  return names.map((name) => name.replace(/^shelfpress \S+ (\S+) /, '$1 '));
}

/** The URLs of everything that the worker keeps. */
function keptUrls({ page }: TestPage): Promise<string[]> {
  return page.evaluate(`caches.keys()
    .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
    .then((all) => all.flat().map(({ url }) => url))`);
}

/** Resolves once the worker is active and keeps a single publication, with its lists. */
async function whole(view: TestPage, revision: string): Promise<void> {
  await expect
    .poll(async () => (await kept(view)).filter((name) => name.startsWith('publication')))
    .toEqual([`publication ${revision}`]);
  const ofStores = (url: string) => `caches.match(new URL(${JSON.stringify(url)}, document.baseURI)).then(Boolean)`;
  await expect
    .poll(() => view.page.evaluate(`Promise.all([${['v1/stores', 'v1/stores.json'].map(ofStores)}])`))
    .toContain(true);
}

/** Resolves when the view at the address is shown and nothing in it is loading. */
async function settled({ page }: TestPage): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve))))',
  );
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
}

const notice = ({ page }: TestPage) => page.getByRole('status').filter({ hasText: 'No connection.' });

async function reload({ page }: TestPage): Promise<void> {
  await page.reload();
  await page.locator('main h1').waitFor();
}

const revisionOf = (dist: string) => readSite(join(folder, dist)).pointer.revision;

describeInBrowser('the explorer without a connection', () => {
  const hosts = [
    ['a file server, below a path', files],
    ['a host that computes', service],
  ] as const;
  describe.each(hosts)('of %s', (_, start) => {
    let site: SiteHost;
    const name = start.name;
    beforeAll(async () => {
      site = await start(name);
    });
    afterAll(() => site?.stop());

    test('has searches, products already seen, stores and trips, even after a reload; then whatever is new', async () => {
      await using view = await openPage(`${site.url}#/product/014100`, { worker: true });
      const { page } = view;
      const before = revisionOf(`${name}-dist`);
      await whole(view, before);
      const devtools = await page.context().newCDPSession(page);
      const { errors, data = '' } = await devtools.send('Page.getAppManifest');
      await devtools.detach();
      expect(errors).toEqual([]);
      expect(JSON.parse(data)).toMatchObject({ start_url: '../', name: expect.stringMatching(/\w/) });
      await view.go('#/product/001204');
      await settled(view);
      await view.go(trip);
      await page.getByRole('heading', { name: 'What each store reported' }).waitFor();
      await settled(view);
      expect(await notice(view).count()).toBe(0);

      await page.context().setOffline(true);
      const look = async () => {
        await view.go('#/search?q=peach');
        await page.getByText('Dunmarrow Peach Schnapps').first().waitFor();
        await expect
          .poll(() => notice(view).textContent())
          .toMatch(/^No connection\. You are seeing the publication of .* 2025/);
        await settled(view);
        for (const place of ['#/browse', '#/product/014100', '#/product/001204', '#/stores', trip]) {
          await view.go(place);
          await settled(view);
          expect([place, await page.locator('main .failed').allTextContents()]).toEqual([place, []]);
        }
        await page.getByRole('heading', { name: 'What each store reported' }).waitFor();
      };
      await look();
      // Other queries are computed in the browser.
      await page.evaluate(`location.hash = ${JSON.stringify(trip.replace('100000', '90000'))}`);
      await settled(view);
      expect(await page.locator('main .failed').allTextContents()).toEqual([]);
      expect(await view.accessibilityProblems()).toEqual([]);
      await reload(view);
      await look();
      // A document that was never seen is missing.
      await view.go('#/product/006001');
      await page.getByText(unreachable).first().waitFor();

      await site.publish();
      const after = revisionOf(`${name}-dist`);
      expect(after).not.toBe(before);
      await page.context().setOffline(false);
      await expect.poll(() => notice(view).count()).toBe(0);
      await view.go('#/product/002051');
      await page.getByText(newer).first().waitFor();
      expect(await kept(view)).not.toContain(`publication ${after}`);
      // The reader's own trip is kept with the publication, although it was not seen in it.
      await page.evaluate("localStorage.setItem('trip ' + location.pathname, '001204,014100')");
      await reload(view);
      await whole(view, after);
      expect(await page.getByText(newer).count()).toBe(0);
      expect(await page.locator('main .failed').allTextContents()).toEqual([]);
      await page.context().setOffline(true);
      await reload(view);
      await expect.poll(() => notice(view).count()).toBe(1);
      expect(await page.locator('footer').textContent()).toContain('Publication 12');
      await view.go('#/compare?lat=43.2217&lng=-118.3048&radius_m=100000');
      await page.getByRole('heading', { name: 'What each store reported' }).waitFor();
      await settled(view);
      await page.context().setOffline(false);
      view.takeProblems();
    });
  });

  describe('on a file server', () => {
    let site: Awaited<ReturnType<typeof files>>;
    beforeEach(async () => {
      site = await files(`files-${Math.random()}`);
      return () => site.stop();
    });

    test("ends its worker and keeps nothing if the site's explorer has no worker, or if the explorer is gone", async () => {
      for (const [path, status] of [
        ['other.html', 200],
        ['index.html', 404],
      ] as const) {
        await using view = await openPage(`${site.url}#/stores`, { worker: true });
        const { page } = view;
        await expect.poll(() => kept(view)).toHaveLength(2);
        site.host.intercept = (request, response) => {
          asFile(request, response);
          if (request.url !== '/index.html') return false;
          response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<title>${path}</title>`);
          return true;
        };
        await page.reload();
        expect(await page.title()).toBe(path);
        await expect.poll(() => kept(view)).toEqual([]);
        await expect
          .poll(() => page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'))
          .toBe(0);
        site.host.intercept = asFile;
        view.takeProblems();
      }
    });

    test('keeps a publication although a request fails, as soon as the host answers again', async () => {
      const { host } = site;
      let fails = true;
      host.intercept = (request, response) => {
        asFile(request, response);
        if (!fails || request.url !== '/v1/categories.json') return false;
        request.socket.destroy();
        return true;
      };
      await using view = await openPage(`${site.url}#/stores`, { worker: true });
      await expect.poll(() => view.takeProblems()).toContain('console: Failed to load resource: net::ERR_FAILED');
      fails = false;
      for (const name of ['products/browse', 'categories', 'search/index', 'stores'])
        await expect.poll(() => keptUrls(view), { timeout: 60_000 }).toContain(`${site.url}v1/${name}.json`);
      await expect.poll(() => notice(view).count()).toBe(0);
      view.takeProblems();
    });

    test('leaves exports, queries and other folders to the browser, and keeps none of them', async () => {
      await using view = await openPage(`${site.url}#/stores`, { worker: true });
      const { page } = view;
      await expect.poll(() => kept(view)).toHaveLength(2);
      await page.evaluate(`Promise.all(['v1/brands.json?sort=name', 'v1/exports/changes.json', 'other/v1/brands.json', 'sw.js']
        .map((path) => fetch(path)))`);
      await page.evaluate("fetch('v1/brands.json', { headers: { Range: 'bytes=0-9' } })");
      expect((await keptUrls(view)).filter((url) => /[?]|\/exports\/|other|sw\.js|brands\.json/.test(url))).toEqual([]);
      view.takeProblems();
    });

    test('never shows two publications at once: a copy from one does not answer in the other', async () => {
      await using first = await openPage(`${site.url}#/product/014100`, { worker: true });
      const { page } = first;
      await expect.poll(() => kept(first)).toHaveLength(2);
      await expect.poll(() => keptUrls(first)).toContain(`${site.url}v1/stores.json`);
      await site.publish();
      // Another tab gets the new publication, and the older one is removed.
      const other = await page.context().newPage();
      await other.goto(`${site.url}#/stores`);
      await other.locator('main h1').waitFor();
      await expect
        .poll(() =>
          other.evaluate('caches.keys().then((names) => names.filter((name) => /publication/.test(name)).length)'),
        )
        .toBe(1);
      await page.context().setOffline(true);
      // A tab may show what it has already read: it belongs to its own publication.
      await first.go('#/changes');
      await page.getByText(unreachable).first().waitFor();
      expect(await page.locator('main table').count()).toBe(0);
      await other.close();
      await page.context().setOffline(false);
      first.takeProblems();
    });
  });
});
