import type { ExportResource } from '../contract/formats/export.ts';
import { segmentSize } from '../contract/formats/page-index.ts';
import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import { allChangesPaths } from '../resources/change-list.ts';
import { recordCount } from '../resources/export-records.ts';
import { indexLayout, numbers, type Summary } from '../resources/page-index.ts';
import type { RouteLookup } from '../site/route-table.ts';
import { allChanges } from './all-changes.ts';
import type { BuildCache } from './build-cache.ts';
import { dailyPublications } from './daily-part.ts';
import type { DocumentWriter } from './document-writer.ts';
import { inChunks } from './in-chunks.ts';
import type { Job } from './jobs.ts';

/** The single routes of the previous build that are taken over. */
export class TakenPaths {
  readonly paths = new Set<string>();
  readonly #routes: RouteLookup;

  /** `routes`: of the previous build. */
  constructor(routes: RouteLookup) {
    this.#routes = routes;
  }

  /** Takes over a route that exists. */
  add(path: string): void {
    this.paths.add(path);
  }

  /** Takes over the routes of these paths if all exist. */
  takesOver(paths: readonly string[]): boolean {
    if (!paths.every((path) => this.#routes.get(path))) return false;
    for (const path of paths) this.paths.add(path);
    return true;
  }
}

/**
 * Export files, those with the longest jobs first. Long jobs start first, so that no thread works on one alone at the
 * end.
 */
const longestFirst: readonly ExportResource[] = ['inventory', 'products', 'stores'];

/** Parts of `daily` that one job makes: it reads the first whole, and of the others what each changed. */
const dailyPartsPerJob = 16;

/** Jobs for the export files that the site does not have. */
export function exportJobs(publications: readonly Publication[], taken: TakenPaths): Job[] {
  const jobs: Job[] = [];
  for (const resource of longestFirst) {
    for (const publication of publications) {
      const { sequence, revision } = publication;
      const path = pathOf('export', { revision, resource });
      if (taken.takesOver([path, pathOf('export_parquet', { revision, table: resource })])) continue;
      jobs.push({ kind: 'export', sequence, resource, records: recordCount(publication, resource) });
    }
  }
  return jobs;
}

/**
 * Jobs for the parts of `daily` that the site does not have. Those of publications without exports are in the file of
 * all, if this code made it.
 */
export function dailyJobs(writer: DocumentWriter, exported: readonly Publication[], taken: TakenPaths): Job[] {
  const sequences = new Set(exported.map(({ sequence }) => sequence));
  const hasWhole = writer.previous?.get(pathOf('daily_parquet')) !== undefined;
  const missing = dailyPublications(writer, exported).filter(({ sequence, revision }) => {
    const path = pathOf('export_parquet', { revision, table: 'daily' });
    return sequences.has(sequence) ? !taken.takesOver([path]) : !hasWhole;
  });
  return inChunks(missing, dailyPartsPerJob).map((chunk) => ({
    kind: 'daily',
    publications: chunk.map(({ sequence }) => ({ sequence, isExported: sequences.has(sequence) })),
    records: chunk.reduce((sum, { product_count }) => sum + product_count, 0),
  }));
}

/**
 * Jobs for the sealed segments of the list of all changes. A segment is taken over when all its files exist and its
 * summary is known.
 */
export function segmentJobs(writer: DocumentWriter, taken: TakenPaths, cache: BuildCache | null): SegmentJobs {
  const known = new Map<number, Summary>();
  const list = allChanges(writer);
  const layout = indexLayout(writer.state, list);
  const listPaths = allChangesPaths;
  const jobs = numbers(layout.firstSegment, layout.lastSegment).flatMap((number): Job[] => {
    const pages = numbers((number - 1) * segmentSize + 1, number * segmentSize);
    const retained = pages.filter((page) => page >= layout.firstPage).map((page) => listPaths.page(page));
    const piece = pathOf('change_piece', { number: String(number) });
    const table = pathOf('change_piece_parquet', { number: String(number) });
    const paths = [listPaths.segment(number), piece, table, ...retained];
    const summary = cache?.segments[listPaths.segment(number)];
    if (summary && taken.takesOver(paths)) {
      known.set(number, summary);
      return [];
    }
    return [{ kind: 'segment', number }];
  });
  return { jobs, known };
}

/** Jobs for segments of the list of all changes, and the summaries of those that are known already, by number. */
type SegmentJobs = { readonly jobs: readonly Job[]; readonly known: ReadonlyMap<number, Summary> };
