import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('home', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  test.each(['light', 'dark'] as const)('is accessible, %s', async (scheme) => {
    await using home = await explorer.open('', { scheme });
    expect(await home.accessibilityProblems()).toEqual([]);
  });

  test('says which publication it shows', async () => {
    await using home = await explorer.open('', { width: 320 });
    const { data } = explorer.site.document<{ data: { counts: { listed_products: number } } }>('/v1/metadata');
    expect(await home.page.locator('main').textContent()).toContain(`${data.counts.listed_products} products listed`);
    expect(await home.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
