import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activity, Metadata } from '../../generator/contract/documents/metadata.ts';
import { describeInBrowser } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('home', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  test.each(['light', 'dark'] as const)('is accessible, %s', async (scheme) => {
    await using home = await explorer.open('', { scheme, width: 320 });
    await home.passCharts(2);
    await home.page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    expect(await home.accessibilityProblems()).toEqual([]);
    expect(await home.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  test('shows what is published, how old it is, and what changed', async () => {
    await using home = await explorer.open('');
    const { data } = explorer.site.document<{ data: Metadata }>('/v1/metadata');
    const activity = explorer.site.document<Activity>('/v1/metadata/activity.json');
    await home.page.getByText('Its catalog was retrieved 5 hours before that').waitFor();
    await home.page.locator('.ranked').nth(2).waitFor();
    const text = (await home.page.locator('main').textContent()) ?? '';
    expect(text).toContain(`${data.counts.listed_products} products listed`);
    expect(text).toContain('At least one product and store was never checked. INVENTORY_COVERAGE_PARTIAL');
    for (const { product, event_count } of activity.most_changed.slice(0, 5)) {
      expect(text).toContain(`${product.name} ${event_count} change`);
    }
    expect(text).toContain('Straight Bourbon $27.99 → $28.99');
    const prices = home.page
      .locator('table', { hasText: 'Changes of the catalog' })
      .locator('tbody tr td:nth-child(2)');
    expect(await prices.allTextContents()).toEqual(activity.publications.events.price_changed.map(String));
  });

  test('takes at most 60 KB of code with its charts, as it is sent', async () => {
    await using home = await explorer.open('');
    await home.passCharts(2);
    const entries = await home.page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map((entry) => entry.toJSON())",
    );
    const code = entries.filter(({ name }) => name.includes('/explorer/'));
    expect(code.length).toBeGreaterThan(5);
    expect(code.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(60_000);
  });

  test('searches by keyboard alone', async () => {
    await using home = await explorer.open('');
    await home.page.keyboard.press('/');
    await home.page.keyboard.type('peach');
    await home.page.keyboard.press('Enter');
    await home.page.waitForURL(/#\/search\?q=peach$/);
  });

  test('says the values of a bar that is pointed at', async () => {
    await using home = await explorer.open('');
    const over = home.page.locator('.chart .u-over').first();
    await over.hover({ position: { x: 5, y: 50 } });
    await home.page.locator('.chart-note', { hasText: 'Publication 1, 3 Mar 2025' }).waitFor();
  });
});
