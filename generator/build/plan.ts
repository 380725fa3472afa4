import { hash } from 'node:crypto';
import { pageSize, segmentSize } from '../contract/formats/page-index.ts';
import { pathOf } from '../contract/paths.ts';
import type { SeriesLength } from '../database/product-series.ts';
import type { Publication } from '../database/publications.ts';
import type { ProductTotalsRow } from '../database/state-reader.ts';
import type { Catalog, Family } from '../model/catalog.ts';
import type { Product } from '../model/product.ts';
import { lastBefore, lastExpired } from '../model/retention.ts';
import type { State } from '../model/state.ts';
import type { Touched } from '../model/touched.ts';
import { type ChangeListPaths, familyChangesPaths, productChangesPaths } from '../resources/change-list.ts';
import { numbers, type Summary } from '../resources/page-index.ts';
import type { RouteLookup } from '../site/route-table.ts';
import type { BuildCache } from './build-cache.ts';
import type { DocumentWriter } from './document-writer.ts';
import { inChunks } from './in-chunks.ts';
import type { FamilyUnit, Job, ProductUnit } from './jobs.ts';
import { dailyJobs, exportJobs, segmentJobs, TakenPaths } from './plan-files.ts';
import type { TakenOver } from './table-update.ts';

/** What a build has to make, and what it can take over as it is. */
export type BuildPlan = {
  readonly jobs: readonly Job[];
  readonly taken: TakenOver;
  /** Hash of the inputs that the documents of all products share. */
  readonly common: string;
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Summaries of segments of the list of all changes that are known already, by segment number. */
  readonly knownSegments: ReadonlyMap<number, Summary>;
};

/**
 * The previous build. `routes` are empty if its pages print other addresses. `cache`, and `sequence` of the publication that
 * it describes: null when it describes no site, or another.
 */
export type PreviousBuild = {
  readonly routes: RouteLookup;
  readonly cache: BuildCache | null;
  readonly sequence: number | null;
};

const productsPerJob = 256;
const familiesPerJob = 32;
const recentSeconds = 30 * 86_400;

/** Compares the inputs of every document with the inputs of the existing document. */
export function planBuild(
  writer: DocumentWriter,
  catalog: Catalog,
  exported: readonly Publication[],
  previous: PreviousBuild,
): BuildPlan {
  const taken = new TakenPaths(previous.routes);
  const planner = new Planner(writer, previous, taken);
  const products = planner.products(catalog);
  const families = planner.families(catalog);
  const { jobs: segments, known: knownSegments } = segmentJobs(writer, taken, previous.cache);
  const jobs: Job[] = [
    ...exportJobs(exported, taken),
    ...dailyJobs(writer, exported, taken),
    ...segments,
    { kind: 'loose_pages' },
    ...entityJobs(products, families),
  ];
  const { common, fingerprints, entities } = planner;
  return { jobs, taken: { paths: taken.paths, entities }, common, fingerprints, knownSegments };
}

/** Families with their members, then all other products in the order of the database, which has their rows side by side. */
function entityJobs(products: readonly ProductUnit[], families: readonly FamilyUnit[]): Job[] {
  const left = new Map(products.map((unit) => [unit.key, unit]));
  const withFamilies = inChunks(families, familiesPerJob).map((chunk): Job => {
    const members = chunk.flatMap(({ memberKeys }) => memberKeys).flatMap((key) => left.get(key) ?? []);
    for (const { key } of members) left.delete(key);
    return { kind: 'entities', products: members, families: chunk };
  });
  const others = inChunks(
    [...left.values()].sort((a, b) => a.key - b.key),
    productsPerJob,
  );
  return [...withFamilies, ...others.map((chunk): Job => ({ kind: 'entities', products: chunk, families: [] }))];
}

class Planner {
  /** Products and families of which every route is taken over. */
  readonly entities = new Set<string>();
  readonly common: string;
  readonly fingerprints: Record<string, string> = {};
  readonly #state: State;
  readonly #previous: PreviousBuild;
  readonly #taken: TakenPaths;
  readonly #touched: Touched | null;
  readonly #totals: ReadonlyMap<number, ProductTotalsRow>;
  readonly #totalsBeforeRecent: ReadonlyMap<number, ProductTotalsRow>;
  readonly #totalsExpired: ReadonlyMap<number, ProductTotalsRow>;
  readonly #seriesExpired: ReadonlyMap<number, SeriesLength>;

