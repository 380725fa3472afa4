import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, launchedChromium, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('a view that cannot be shown', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  /** The heading, which has the focus, and the browser's title are the same. */
  async function expectHeading({ page }: TestPage, heading: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(heading);
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('H1');
  }

  test('has a heading, a title and the focus where no view has its address', async () => {
    await using view = await explorer.open('#/stores');
    for (const place of ['#/produtc/1', '#/produtc/2', '#/constructor']) {
      await view.go(place);
      await expectHeading(view, 'Not found');
      await view.page.getByRole('alert').getByText('has no view called').waitFor();
    }
    expect(await view.accessibilityProblems()).toEqual([]);
    await view.go('#/stores');
    await expectHeading(view, 'Stores');
  });

  test('is the first one too', async () => {
    await using view = await explorer.open('#/nothing');
    expect(await view.page.title()).toBe('Not found');
  });

  test('has a heading where its script does not load, and another address of it tries again', async ({ skip }) => {
    const version = (await launchedChromium()).version();
    skip(Number.parseInt(version, 10) < 150, `Chromium ${version} does not load a script again that failed`);
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.route('**/explorer/*.js', (route) => route.abort());
    await view.go('#/product/001204');
    await expectHeading(view, 'Not loaded');
    await page.getByRole('button', { name: 'Reload the page' }).waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    await view.go('#/product/014100');
    await expectHeading(view, 'Not loaded');
    await page.unrouteAll();
    await view.go('#/product/002051');
    await page.getByRole('heading', { name: 'Where it is reported' }).waitFor();
    for (const problem of view.takeProblems()) expect(problem).toContain('ERR_FAILED');
  });

  test('does not take the place of the view that the reader went to meanwhile', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/explorer/*.js', async (route) => {
      await answered;
      await route.continue();
    });
    await page.evaluate("location.hash = '#/data'");
    await page.getByText('Loading the view').waitFor();
    await page.evaluate("location.hash = '#/stores'");
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    answer();
    await page.waitForLoadState('networkidle');
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Stores');
  });

  test.each(['product', 'family', 'brand', 'store', 'problem'])(
    'is a %s whose id is no part of a path',
    async (name) => {
      await using view = await explorer.open('#/nothing');
      for (const id of ['', '/', '/.', '/..', '/%2e%2e', '/%2E']) {
        await view.go(`#/${name}${id}`);
        await view.page.getByRole('alert').getByRole('link', { name: 'NOT_FOUND' }).waitFor();
        await view.go('#/nothing');
      }
      await view.go(`#/${name}/..%2F..`);
      await view.page.getByRole('alert').getByText('NOT_FOUND').first().waitFor();
      for (const problem of view.takeProblems()) expect(problem).toContain('404');
    },
  );
});
