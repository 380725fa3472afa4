import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, type TestPage } from '../support/browser.ts';
import { ExplorerSite } from './explorer-site.ts';

describeInBrowser('in the colours of the reader alone', () => {
  let explorer: ExplorerSite;
  beforeAll(async () => {
    explorer = await ExplorerSite.start();
  });
  afterAll(() => explorer?.[Symbol.asyncDispose]());

  /** Opens a place in forced colours. The window is left to the next test as it was. */
  async function inForcedColors(place: string, look: (view: TestPage) => Promise<void>): Promise<void> {
    await using view = await explorer.open(place);
    await view.page.emulateMedia({ forcedColors: 'active' });
    try {
      await look(view);
    } finally {
      await view.page.emulateMedia({ forcedColors: 'none' });
    }
  }

  /** The values of a property as they are painted. */
  const painted = ({ page }: TestPage, selector: string, property: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => getComputedStyle(element).${property})`,
    );

  test('only the section that is shown has a bar', async () => {
    await inForcedColors('#/stores', async (view) => {
      const [ground] = await painted(view, 'html', 'backgroundColor');
      const others = await painted(view, 'nav a:not([aria-current])', 'borderBottomColor');
      expect(others.length).toBeGreaterThan(4);
      expect(new Set(others)).toEqual(new Set([ground]));
      const [current] = await painted(view, 'nav a[aria-current]', 'borderBottomColor');
      expect(current).not.toBe(ground);
    });
  });

  test('notes and failures have a border', async () => {
    await inForcedColors('#/changes?sku=12', async (view) => {
      await view.page.locator('.note').waitFor();
      expect(await painted(view, '.note', 'borderTopWidth')).toEqual(['1px']);
      expect(await painted(view, '.note', 'borderTopStyle')).toEqual(['solid']);
    });
    await inForcedColors('#/product/999999', async (view) => {
      await view.page.locator('.failed').waitFor();
      expect(await painted(view, '.failed', 'borderTopWidth')).toEqual(['1px']);
      expect(await painted(view, '.failed', 'borderTopStyle')).toEqual(['solid']);
      expect(view.takeProblems().join()).toContain('404');
    });
  });
});
