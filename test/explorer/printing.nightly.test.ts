import { expect, test } from 'vitest';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, wholeTables, withProducts } from './explorer-site.ts';

describeExplorer('printing', (explorer) => {
  const seen = ({ page }: TestPage) => page.locator('main .printed:visible').allTextContents();

  test('prints the first 2,000 rows of a long table, which stays where it was scrolled to', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await withProducts(page, 2500);
    await view.go('#/browse');
    await page.locator('main .scrolled.long').waitFor();
    await page.evaluate("document.querySelector('.long').scrollTo(0, 30000)");
    const rows = () => page.locator('main tbody tr:not(.gap)').count();
    await expect.poll(() => page.evaluate("history.state?.['rows of products']")).toBe(30_000);
    // Printing so many rows takes a busy machine long: the browser is only told that it prints.
    const inPrint = `
      dispatchEvent(new Event('beforeprint'));
      const count = document.querySelectorAll('main tbody tr:not(.gap)').length;
      dispatchEvent(new Event('afterprint'));
      count`;
    expect(await page.evaluate(inPrint)).toBe(2000);
    await expect.poll(rows).toBeLessThan(100);
    expect(await page.evaluate("document.querySelector('.long').scrollTop")).toBe(30_000);
    expect(await seen(view)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await seen(view)).toEqual([
      'Only the first 2,000 of 2,500 rows are printed. Filter the list, or save it as CSV.',
    ]);
    await page.emulateMedia({ media: null });
    await page.unrouteAll();
    // The products of these rows are not in the fixtures.
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('prints the active filters in one line', async () => {
    const [store] = explorer.site.document<{ data: { id: string; name: string }[] }>('/v1/stores').data;
    await using view = await explorer.open(`#/browse?q=rye&from=10&status=&store=${store?.id}`);
    const { page } = view;
    await wholeTables(page);
    await page.locator('main table').waitFor();
    expect(await seen(view)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    const inStore = `Reported in: ${store?.name}`;
    await expect.poll(() => seen(view)).toEqual([`Filters: Name or SKU: rye · ${inStore} · Price from: 10`]);
    await view.go('#/changes?types=all&since=2025-03-01');
    await expect.poll(() => seen(view)).toEqual(['Filters: Retrieved from (UTC): 2025-03-01']);
    await view.go('#/stores?q=a&access=walk_in');
    await expect.poll(() => seen(view)).toEqual([expect.stringMatching(/^Filters: Name or code: a · Kind: [A-Z]/)]);
    await view.go('#/changes');
    await page.locator('main table').waitFor();
    expect(await seen(view)).toEqual([]);
    await page.emulateMedia({ media: null });
  });

  test('prints every chart at the width of the paper, even one that was never in view', async () => {
    // The charts are far below the narrow window.
    await using view = await explorer.open('', { width: 390 });
    const { page } = view;
    const files = () => view.requested.filter((url) => url.endsWith('.js')).length;
    await page.locator('.chart-place').nth(1).waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    const before = files();
    // The code that draws is loaded after some idle seconds.
    await expect.poll(files).toBeGreaterThan(before);
    const drawn = async () => {
      await page.pdf();
      return page.locator('.chart-place canvas').count();
    };
    await expect.poll(drawn).toBe(2);
    // A window wider than the paper has wider charts.
    await page.evaluate("for (const drawn of document.querySelectorAll('.u-wrap')) drawn.style.width = '2000px'");
    const widths = () =>
      page.evaluate<number[][]>(
        "[...document.querySelectorAll('.chart-place')].map((place) => [place.querySelector('canvas').clientWidth, place.clientWidth])",
      );
    for (const [drawn] of await widths()) expect(drawn).toBe(2000);
    await page.emulateMedia({ media: 'print' });
    for (const [drawn, place] of await widths()) expect(drawn).toBe(place);
    await page.emulateMedia({ media: null });
  });
});
