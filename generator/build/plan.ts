import { hash } from 'node:crypto';
import type { ExportResource } from '../contract/formats/export.ts';
import { pageSize, segmentSize } from '../contract/formats/page-index.ts';
import type { Route } from '../contract/formats/site.ts';
import { pathOf } from '../contract/paths.ts';
import type { SeriesLength } from '../database/product-series.ts';
import type { Publication } from '../database/publications.ts';
import type { ProductTotalsRow } from '../database/state-reader.ts';
import type { Catalog, Family } from '../model/catalog.ts';
import type { Product } from '../model/product.ts';
import { lastBefore, lastExpired } from '../model/retention.ts';
import type { State } from '../model/state.ts';
import {
  allChangesPaths,
  type ChangeListPaths,
  familyChangesPaths,
  productChangesPaths,
} from '../resources/change-list.ts';
import { recordCount } from '../resources/export-records.ts';
import { indexLayout, type Summary } from '../resources/page-index.ts';
import type { BuildCache } from './build-cache.ts';
import type { DocumentWriter } from './document-writer.ts';
import { allChanges, type FamilyUnit, type Job, numbers, type ProductUnit } from './jobs.ts';

/** What a build has to make, and what it can take over as it is. */
export type BuildPlan = {
  readonly jobs: readonly Job[];
  readonly reused: readonly Route[];
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Summaries of segments of the list of all changes that are known already, by segment number. */
  readonly knownSegments: ReadonlyMap<number, Summary>;
};

/** The previous build. `routes` are empty if its pages print other addresses. */
export type PreviousBuild = { readonly routes: ReadonlyMap<string, Route>; readonly cache: BuildCache | null };

/**
 * Export files, those with the longest jobs first. Long jobs start first, so that no thread works on one alone at the
 * end.
 */
const longestFirst: readonly ExportResource[] = ['inventory', 'products', 'stores'];

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
  const planner = new Planner(writer, previous);
  const products = planner.products(catalog);
  const families = planner.families(catalog);
  const jobs: Job[] = [
    ...planner.exports(exported),
    ...planner.segments(),
    { kind: 'loose_pages' },
    ...entityJobs(products, families),
  ];
  return {
    jobs,
    reused: planner.reused,
    fingerprints: planner.fingerprints,
    knownSegments: planner.knownSegments,
  };
}

/** Families with their members, then all other products. */
function entityJobs(products: readonly ProductUnit[], families: readonly FamilyUnit[]): Job[] {
  const left = new Map(products.map((unit) => [unit.key, unit]));
  const withFamilies = inChunks(families, familiesPerJob).map((chunk): Job => {
    const members = chunk.flatMap(({ memberKeys }) => memberKeys).flatMap((key) => left.get(key) ?? []);
    for (const { key } of members) left.delete(key);
    return { kind: 'entities', products: members, families: chunk };
  });
  const others = inChunks([...left.values()], productsPerJob);
  return [...withFamilies, ...others.map((chunk): Job => ({ kind: 'entities', products: chunk, families: [] }))];
}

class Planner {
  readonly reused: Route[] = [];
  readonly fingerprints: Record<string, string> = {};
  readonly knownSegments = new Map<number, Summary>();
  readonly #writer: DocumentWriter;
  readonly #state: State;
  readonly #previous: PreviousBuild;
  readonly #common: string;
  readonly #totals: ReadonlyMap<number, ProductTotalsRow>;
  readonly #totalsBeforeRecent: ReadonlyMap<number, ProductTotalsRow>;
  readonly #totalsExpired: ReadonlyMap<number, ProductTotalsRow>;
  readonly #seriesExpired: ReadonlyMap<number, SeriesLength>;

  constructor(writer: DocumentWriter, previous: PreviousBuild) {
    this.#writer = writer;
    this.#state = writer.state;
    this.#previous = previous;
    this.#common = commonInputs(this.#state);
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
      const count = this.#totals.get(product.key)?.event_count ?? 0;
      const expired = this.#totalsExpired.get(product.key)?.event_count ?? 0;
      const { attempts = 0, versions = 0 } = this.#seriesExpired.get(product.key) ?? {};
      const own = productInputs(this.#state, product);
      const inputs = [this.#common, ...own, count, expired, attempts, versions];
      const listPaths = productChangesPaths(product.id);
      const skus = [product.sku, ...this.#state.formerSkus.resolvingTo(product.sku)];
      const paths = [
        pathOf('product', { product_id: product.id }),
        pathOf('product_availability', { product_id: product.id }),
        pathOf('comparison_product', { product_id: product.id }),
        pathOf('product_series', { product_id: product.id }),
        ...skus.map((sku) => pathOf('product_by_sku', { sku })),
        ...skus.map((sku) => pathOf('comparison_product_by_sku', { sku })),
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

  exports(publications: readonly Publication[]): Job[] {
    const jobs: Job[] = [];
    for (const resource of longestFirst) {
      for (const publication of publications) {
        const { sequence, revision } = publication;
        const route = this.#previous.routes.get(pathOf('export', { revision, resource }));
        if (route) this.reused.push(route);
        else jobs.push({ kind: 'export', sequence, resource, records: recordCount(publication, resource) });
      }
    }
    return jobs;
  }

  /**
   * Jobs for the sealed segments of the list of all changes. A segment is taken over when all its files exist and its
   * summary is known.
   */
  segments(): Job[] {
    const list = allChanges(this.#writer);
    const layout = indexLayout(this.#state, list);
    const listPaths = allChangesPaths;
    return numbers(layout.firstSegment, layout.lastSegment).flatMap((number): Job[] => {
      const pages = numbers((number - 1) * segmentSize + 1, number * segmentSize);
      const retained = pages.filter((page) => page >= layout.firstPage).map((page) => listPaths.page(page));
      const piece = pathOf('change_piece', { number: String(number) });
      const routes = this.#standingRoutes([listPaths.segment(number), piece, ...retained]);
      const summary = this.#previous.cache?.segments[listPaths.segment(number)];
      if (routes && summary) {
        this.reused.push(...routes);
        this.knownSegments.set(number, summary);
        return [];
      }
      return [{ kind: 'segment', number }];
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
      const routes = this.#standingRoutes([
        ...paths,
        listPaths.list,
        listPaths.index,
        ...expired,
        ...segments,
        ...kept.map((page) => listPaths.page(page)),
      ]);
      if (routes) {
        this.reused.push(...routes);
        return null;
      }
    }
    return kept.filter((number) => {
      const route = this.#previous.routes.get(listPaths.page(number));
      if (route?.cache !== 'immutable') return true;
      this.reused.push(route);
      return false;
    });
  }

  #standingRoutes(paths: readonly string[]): Route[] | null {
    const routes: Route[] = [];
    for (const path of paths) {
      const route = this.#previous.routes.get(path);
      if (!route) return null;
      routes.push(route);
    }
    return routes;
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

function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
