import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddressKind } from '../../contract/addresses.ts';
import { formatPath, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { randomWorld } from '../support/random-world.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

/*
 * A reader in the middle of a list continues after the next publications. The series has more than a page of products,
 * families, brands and changes. Families and brands come and go in each publication, and events and exports expire.
 */

const folder = temporaryFolder();
const [database, site] = [join(folder.path, 'db.sqlite'), join(folder.path, 'site')];
const retention = { history_days: 25, publication_days: 12 };
const dayMs = 86_400_000;
afterAll(folder.remove);

type Row = { readonly id: string; readonly [field: string]: unknown };
type Page = {
  readonly data: readonly Row[];
  readonly links: { readonly self: string | null; readonly next: string | null };
};
type Routes = ReadonlyMap<string, Route>;

const documentOf: Partial<Record<AddressKind, (id: string) => string>> = {
  products: (id) => formatPath('product', { product_id: id }),
  families: (id) => formatPath('family', { family_id: id }),
  brands: (id) => formatPath('brand', { brand_id: id }),
  stores: (id) => formatPath('store', { store_id: id }),
};
const changeLists: readonly AddressKind[] = ['changes', 'product_changes', 'family_changes'];
const isList = (path: string) => {
  const kind = parsePath(path)?.kind;
  return kind !== undefined && (kind in documentOf || changeLists.includes(kind));
};

/** The documents that a row links to. */
function rowLinks(kind: AddressKind | undefined, row: Row): string[] {
  const links = [kind && documentOf[kind]?.(row.id)];
  if (typeof row.brand_id === 'string') links.push(documentOf.brands?.(row.brand_id));
  if (typeof row.family_id === 'string') links.push(documentOf.families?.(row.family_id));
  if (kind === 'families') links.push(formatPath('family_changes', { family_id: row.id }));
  if (kind === 'changes') {
    links.push(documentOf.products?.((row.product as Row).id));
    if (row.store !== null) links.push(documentOf.stores?.((row.store as Row).id));
  }
  return links.filter((link) => link !== undefined);
}

/** Reads a list to its end. The reader already has the first page, and reads everything else from these routes. */
function walk(list: string, head: Page, routes: Routes): { ids: string[]; pages: number; missing: string[] } {
  const kind = parsePath(list)?.kind;
  const found = { ids: [] as string[], pages: 0, missing: [] as string[] };
  for (let page: Page | null = head; page !== null; found.pages += 1) {
    for (const row of page.data) {
      found.ids.push(row.id);
      found.missing.push(...rowLinks(kind, row).filter((link) => !routes.has(link)));
    }
    const next: string | null = page.links.next;
    const route: Route | undefined = next === null ? undefined : routes.get(next);
    if (next !== null && !route) found.missing.push(next);
    page = route ? (readJson(site, route.sha256) as Page) : null;
  }
  return found;
}

/** A list of a publication: its first page, and the rows that a reader finds at once. */
type Begun = { readonly list: string; readonly sequence: number; readonly head: Page; readonly ids: readonly string[] };
const begun: Begun[] = [];
/** What readers who started in a publication that is still kept cannot read, or read in another order. */
const astray: string[] = [];
/** All bodies that each immutable address ever had. */
const bodies = new Map<string, Set<string>>();
const longest = new Map<string, number>();
let carried = 0;

beforeAll(async () => {
  const world = { seed: 5, products: 380, stores: 5, publications: 5, brands: 220, families: 500 };
  for (const [index, { header, ...parts }] of randomWorld(world).entries()) {
    await publishParts(database, { ...parts, header: { ...header, retention } });
    // Threads take long to start. Only the first build needs them, because it makes many documents.
    const options = index === 0 ? {} : { threads: 0 };
    await build(database, site, options);
    if (index === 3) {
      // Builds the same publication again, without a ledger.
      rmSync(join(site, 'build-ledger.json'));
      await build(database, site, options);
    }
    if (index >= 3) {
      expect((await verifySite(site)).counts).toMatchObject({ faults: 0, unnamed_objects: 0, unnamed_checkouts: 0 });
    }

    const { pointer, routes } = readSite(site);
    carried += [...routes.values()].filter(({ last_sequence }) => last_sequence !== undefined).length;
    for (const { path, sha256, cache } of routes.values()) {
      if (cache === 'immutable') bodies.set(path, (bodies.get(path) ?? new Set()).add(sha256));
    }
    for (const [path, { sha256, last_sequence }] of routes) {
      if (!isList(path) || last_sequence !== undefined) continue;
      const head = readJson(site, sha256) as Page;
      begun.push({ list: path, sequence: pointer.sequence, head, ids: walk(path, head, routes).ids });
    }
    for (const { list, sequence, head, ids } of begun.filter(({ sequence }) => sequence >= pointer.sequence - 2)) {
      const now = walk(list, head, routes);
      const isOther = now.ids.some((id, place) => id !== ids[place]);
      const label = `${list} begun at publication ${sequence}, ended at ${pointer.sequence}`;
      if (isOther) astray.push(`${label}: other rows`);
      astray.push(...now.missing.map((path) => `${label}: no ${path}`));
      longest.set(list, Math.max(longest.get(list) ?? 0, now.pages));
    }
  }
}, 300_000);

describe('from one publication to the next (contract.md 4)', () => {
  test('a list can be read to its end: all rows that have not expired, with an answer for each link', () => {
    for (const list of ['products', 'families', 'brands', 'changes'] as const) {
      expect(longest.get(formatPath(list)), list).toBeGreaterThan(1);
    }
    expect(astray).toEqual([]);
    expect(carried).toBeGreaterThan(100);
  });

  test('the bytes at an immutable address never change', () => {
    expect(bodies.size).toBeGreaterThan(50);
    expect([...bodies].filter(([, hashes]) => hashes.size > 1).map(([path]) => path)).toEqual([]);
  });

  test('events expire by whole pages, which share one empty object', () => {
    const { pointer, routes } = readSite(site);
    const bound = Date.parse(pointer.published_at) - retention.history_days * dayMs;
    const rows: { times: { published_at: string } }[] = [];
    for (let path: string | null = formatPath('changes'); path !== null; ) {
      const page = readJson(site, routes.get(path)?.sha256 ?? '') as Page;
      rows.push(...(page.data as unknown as typeof rows));
      path = page.links.next;
    }
    // The page on the bound keeps its older events until its newest event has expired.
    expect(rows.filter(({ times }) => Date.parse(times.published_at) < bound).length).toBeLessThan(100);
    expect(rows.length).toBeGreaterThan(100);
    const expired = [...routes.values()].filter(
      ({ path, cache }) => /\/pages\/\d+\.json$/.test(path) && cache === 'revalidate',
    );
    expect(expired.length).toBeGreaterThan(2);
    expect(new Set(expired.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(readJson(site, expired[0]?.sha256 ?? '')).toMatchObject({ data: [], links: { self: null, next: null } });
  });

  test('the exports of publications expire after publication_days, and the last two before the current one keep their documents', () => {
    const { pointer, routes } = readSite(site);
    const bound = Date.parse(pointer.published_at) - retention.publication_days * dayMs;
    const exported = [...routes.keys()].filter((path) => /\/[0-9a-f-]{36}\/products\.ndjson\.gz$/.test(path));
    const retained = pointer.publications.filter(({ published_at }) => Date.parse(published_at) >= bound);
    expect(exported.map((path) => path.split('/')[3]).sort()).toEqual(retained.map(({ revision }) => revision).sort());
    expect(exported.length).toBeLessThan(5);
    const kept = pointer.publications.filter((publication) => publication.routes !== null);
    expect(kept.map(({ sequence }) => sequence)).toEqual([5, 4, 3]);
    for (const { routes: root } of kept) expect(readSite(site, root ?? undefined).routes.size).toBeGreaterThan(100);
  });
});