  constructor(writer: DocumentWriter, previous: PreviousBuild, taken: TakenPaths) {
    this.#state = writer.state;
    this.#previous = previous;
    this.#taken = taken;
    this.common = commonInputs(this.#state);
    const { sequence, cache } = previous;
    const isComparable = sequence !== null && cache?.common === this.common;
    this.#touched = isComparable ? writer.touchedSince(sequence, recentSeconds) : null;
    const { reader } = this.#state;
    const expired = lastExpired(this.#state);
    const totalsUpTo = (last: number) =>
      last === 0 ? new Map<number, ProductTotalsRow>() : reader.productTotals(last);
    this.#totals = reader.productTotals();
    this.#totalsBeforeRecent = totalsUpTo(lastBefore(this.#state, recentSeconds));
    this.#totalsExpired = totalsUpTo(expired);
    this.#seriesExpired = expired === 0 ? new Map() : writer.series.lengths(expired);
  }

  products({ products }: Catalog): ProductUnit[] {
    return products.flatMap((product) => {
      const skus = [product.sku, ...this.#state.formerSkus.resolvingTo(product.sku)];
      const skuPaths = skus.map((sku) => pathOf('product_by_sku', { sku }));
      if (this.#touched?.products.has(product.key) === false && this.#isTakenWhole(product.id)) {
        for (const path of skuPaths) this.#taken.add(path);
        return [];
      }
      const count = this.#totals.get(product.key)?.event_count ?? 0;
      const expired = this.#totalsExpired.get(product.key)?.event_count ?? 0;
      const { attempts = 0, versions = 0 } = this.#seriesExpired.get(product.key) ?? {};
      const own = productInputs(this.#state, product);
      const inputs = [this.common, ...own, count, expired, attempts, versions];
      const listPaths = productChangesPaths(product.id);
      const paths = [
        pathOf('product', { product_id: product.id }),
        pathOf('product_availability', { product_id: product.id }),
        pathOf('product_series', { product_id: product.id }),
        ...skuPaths,
      ];
      const pages = this.#pagesToMake(product.id, inputs, paths, listPaths, count, expired);
      return pages ? [{ key: product.key, pages }] : [];
    });
  }

  /**
   * Needs the fingerprints that `products` leaves: a family's documents depend on all inputs of its members' documents.
   */
  families({ families }: Catalog): FamilyUnit[] {
    return families.flatMap((family) => {
      if (this.#touched?.families.has(family.id) === false && this.#isTakenWhole(family.id)) return [];
      const memberKeys = family.members.map(({ key }) => key);
      const sum = (totals: ReadonlyMap<number, ProductTotalsRow>) =>
        memberKeys.reduce((count, key) => count + (totals.get(key)?.event_count ?? 0), 0);
      const count = sum(this.#totals);
      const expired = sum(this.#totalsExpired);
      const recentEvents = count - sum(this.#totalsBeforeRecent);
      const memberIds = family.members.map(({ id }) => id);
      const inputs = [identityOf(family), ...memberIds.map((id) => this.fingerprints[id]), recentEvents];
      const listPaths = familyChangesPaths(family.id, memberIds);
      const paths = [pathOf('family', { family_id: family.id })];
      const pages = this.#pagesToMake(family.id, inputs, paths, listPaths, count, expired);
      if (!pages) return [];
      const { members: _, ...identity } = family;
      const totals = memberKeys.map((key) => this.#totals.get(key));
      return [{ ...identity, memberKeys, totals, recentEvents, pages }];
    });
  }

  /**
   * The sealed pages to make for an entity; null when all its documents exist and were made of the same inputs.
   * Existing pages are taken over in either case.
   */
  #pagesToMake(
    id: string,
    inputs: readonly unknown[],
    paths: readonly string[],
    listPaths: ChangeListPaths,
    eventCount: number,
    expiredEvents: number,
  ): number[] | null {
    const fingerprint = hash('sha256', JSON.stringify(inputs)).slice(0, 32);
    this.fingerprints[id] = fingerprint;
    const sealed = Math.floor(Math.max(0, eventCount - 1) / pageSize);
    const expiredPages = Math.min(sealed, Math.floor(expiredEvents / pageSize));
    const kept = numbers(expiredPages + 1, sealed);
    const expired = numbers(1, expiredPages).map((page) => listPaths.page(page));
    if (this.#previous.cache?.fingerprints[id] === fingerprint) {
      const firstSegment = Math.floor(expiredPages / segmentSize) + 1;
      const segments = numbers(firstSegment, Math.floor(sealed / segmentSize)).map((segment) =>
        listPaths.segment(segment),
      );
      const all = [
        ...paths,
        listPaths.list,
        ...(sealed > 0 ? [listPaths.index] : []),
        ...expired,
        ...segments,
        ...kept.map((page) => listPaths.page(page)),
      ];
      if (this.#taken.takesOver(all)) return null;
    }
    return kept.filter((number) => {
      const path = listPaths.page(number);
      if (this.#previous.routes.get(path)?.cache !== 'immutable') return true;
      this.#taken.add(path);
      return false;
    });
  }

  /** Takes over all documents of an entity with its fingerprint. False when its fingerprint is not known. */
  #isTakenWhole(id: string): boolean {
    const fingerprint = this.#previous.cache?.fingerprints[id];
    if (fingerprint === undefined) return false;
    this.fingerprints[id] = fingerprint;
    this.entities.add(id);
    return true;
  }
}

/** Hash of the inputs that the documents of all products share. */
function commonInputs(state: State): string {
  const { publication } = state;
  const stores = state.stores.map(({ inScope, detail }) => [
    inScope,
    detail.id,
    detail.source_ids.inventory_store_code,
    detail.name,
    // A store that closes changes how its rows are classified, whether or not a product was retrieved again.
    detail.access_type,
    detail.operational_status.state,
  ]);
  const inputs = [stores, publication.policy_id, state.generalWarnings, publication.history_days];
  return hash('sha256', JSON.stringify(inputs)).slice(0, 32);
}

/**
 * The inputs of one product's documents: the versions it is made of, and whether its observations are still recent
 * enough for the policy.
 */
function productInputs(state: State, product: Product): unknown[] {
  const { version, isListed, attempt, success, sku, key } = product;
  const older = state.older.get(key);
  return [
    version,
    isListed ? state.publication.catalog_publication : 0,
    attempt?.publication ?? 0,
    success?.publication ?? 0,
    state.meetsPolicy(success?.retrievedAt ?? null),
    state.formerSkus.of(sku),
    state.formerSkus.resolvingTo(sku),
    older ? [...older].map(([store, retrievedAt]) => [store, retrievedAt, state.meetsPolicy(retrievedAt)]) : [],
  ];
}

function identityOf({ slug, name, brand }: Family): unknown[] {
  return [slug, name, brand.id, brand.name];
}
