import { pathOf } from '../contract/paths.ts';
import type { Publication } from '../database/publications.ts';
import type { Summary } from '../resources/page-index.ts';
import type { FileLookup, SiteFile } from './export-files.ts';
import type { Finished } from './worker-pool.ts';

/**
 * What the tables over time are made of: the numbers of all pieces, the publications whose exports the site has, parts of
 * `daily` that are no files, by publication, and the files of the others, by path.
 */
export type HistoryParts = {
  readonly pieces: readonly number[];
  readonly exported: readonly Publication[];
  readonly daily: ReadonlyMap<number, Uint8Array>;
  readonly files: ReadonlyMap<string, SiteFile>;
};

/** The parts of the tables over time, after all documents and exports are made. `segments`: summaries of the pieces. */
export function historyParts(
  segments: readonly Summary[],
  exported: readonly Publication[],
  finished: readonly Finished[],
  fileOf: FileLookup,
): HistoryParts {
  const pieces = segments.map(({ number }) => number);
  const daily = new Map(
    finished.flatMap(({ result }) => (result.daily ?? []).map(({ sequence, bytes }) => [sequence, bytes])),
  );
  const paths = [
    ...pieces.map((number) => pathOf('change_piece_parquet', { number: String(number) })),
    ...exported.map(({ revision }) => pathOf('export_parquet', { revision, table: 'daily' })),
  ];
  return { pieces, exported, daily, files: new Map(paths.map((path) => [path, fileOf(path)])) };
}
