import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('a link with parts that a view cannot use', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  const leftOut = ({ page }: TestPage) => page.locator('main .note li').allTextContents();

  test('of a comparison is told what is left out, until the question changes', async () => {
    const skus = ['12', ...Array.from({ length: 26 }, (_, number) => String(100_000 + number))];
    await using view = await explorer.open(`#/compare?skus=${skus.join()}&radius_m=0&plan=best`);
    expect(await leftOut(view)).toEqual([
      'skus: expected SKUs of six digits, got 12',
      'skus: expected at most 25 products, got 100025',
      'radius_m: expected a number from 1 to 500000, got 0',
      expect.stringMatching(/^plan: expected one of best_single_store, .*, got best$/),
    ]);
    await view.page.getByRole('button', { name: 'Remove 100024' }).click();
    await expect.poll(() => leftOut(view)).toEqual([expect.stringContaining('plan: ')]);
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('of products is told about prices and orders that are none', async () => {
    await using view = await explorer.open('#/browse?from=abc&to=9.50&sort=-weight');
    await view.page.locator('main table').waitFor();
    expect(await leftOut(view)).toEqual([
      'from: expected dollars such as 12.50, got abc',
      expect.stringMatching(/^sort: expected one of brand, name, .*, got -weight$/),
    ]);
    expect(await view.accessibilityProblems()).toEqual([]);
    await view.page.getByLabel('Price from, $').fill('3');
    await expect.poll(() => leftOut(view)).toHaveLength(1);
  });

  test('of products in a category that is not published shows none, and the category', async () => {
    await using view = await explorer.open('#/browse?category=nope');
    await view.page.getByText('0 rows').waitFor();
    expect(await view.page.locator('.tree a[aria-current]').allTextContents()).toEqual(['nope']);
  });

  test('of changes and of a search is told about types and kinds that are none', async () => {
    await using view = await explorer.open('#/changes?types=price_changed,sold');
    await expect.poll(() => leftOut(view)).toEqual([expect.stringMatching(/^types: expected some of .*, got sold$/)]);
    await view.go('#/search?q=dun&kinds=shop,brand,person');
    await expect
      .poll(() => leftOut(view))
      .toEqual(['kinds: expected some of product, product_family, brand, store, got shop, person']);
  });

  test('keeps a value that no list has, and the list shows it', async () => {
    await using view = await explorer.open('#/stores?city=nope&service=tasting');
    await view.page.getByText('0 rows').waitFor();
    expect(await view.page.getByLabel('City').inputValue()).toBe('nope');
    expect(await view.page.getByLabel('Service').inputValue()).toBe('tasting');
    await view.page.getByLabel('City').selectOption('');
    await view.go('#/changes?store=nope');
    expect(await view.page.locator('.change-filters select').inputValue()).toBe('nope');
    await view.page.getByRole('alert').waitFor();
    expect(view.takeProblems().join()).toContain('400');
  });
});
