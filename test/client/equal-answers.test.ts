import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenOptions, openSite, ProblemError, type Site } from '../../client/open-site.ts';
import { changeType } from '../../contract/schemas/change.ts';
import { searchKind } from '../../contract/schemas/search.ts';
import { strategyName } from '../../contract/schemas/store.ts';
import type { Host } from '../hosts/host.ts';
import { nginx } from '../hosts/plain-hosts.ts';
import { installed } from '../support/installed-programs.ts';
import { integer, pick, type Random, seededRandom } from '../support/random.ts';
import { ServedSites } from './served-sites.ts';

/*
 * The same questions to a host that computes and to plain hosts, where the client computes the answers from files.
 */

let sites: ServedSites;
let service: Site;
let nginxServer: Host | null = null;
/** The site at each plain host. */
let plain: readonly Site[];
beforeAll(async () => {
  sites = await ServedSites.start();
  service = await openSite(sites.service.origin);
  const files = await openSite(sites.files.url);
  nginxServer = installed('nginx') ? await nginx.start(sites.site) : null;
  plain = nginxServer ? [files, await openSite(nginxServer.url)] : [files];
});
afterAll(async () => {
  await nginxServer?.[Symbol.asyncDispose]();
  await sites?.[Symbol.asyncDispose]();
});

/** Up to `count` distinct items. */
function sample<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  const some = new Set<Item>();
  for (let left = 3 * count; left > 0 && some.size < count; left -= 1) some.add(pick(random, items));
  return [...some];
}

type Question = (site: Site) => Promise<unknown>;

/** The answer as text, or the problem without the parts that name the request. */
async function outcome(question: Question, site: Site): Promise<string> {
  try {
    return JSON.stringify(await question(site));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { request_id: _, ...problem } = error.problem ?? { request_id: '' };
    return JSON.stringify({ ...problem, instance: null });
  }
}

async function expectEqual(questions: readonly Question[]): Promise<string[]> {
  const outcomes = await Promise.all(questions.map((question) => outcome(question, service)));
  for (const site of plain) {
    for (const [i, question] of questions.entries()) expect(await outcome(question, site)).toBe(outcomes[i]);
  }
  return outcomes;
}

test('a host that computes answers the first question at once, and a question that it refuses is not answered from its files', async () => {
  const asked: string[] = [];
  const fetch: OpenOptions['fetch'] = (url, init) => {
    asked.push(new URL(url).pathname);
    return globalThis.fetch(url, init);
  };
  const open = async () => {
    const site = await openSite(sites.service.origin, { fetch });
    asked.length = 0;
    return site;
  };
  await (await open()).compare({ skus: ['014100'], lat: 40, lng: -111 });
  expect(asked).toEqual(['/v1/availability/comparison']);
  await (await open()).changes({ types: ['price_changed'] }).take(1);
  expect(asked).toEqual(['/v1/changes']);
  const refused = (await open()).compare({ skus: ['999999'], lat: 40, lng: -111 });
  await expect(refused).rejects.toMatchObject({ code: 'SKU_NOT_FOUND' });
  expect(asked).toEqual(['/v1/availability/comparison', '/v1/search']);
});

test('a plain host whose first question is a selection of a list', async () => {
  const selection = (site: Site) => site.changes({ types: ['price_changed'] }).take(5);
  for (const { url } of plain) expect(await selection(await openSite(url))).toEqual(await selection(service));
});

test('searches', async () => {
  const random = seededRandom(1);
  const words = (await service.products().take(100)).flatMap(({ name, source_ids }) => [
    ...name.split(' '),
    source_ids.agency_sku,
  ]);
  const questions = Array.from({ length: 40 }, (): Question => {
    const text = sample(random, words, integer(random, 1, 3)).join(' ');
    const q = text.slice(0, integer(random, 1, text.length));
    const kinds = random() < 0.4 ? { kinds: sample(random, searchKind.options, 2) } : {};
    const limit = random() < 0.5 ? { limit: integer(random, 1, 100) } : {};
    return (site) => site.search({ q, ...kinds, ...limit });
  });
  const outcomes = await expectEqual([
    ...questions,
    (site) => site.search({ q: '' }),
    (site) => site.search({ q: '+&%' }),
  ]);
  expect(outcomes.filter((text) => text.includes('"id"')).length).toBeGreaterThan(20);
});

