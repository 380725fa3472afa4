import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { SearchResult } from '../../generator/contract/documents/search.ts';
import { countOf } from '../../templates/explorer/components/text.ts';
import { describeInBrowser, openPage, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';
import { FileHost } from './file-host.ts';

describeInBrowser(
  'on a host of files',
  () => {
    let explorer: ExplorerSite;
    let files: FileHost;
    beforeAll(async () => {
      explorer = await ExplorerSite.start();
      files = await FileHost.start(explorer.site.dist);
    });
    afterAll(async () => {
      await files?.[Symbol.asyncDispose]();
      await explorer?.[Symbol.asyncDispose]();
    });

    /** The page there. A browser reports that nothing has the address that a host which computes would have. */
    async function open(place: string): Promise<TestPage> {
      const view = await openPage(`${files.origin}/${place}`);
      await view.page.locator('main h1').waitFor();
      return view;
    }

    function expectOnlyMissing(view: TestPage): void {
      for (const problem of view.takeProblems()) expect(problem).toContain('404');
    }

    async function answerOf<Shape>(target: string): Promise<Shape> {
      return (await (await fetch(`${explorer.origin}${target}`)).json()) as Shape;
    }

    test('search and changes give the answers of a host that computes', async () => {
      const { data, meta } = await answerOf<SearchResult>('/v1/search?q=dun&limit=100');
      await using view = await open('#/search?q=dun');
      await view.page.getByText(`${countOf(meta.total, 'hit')}.`).waitFor();
      expect((await view.page.locator('.hits a').allTextContents()).sort()).toEqual(
        data.map(({ name }) => name).sort(),
      );
      const changes = await answerOf<{ data: ChangeEvent[] }>('/v1/changes?types=price_changed');
      await view.go('#/changes?types=price_changed');
      await expect.poll(() => view.page.locator('main tbody tr').count()).toBe(changes.data.length);
      expectOnlyMissing(view);
    });

    test('products, categories and files are all there, and what needs a host that computes is named', async () => {
      await using view = await open('#/browse?q=vodka');
      await view.page.locator('main tbody tr').first().waitFor();
      await view.go('#/categories');
      await view.page.locator('main tbody tr').first().waitFor();
      await view.go('#/data');
      const file = view.page.getByRole('link', { name: 'products.ndjson.gz' });
      const href = await file.getAttribute('href');
      expect((await fetch(href ?? '')).status).toBe(200);
      await view.go('#/api');
      await view.page.getByText('This host only sends files.').waitFor();
      await view.page.locator('#metadata > summary').click();
      await view.page.locator('#metadata').getByRole('button', { name: 'Send' }).click();
      await view.page.locator('#metadata').getByText('200 OK').waitFor();
      expectOnlyMissing(view);
    });

    test('every address that changes with filters name is one that this host answers', async () => {
      const sources = async ({ page }: TestPage) => {
        const links = await page.locator('.sources a').all();
        return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
      };
      await using view = await open('#/changes?types=price_changed');
      await view.page.getByText('Index of the pages').waitFor({ state: 'attached' });
      const named = await sources(view);
      expect(named).toHaveLength(3);
      for (const url of named) {
        expect(url).not.toContain('?');
        expect([url, (await fetch(url)).status]).toEqual([url, 200]);
      }
      await expect.poll(() => view.requested).toEqual(expect.arrayContaining(named));
      expectOnlyMissing(view);
      await using computed = await explorer.open('#/changes?types=price_changed');
      await computed.page.getByText('These changes').waitFor({ state: 'attached' });
      expect(await sources(computed)).toContain(`${explorer.origin}/v1/changes?types=price_changed`);
    });
  },
  'python3',
);
