import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Route } from '../../generator/contract/formats/site.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { randomWorld } from '../support/random-world.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

/*
 * A reader who began a list in one publication continues after the next one is published. The series has more than a
 * page of products, families, brands and changes, and families and brands come and go in each publication.
 */

const folder = temporaryFolder();
afterAll(folder.remove);

type Row = { readonly id: string; readonly [field: string]: unknown };
type Page = { readonly data: readonly Row[]; readonly links: { readonly next: string | null } };

const listKinds = ['products', 'families', 'brands', 'stores', 'changes'] as const;
const documentOf = {
  products: (id: string) => pathOf('product', { product_id: id }),
  families: (id: string) => pathOf('family', { family_id: id }),
  brands: (id: string) => pathOf('brand', { brand_id: id }),
  stores: (id: string) => pathOf('store', { store_id: id }),
  changes: null,
};

/** The documents that a row leads to. */
function linksOf(kind: (typeof listKinds)[number], row: Row): string[] {
  const links = [documentOf[kind]?.(row.id)];
  if (typeof row.brand_id === 'string') links.push(documentOf.brands(row.brand_id));
  if (typeof row.family_id === 'string') links.push(documentOf.families(row.family_id));
  if (kind === 'families') links.push(pathOf('family_changes', { family_id: row.id }));
  if (kind === 'changes') {
    links.push(documentOf.products((row.product as Row).id));
    if (row.store !== null) links.push(documentOf.stores((row.store as Row).id));
  }
  return links.filter((link) => link !== undefined);
}

/**
 * Walks a list from its first page, which the reader already has, and reads everything else from the current site.
 * Returns the addresses that are missing.
 */
function walk(site: string, routes: ReadonlyMap<string, Route>, kind: (typeof listKinds)[number], head: Page) {
  const missing: string[] = [];
  const followed = new Set<string>();
  const follow = (path: string): Page | null => {
    followed.add(path);
    const route = routes.get(path);
    if (!route) missing.push(path);
    return route ? (readJson(site, route.sha256) as Page) : null;
  };
  let pages = 0;
  for (let page: Page | null = head; page !== null; pages += 1) {
    for (const link of page.data.flatMap((row) => linksOf(kind, row))) if (!followed.has(link)) follow(link);
    page = page.links.next === null ? null : follow(page.links.next);
  }
  return { pages, missing };
}

/** Pages of the changes of a family, whose addresses change with its members. */
function walkFamilies(
  site: string,
  kept: ReadonlyMap<string, Route>,
  routes: ReadonlyMap<string, Route>,
  ids: string[],
) {
  const missing: string[] = [];
  for (const family_id of ids) {
    const route = kept.get(pathOf('family_changes', { family_id }));
    let next = route ? (readJson(site, route.sha256) as Page).links.next : null;
    while (next !== null) {
      const page = routes.get(next);
      if (!page) missing.push(next);
      next = page ? (readJson(site, page.sha256) as Page).links.next : null;
    }
  }
  return missing;
}

test('every list of every kept publication can be walked to its end, and each of its links has an answer', async () => {
  const [database, site] = [join(folder.path, 'db.sqlite'), join(folder.path, 'site')];
  const snapshots = randomWorld({ seed: 5, products: 460, stores: 8, publications: 5, brands: 220, families: 440 });
  const longest = new Map<string, number>();
  let carried = 0;
  for (const [index, snapshot] of snapshots.entries()) {
    await publishParts(database, snapshot, { accept: ['prices'] });
    // Threads take long to start. The first build starts them, for its many documents.
    const options = index === 0 ? {} : { threads: 0 };
    await build(database, site, options);
    if (index === 3) {
      // Builds the same publication again without a ledger.
      rmSync(join(site, 'build-ledger.json'));
      await build(database, site, options);
    }
    const label = `publication ${index + 1}`;
    expect((await verifySite(site)).faults, label).toEqual([]);

    const { pointer, routes } = readSite(site);
    carried += [...routes.values()].filter(({ last_sequence }) => last_sequence !== undefined).length;
    const keptOnes = pointer.publications.flatMap((publication) =>
      publication.routes === null ? [] : [{ ...publication, routes: publication.routes }],
    );
    expect(keptOnes.length).toBe(Math.min(index + 1, 3));
    for (const kept of keptOnes) {
      const table = readSite(site, kept.routes).routes;
      const families: string[] = [];
      for (const kind of listKinds) {
        const head = readJson(site, table.get(pathOf(kind))?.sha256 ?? '') as Page;
        const { pages, missing } = walk(site, routes, kind, head);
        expect(missing, `${pathOf(kind)} of publication ${kept.sequence} in ${label}`).toEqual([]);
        longest.set(kind, Math.max(longest.get(kind) ?? 0, pages));
        if (kind === 'families') families.push(...head.data.map(({ id }) => id));
      }
      expect(walkFamilies(site, table, routes, families), label).toEqual([]);
    }
  }
  for (const kind of ['products', 'families', 'brands', 'changes']) expect(longest.get(kind), kind).toBeGreaterThan(1);
  expect(carried).toBeGreaterThan(100);
}, 300_000);
