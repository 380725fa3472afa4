import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('lists are shared', (explorer) => {
  test('as a link with the filters, as its QR code, and on paper', async () => {
    await using view = await explorer.open('#/browse');
    const { page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: explorer.origin });
    await page.getByLabel('Name or SKU').fill('rye');
    await page.waitForURL('**/#/browse?q=rye');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = `${explorer.origin}/#/browse?q=rye`;
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link);
    await page.getByRole('button', { name: 'QR code' }).click();
    const code = page.getByRole('img', { name: 'QR code of this link' });
    const modulesOf = (text: string) => encode(text, { ecc: 'M', border: 4 }).data.flat().filter(Boolean).length;
    const drawn = async () => ((await code.locator('path').getAttribute('d'))?.split('M').length ?? 0) - 1;
    await expect.poll(drawn).toBe(modulesOf(link));
    // The code follows the filters.
    await page.getByLabel('Name or SKU').fill('bourbon');
    await expect.poll(drawn).toBe(modulesOf(`${explorer.origin}/#/browse?q=bourbon`));
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.evaluate('window.print = () => { window.isPrinted = true; }');
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.evaluate('window.isPrinted')).toBe(true);
  });

  test("from every list view, and the device's list with its contents", async () => {
    await using view = await explorer.open('#/problems');
    const { page } = view;
    const share = page.getByRole('group', { name: 'Share' }).getByRole('button');
    for (const place of [
      '#/stores',
      '#/search?q=rye',
      '#/changes',
      '#/brand/wrenmoor',
      '#/prices?skus=001204,001311',
    ]) {
      await view.go(place);
      await expect.poll(() => share.allTextContents()).toEqual(['Copy link', 'QR code', 'Print']);
    }
    await view.go('#/watch?skus=001204');
    await page.getByRole('button', { name: 'Keep this list on this device' }).click();
    await page.waitForURL('**/#/watch');
    // From then on, the section is shown.
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Watch' }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: explorer.origin });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${explorer.origin}/#/watch?skus=001204`);
  });
});
