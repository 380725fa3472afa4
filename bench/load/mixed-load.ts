import { hash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pick, type Random, seededRandom } from '../../test/support/random.ts';
import type { Lab } from '../lab.ts';
import { comparison, type Subjects, searching, selection, slowComparison, slowSelection } from './questions.ts';
import { settledBody, turnTo, untilServed } from './switching.ts';

/** The result of a load. */
export type MixedFigure = {
  readonly perSecond: number | null;
  /** Answers with a status other than 200; null if they were not counted. */
  readonly failed: number | null;
  /** Answers that differ from what the revision in their header answers; null if this was not checked. */
  readonly mixed: number | null;
};

type Site = { readonly dist: string; readonly pointers: readonly Buffer[] };
type Reply = { readonly status: number; readonly revision: string; readonly digest: string };

const switchEveryMs = 20_000;
const readers = 24;
/** Number of different addresses of each kind. */
const variety = { documents: 1500, computed: 100 };

/**
 * Runs readers of everything at once (documents, searches, selections, comparisons, exports), while the site is
 * switched between its publications. First records the answer at each address in each publication, to compare every
 * later answer with it.
 */
export async function mixedLoad(lab: Pick<Lab, 'say'>, url: string, subjects: Subjects, { dist, pointers }: Site) {
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string, client: string) => reply(agent, url + path, client);
  const paths = await pathsOf(url, subjects);
  const expected = new Map<string, string>();
  /** Addresses that only one of the publications has, such as those of new products. */
  const missing = new Set<string>();
  lab.say(`asking ${paths.all.length} addresses of ${pointers.length} publications`);
  for (const pointer of pointers) {
    turnTo(dist, pointer);
    await untilServed(url, pointer);
    const rest = [...paths.all];
    const readAll = async () => {
      for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
        const { status, revision, digest } = await ask(path, '192.0.2.9');
        if (status === 404) missing.add(path);
        else if (status !== 200) throw new Error(`${path}: ${status}`);
        expected.set(`${revision} ${path}`, digest);
      }
    };
    await Promise.all(Array.from({ length: 8 }, readAll));
  }
  const kinds = paths.kinds
    .map((ofKind) => ofKind.filter((path) => !missing.has(path)))
    .filter((ofKind) => ofKind.length > 0);
  return {
    name: `${readers} readers of everything, a switch every ${switchEveryMs / 1000} s`,
    run: async (seconds: number): Promise<MixedFigure> => {
      const counts = { answers: 0, failed: 0, mixed: 0 };
      const end = performance.now() + seconds * 1000;
      const read = async (number: number) => {
        const random = seededRandom(number);
        while (performance.now() < end) {
          const path = pick(random, pick(random, kinds));
          const { status, revision, digest } = await ask(path, `198.51.100.${number}`);
          counts.answers += 1;
          if (status !== 200) counts.failed += 1;
          else if (expected.get(`${revision} ${path}`) !== digest) counts.mixed += 1;
        }
      };
      const reading = Array.from({ length: readers }, (_, number) => read(number));
      const everyMs = Math.min(switchEveryMs, (seconds * 1000) / 3);
      for (let turn = 0; performance.now() + everyMs < end; turn += 1) {
        await wait(everyMs);
        turnTo(dist, pointers[turn % pointers.length] as Buffer);
      }
      await Promise.all(reading);
      agent.destroy();
      return { perSecond: counts.answers / seconds, failed: counts.failed, mixed: counts.mixed };
    },
  };
}

/** Addresses by kind. Documents are requested more often than computed answers. */
async function pathsOf(url: string, subjects: Subjects) {
  const random = seededRandom(20_251_121);
  const { skus, stores } = subjects;
  const many = (count: number, make: (random: Random) => string) => [
    ...new Set(Array.from({ length: count }, () => make(random))),
  ];
  const documents = [
    ...many(variety.documents, () => `/v1/products/by-sku/${pick(random, skus)}`),
    ...many(variety.documents / 20, () => `/v1/stores/${pick(random, stores).id}/availability`),
    ...['/v1', '/v1/metadata', '/v1/changes', '/v1/brands', '/v1/products', '/v1/stores'],
  ];
  const letters = many(variety.computed, () => `/v1/search?q=${Math.floor(random() * 36).toString(36)}`);
  const asked = (question: (random: Random, subjects: Subjects) => string) =>
    many(variety.computed, () => question(random, subjects));
  const exports = await exportsOf(url);
  const computed = [letters, ...[searching, selection, slowSelection, comparison, slowComparison].map(asked)];
  const kinds = [documents, documents, documents, documents, ...computed, exports];
  return { kinds, all: [...new Set(kinds.flat())] };
}

/** Pieces of the change history, which never change, so both publications have them. */
async function exportsOf(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/v1/exports/changes.json`);
  const text = await answer.text();
  return [...new Set(text.match(/\/v1\/exports\/changes\/\d+\.ndjson\.gz/g) ?? [])].slice(0, 8);
}

function reply(agent: Agent, url: string, client: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'X-Forwarded-For': client } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const { statusCode: status = 0, headers } = answer;
        const body = Buffer.concat(chunks);
        const isText = headers['content-type'] === 'application/json';
        const digest = hash('sha256', isText ? settledBody(body.toString()) : body);
        resolve({ status, revision: String(headers['x-publication-revision']), digest });
      });
    });
    request.once('error', reject);
  });
}
