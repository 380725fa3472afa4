import { expect, test } from 'vitest';
import { describeExplorer, wholeTables } from './explorer-site.ts';

describeExplorer('a phone', (explorer) => {
  test('shows every section, even with a trip and a list', async () => {
    await using view = await explorer.open('#/problems', { width: 390 });
    const { page } = view;
    const skus = Array.from({ length: 25 }, (_, number) => String(100_000 + number));
    await page.evaluate(`localStorage.setItem('trip /', ${JSON.stringify(skus.join())})`);
    await view.go('#/watch?skus=001204');
    await page.getByRole('button', { name: 'Keep this list on this device' }).click();
    await page.reload();
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Watch' }).waitFor();
    expect(await sections.getByRole('link', { name: /^Trip/ }).textContent()).toBe('Trip 25 products');
    for (const link of await sections.getByRole('link').all()) {
      if (!(await link.isVisible())) continue;
      const box = await link.boundingBox();
      if (!box) throw new Error('expected a section to be seen');
      expect(box.x).toBeGreaterThanOrEqual(16);
      expect(box.x + box.width).toBeLessThanOrEqual(374);
      expect(box.height).toBeGreaterThanOrEqual(44);
    }
  });

  test('shows the sizes of files', async () => {
    await using view = await explorer.open('#/data', { width: 390 });
    const { page } = view;
    const regions = page.locator('.scrolled', { has: page.locator('th', { hasText: 'Bytes' }) });
    await expect.poll(() => regions.count()).toBeGreaterThanOrEqual(3);
    await wholeTables(page);
    const hidden = await regions.evaluateAll((all) => all.map((place) => place.scrollWidth - place.clientWidth));
    expect(Math.max(...hidden)).toBe(0);
  });

  test('keeps the headings of a short table visible while scrolling', async () => {
    await using view = await explorer.open('#/browse', { width: 390 });
    const { page } = view;
    const table = page.getByRole('region', { name: 'Products', exact: true });
    await table.locator('tbody tr').nth(30).waitFor();
    expect(await table.evaluate((place) => place.classList.contains('long'))).toBe(false);
    await table.scrollIntoViewIfNeeded();
    await table.evaluate((place) => place.scrollTo(0, place.scrollHeight));
    const [place, head] = [await table.boundingBox(), await table.locator('thead th').first().boundingBox()];
    expect(Math.abs((head?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(3);
    expect(await table.evaluate((place) => place.scrollTop)).toBeGreaterThan(100);
  });
});
