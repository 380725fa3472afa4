import { expect, test } from 'vitest';
import { readAtom } from '../support/atom.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('the news feeds of the explorer', (explorer) => {
  const inHead = ({ page }: TestPage) =>
    page.evaluate<string[]>(
      `[...document.head.querySelectorAll('link[rel="alternate"][type="application/atom+xml"][title]')].map(({ href }) => href)`,
    );

  test('are linked visibly and in the head while their subject is shown', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    const followed = page.getByRole('link', { name: 'Follow in a feed reader' });
    const places = [
      ['#/product/001204', 'Wrenmoor Straight Bourbon, '],
      ['#/brand/kestermann', 'Kestermann'],
      ['#/browse?category=cat_beer', 'Beer'],
    ] as const;
    for (const [place, title] of places) {
      await view.go(place);
      const url = `${await followed.evaluate((link) => (link as HTMLAnchorElement).href)}`;
      expect(await inHead(view)).toEqual([url]);
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/atom+xml']);
      const feed = readAtom(new Uint8Array(await answer.arrayBuffer()));
      expect(feed.texts.title).toContain(title);
      // Entries link to their subject in the explorer.
      expect(feed.links.alternate).toBe(`/${place}`);
      expect(feed.entries[0]?.links.alternate).toMatch(/^\/#\/product\/\d{6}$/);
      expect(await view.accessibilityProblems()).toEqual([]);
    }
    // The same view, without a filter.
    await page.evaluate(`location.hash = '#/browse'`);
    await expect.poll(() => inHead(view)).toEqual([]);
    expect(await followed.count()).toBe(0);
  });
});