test('comparisons', async () => {
  const random = seededRandom(2);
  const products = await service.products().take(100);
  const stores = await service.stores().take(100);
  const questions = Array.from({ length: 40 }, (): Question => {
    const some = sample(random, products, integer(random, 1, 6));
    const { location } = pick(
      random,
      stores.filter((store) => store.location !== null),
    );
    const which =
      random() < 0.5
        ? { product_ids: some.map(({ id }) => id) }
        : { skus: some.map(({ source_ids }) => source_ids.agency_sku) };
    const question = {
      ...which,
      lat: (location?.latitude ?? 0) + integer(random, -9, 9) / 100,
      lng: location?.longitude ?? 0,
      radius_m: integer(random, 1, 200_000),
      inventory_age: pick(random, ['any_age', 'within_policy'] as const),
      ...(random() < 0.5 && { purchase_eligibility: pick(random, ['any', 'eligible'] as const) }),
      ...(random() < 0.5 && { max_stops: integer(random, 1, 3) }),
      ...(random() < 0.5 && { strategies: sample(random, strategyName.options, 2) }),
    };
    return (site) => site.compare(question);
  });
  const outcomes = await expectEqual(questions);
  expect(outcomes.filter((text) => text.includes('"result_state":"complete"')).length).toBeGreaterThan(5);
  const place = { lat: 40, lng: -111 };
  const problems = await expectEqual([
    (site) => site.compare({ ...place, skus: ['999999'] }),
    (site) => site.compare({ ...place, skus: ['abc'] }),
    (site) => site.compare({ ...place, product_ids: ['00000000-0000-4000-8000-000000000000'] }),
    (site) => site.compare({ lat: 100, lng: 0 }),
  ]);
  for (const text of problems) expect(text).toContain('"invalid_params"');
});

test('selections', async () => {
  const random = seededRandom(3);
  const products = await service.products().take(100);
  const stores = await service.stores().take(100);
  const families = await service.families().take(100);
  const categories = (await service.categories()).data;
  const times = (await service.changes().take(1000)).map(({ times }) => times.retrieved_at).sort();
  const filters = () => {
    const [since = '', until = ''] = sample(random, times, 2).sort();
    return {
      ...(random() < 0.6 && { types: sample(random, changeType.options, integer(random, 1, 3)) }),
      ...(random() < 0.3 && { store_id: pick(random, stores).id }),
      ...(random() < 0.3 && { since }),
      ...(random() < 0.3 && { until }),
    };
  };
  const size = () => integer(random, 1, 250);
  const questions = Array.from({ length: 40 }, (_, number): Question => {
    const [count, query] = [size(), filters()];
    switch (number % 5) {
      case 0:
        return (site) => site.changes(query).take(count);
      case 1: {
        const product = pick(random, products);
        const one = random() < 0.5 ? { product_id: product.id } : { sku: product.source_ids.agency_sku };
        return (site) => site.changes({ ...query, ...one, limit: count }).take(300);
      }
      case 2: {
        const { id } = pick(random, products);
        return (site) => site.productChanges(id, query).take(count);
      }
      case 3: {
        const { id } = pick(random, families);
        return (site) => site.familyChanges(id, query).take(count);
      }
      default: {
        const q = pick(random, products).brand?.slice(0, integer(random, 1, 4));
        const brands = {
          ...(q && random() < 0.5 && { q }),
          ...(random() < 0.5 && { category_ids: [pick(random, categories).id] }),
          ...(random() < 0.5 && { sort: pick(random, ['name', '-name'] as const) }),
        };
        return (site) => site.brands(brands).take(count);
      }
    }
  });
  const outcomes = await expectEqual(questions);
  expect(outcomes.filter((text) => text.includes('"id"')).length).toBeGreaterThan(20);
  const unknown = '00000000-0000-4000-8000-000000000000';
  const problems = await expectEqual([
    (site) => site.changes({ sku: '999999' }).take(1),
    (site) => site.changes({ store_id: unknown }).take(1),
    (site) => site.productChanges(unknown, { types: ['price_changed'] }).take(1),
    (site) => site.changes({ since: 'yesterday' }).take(1),
  ]);
  for (const text of problems) expect(text).toContain('"code"');
});

test('whether a host computes is found out once, or never if the program says it', async () => {
  sites.files.taken();
  const open = (options: OpenOptions) => openSite(sites.files.url, { ...options, pinned: true });
  await (await open({})).search({ q: 'peach' });
  expect(sites.files.taken()).toEqual(['/v1/metadata', '/v1/metadata.json', '/v1/search/index.json', '/current.json']);
});
