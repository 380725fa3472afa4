import type { ProductDetail, SearchIndex } from '../../contract/schemas/catalog.ts';
import type { PageIndex } from '../../contract/schemas/pages.ts';
import type { ComparisonStores } from '../../contract/schemas/store.ts';
import { installed } from '../../test/support/installed-programs.ts';
import type { Lab } from '../lab.ts';
import { ratioOf, type Spread, spreadOf } from '../statistics.ts';
import { comparison, type Subjects, searching, selection, writeQuestions } from './questions.ts';
import { type Running, startBare, startNginx, startService } from './servers.ts';
import { hasWrk, type Load, type LoadRequest, load } from './wrk.ts';

/** Measurements of one program for one kind of request. */
export type LoadFigure = {
  readonly request: string;
  readonly program: string;
  readonly perSecond: Spread;
  readonly p50: number;
  readonly p99: number;
  /** The service's rate as a share of this program's; null for the service itself. */
  readonly share: Spread | null;
  readonly peakBytes: number | null;
};

const connections = 32;
/**
 * A service that has read nothing yet needs this many times as long as one measurement to answer each question once.
 */
const roundsToWarm = 8;

/**
 * Measures the answers per second of the service, and of bare `node:http` and nginx that send the same, on one series.
 */
export async function loadBenchmark(lab: Lab, seconds: number): Promise<LoadFigure[]> {
  if (!hasWrk) {
    lab.say('no wrk: nothing to measure the service with');
    return [];
  }
  const database = (await lab.databases()).at(-1) ?? '';
  const dist = lab.workspace.path('dist');
  lab.say('building the site to serve');
  await lab.build(database, dist, 'current');
  const service = await startService(lab.program, dist, lab.workspace.path('service'));
  const nginx = installed('nginx') ? await startNginx(dist, lab.workspace.path('nginx')) : null;
  if (nginx === null) lab.say('no nginx: measuring without it');
  try {
    const subjects = await subjectsOf(service.url);
    return [
      ...(await documents(lab, service, nginx, seconds, subjects)),
      ...(await computed(lab, service, seconds, subjects)),
    ];
  } finally {
    await service.stop();
    await nginx?.stop();
  }
}

/** Measures precomputed files and their 304s, each beside servers that send the same bytes. */
async function documents(
  lab: Lab,
  service: Running,
  nginx: Running | null,
  seconds: number,
  { skus }: Subjects,
): Promise<LoadFigure[]> {
  const product = `/v1/products/by-sku/${skus[0]}`;
  const { data } = await json<{ readonly data: ProductDetail }>(service.url + product);
  const paths = [
    product,
    `/v1/products/${data.id}/availability`,
    (await json<PageIndex>(`${service.url}/v1/changes/pages.json`)).page_path,
  ];
  const figures: LoadFigure[] = [];
  for (const path of paths.map((one) => one.replace('{number}', '1'))) {
    const answer = await fetch(service.url + path);
    const body = Buffer.from(await answer.arrayBuffer());
    const etag = answer.headers.get('etag') ?? '';
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)),
    );
    const { 'content-type': _type, 'content-length': _length, ...unchanged } = headers;
    const size = `${(body.length / 1000).toFixed(1)} KB`;
    const whole = { status: 200, headers, body: body.toString('base64') };
    const bare = await startBare(whole, lab.workspace.path('bare'));
    const bareUnchanged = await startBare(
      { status: 304, headers: unchanged, body: '' },
      lab.workspace.path('bare-304'),
    );
    const all: [string, Running][] = [
      ['`serve`', service],
      ['bare `node:http`', bare],
    ];
    if (nginx) all.push(['nginx', nginx]);
    figures.push(
      ...(await compare(lab, `${path.replace(/[0-9a-f-]{36}|\d{6}/, '…')}, ${size}`, all, seconds, (url) => ({
        url: url + path,
      }))),
    );
    const both: [string, Running][] = [
      ['`serve`', service],
      ['bare `node:http`', bareUnchanged],
    ];
    // Leaves out nginx: its 304 has the Content-Length of the whole file, which is allowed, but makes wrk wait for a
    // body.
    const known = (url: string) => ({ url: url + path, headers: { 'If-None-Match': etag } });
    figures.push(...(await compare(lab, `${path.replace(/[0-9a-f-]{36}|\d{6}/, '…')}, 304`, both, seconds, known)));
    await bare.stop();
    await bareUnchanged.stop();
  }
  return figures;
}

