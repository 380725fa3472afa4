import { expect, test } from 'vitest';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('a host that fails', (explorer) => {
  const unreachable = 'The site cannot be reached. Check your connection.';
  const busy = 'The site cannot answer right now.';

  /** Makes every document fail, with a status or without an answer, until the returned function is called. */
  async function failing({ page }: TestPage, status: number | null): Promise<() => Promise<void>> {
    await page.route('**/v1/**', (route) => (status === null ? route.abort() : route.fulfill({ status, body: '' })));
    return () => page.unrouteAll();
  }

  const alerts = ({ page }: TestPage) => page.getByRole('alert').locator('> p:first-child').allTextContents();
  const tryAgain = ({ page }: TestPage) => page.getByRole('button', { name: 'Try again' }).first().click();

  test('is distinguished from a failing connection, and each view recovers once it answers', async () => {
    await using view = await explorer.open('#/api');
    const { page } = view;
    const places = [
      // Data read by one view are not requested by others: this view needs the most.
      ['#/browse', null, null],
      ['#/product/002051', 503, 'Where it is reported'],
      ['#/store/0001', 503, 'Latest changes'],
    ] as const;
    for (const [place, status, heading] of places) {
      const mend = await failing(view, status);
      await view.go(place);
      await expect.poll(async () => (await alerts(view))[0]).toBe(status === null ? unreachable : busy);
      const alert = page.getByRole('alert').first();
      expect(await alert.getByText('/v1/').isVisible()).toBe(false);
      await alert.getByText('Technical details').click();
      await alert.getByText('/v1/').waitFor();
      expect(await view.accessibilityProblems()).toEqual([]);
      // A retry may fail too.
      await tryAgain(view);
      await page.locator('.loading').first().waitFor();
      await expect.poll(() => alerts(view)).not.toEqual([]);
      await mend();
      await tryAgain(view);
      await (heading === null ? page.locator('main table') : page.getByRole('heading', { name: heading })).waitFor();
      await expect.poll(() => alerts(view)).toEqual([]);
    }
    // The filters have also recovered the data that they lacked.
    await view.go('#/browse');
    await expect.poll(() => page.getByLabel('Reported in').locator('option').count()).toBeGreaterThan(1);
    view.takeProblems();
  });

  test('keeps the changes already loaded, and continues with the next page', async () => {
    await using view = await explorer.open('#/changes?types=all');
    const { page } = view;
    const more = page.getByRole('button', { name: 'Load more changes' });
    const said = () => page.getByText(/[\d,]+ changes so far/).textContent();
    await more.waitFor();
    await more.click();
    await expect.poll(said).not.toMatch(/^\d\d /);
    const two = await said();
    await view.go('#/stores');
    await view.go('#/changes?types=all');
    await more.waitFor();
    const mend = await failing(view, 503);
    await more.click();
    await expect.poll(() => alerts(view)).toEqual([busy]);
    expect(await page.locator('main tbody tr').count()).toBeGreaterThan(0);
    await mend();
    await tryAgain(view);
    await more.waitFor();
    expect(await said()).toBe(two);
    view.takeProblems();
  });

  test('is asked again if the code of a view fails to load, or if it was unreachable at the start', async () => {
    await using view = await explorer.open('#/stores');
    const { page } = view;
    await page.route('**/explorer/*.js', (route) => route.abort());
    await page.evaluate("location.hash = '#/problems'");
    await expect.poll(() => alerts(view)).toEqual([unreachable]);
    await page.unrouteAll();
    await tryAgain(view);
    await page.getByRole('heading', { level: 1, name: 'Problems' }).waitFor();
    const mend = await failing(view, null);
    await page.reload();
    await expect.poll(() => alerts(view)).toEqual([unreachable]);
    await mend();
    await tryAgain(view);
    await page.getByRole('heading', { level: 1, name: 'Problems' }).waitFor();
    view.takeProblems();
  });
});
