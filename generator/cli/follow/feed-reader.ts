import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { emptyIndex, pageSize, pageTable } from '../../../contract/pages.ts';
import { formatPath, parsePath } from '../../../contract/paths.ts';
import {
  type FeedEvent,
  type FeedIndex,
  type FeedPage,
  type FollowedCorrection,
  feedIndex,
  feedMetadata,
  feedPage,
} from '../../../contract/schemas/pages.ts';
import { byteLimits } from '../../../contract/site/byte-limits.ts';
import { Failure } from '../../files/failure.ts';
import { type ClientOptions, HttpClient, type Reply } from '../../http/http-client.ts';
import { jsonObject } from '../../http/json-object.ts';
import { usualPatience } from '../../http/limits.ts';

/** The feed of all changes at one moment. Events are numbered from 1, the oldest ever. Page n ends with event 100 n. */
export type FeedAtOnce = {
  readonly firstRetained: number;
  readonly newest: number;
  readonly sealedPages: number;
  /** The events after the last sealed page, oldest first. */
  readonly head: readonly FeedEvent[];
  /** The corrections, oldest first and numbered from 1. */
  readonly corrections: readonly FollowedCorrection[];
  /** Some partial mirrors have no metadata. Corrections are then unknown. */
  readonly lacksMetadata: boolean;
};

/**
 * How often to try to read the list and its index from the same publication. A new one can arrive between the two
 * requests.
 */
const attempts = 5;
const pauseMs = 300;

/** `follow` polls again anyway, so it does not retry. */
const patience = { ...usualPatience, attempts: 1, firstWaitMs: 0, longestWaitMs: 0 };

export type FeedReader = ReturnType<typeof feedReader>;

/** Reads the pages of `/v1/changes`, which every kind of host has. `root` has no slash at its end. */
export function feedReader(root: string, options: ClientOptions) {
  const http = new HttpClient({ patience, ...options });
  const ask = (url: string) => http.get(url, { headers: { Accept: 'application/json' }, maxBytes: byteLimits.list });

  /**
   * The document at a path; null if there is none. A bare file server has `/v1/changes` only as a file, so a 404 is
   * retried with `.json`.
   */
  async function find<Value>(path: string, schema: z.ZodType<Value>): Promise<Received<Value> | null> {
    const url = `${root}${path}`;
    const reply = await ask(url);
    if (reply.status !== 404) return read(url, reply, schema);
    if (path.endsWith('.json')) return null;
    const second = await ask(`${url}.json`);
    return second.status === 404 ? null : read(`${url}.json`, second, schema);
  }

  /** The document at an address. Throws a Failure that names the address. */
  async function get<Value>(path: string, schema: z.ZodType<Value>): Promise<Received<Value>> {
    const received = await find(path, schema);
    if (received === null) throw new Failure('host_answer', `GET ${root}${path}: expected status 200, got 404`);
    return received;
  }

  /** Reads the corrections, and the number of the newest event up to which they are complete. */
  async function readCorrections(): Promise<
    Pick<FeedAtOnce, 'corrections' | 'lacksMetadata'> & { last_event: number }
  > {
    const path = formatPath('metadata');
    const metadata = await find(path, feedMetadata);
    if (metadata === null) return { last_event: Number.POSITIVE_INFINITY, corrections: [], lacksMetadata: true };
    const { last_event, corrections } = metadata.value.data.feed;
    for (const [i, { number, after_event }] of corrections.entries()) {
      if (number === i + 1 && after_event >= (corrections[i - 1]?.after_event ?? 0)) continue;
      const expected = `correction ${i + 1} in the order of the feed`;
      throw new Failure(
        'host_answer',
        `${root}${path}: expected ${expected}, got ${number} after event ${after_event}`,
      );
    }
    return { last_event, corrections, lacksMetadata: false };
  }

  return {
    /**
     * Reads the feed at one moment. Throws a Failure if list and index contradict each other after all attempts, as
     * caches may cause for minutes.
     */
    async read(): Promise<FeedAtOnce> {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        if (attempt > 1) await sleep(pauseMs * attempt);
        const list = await get(formatPath('changes'), feedPage);
        // A list that never had a sealed page has no index.
        const index = (await find(formatPath('changes_index'), feedIndex)) ?? { value: emptyIndex, revision: null };
        const newestFirst = list.value.data;
        const { sealed: sealedPages, ...table } = pageTable(index.value, newestFirst.length);
        const retained = table.newest - table.oldest + 1;
        if (!agree(list, index, sealedPages, retained)) continue;
        const { last_event, ...about } = await readCorrections();
        if (newestFirst.length === 0) {
          // All events are past retention. Only the metadata says how many came after the last sealed page.
          const newest = Math.min(last_event, (sealedPages + 1) * pageSize);
          if (Number.isFinite(last_event))
            return { firstRetained: newest + 1, newest, sealedPages, head: [], ...about };
        }
        // Metadata that are older than the list can lack the correction that caused the newest events. Those events
        // wait.
        const newest = Math.min(table.newest, last_event);
        const head = [...newestFirst].reverse().slice(0, Math.max(0, newest - sealedPages * pageSize));
        return { firstRetained: table.oldest, newest, sealedPages, head, ...about };
      }
      throw new Failure(
        'host_answer',
        `${root}: expected ${formatPath('changes')} and its page index from one publication, got them from two; try again`,
      );
    },
    /** The events of a sealed page, oldest first; null if the page is past retention. */
    async sealedPage(number: number): Promise<readonly FeedEvent[] | null> {
      const path = formatPath('changes_page', { number: String(number) });
      const { value } = await get(path, feedPage);
      if (value.links.self === null) return null;
      if (value.data.length !== pageSize)
        throw new Failure('host_answer', `${root}${path}: expected ${pageSize} events, got ${value.data.length}`);
      return [...value.data].reverse();
    },
  };
}

/**
 * Whether list and index describe the same log. Compares the revisions (if the host sends them), the number of the next
 * page (if the link has it), and the counts.
 */
function agree(list: Received<FeedPage>, index: Received<FeedIndex>, sealedPages: number, retained: number): boolean {
  if (list.revision !== null && index.revision !== null && list.revision !== index.revision) return false;
  const { meta, links } = list.value;
  // A plain host's link names the page. A link of a host with the shim has a cursor instead.
  const next = links.next === null ? null : parsePath(links.next.replace(/^https?:\/\/[^/]+.*?(?=\/v1\/)/, ''));
  if (next?.kind === 'changes_page' && next.parameters.number !== String(sealedPages)) return false;
  return meta.history.retained_event_count === retained;
}

/** `revision` is the value of X-Publication-Revision, or null if the host does not send it. */
type Received<Value> = { readonly value: Value; readonly revision: string | null };

function read<Value>(url: string, { status, headers, body }: Reply, schema: z.ZodType<Value>): Received<Value> {
  if (body === null) throw new Failure('host_answer', `GET ${url}: expected status 200, got ${status}`);
  return { value: jsonObject(body, schema, `GET ${url}`), revision: headers.get('x-publication-revision') };
}
