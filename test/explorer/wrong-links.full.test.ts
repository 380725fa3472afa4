import { describe, expect, test } from 'vitest';
import type { Problem } from '../../contract/problem.ts';
import { nearSkus } from '../../explorer/products/no-product.tsx';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('a link', (explorer) => {
  const unused = ({ page }: TestPage) => page.locator('main .note li').allTextContents();

  describe('with unusable parts', () => {
    test('to a comparison lists what is ignored, until the question changes', async () => {
      const skus = ['12', ...Array.from({ length: 26 }, (_, number) => String(100_000 + number))];
      const rest = 'lat=91&lng=x&radius_m=0&max_stops=9&inventory_age=no&purchase_eligibility=all&plan=best';
      await using view = await explorer.open(`#/compare?skus=${skus.join()}&${rest}`);
      expect(await unused(view)).toEqual([
        'skus: expected SKUs of six digits, got 12',
        'skus: expected at most 25 products, got 100025',
        expect.stringMatching(/^lat, lng: .*, got 91, x$/),
        'radius_m: expected a number from 1 to 500000, got 0',
        expect.stringMatching(/^max_stops: .*, got 9$/),
        expect.stringMatching(/^purchase_eligibility: .*, got all$/),
        expect.stringMatching(/^inventory_age: .*, got no$/),
        expect.stringMatching(/^plan: expected one of best_single_store, .*, got best$/),
      ]);
      await view.page.getByRole('button', { name: 'Remove 100024' }).click();
      await expect.poll(() => unused(view)).toEqual([expect.stringContaining('plan: ')]);
      for (const problem of view.takeProblems()) expect(problem).toContain('404');
    });

    test('to products, changes and a search lists ignored prices, orders, categories, types and kinds', async () => {
      await using view = await explorer.open('#/browse?from=abc&to=9.50&sort=-weight');
      await view.page.locator('main table').waitFor();
      expect(await unused(view)).toEqual([
        'from: expected an amount such as 12.50, got abc',
        expect.stringMatching(/^sort: expected one of product, size, .*, got -weight$/),
      ]);
      expect(await view.accessibilityProblems()).toEqual([]);
      await view.page.getByLabel('Price from').fill('3');
      await expect.poll(() => unused(view)).toHaveLength(1);
      await view.page.evaluate("location.hash = '#/browse?category=nope'");
      await view.page.getByText('0 rows').waitFor();
      expect(await view.page.getByLabel('Category').inputValue()).toBe('nope');
      await view.go('#/changes?types=price_changed,sold');
      await expect.poll(() => unused(view)).toEqual([expect.stringMatching(/^types: expected some of .*, got sold$/)]);
      await view.page.evaluate(
        "location.hash = '#/changes?types=catalog_presence_changed&presence=here&after=yesterday'",
      );
      await expect
        .poll(() => unused(view))
        .toEqual([
          'presence: expected gone or returned beside types=catalog_presence_changed, got here',
          'after: expected a time such as 2025-01-21T22:00:00Z, got yesterday',
        ]);
      await view.page.evaluate("location.hash = '#/changes?types=price_changed&presence=gone'");
      await expect.poll(() => unused(view)).toEqual([expect.stringMatching(/^presence: .*, got gone$/)]);
      await view.go('#/search?q=dun&kinds=shop,brand,person');
      const kinds = 'kinds: expected some of product, category, product_family, brand, store, got shop, person';
      await expect.poll(() => unused(view)).toEqual([kinds]);
    });

    test('keeps unknown values, and names what the API refuses, with reasons', async () => {
      await using view = await explorer.open('#/stores?city=nope&service=tasting');
      await view.page.getByText('0 rows').waitFor();
      expect(await view.page.getByLabel('City').inputValue()).toBe('nope');
      expect(await view.page.getByLabel('Service').inputValue()).toBe('tasting');
      await view.go('#/changes?since=abc&store=nope');
      expect(await view.page.locator('main .filters select').inputValue()).toBe('nope');
      const alert = view.page.getByRole('alert');
      await alert.waitFor();
      const { invalid_params: invalid = [] } = await explorer.answer<Problem>(
        '/v1/changes?store_id=nope&since=abcT00:00:00Z',
      );
      expect(invalid.map(({ name }) => name).sort()).toEqual(['since', 'store_id']);
      const reasons = invalid.map(({ name, reason }) => `${name}: ${reason}`);
      expect(await alert.locator('li').allTextContents()).toEqual(reasons);
      await alert.getByText('The site does not accept this request.').waitFor();
      expect(view.takeProblems().join()).toContain('400');
    });
  });

  describe('to a view that cannot be shown', () => {
    /** The heading, which has the focus, begins the browser's title. */
    async function expectHeading({ page }: TestPage, heading: string): Promise<void> {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe(`${heading} · Example inventory`);
      await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('H1');
    }

    test('has a heading, a title and the focus if there is no such view, even as the first one', async () => {
      await using view = await explorer.open('#/nothing');
      expect(await view.page.title()).toBe('Not found · Example inventory');
      for (const place of ['#/produtc/1', '#/produtc/2', '#/constructor']) {
        await view.go(place);
        await expectHeading(view, 'Not found');
        await view.page.getByRole('alert').getByText('There is no view called').waitFor();
      }
      expect(await view.accessibilityProblems()).toEqual([]);
      await view.go('#/stores');
      await expectHeading(view, 'Stores');
    });

    test('says plainly what is missing, with the problem code in the details', async () => {
      await using view = await explorer.open('#/stores');
      const odd = ['product', 'family/.', 'brand/..', 'store/%2e%2e', 'problem/..%2F..', 'product/..%2F..'];
      for (const place of [...odd, 'problem/NO_SUCH_CODE', 'product/999999', 'store/9999']) {
        await view.go(`#/${place}`);
        const alert = view.page.getByRole('alert');
        const text = await alert.locator('> p').first().textContent();
        expect(text).toMatch(/^(There is no (product|family|brand|store|problem) with|No product here has the SKU)/);
        expect(await alert.getByRole('button').count()).toBe(0);
        const code = alert.getByRole('link', { name: /NOT_FOUND$/ });
        expect(await code.isVisible()).toBe(false);
        await alert.getByText('Technical details').click();
        await code.waitFor();
        await view.go('#/stores');
      }
      for (const problem of view.takeProblems()) expect(problem).toContain('404');
    });
  });

  test('to an unknown SKU suggests similar ones', async () => {
    const skus = ['000123', '001230', '001234', '012300', '099999', '123000', '123001'];
    expect(nearSkus('99999', skus)).toEqual(['099999']);
    expect(nearSkus('1230', skus)).toEqual(['001230', '123000', '123001']);
    expect(nearSkus('001243', skus)).toEqual(['001234']);
    expect(nearSkus('001235', skus)).toEqual(['001230', '001234']);
    expect(nearSkus('', skus)).toEqual([]);
    await using view = await explorer.open('#/product/1204');
    const { page } = view;
    const alert = page.getByRole('alert');
    await alert.getByText('No product here has the SKU 1204. Did you mean 001204?').waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    expect(await alert.getByRole('link', { name: 'Search for 1204' }).getAttribute('href')).toBe('#/search?q=1204');
    await alert.getByRole('link', { name: '001204' }).click();
    await page.waitForURL('**/#/product/001204');
    await page.getByRole('heading', { name: 'Where it is reported' }).waitFor();
    expect(view.takeProblems().join()).toContain('404');
  });

  test('is marked by borders alone if the reader uses forced colours', async () => {
    await using view = await explorer.open('#/changes?sku=12');
    await view.page.emulateMedia({ forcedColors: 'active' });
    const painted = (selector: string, property: string) =>
      view.page.evaluate<string[]>(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => getComputedStyle(element).${property})`,
      );
    try {
      await view.page.locator('.note').waitFor();
      expect(await painted('.note', 'borderTop')).toEqual([expect.stringMatching(/^1px solid/)]);
      const [ground] = await painted('html', 'backgroundColor');
      const others = await painted('.top nav a:not([aria-current])', 'borderBottomColor');
      expect(others.length).toBeGreaterThan(4);
      expect(new Set(others)).toEqual(new Set([ground]));
      expect(await painted('.top nav a[aria-current]', 'borderBottomColor')).not.toEqual([ground]);
      await view.go('#/product/999999');
      await view.page.locator('.failed').waitFor();
      expect(await painted('.failed', 'borderTop')).toEqual([expect.stringMatching(/^1px solid/)]);
    } finally {
      await view.page.emulateMedia({ forcedColors: 'none' });
      view.takeProblems();
    }
  });
});
