import { addresser } from '../../contract/paths.ts';
import { Handler } from '../../shim/handler.ts';
import { nodeHash } from '../../shim/node/node-host.ts';
import { SiteFolder } from '../../shim/node/site-folder.ts';
import { QuestionQueue } from '../../shim/question-queue.ts';
import { prepareSearch } from '../../shim/search.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { parseJsonBytes, type Reading } from '../../shim/site/reading.ts';
import { seededRandom } from '../../test/support/random.ts';
import type { Lab } from '../lab.ts';
import { subjectsFrom } from '../load/load-benchmark.ts';
import {
  anyQuestion,
  changedQuestion,
  type Question,
  type QuestionKind,
  questionKinds,
  targetOf,
} from './question-kinds.ts';

/** The slowest request of a kind, in processor time. `tried`: how many were compared. */
export type SlowestFigure = {
  readonly kind: string;
  readonly tried: number;
  /** Milliseconds of processor time, of all threads, with no document in memory, and once all of them are. */
  readonly coldMs: number;
  readonly warmMs: number;
  readonly status: number;
  readonly target: string;
};

/** How many questions of a kind are drawn, and how often the slowest one is changed. */
const [drawn, changes] = [100, 300];
/** The least of this many measurements counts, because other work on the machine can only add time. */
const measurements = 3;
const listedProducts = 300;

/**
 * Searches for the request of each kind that takes the most processor time: draws some, then climbs from the slowest.
 */
export async function slowestBenchmark(lab: Lab): Promise<SlowestFigure[]> {
  const dist = lab.workspace.path('slowest');
  lab.say('building the site to ask');
  await lab.build((await lab.databases()).at(-1) ?? '', dist, 'current');
  return slowestOf(dist, lab.say);
}

/** The slowest requests of a built site. */
export async function slowestOf(dist: string, say: (text: string) => void): Promise<SlowestFigure[]> {
  const { subjects, productIds } = await subjectsIn(dist);
  const figures: SlowestFigure[] = [];
  for (const kind of questionKinds(subjects, productIds)) {
    say(`the slowest request: ${kind.name}`);
    figures.push(await slowest(dist, kind));
  }
  return figures;
}

async function slowest(dist: string, kind: QuestionKind): Promise<SlowestFigure> {
  const random = seededRandom(20_251_122);
  let [worst, most] = [anyQuestion(random, kind), 0];
  const consider = async (question: Question) => {
    let ms = (await measured(dist, question)).coldMs;
    // Most questions are faster than the slowest so far. One that seems slower is measured again to make sure.
    for (let again = 1; ms > most && again < measurements; again += 1) {
      ms = Math.min(ms, (await measured(dist, question)).coldMs);
    }
    if (ms > most) [worst, most] = [question, ms];
  };
  for (let n = 0; n < drawn; n += 1) await consider(anyQuestion(random, kind));
  for (let n = 0; n < changes; n += 1) await consider(changedQuestion(random, kind, worst));
  const last = [];
  for (let n = 0; n < measurements; n += 1) last.push(await measured(dist, worst));
  return {
    kind: kind.name,
    tried: drawn + changes,
    coldMs: Math.min(...last.map(({ coldMs }) => coldMs)),
    warmMs: Math.min(...last.map(({ warmMs }) => warmMs)),
    status: last[0]?.status ?? 0,
    target: targetOf(worst),
  };
}

/** Asks a service that has nothing in memory (except the search index, if the question is a search), and asks again. */
async function measured(dist: string, question: Question) {
  const { handler } = await serviceOf(dist, question.path === '/v1/search');
  const cold = await asked(handler, question);
  const warm = await asked(handler, question);
  return { coldMs: cold.ms, warmMs: warm.ms, status: cold.status };
}

async function asked(handler: Handler, question: Question) {
  const [id, headers] = ['00000000-0000-4000-8000-000000000000', new Headers()];
  const request = { id, method: 'GET', target: targetOf(question), headers, client: '192.0.2.1' };
  const before = process.cpuUsage();
  const { status } = await handler.answer(request);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, status };
}

type Service = { readonly handler: Handler; readonly publication: CurrentPublication };
let searching: Promise<Service> | null = null;

/**
 * A service like that of `serve.ts`, without HTTP. The one for searches is kept, because its index takes long to make.
 */
function serviceOf(dist: string, isSearching: boolean): Promise<Service> {
  if (!isSearching) return newService(dist);
  searching ??= newService(dist).then(async (service) => {
    const view = await service.publication.view();
    if (view) await prepareSearch(view);
    return service;
  });
  return searching;
}

async function newService(dist: string): Promise<Service> {
  const log = (level: string, message: string) => {
    if (level === 'error') throw new Error(message);
  };
  const reader = new SiteFolder(dist);
  const publication = new CurrentPublication({
    source: reader,
    log,
    checkEveryMs: 60_000,
    sharesReadings: true,
    hash: nodeHash,
  });
  const queue = new QuestionQueue({ running: 1, runningPerClient: 1, waiting: 0, waitingPerClient: 0 }, setImmediate);
  const shim = { publication, address: addresser(null), log, limiter: null, now: Date.now, queue, compressor: null };
  const handler = new Handler({ ...shim, cursorSecrets: ['a secret of the benchmark'] });
  await publication.view();
  return { handler, publication };
}

const anyJson: Reading<unknown> = { name: 'any JSON', of: parseJsonBytes };

async function subjectsIn(dist: string) {
  const { publication } = await newService(dist);
  const view = await publication.view();
  if (view === null) throw new Error(`${dist}: expected a site, got none`);
  const subjects = await subjectsFrom((path) => view.require(path, anyJson));
  const { entries } = (await view.require('/v1/search/index.json', anyJson)) as {
    readonly entries: readonly { readonly hit: { readonly kind: string; readonly id: string } }[];
  };
  const products = entries.flatMap(({ hit }) => (hit.kind === 'product' ? hit.id : []));
  return { subjects, productIds: products.slice(0, listedProducts) };
}
