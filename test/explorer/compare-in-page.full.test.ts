import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, ProblemError, type Site } from '../../client/open-site.ts';
import type { ComparisonQuestion } from '../../client/site.ts';
import { bundleClient } from '../../generator/client-bundle.ts';
import { strategyName } from '../../generator/contract/documents/comparison.ts';
import { ServedSites } from '../client/served-sites.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { integer, pick, seededRandom } from '../support/random.ts';

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
      skus: random() < 0.03 ? [...skus, '999999'] : skus,
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

  test('of plain files is the answer of the service, for 200 questions', async () => {
    const service = await openSite(sites.service.origin);
    const questions = await randomQuestions(service, 200);
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
