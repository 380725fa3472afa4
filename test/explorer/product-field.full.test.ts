import { expect, test } from 'vitest';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('the field that adds products', (explorer) => {
  const fieldOf = ({ page }: TestPage) => page.getByLabel('Add by SKU or by name');
  const said = ({ page }: TestPage) => page.locator('.product-field [role="status"]').textContent();
  /** The SKUs of the view, in their order. */
  const chosen = ({ page }: TestPage) =>
    page
      .getByRole('button', { name: /^Remove / })
      .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')?.slice('Remove '.length)));
  /** Whether the field is empty and has the focus. */
  const isReady = ({ page }: TestPage) =>
    page.evaluate("document.activeElement.name === 'text' && document.activeElement.value === ''");

  test('adds the first hit at Enter, or the one that the arrow keys lead to, and waits for the next', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    const field = fieldOf(view);
    await field.focus();
    await page.keyboard.type('rye');
    const options = page.getByRole('listbox', { name: 'Hits' }).getByRole('option');
    await options.nth(1).waitFor();
    const names = await options.allTextContents();
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(view)).toHaveLength(1);
    expect(names[0]?.startsWith((await said(view))?.replace(' is added.', '') ?? '?')).toBe(true);
    expect(await isReady(view)).toBe(true);
    await page.keyboard.type('rye');
    await options.nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(view)).toHaveLength(2);
    expect(names[1]?.startsWith((await said(view))?.replace(' is added.', '') ?? '?')).toBe(true);
    expect(await isReady(view)).toBe(true);
    await page.keyboard.type('rye');
    await options.first().click();
    await expect.poll(() => said(view)).toMatch(/^In the list already: \d{6}\.$/);
    expect(await isReady(view)).toBe(true);
  });

  test('takes a list of SKUs and names, and keeps what it does not find', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    await fieldOf(view).fill('001204 001311, peach schnapps; nothing like this');
    await expect.poll(() => said(view)).toBe('Enter adds the 3 products that are found.');
    expect(await view.accessibilityProblems()).toEqual([]);
    await fieldOf(view).press('Enter');
    await expect.poll(() => chosen(view)).toEqual(['001204', '001311', '014100']);
    await expect
      .poll(() => said(view))
      .toContain('Dunmarrow Peach Schnapps are added. No product is called “nothing like this”.');
    expect(await fieldOf(view).inputValue()).toBe('nothing like this');
    await page.waitForURL('**/#/compare?skus=001204%2C001311%2C014100*');
  });

  test('takes lines that are pasted, as from a spreadsheet', async () => {
    await using view = await explorer.open('#/watch?skus=001311');
    const { page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: explorer.origin });
    await page.evaluate("navigator.clipboard.writeText('001204\\tGin\\r\\n014100\\n')");
    await fieldOf(view).focus();
    await page.keyboard.press('Control+V');
    expect(await fieldOf(view).inputValue()).toBe('001204, Gin, 014100');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await chosen(view)).length).toBe(4);
    expect(await chosen(view)).toEqual(expect.arrayContaining(['001311', '001204', '014100']));
    expect(await isReady(view)).toBe(true);
  });
});
