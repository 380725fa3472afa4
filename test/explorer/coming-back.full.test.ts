import { expect, test } from 'vitest';
import { productTypes } from '../../explorer/changes/change-text.ts';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer, wholeTables, withProducts } from './explorer-site.ts';

describeExplorer('a reader who comes back', (explorer) => {
  const table = ({ page }: TestPage) => page.locator('main .scrolled.long').first();
  const scrollTop = async (view: TestPage) => {
    await table(view).waitFor();
    return view.page.evaluate<number>("document.querySelector('main .scrolled.long').scrollTop");
  };
  /** The first fully visible row of a long table. */
  const firstInSight = ({ page }: TestPage) =>
    page.evaluate<string>(`(() => {
      const table = document.querySelector('main .scrolled.long');
      const top = table.querySelector('thead').getBoundingClientRect().bottom;
      return [...table.querySelectorAll('tbody tr:not(.gap)')]
        .find((row) => row.getBoundingClientRect().top >= top - 1)?.textContent ?? '';
    })()`);
  const keptBy = ({ page }: TestPage, name: string) => page.evaluate(`history.state?.[${JSON.stringify(name)}]`);

  async function scrollTable(view: TestPage, file: string, pixels: number): Promise<void> {
    await table(view).waitFor();
    await view.page.evaluate(`document.querySelector('main .scrolled.long').scrollTo(0, ${pixels})`);
    await expect.poll(() => keptBy(view, `rows of ${file}`)).toBe(pixels);
  }

  test('finds a long table where it was scrolled to, even after a reload, and a link starts it at the top', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await withProducts(page, 3000);
    await view.go('#/browse?sort=price');
    await scrollTable(view, 'products', 40_000);
    await expect.poll(() => firstInSight(view)).not.toBe('');
    const row = await firstInSight(view);
    await page.locator('main .scrolled.long tbody tr:not(.gap) a').nth(15).click();
    await page.waitForURL('**/#/product/*');
    await page.goBack();
    await expect.poll(() => scrollTop(view)).toBe(40_000);
    await expect.poll(() => firstInSight(view)).toBe(row);
    await page.reload();
    await expect.poll(() => scrollTop(view)).toBe(40_000);
    await expect.poll(() => firstInSight(view)).toBe(row);
    // Another filter shows other rows, starting at the top.
    await page.getByLabel('Price from').fill('10');
    await expect.poll(() => scrollTop(view)).toBe(0);
    await view.go('#/stores');
    await view.go('#/browse?sort=price');
    await table(view).waitFor();
    expect(await scrollTop(view)).toBe(0);
    await page.unrouteAll();
    // The products of these rows are not in the fixtures.
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('finds the rows of the same view where they were, after another query', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await withProducts(page, 3000);
    await view.go('#/browse');
    await scrollTable(view, 'products', 9_000);
    const row = await firstInSight(view);
    await page.evaluate("location.hash = '#/browse?sort=price'");
    await expect.poll(() => scrollTop(view)).toBe(0);
    await page.goBack();
    await expect.poll(() => scrollTop(view)).toBe(9_000);
    await expect.poll(() => firstInSight(view)).toBe(row);
    await page.unrouteAll();
  });

  test('finds a table in the order that a heading gave it', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await wholeTables(page);
    await page.getByRole('button', { name: /^Code/ }).click();
    await page.getByRole('button', { name: /^Code/ }).click();
    const codes = () => page.locator('main tbody td:last-child').allTextContents();
    const ordered = await codes();
    await page.locator('main tbody a').first().click();
    await page.getByRole('heading', { name: 'What it reports' }).waitFor();
    await page.goBack();
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Code');
    await expect.poll(codes).toEqual(ordered);
    await view.go('#/data');
    await view.go('#/stores');
    await page.locator('main table').waitFor();
    expect(await page.locator('th[aria-sort]').count()).toBe(0);
  });

  test('finds as many pages of changes, and the same rows in sight', async () => {
    await using view = await explorer.open('#/changes?types=all');
    const { page } = view;
    const pages = `pages of ${JSON.stringify([{ types: productTypes }, null])}`;
    const more = page.getByRole('button', { name: 'Load more changes' });
    const said = () => page.getByText(/[\d,]+ changes so far/).textContent();
    const loads = () => view.requested.filter((url) => url.includes('/v1/changes')).length;
    await more.click();
    await expect.poll(said).not.toContain('100 ');
    await more.click();
    await expect.poll(() => keptBy(view, pages)).toBe(3);
    const known = await said();
    await wholeTables(page);
    // Rows grow once the full names of their products are loaded.
    await page.waitForLoadState('networkidle');
    await scrollTable(view, 'changes', 9000);
    const row = await firstInSight(view);
    await view.go('#/stores');
    const before = loads();
    await page.goBack();
    await expect.poll(said).toBe(known);
    expect(loads()).toBe(before + 3);
    await expect.poll(() => firstInSight(view)).toBe(row);
    await view.go('#/stores');
    await view.go('#/changes?types=all');
    await more.waitFor();
    expect(await said()).not.toBe(known);
  });
});
