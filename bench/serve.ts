import { join } from 'node:path';
import type { PageIndex } from '../contract/schemas/pages.ts';
import type { SearchIndex } from '../contract/schemas/search.ts';
import type { ComparisonStores } from '../contract/schemas/store.ts';
import { installed } from '../test/support/installed-programs.ts';
import { pick, type Random, seededRandom } from '../test/support/random.ts';
import { load } from './load.ts';
import { type Row, timesRow } from './report.ts';
import type { Bench } from './run.ts';
import { type Server, startBare, startNginx, startService } from './servers.ts';
import type { Home } from './site.ts';

/** The number of different questions of a kind. A service keeps fewer computed answers than that. */
const questions = 2_000;

/** How often each server has its turn in a measurement: what else the machine does then affects all of them alike. */
const turns = 6;

/**
 * Answers per second of processor time: of `serve`, and of bare `node:http` and nginx that send the same bytes. What
 * the client takes does not count.
 */
export async function serveRows(bench: Bench, homes: readonly Home[]): Promise<Row[]> {
  const { workspace } = bench;
  const [dist = ''] = homes.map(({ folder }) => join(folder, 'dist'));
  const services: Server[] = [];
  for (const { program, folder } of homes) {
    services.push(await startService('`serve`', program, join(folder, 'dist'), workspace.newFolder('service')));
  }
  const nginx = installed('nginx') ? await startNginx(dist, workspace.newFolder('nginx')) : null;
  if (nginx === null) bench.say('no nginx: measuring without it');
  const rows: Row[] = [];
  try {
    for (const { path, etag } of await documentRequests(services[0]?.url ?? '')) {
      const fields = { 'Accept-Encoding': 'identity', ...(etag === null ? {} : { 'If-None-Match': etag }) };
      const answer = await fetch(`${services[0]?.url}${path}`, { headers: fields });
      const body = Buffer.from(await answer.arrayBuffer());
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)),
      );
      const { status } = answer;
      const bare = await startBare({ status, headers, body: body.toString('base64') }, workspace.newFolder('bare'));
      const size = etag === null ? `${(body.length / 1000).toFixed(1)} KB` : 'unchanged (304)';
      const what = `${path.replace(/[0-9a-f-]{36}|\d{6}/, '…')}, ${size}`;
      const yardsticks = [bare, ...(nginx ? [nginx] : [])];
      const [serve = [], before, ...others] = await rates(bench, what, [path], services, yardsticks, etag);
      await bare.stop();
      const own = { what, unit: 'answers per CPU second', now: serve, before: before ?? null };
      rows.push(
        own,
        ...yardsticks.map(({ name }, index) => timesRow(`compared with ${name}`, own, others[index] ?? [])),
      );
    }
    for (const [what, paths] of await questionPaths(services[0]?.url ?? '')) {
      const [now = [], before] = await rates(bench, what, paths, services, []);
      rows.push({ what, unit: 'answers per CPU second', now, before: before ?? null });
    }
  } finally {
    for (const server of [...services, ...(nginx ? [nginx] : [])]) await server.stop();
  }
  return rows;
}

/**
 * Measures the servers by turns, and returns the rates of each. This clone's service comes first, then the other
 * clone's, which is undefined if there is no other clone.
 */
async function rates(
  { repetitions, loadSeconds, say }: Bench,
  what: string,
  paths: readonly string[],
  [service, other]: readonly Server[],
  yardsticks: readonly Server[],
  etag: string | null = null,
): Promise<(number[] | undefined)[]> {
  const all = [service, other, ...yardsticks].map(
    (server) => server && { server, rates: [] as number[], answers: 0, cpuSeconds: 0 },
  );
  const measured = all.filter((one) => one !== undefined);
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    say(`${what}, ${repetition === 0 ? 'warming up' : `${repetition} of ${repetitions}`}`);
    for (const one of measured) [one.answers, one.cpuSeconds] = [0, 0];
    for (let turn = 0; turn < turns; turn += 1) {
      for (const one of measured) {
        const before = one.server.cpuSeconds();
        one.answers += await load(one.server.url, paths, loadSeconds / turns, etag);
        one.cpuSeconds += one.server.cpuSeconds() - before;
      }
    }
    if (repetition > 0) for (const one of measured) one.rates.push(one.answers / one.cpuSeconds);
  }
  return all.map((one) => one?.rates);
}

/** The size of an answer between a product and a page of changes, in bytes. */
const middlingSize = 24_000;

async function sizedChanges(url: string, id: string): Promise<{ readonly path: string; readonly size: number }> {
  const path = `/v1/products/${id}/changes`;
  return { path, size: (await (await fetch(url + path)).text()).length };
}

/** A product, the same for a client that has it already (`etag`), the changes of a product, and a page of changes. */
async function documentRequests(url: string): Promise<{ readonly path: string; readonly etag: string | null }[]> {
  const { entries } = await json<SearchIndex>(`${url}/v1/search/index.json`);
  const [sku] = entries.flatMap(({ hit }) => (hit.kind === 'product' ? hit.agency_sku : []));
  const product = `/v1/products/by-sku/${sku}`;
  const changes = await Promise.all(
    entries.slice(0, 50).flatMap(({ hit }) => (hit.kind === 'product' ? sizedChanges(url, hit.id) : [])),
  );
  const [middling] = changes.sort((a, b) => Math.abs(a.size - middlingSize) - Math.abs(b.size - middlingSize));
  const { page_path } = await json<PageIndex>(`${url}/v1/changes/pages.json`);
  const { headers } = await fetch(url + product, { method: 'HEAD' });
  return [
    { path: product, etag: null },
    { path: product, etag: headers.get('etag') },
    { path: middling?.path ?? product, etag: null },
    { path: page_path.replace('{number}', '1'), etag: null },
  ];
}

/** Different questions of each computed kind, from the words, products and stores of the site. */
async function questionPaths(url: string): Promise<[kind: string, paths: string[]][]> {
  const { stores } = await json<ComparisonStores>(`${url}/v1/availability/stores.json`);
  const { entries } = await json<SearchIndex>(`${url}/v1/search/index.json`);
  const skus = entries.flatMap(({ hit }) => (hit.kind === 'product' ? hit.agency_sku : []));
  const words = entries.flatMap(({ hit }) => hit.name.toLowerCase().split(/[^a-z]+/)).filter((word) => word.length > 3);
  const places = stores.flatMap(({ id, location }) => (location === null ? [] : { id, ...location }));
  const kinds: readonly (readonly [string, (random: Random) => string])[] = [
    [
      'comparisons of 25 products',
      (random) => {
        const asked = new Set(Array.from({ length: 25 }, () => pick(random, skus)));
        const { latitude, longitude } = pick(random, places);
        return `/v1/availability/comparison?skus=${[...asked].join()}&lat=${latitude}&lng=${longitude}&radius_m=500000`;
      },
    ],
    ['searches', (random) => `/v1/search?q=${pick(random, words)}%20${pick(random, words).slice(0, 2)}`],
    [
      'selections of change events',
      (random) => `/v1/changes?store_id=${pick(random, places).id}&limit=${pick(random, [10, 20, 100])}`,
    ],
  ];
  return kinds.map(([kind, pathOf]) => {
    const random = seededRandom(20_251_120);
    return [kind, Array.from({ length: questions }, () => pathOf(random))];
  });
}

/** A document of the service. It is not checked, because the build has checked it against the schemas. */
async function json<Shape>(url: string): Promise<Shape> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as Shape;
}
