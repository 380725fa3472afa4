import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlainServer } from '../hosts/plain-hosts.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { RunningServer } from '../serve/running-server.ts';
import { describeInBrowser, openPage, type PageOptions, type TestPage } from '../support/browser.ts';
import { needing } from '../support/installed-programs.ts';
import { FileHost } from './file-host.ts';

/* Every view, at a host that computes, at one that sends files by their addresses, and at one that knows files only. */

const places = [
  '#/',
  '#/browse',
  '#/browse?q=gin',
  '#/search?q=gin',
  '#/categories',
  '#/changes',
  '#/changes?types=price_changed',
  '#/compare',
  '#/compare?skus=001204,014100&lat=43.2217&lng=-118.3048&radius_m=100000',
  '#/product/001204',
  '#/stores',
  '#/data',
  '#/api',
  '#/problems',
  '#/problem/SKU_AMBIGUOUS',
];

/** Views whose own tests look at one colour scheme alone, the light one. */
const seenInLight = /^#\/(api|categories|changes|data|problems?|search)\b/;

let site: FixtureSite;
beforeAll(async () => {
  site = await FixtureSite.build(12, 'whole');
});
afterAll(() => site?.[Symbol.dispose]());

/** Views of things of the fixtures, by their ids. */
function ownPlaces(): string[] {
  const fact = (name: string, of: string) => site.fact(name, of) ?? '';
  const [brand] = site.document<{ data: { id: string }[] }>('/v1/brands').data;
  const [family] = site.document<{ data: { id: string }[] }>('/v1/product-families').data;
  return [
    `#/store/${fact('store', '0001')}`,
    `#/brand/${brand?.id}`,
    `#/family/${family?.id}`,
    `#/product/${fact('product', '014100')}`,
  ];
}

/**
 * Goes through all views in one window. Each has a heading, says nothing of a failure, and is as wide as the window.
 */
async function visitAll(
  url: string,
  options: PageOptions,
  look: (page: TestPage, place: string) => Promise<void> = async () => undefined,
): Promise<TestPage> {
  const opened = await openPage(`${url}/`, options);
  for (const place of [...places, ...ownPlaces()]) {
    // The page shows another place in the picture after the next, and says from then on that it loads.
    await opened.page.evaluate(`new Promise((resolve) => {
      location.hash = ${JSON.stringify(place)};
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    })`);
    await opened.page.waitForSelector('main h1');
    await opened.page.waitForSelector('main .loading', { state: 'detached' });
    const failed = await opened.page.locator('main .failed').allTextContents();
    expect([place, failed]).toEqual([place, []]);
    const [width, window] = (await opened.page.evaluate(
      '[document.documentElement.scrollWidth, innerWidth]',
    )) as number[];
    expect([place, width]).toEqual([place, window]);
    await look(opened, place);
  }
  return opened;
}

/** The tests of this file look at what the host cannot do: the page finds that out by asking once. */
const asking = /the server responded with a status of (400|404|501)/;

describeInBrowser('every view', () => {
  test('on serve.ts, and those that are not looked at elsewhere are accessible in the dark', async () => {
    await using server = await RunningServer.start(['--dist', site.dist], { RATE_LIMIT_PER_MINUTE: '0' });
    await using _ = await visitAll(server.origin, { scheme: 'dark' }, async (page, place) => {
      if (seenInLight.test(place)) expect([place, await page.accessibilityProblems()]).toEqual([place, []]);
    });
  });

  test('on plain nginx, on a narrow screen', needing('nginx'), async () => {
    await using server = await PlainServer.nginx(site.dist);
    await using page = await visitAll(server.url, { width: 320 });
    for (const problem of page.takeProblems()) expect(problem).toMatch(asking);
  });

  test('from an unpacked bundle on a server of files', needing('python3'), async () => {
    await using server = await FileHost.start(site.dist);
    await using page = await visitAll(server.origin, { width: 390, scheme: 'dark' });
    for (const problem of page.takeProblems()) expect(problem).toMatch(asking);
  });
});