/** Measures answers that are computed on request, for the service alone. */
async function computed(lab: Lab, service: Running, seconds: number, subjects: Subjects): Promise<LoadFigure[]> {
  const figures = await compare(lab, 'the list of all changes', [['`serve`', service]], seconds, (url) => ({
    url: `${url}/v1/changes`,
  }));
  const kinds = [
    ['comparisons of 1 to 25 products', comparison],
    ['selections of change events', selection],
    ['searches', searching],
  ] as const;
  for (const [name, question] of kinds) {
    const script = lab.workspace.path('questions.lua');
    writeQuestions(script, subjects, question);
    lab.say(`${name}, asking each once`);
    await load({ url: service.url, script }, seconds * roundsToWarm, connections, lab.workspace.path('wrk'));
    figures.push(...(await compare(lab, name, [['`serve`', service]], seconds, (url) => ({ url, script }))));
  }
  return figures;
}

/** Measures the programs alternately, so that a disturbance is likely to affect all of them. */
async function compare(
  lab: Lab,
  request: string,
  programs: readonly [string, Running][],
  seconds: number,
  ask: (url: string) => LoadRequest,
): Promise<LoadFigure[]> {
  const loads: Load[][] = programs.map(() => []);
  for (let repetition = 0; repetition <= lab.repetitions; repetition += 1) {
    lab.say(`${request}, ${repetition === 0 ? 'warming up' : `${repetition} of ${lab.repetitions}`}`);
    for (const [index, [program, { url }]] of programs.entries()) {
      const done = await load(ask(url), seconds, connections, lab.workspace.path('wrk'));
      if (done.failures > 0) throw new Error(`${program}, ${request}: ${done.failures} requests failed`);
      if (repetition > 0) loads[index]?.push(done);
    }
  }
  const rates = loads.map((all) => all.map(({ requestsPerSecond }) => requestsPerSecond));
  return programs.map(([program, { peakBytes }], index) => ({
    request,
    program,
    perSecond: spreadOf(rates[index] ?? []),
    p50: spreadOf((loads[index] ?? []).map(({ p50 }) => p50)).median,
    p99: spreadOf((loads[index] ?? []).map(({ p99 }) => p99)).median,
    share: index === 0 ? null : ratioOf(rates[0] ?? [], rates[index] ?? []),
    peakBytes: index === 0 ? peakBytes() : null,
  }));
}

/** The products, stores, words and times of a running service that questions can use. */
export function subjectsOf(url: string): Promise<Subjects> {
  return subjectsFrom((path) => json(url + path));
}

/** The same from the documents that `read` returns by path. */
export async function subjectsFrom(read: (path: string) => Promise<unknown>): Promise<Subjects> {
  const [{ stores }, { entries }, { segments, pages }] = (await Promise.all([
    read('/v1/availability/stores.json'),
    read('/v1/search/index.json'),
    read('/v1/changes/pages.json'),
  ])) as [ComparisonStores, SearchIndex, PageIndex];
  const words = entries.flatMap(({ hit }) => hit.name.toLowerCase().split(/[^a-z]+/));
  return {
    skus: entries.flatMap(({ hit }) => (hit.kind === 'product' ? hit.agency_sku : [])),
    stores: stores.flatMap(({ id, location }) => (location === null ? [] : { id, ...location })),
    words: [...new Set(words)].filter((word) => word.length > 3),
    times: [...segments, ...pages].flatMap(({ retrieved }) => retrieved),
  };
}

/** A document of the service. It is not checked, because the build has checked it against the schemas. */
async function json<Shape>(url: string): Promise<Shape> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as Shape;
}
