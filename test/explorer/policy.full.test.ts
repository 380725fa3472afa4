import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { launchedChromium } from '../support/browser.ts';
import { describeExplorer } from './explorer-site.ts';

/* The Content Security Policy of the explorer, from its HTML and from the header. */

describeExplorer('the policy of the explorer', (explorer) => {
  test('runs its own script, which requests the view first, and no injected script', async () => {
    await using view = await explorer.open('#/stores');
    const asked = await view.page.locator('head link[rel=modulepreload]').count();
    expect(asked).toBeGreaterThan(0);
    expect(view.takeProblems()).toEqual([]);
    await view.page.evaluate(`
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.strange = true' }));`);
    expect(await view.page.evaluate("'strange' in window")).toBe(false);
    const problems = view.takeProblems();
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toContain('Content Security Policy');
  });

  /** The heading of the explorer in a frame on another origin; null if the browser refuses. */
  async function framed(url: string): Promise<string | null> {
    const context = await (await launchedChromium()).newContext({ locale: 'en-US', serviceWorkers: 'block' });
    try {
      const page = await context.newPage();
      const answered = page.waitForResponse(`${url}/`);
      await page.setContent(`<iframe src="${url}/"></iframe>`);
      await answered;
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^(http|chrome-error):/);
      if (page.frames()[1]?.url().startsWith('chrome-error:')) return null;
      return await page.frameLocator('iframe').locator('main h1').first().textContent();
    } finally {
      await context.close();
    }
  }

  test('keeps it out of frames if the host sends the header, which it cannot without the route table', async () => {
    const { dist } = explorer.site;
    expect(await framed(explorer.origin)).toBeNull();
    await using plain = await RunningServer.start([dist, '--plain']);
    expect(await framed(plain.origin)).toBeNull();
    await using bare = await RunningServer.start([realpathSync(join(dist, 'site')), '--plain']);
    expect(await framed(bare.origin)).not.toBeNull();
  });
});
