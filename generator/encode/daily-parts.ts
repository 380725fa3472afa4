import type { DataLicense } from '../contract/formats/data-package.ts';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import type { DailyReader } from '../database/daily.ts';
import type { Publication } from '../database/publications.ts';
import { lastExpired } from '../model/retention.ts';
import type { State } from '../model/state.ts';
import type { ChangeList } from '../resources/change-list.ts';
import { warningList } from '../resources/document.ts';
import { statedAbout } from '../resources/export-records.ts';
import { ParquetTable } from './parquet.ts';
import { WrittenColumns } from './written-columns.ts';

/** Makes the parts of `daily` of publications, given in ascending order. A part costs less after another than alone. */
export function* dailyParts(
  state: State,
  daily: DailyReader,
  license: DataLicense | null,
  sequences: readonly number[],
): Generator<[sequence: number, bytes: Uint8Array]> {
  const written = new WrittenColumns();
  for (const { publication, products } of daily.days(sequences)) {
    const { revision, published_at, warnings } = state.publicationAt(publication);
    const about = statedAbout(state.aboutAt(publication), license);
    const table = new ParquetTable('daily', written);
    const day = { publication, publication_revision: revision, published_at };
    for (const { row, inventory } of products) table.add(row, inventory, day);
    const bytes = table.end({
      resource: 'daily',
      schema_version: exportSchemaVersion,
      publication_revision: revision,
      published_at,
      record_count: table.rows,
      warnings: warningList(warnings),
      ...(about ? { about } : {}),
      fields: describeTable('daily'),
    });
    yield [publication, bytes];
  }
}

/** The publications that `daily` has, oldest first: those whose change events or exports are retained. */
export function dailyPublications(
  state: State,
  { feed }: Pick<ChangeList, 'feed'>,
  exported: readonly Publication[],
): Publication[] {
  const retained = feed.retained(state.publication.sequence);
  // A page of events is retained as long as its newest, so it may have events of publications past retention.
  const ofOldestEvent = retained ? [feed.publicationOf(retained.first)] : [];
  const first = Math.min(lastExpired(state) + 1, ...ofOldestEvent, ...exported.map(({ sequence }) => sequence));
  return state.publications.filter(({ sequence }) => sequence >= first);
}
