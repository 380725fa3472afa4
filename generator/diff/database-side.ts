import type { About } from '../contract/documents/metadata.ts';
import type { ExportResource } from '../contract/formats/export.ts';
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
    return explainDatabase(file, () => new DatabaseSide(name, connection, at));
  } catch (error) {
    connection.close();
    throw error;
  }
}

class DatabaseSide implements Side {
  readonly name: string;
  readonly publication: Publication;
  readonly table = null;
  readonly #connection: Connection;
  readonly #state: State;

  constructor(name: string, connection: Connection, at: string | null) {
    this.name = name;
    this.publication = publicationAt(connection, at);
    this.#connection = connection;
    this.#state = new State(connection, this.publication.sequence);
  }

  async about(): Promise<About | null> {
    return this.#state.aboutAt(this.publication.sequence);
  }

  async exportHash(): Promise<null> {
    return null;
  }

  /** Makes the records as a build does, so that they compare with those of a site. */
  async *records(resource: ExportResource): AsyncGenerator<readonly ExportRecord[]> {
    const records = exportRecordsOf(this.#state, resource);
    try {
      for (;;) {
        const batch = explainDatabase(this.#connection.name, () => nextBatch(records));
        yield batch;
        if (batch.length < batchSize) return;
      }
    } finally {
      // A connection that still reads cannot be closed.
      records.return(undefined);
    }
  }

  close(): void {
    this.#connection.close();
  }
}

function nextBatch(records: Iterator<Record<string, unknown>>): ExportRecord[] {
  const batch: ExportRecord[] = [];
  while (batch.length < batchSize) {
    const next = records.next();
    if (next.done) break;
    batch.push(next.value as ExportRecord);
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
