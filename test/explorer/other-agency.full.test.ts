import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** A served site with the sample of an agency that has a recipe. */
function describeSample(
  name: string,
  tests: (textOf: (place: string) => Promise<string>, origin: () => string) => void,
) {
  describeInBrowser(`the explorer of ${name}`, () => {
    const home = temporaryFolder();
    let server: RunningServer | null = null;
    beforeAll(async () => {
      const settings = join(home, 'shelfpress.json');
      await runInProcess('init', '--recipe-for', name, '--settings', settings);
      const delivery = join(home, 'incoming', '2025-03-04');
      mkdirSync(delivery);
      const samples = join('fixtures/imports', name);
      for (const file of readdirSync(samples)) copyFileSync(join(samples, file), join(delivery, file));
      expect((await runInProcess('update', '--settings', settings)).code).toBe(0);
      server = await RunningServer.start([join(home, 'dist')]);
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      removeFolder(home);
    });
    const origin = () => server?.origin ?? '';
    tests(async (place) => {
      const { page } = await openPage(`${origin()}/${place}`);
      await page.locator('h1').waitFor();
      await expect.poll(() => page.locator('main').textContent()).not.toContain('Loading');
      return (await page.locator('body').textContent()) ?? '';
    }, origin);
  });
}

describeSample('vinbudin', (textOf, origin) => {
  test('has no map if no store has a location, and says who may buy in a store', async () => {
    const stores = await textOf('#/stores');
    expect(stores).toContain('No store has a published location, so there is no map.');
    expect(stores).not.toMatch(/0° [NE]|consumer state store/);
    expect(stores).toContain('Norðurland, open to the public');
  });

  test('has names in the language of the site, and its own texts in English', async () => {
    const { page } = await openPage(`${origin()}/#/product/25`);
    await expect.poll(() => page.locator('h1').textContent()).toBe('Höfði Rauðvín');
    expect(await page.locator('h1').getAttribute('lang')).toBe('is');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('has nothing to compare with in the first publication', async () => {
    expect(await textOf('')).toContain('– prices changed with nothing to compare yet');
  });
});

describeSample('vinmonopolet', (textOf) => {
  test.each(['', '#/product/1101', '#/browse', '#/stores'])(
    'says nothing of reported quantities at %s',
    async (place) => {
      expect(await textOf(place)).not.toMatch(/reported quantit|quantities|stores report/i);
    },
  );
});

describeSample('systembolaget', (textOf) => {
  test('writes numbers and dates in the language of the site', async () => {
    const product = (await textOf('#/product/8794201')).replace(/\s/g, ' ');
    expect(product).toContain('1 468,00 kr');
    expect(product).toContain('4 mars 2025');
  });
});
