import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, ProblemError, type Site } from '../../client/open-site.ts';
import type { ComparisonQuestion } from '../../client/site.ts';
import { bundleClient } from '../../generator/client-bundle.ts';
import { type Comparison, strategyName } from '../../generator/contract/documents/comparison.ts';
import { distanceText, resultWords, strategyWords } from '../../templates/explorer/compare/comparison-words.ts';
import { ServedSites } from '../client/served-sites.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { integer, pick, seededRandom } from '../support/random.ts';
import { describeExplorer } from './explorer-site.ts';

describeExplorer('compare', (explorer) => {
  let skus: readonly string[];
  beforeAll(() => {
    const { data } = explorer.site.document<{ data: { source_ids: { agency_sku: string } }[] }>('/v1/products');
    skus = data.slice(0, 3).map(({ source_ids }) => source_ids.agency_sku);
  });
  const place = 'lat=43.2217&lng=-118.3048';

  test('shows the five strategies, the stops and the certainty of the answer', async () => {
    const query = `skus=${skus.join()}&${place}&radius_m=100000&inventory_age=any_age&purchase_eligibility=any`;
    const { data, meta } = await explorer.answer<Comparison>(`/v1/availability/comparison?${query}`);
    await using view = await explorer.open(`#/compare?${query}`);
    const { page } = view;
    await page.getByRole('heading', { name: 'How certain this is' }).waitFor();
    const cards = await page.locator('.strategies > li').allTextContents();
    expect(cards).toHaveLength(5);
    for (const [index, { strategy, result_state, plan }] of data.strategies.entries()) {
      expect(cards[index]).toContain(strategyWords[strategy].name);
      expect(cards[index]).toContain(resultWords[result_state]);
      for (const { store } of plan?.stores ?? []) {
        expect(cards[index]).toContain(`${store.name}, ${distanceText(store.distance_m ?? -1)}`);
      }
    }
    const rows = data.strategies.reduce((sum, { plan }) => sum + (plan?.stop_count ?? 0) * skus.length, 0);
    expect(rows).toBeGreaterThan(0);
    expect(await page.getByRole('region', { name: 'Products at the stops' }).locator('tbody tr').count()).toBe(rows);
    const facts = (await page.locator('dl.facts').textContent()) ?? '';
    expect(facts).toContain(`${meta.coverage.observed_pair_count} of ${meta.coverage.expected_pair_count} pairs`);
    const chosen = data.strategies.find(({ strategy }) => strategy === 'best_partial_plan');
    await expect.poll(() => page.locator('.map .point .stop').count()).toBe(chosen?.plan?.stop_count);
    await page.locator('.sources summary').click();
    const link = await page.locator('.sources a').getAttribute('href');
    expect(await (await fetch(link ?? '')).json()).toEqual({ data, meta });
    await page.getByRole('button', { name: /Show on the map.*Nearest store that covers any/ }).click();
    expect(page.url()).toContain('plan=closest_store_with_any');
  });

  test('takes products by SKU and by name, a place by hand, and options, and a link shares them', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    const field = page.getByLabel('Add by SKU or by name');
    await field.fill('014100');
    await field.press('Enter');
    await page.getByRole('link', { name: /Peach Schnapps/ }).waitFor();
    await field.fill('vodka');
    await field.press('Enter');
    await page.getByRole('button', { name: /^Add / }).first().click();
    await field.fill('999999');
    await field.press('Enter');
    await page.getByText('no published product has this SKU').waitFor();
    await page.getByLabel('Latitude').fill('north');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('The latitude must be a number').waitFor();
    await page.getByLabel('Latitude').fill('43.2217');
    await page.getByLabel('Longitude').fill('-118.3048');
    await page.getByLabel('Longitude').press('Enter');
    await page.getByLabel('Stops at most').selectOption('1');
    await page.getByLabel('Radius').fill('80');
    await page.getByLabel('Radius').press('Tab');
    await page.getByRole('heading', { name: 'How certain this is' }).waitFor();
    // The answer for the radius before may still be there.
    await page.waitForURL(
      /#\/compare\?skus=014100%2C\d{6}%2C999999&lat=43.2217&lng=-118.3048&radius_m=80000&max_stops=1$/,
    );
    const strategies = await page.locator('.strategies').textContent();
    await page.reload();
    await page.getByText('no published product has this SKU').waitFor();
    await expect.poll(() => page.locator('.strategies').textContent()).toBe(strategies);
    await page.getByRole('button', { name: 'Remove 999999' }).click();
    await page.getByRole('button', { name: 'Remove 014100' }).click();
    await page.getByText('no published product has this SKU').waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: /Peach Schnapps/ }).count()).toBe(0);
    // The service says 404 of the SKU that nobody has.
    for (const problem of view.takeProblems()) expect(problem).toContain('404');
  });

  test('asks for the location only when a button is pressed, and puts it into the address in three decimals', async () => {
    await using view = await explorer.open('#/compare');
    const { page } = view;
    await page.context().setGeolocation({ latitude: 43.26891, longitude: -118.29509 });
    await page.context().grantPermissions(['geolocation'], { origin: explorer.origin });
    expect(page.url()).not.toContain('lat');
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByText('rounded to about 100 metres').waitFor();
    expect(page.url()).toContain('lat=43.269&lng=-118.295');
    expect(await page.getByLabel('Latitude').inputValue()).toBe('43.269');
    await page.locator('.map .origin').first().waitFor();
    await using refused = await explorer.open('#/compare');
    await refused.page.getByRole('button', { name: 'Use my location' }).click();
    await refused.page.getByText('The browser may not tell its location.').waitFor();
    expect(refused.page.url()).not.toContain('lat');
  });
});

