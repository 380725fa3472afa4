import type { SortedRun } from '../../contract/columns/sorted-runs.ts';
import { formatPath } from '../../contract/paths.ts';
import { historyHeader } from '../documents/change-pieces.ts';
import { ParquetTable } from '../tables/parquet.ts';
import type { DocumentWriter } from '../units/document-writer.ts';
import { eventsBySku, eventsIn, rowsPerDocument } from '../units/history-units.ts';
import type { BuildContext, Unit } from '../units/kind.ts';

/** A unit for the events of each publication whose exports the site keeps. */
export function* publicationChangesUnits({ writer, exported }: BuildContext): Generator<Unit<number>> {
  if (writer.choices.iceberg === undefined) return;
  for (const { sequence, revision } of exported) {
    const weight = Math.ceil(eventsIn(eventsOf(writer, sequence)) / rowsPerDocument);
    yield { name: `changes of ${sequence}`, inputs: { revision }, facts: sequence, weight };
  }
}

export function makePublicationChanges(writer: DocumentWriter, sequence: number): void {
  const { revision, published_at } = writer.state.publicationAt(sequence);
  const path = formatPath('publication_changes_parquet', { revision });
  if (writer.keeps([path])) return;
  const { profile } = writer.state;
  const run = eventsOf(writer, sequence);
  const file = writer.openFile(path, published_at);
  const output = new ParquetTable('changes_history', profile, path, file.write);
  output.beginRun(eventsIn(run));
  for (const row of eventsBySku(writer)(run)) output.add(row);
  const runs = output.rows === 0 ? [] : [{ ...run, record_count: output.rows }];
  const header = historyHeader('changes_history', output.rows, profile, runs);
  output.end({ ...header, publication_revision: revision, published_at });
  file.end();
}

function eventsOf({ state }: DocumentWriter, sequence: number): SortedRun {
  const before = sequence === 1 ? 0 : state.publicationAt(sequence - 1).last_event;
  return { first: before + 1, last: state.publicationAt(sequence).last_event };
}
