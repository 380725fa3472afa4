import { expect, test } from 'vitest';
import type { Activity, Metadata } from '../../generator/contract/documents/metadata.ts';
import { cellsOf, describeExplorer } from './explorer-site.ts';

describeExplorer('home', (explorer) => {
  test('shows what is published, how old it is, and what changed, in three files of 48 KB', async () => {
    await using home = await explorer.open('', { width: 390 });
    const { data } = explorer.site.document<{ data: Metadata }>('/v1/metadata');
    const activity = explorer.site.document<Activity>('/v1/metadata/activity.json');
    await home.page.getByText('its catalog was retrieved 5 hours before that').waitFor();
    await home.page.locator('.ranked').nth(2).waitFor();
    // The charts are far below the narrow window.
    const entries = await home.page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map((entry) => entry.toJSON())",
    );
    const code = entries.filter(({ name }) => name.includes('/explorer/'));
    // The style, what all views share, and the view.
    expect(code.map(({ name }) => name.split('.').at(-1)).sort()).toEqual(['css', 'js', 'js']);
    expect(code.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(48_000);
    const text = (await home.page.locator('main').textContent()) ?? '';
    expect(text).toContain(`${data.counts.listed_products} products with their prices`);
    expect(text).toContain('At least one product and store was never checked. INVENTORY_COVERAGE_PARTIAL');
    const changed = await home.page.locator('.ranked').first().locator('li').allTextContents();
    for (const [place, { product, event_count }] of activity.most_changed.slice(0, 5).entries()) {
      expect(changed[place]).toContain(product.name);
      expect(changed[place]).toContain(`${event_count} change`);
    }
    expect(text).toContain('$27.99 → $28.99');
    await home.passCharts(2);
    await home.page.getByText('Changes of the catalog as a table').click();
    const catalog = await cellsOf(home, 'Changes of the catalog');
    expect(catalog.map(([, prices]) => prices)).toEqual(activity.publications.events.price_changed.map(String));
  });

  test('says the values of a bar that is pointed at, and searches by keyboard alone', async () => {
    await using home = await explorer.open('');
    await home.page
      .locator('.chart .u-over')
      .first()
      .hover({ position: { x: 5, y: 50 } });
    await home.page.locator('.chart-note', { hasText: '3 Mar 2025, publication 1' }).waitFor();
    await home.page.keyboard.press('/');
    await home.page.keyboard.type('peach');
    await home.page.keyboard.press('Enter');
    await home.page.waitForURL(/#\/search\?q=peach$/);
  });
});
