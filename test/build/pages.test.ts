import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { fixtureFolders } from '../../generator/preview.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { build, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

/** Retention of the bundled series, so short that pages and publications expire while it runs. */
const historyDays = 40;
const publicationDays = 20;
const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
const database = join(folder.path, 'db.sqlite');

type Event = { id: string; times: { published_at: string; retrieved_at: string }; product: { id: string } };
type Page = {
  data: Event[];
  meta: { page: { has_more: boolean } };
  links: { self: string | null; next: string | null };
};
type Walk = { readonly revision: string; readonly events: Event[] };

/**
 * All bodies that each address has answered, by address. Below: a walk of every change list, begun at each publication.
 */
const seen = new Map<string, Set<string>>();
const lists = (routes: ReadonlyMap<string, unknown>) => [...routes.keys()].filter((path) => path.endsWith('/changes'));
const heads: { publication: number; list: string; head: Page; walkedAtOnce: Walk }[] = [];
/** Walks begun at one of the two previous publications that found other events than they would have found then. */
const astray: string[] = [];
let last = 0;

function shorten(source: string): string {
  const copy = join(folder.path, 'snapshots', basename(source));
  cpSync(source, copy, { recursive: true });
  const header = JSON.parse(readFileSync(join(copy, 'snapshot.json'), 'utf8'));
  header.retention = { history_days: historyDays, publication_days: publicationDays };
  writeFileSync(join(copy, 'snapshot.json'), JSON.stringify(header));
  return copy;
}

/** Follows links.next on the current routes of the site. */
function walkFrom(head: Page): Event[] {
  const { routes } = readSite(dist);
  const events = [...head.data];
  for (let next = head.links.next; next !== null; ) {
    const route = routes.get(next);
    if (!route) throw new Error(`${next} leads nowhere`);
    const page = readJson(dist, route.sha256) as Page;
    expect(page.meta.page.has_more).toBe(page.links.next !== null);
    events.push(...page.data);
    next = page.links.next;
  }
  return events;
}

beforeAll(async () => {
  for (const source of fixtureFolders()) {
    const connection = openForPublishing(database);
    await publishSnapshot(connection, shorten(source), { quarantine: false, acceptShrink: false });
    connection.close();
    await build(database, dist);
    const { routes, pointer } = readSite(dist);
    last = pointer.sequence;
    for (const [path, { sha256, cache }] of routes) {
      if (cache === 'immutable') seen.set(path, (seen.get(path) ?? new Set()).add(sha256));
    }
    for (const { publication, list, head, walkedAtOnce } of heads) {
      if (publication < last - 2) continue;
      const now = walkFrom(head).map(({ id }) => id);
      const then = walkedAtOnce.events.map(({ id }) => id);
      const isAstray = now.some((id, index) => id !== then[index]);
      if (isAstray) astray.push(`${list} begun at publication ${publication}, ended at ${last}`);
    }
    for (const list of lists(routes)) {
      const head = readJson(dist, routes.get(list)?.sha256 ?? '') as Page;
      const walkedAtOnce = { revision: pointer.revision, events: walkFrom(head) };
      heads.push({ publication: pointer.sequence, list, head, walkedAtOnce });
    }
  }
});
afterAll(folder.remove);

describe('the invariants of precomputed pages (contract.md 4)', () => {
  test('the bytes at an immutable address never change', () => {
    expect(seen.size).toBeGreaterThan(50);
    for (const [path, hashes] of seen) expect(hashes.size, path).toBe(1);
  });

  test('a walk meets every retained event once, newest first', () => {
    for (const { list, walkedAtOnce } of heads) {
      const keys = walkedAtOnce.events.map(({ times, id }) => `${times.published_at} ${times.retrieved_at} ${id}`);
      expect(new Set(keys).size, list).toBe(keys.length);
      expect([...keys].sort().reverse(), list).toEqual(keys);
    }
  });

  test('a reader who began before new publications ends with what was there, less what retention took', () => {
    expect(heads.length).toBeGreaterThan(300);
    expect(astray).toEqual([]);
  });

  test('events past history_days leave by whole pages, with a clean end', () => {
    const { pointer } = readSite(dist);
    const bound = Date.parse(pointer.published_at) - historyDays * 86_400_000;
    const final = heads.filter(({ publication }) => publication === last);
    expect(final.some(({ walkedAtOnce }) => walkedAtOnce.events.length > 0)).toBe(true);
    for (const { list, walkedAtOnce } of final) {
      const { events } = walkedAtOnce;
      const past = events.filter(({ times }) => Date.parse(times.published_at) < bound);
      // A page that contains the bound keeps its older events until its newest event has passed the bound.
      expect(past.length, list).toBeLessThan(100);
    }
    const { routes } = readSite(dist);
    const first = readJson(dist, routes.get('/v1/changes/pages/1.json')?.sha256 ?? '') as Page;
    expect(first.data).toEqual([]);
    expect(first.links).toEqual({ self: null, next: null });
    expect(routes.get('/v1/changes/pages/1.json')?.cache).toBe('revalidate');
  });

  test('expired pages share one object', () => {
    const { routes } = readSite(dist);
    const expired = [...routes.values()].filter(
      ({ path, cache }) => /\/pages\/\d+\.json$/.test(path) && cache === 'revalidate',
    );
    expect(expired.length).toBeGreaterThan(2);
    expect(new Set(expired.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test('meta.history counts what a walk meets', () => {
    for (const { list, head, walkedAtOnce } of heads) {
      const { history } = head.meta as unknown as { history: Record<string, unknown> };
      const times = walkedAtOnce.events.map(({ times: { retrieved_at } }) => retrieved_at).sort();
      expect(history, list).toMatchObject({
        retained_event_count: times.length,
        earliest_available_at: times[0] ?? null,
        latest_available_at: times.at(-1) ?? null,
        retention_days: historyDays,
      });
    }
  });
});

describe('publications past publication_days', () => {
  test('leave with their exports', () => {
    const { pointer, routes } = readSite(dist);
    const bound = Date.parse(pointer.published_at) - publicationDays * 86_400_000;
    const revisions = new Set(
      [...routes.keys()].filter((path) => path.endsWith('.gz')).map((path) => path.split('/')[3]),
    );
    const retained = pointer.publications.filter(({ published_at }) => Date.parse(published_at) >= bound);
    expect([...revisions].sort()).toEqual(retained.map(({ revision }) => revision).sort());
    expect(revisions.size).toBeGreaterThan(1);
  });

  test('keep their documents while readers may walk them: two before the current one', () => {
    const { pointer } = readSite(dist);
    const kept = pointer.publications.filter(({ routes }) => routes !== null);
    expect(kept.map(({ sequence }) => sequence)).toEqual([last, last - 1, last - 2]);
    for (const { routes } of kept) expect(readSite(dist, routes ?? undefined).routes.size).toBeGreaterThan(100);
  });

  test('leave no object that nothing names', async () => {
    expect((await verifySite(dist)).counts).toMatchObject({ faults: 0, unnamed_objects: 0, unnamed_checkouts: 0 });
  });
});