const mediaTypes: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Questions near stores of the site, some of products that nobody has. */
async function randomQuestions(site: Site, count: number): Promise<ComparisonQuestion[]> {
  const random = seededRandom(12);
  const products = await site.products().take(100);
  const located = (await site.stores().take(100)).flatMap(({ location }) => (location === null ? [] : [location]));
  return Array.from({ length: count }, () => {
    const { latitude, longitude } = pick(random, located);
    const some = Array.from({ length: integer(random, 1, 8) }, () => pick(random, products));
    const skus = [...new Set(some.map(({ source_ids }) => source_ids.agency_sku))];
    return {
      skus: random() < 0.1 ? [...skus, '999999'] : skus,
      lat: Number((latitude + (random() - 0.5) / 2).toFixed(6)),
      lng: Number((longitude + (random() - 0.5) / 2).toFixed(6)),
      radius_m: integer(random, 1, 12) ** 4 * 20,
      max_stops: integer(random, 1, 3),
      purchase_eligibility: pick(random, ['eligible', 'any'] as const),
      inventory_age: pick(random, ['within_policy', 'any_age'] as const),
      ...(random() < 0.2 ? { strategies: [pick(random, strategyName.options)] } : {}),
    };
  });
}

/** The answer as text, or the code of the problem. */
async function answerOf(site: Site, question: ComparisonQuestion): Promise<string> {
  try {
    return JSON.stringify(await site.compare(question));
  } catch (error) {
    if (error instanceof ProblemError) return String(error.code);
    throw error;
  }
}

describeInBrowser('a comparison in the page', () => {
  let sites: ServedSites;
  beforeAll(async () => {
    sites = await ServedSites.start('whole');
    const client = new Map((await bundleClient()).map(({ name, text }) => [`/client/${name}`, text]));
    // Browsers run no module without its media type.
    sites.files.intercept = ({ url = '' }, response) => {
      const [extension = ''] = /(?<=\.)\w+$/.exec(url) ?? [];
      const type = mediaTypes[extension];
      if (type === undefined) return false;
      const file = join(sites.files.folder, url);
      response.setHeader('Content-Type', type);
      response.end(client.get(url) ?? readFileSync(file));
      return true;
    };
  });
  afterAll(async () => {
    await sites?.[Symbol.asyncDispose]();
  });

  test('of plain files is the answer of the service, for 60 questions', async () => {
    const service = await openSite(sites.service.origin);
    const questions = await randomQuestions(service, 60);
    const expected: string[] = [];
    for (const question of questions) expected.push(await answerOf(service, question));

    await using opened = await openPage(`${sites.files.url}/index.html`);
    const answers = await opened.page.evaluate(`(async () => {
      const { openSite } = await import('/client/open-site.js');
      const site = await openSite(location.origin);
      const answers = [];
      for (const question of ${JSON.stringify(questions)}) {
        answers.push(await site.compare(question).then(JSON.stringify, (error) => String(error.code)));
      }
      return answers;
    })()`);
    expect(answers).toEqual(expected);
    for (const result of ['"complete"', '"partial"', '"no_solution"', 'SKU_NOT_FOUND']) {
      expect(
        expected.some((text) => text.includes(result)),
        result,
      ).toBe(true);
    }
    opened.takeProblems();
  });

  test('shows on plain files what it shows on a host that computes, without the link that only that one answers', async () => {
    const place = '#/compare?skus=014100&lat=43.2217&lng=-118.3048';
    const texts: (string | null)[] = [];
    for (const address of [`${sites.service.origin}/`, `${sites.files.url}/index.html`]) {
      await using opened = await openPage(`${address}${place}`);
      await opened.page.getByRole('heading', { name: 'How certain this is' }).waitFor();
      texts.push(await opened.page.locator('.strategies').textContent());
      const links = opened.page.locator('.sources a[href*="/availability/comparison"]');
      expect(await links.count()).toBe(address.endsWith('/') ? 1 : 0);
      if (!address.endsWith('/')) opened.takeProblems();
    }
    expect(texts[1]).toBe(texts[0]);
  });
});
