import { type Connection, explainDatabase } from '../database/connection.ts';
import { openForReading } from '../database/database-file.ts';
import { type Publication, publicationsUpTo } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { State } from '../model/state.ts';
import { exportRecordsOf } from '../resources/export-records.ts';
import type { ExportRecord } from '../site/export-reader.ts';
import type { Side } from './side.ts';

const batchSize = 100;

/** The shortest beginning of a revision that names it. */
const shortestRevision = 8;

/**
 * A publication of a database. `at`: its sequence, its revision or the beginning of that, or null for the newest.
 * Throws a Failure when there is no such publication.
 */
export function openDatabaseSide(name: string, file: string, at: string | null): Side {
  const connection = openForReading(file);
  try {
    return explainDatabase(file, () => sideOf(name, connection, at));
  } catch (error) {
    connection.close();
    throw error;
  }
}

function sideOf(name: string, connection: Connection, at: string | null): Side {
  const publication = publicationAt(connection, at);
  const state = new State(connection, publication.sequence);
  return {
    name,
    publication,
    table: null,
    about: async () => state.aboutAt(publication.sequence),
    exportHash: async () => null,
    /** Makes the records as a build does, so that they compare with those of a site. */
    async *records(resource) {
      const records = exportRecordsOf(state, resource);
      try {
        for (;;) {
          const batch = explainDatabase(connection.name, () => nextBatch(records));
          yield batch;
          if (batch.length < batchSize) return;
        }
      } finally {
        // A connection that still reads cannot be closed.
        records.return(undefined);
      }
    },
    close: () => connection.close(),
  };
}

function nextBatch(records: Iterator<ExportRecord>): ExportRecord[] {
  const batch: ExportRecord[] = [];
  while (batch.length < batchSize) {
    const next = records.next();
    if (next.done) break;
    batch.push(next.value);
  }
  return batch;
}

function publicationAt(connection: Connection, at: string | null): Publication {
  const publications = publicationsUpTo(connection, Number.MAX_SAFE_INTEGER);
  const newest = publications.at(-1);
  if (newest === undefined) throw new Failure(`${connection.name}: expected a publication, got an empty database`);
  if (at === null) return newest;
  const found = publications.filter(
    ({ sequence, revision }) => String(sequence) === at || (at.length >= shortestRevision && revision.startsWith(at)),
  );
  if (found.length === 1 && found[0]) return found[0];
  throw new Failure(
    `${connection.name}: expected a sequence from 1 to ${newest.sequence} or a revision after the @, got ${at || 'nothing'}`,
  );
}
