import { expect, test } from 'vitest';
import type { TestPage } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('the field that adds products', (explorer) => {
  const fieldOf = ({ page }: TestPage) => page.getByLabel('Add products by SKU or name');
  const said = ({ page }: TestPage) => page.locator('.product-field [role="status"]').textContent();
  /** The SKUs in the view, in order. */
  const chosen = ({ page }: TestPage) =>
    page
      .getByRole('button', { name: /^Remove / })
      .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')?.slice('Remove '.length)));
  /** Whether the field is empty and focused. */
  const isReady = ({ page }: TestPage) =>
    page.evaluate("document.activeElement.name === 'text' && document.activeElement.value === ''");

  test('adds the only match on Enter, or the one chosen with the arrow keys, and waits for the next', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    const field = fieldOf(view);
    await field.focus();
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await page.keyboard.type('rye');
    await options.nth(1).waitFor();
    const names = await options.allTextContents();
    await page.keyboard.press('Enter');
    await expect.poll(() => said(view)).toBe('“rye” could be several products: choose one.');
    expect(await chosen(view)).toEqual([]);
    await field.fill('peach schnapps');
    await options.first().waitFor();
    const [peach] = await options.allTextContents();
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(view)).toHaveLength(1);
    expect(peach?.startsWith((await said(view))?.replace(/^Added (.*)\.$/, '$1') ?? '?')).toBe(true);
    expect(await isReady(view)).toBe(true);
    await page.keyboard.type('rye');
    await options.nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(view)).toHaveLength(2);
    expect(names[1]?.startsWith((await said(view))?.replace(/^Added (.*)\.$/, '$1') ?? '?')).toBe(true);
    expect(await isReady(view)).toBe(true);
    await page.keyboard.type('rye');
    await options.nth(1).click();
    await expect.poll(() => said(view)).toMatch(/^Already in the list: \d{6}\.$/);
    expect(await isReady(view)).toBe(true);
  });

  test('takes a list of SKUs and names, and keeps those that it does not find', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    await fieldOf(view).fill('001204 001311, peach schnapps; nothing like this');
    await expect.poll(() => said(view)).toBe('Enter adds the 3 products that are certain.');
    expect(await view.accessibilityProblems()).toEqual([]);
    await fieldOf(view).press('Enter');
    await expect.poll(() => chosen(view)).toEqual(['001204', '001311', '014100']);
    await expect.poll(() => said(view)).toContain('Dunmarrow Peach Schnapps. No product matches “nothing like this”.');
    expect(await fieldOf(view).inputValue()).toBe('nothing like this');
    await page.waitForURL('**/#/compare?skus=001204%2C001311%2C014100*');
  });

  test('takes pasted lines, such as those of a spreadsheet', async () => {
    await using view = await explorer.open('#/watch?skus=001311');
    const { page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: explorer.origin });
    await page.evaluate("navigator.clipboard.writeText('001204\\tGin\\r\\n014100\\n')");
    await fieldOf(view).focus();
    await page.keyboard.press('Control+V');
    expect(await fieldOf(view).inputValue()).toBe('001204, Gin, 014100');
    const which = page.getByRole('group', { name: 'Which “Gin”?' });
    await which.waitFor();
    expect(await view.accessibilityProblems()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await chosen(view)).toSorted()).toEqual(['001204', '001311', '014100']);
    await expect.poll(() => said(view)).toContain('“Gin” could be several products: choose one.');
    expect(await fieldOf(view).inputValue()).toBe('Gin');
    // In a list, a button takes the place of the words.
    await fieldOf(view).fill('Gin, 014100');
    const button = which.getByRole('button').nth(1);
    const name = await button.textContent();
    await button.click();
    await expect.poll(() => fieldOf(view).inputValue()).toMatch(/^\d{6}, 014100$/);
    await fieldOf(view).press('Enter');
    await expect.poll(async () => (await chosen(view)).length).toBe(4);
    expect(name?.startsWith((await said(view))?.replace(/^Added (.*)\. Already.*$/, '$1') ?? '?')).toBe(true);
    expect(await isReady(view)).toBe(true);
  });
});
