import { expect, test } from 'vitest';
import type { Activity, Metadata } from '../../contract/schemas/metadata.ts';
import { cellsOf, describeExplorer, noteAt, wholeTables } from './explorer-site.ts';

describeExplorer('home', (explorer) => {
  test('shows what is published, how old it is, and what changed, with three files of 60 KB', async () => {
    await using home = await explorer.open('', { width: 390 });
    const { data } = explorer.site.document<{ data: Metadata }>('/v1/metadata');
    const activity = explorer.site.document<Activity>('/v1/metadata/activity.json');
    await home.page.getByText('catalog and prices retrieved; stores last checked').waitFor();
    await home.page.locator('.ranked').nth(2).waitFor();
    // The charts are far below the narrow window.
    const entries = await home.page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "performance.getEntriesByType('resource').map((entry) => entry.toJSON())",
    );
    const code = entries.filter(({ name }) => name.includes('/explorer/'));
    // The style sheet, the shared code, and the view. The code that registers the worker comes later.
    expect(code.length).toBeLessThanOrEqual(4);
    expect(
      code
        .slice(0, 3)
        .map(({ name }) => name.split('.').at(-1))
        .sort(),
    ).toEqual(['css', 'js', 'js']);
    expect(code.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(60_000);
    const text = (await home.page.locator('main').textContent()) ?? '';
    expect(text).toContain(`${data.counts.listed_products} products with their prices`);
    expect(text).toContain('At least one product and store was never checked. INVENTORY_COVERAGE_PARTIAL');
    const changed = await home.page.locator('.ranked').first().locator('li').allTextContents();
    for (const [place, { product, event_count }] of activity.most_changed.slice(0, 5).entries()) {
      expect(changed[place]).toContain(product.name);
      expect(changed[place]).toContain(`${event_count} change`);
    }
    expect(text).toContain('$27.99 → $28.99 ▲ up $1.00 (3.6 %)');
    await home.passCharts(2);
    await home.page.getByText('Catalog changes as a table').click();
    const catalog = await cellsOf(home, 'Catalog changes');
    expect(catalog.map(([, prices]) => prices)).toEqual(activity.publications.events.price_changed.map(String));
  });

  test('has bars on an axis of time, and shows the values under the pointer', async () => {
    const { published_at, events } = explorer.site.document<Activity>('/v1/metadata/activity.json').publications;
    await using home = await explorer.open('');
    await home.passCharts(1);
    const times = published_at.map((at) => Date.parse(at));
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    // There is 6 percent of space at both ends.
    const partOf = (time: number) => ((time - first) / (last - first) + 0.06) / 1.12;
    const chart = 'Catalog changes';
    const day = 86_400_000;
    expect(await noteAt(home, chart, partOf(first))).toEqual(['3 Mar 2025, publication 1', 'None']);
    const fourth = `Price: ${events.price_changed[3]}`;
    expect(await noteAt(home, chart, partOf(times[3] ?? 0))).toEqual(
      expect.arrayContaining(['18 Mar 2025, publication 4', fourth]),
    );
    // Between 25 April and 10 May nothing was published.
    expect(await noteAt(home, chart, partOf((times[7] ?? 0) + 7 * day))).toBeNull();
    expect((await noteAt(home, chart, partOf((times[8] ?? 0) - day)))?.[0]).toBe('10 May 2025, publication 9');
    await home.page.getByText('Catalog changes as a table').click();
    const rows = await cellsOf(home, 'Catalog changes');
    expect(rows.map(([publication]) => publication)).toEqual(
      published_at.map((_, index) => expect.stringMatching(new RegExp(`2025, publication ${index + 1}$`))),
    );
  });

  test('has cards that link to a list of exactly what they count', async () => {
    const { counts } = explorer.site.document<{ data: Metadata }>('/v1/metadata').data;
    const { published_at, events } = explorer.site.document<Activity>('/v1/metadata/activity.json').publications;
    // The last publication that was 30 days old is from 25 April.
    const before = published_at.indexOf('2025-04-25T22:00:00Z');
    expect(before).toBe(7);
    const sumOf = (type: 'price_changed' | 'product_first_observed') =>
      events[type].slice(before + 1).reduce((sum, count) => sum + count, 0);
    const cards = [
      ['prices changed since 25 Apr 2025', sumOf('price_changed'), 'Prices', 'change', true],
      ['products seen for the first time since 25 Apr 2025', sumOf('product_first_observed'), 'New', 'change', true],
      [
        'product gone from the catalog since 3 Mar 2025',
        counts.products - counts.listed_products,
        'Gone',
        'product',
        false,
      ],
    ] as const;
    // In the first publication everything is new.
    expect(sumOf('product_first_observed')).toBeLessThan(events.product_first_observed[0] ?? 0);
    await using view = await explorer.open('');
    const { page } = view;
    for (const [text, count, tab, noun, hasStart] of cards) {
      expect(count).toBeGreaterThan(0);
      const card = page.locator('.card', { hasText: text });
      await expect.poll(() => card.textContent()).toBe(`${count} ${text}`);
      await card.getByRole('link').click();
      const all = `${count} ${noun}${count === 1 ? '' : 's'}.`;
      await page.getByText(all).waitFor();
      await wholeTables(page);
      expect(await page.locator('main table').last().locator('tbody tr').count()).toBe(count);
      await expect.poll(() => page.locator('.tabs [aria-current]').textContent()).toBe(`${tab} ${count}`);
      expect(await page.getByText('Published after 25 Apr 2025.').count()).toBe(hasStart ? 1 : 0);
      expect(await page.locator('main .note').count()).toBe(0);
      expect(await view.accessibilityProblems()).toEqual([]);
      await view.go('#/');
    }
  });

  test('searches with the keyboard alone', async () => {
    await using home = await explorer.open('');
    await home.page.keyboard.press('/');
    await home.page.keyboard.type('peach');
    await home.page.keyboard.press('Enter');
    await home.page.waitForURL(/#\/search\?q=peach$/);
  });
});
