import { existsSync } from 'node:fs';
import type { About } from '../contract/documents/metadata.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import type { ObjectReference, Pointer, Route, RouteTableRoot } from '../contract/formats/site.ts';
import { Failure } from '../failure.ts';
import { kindOfHolder } from '../inspect/holder.ts';
import type { ExportRecord } from '../site/export-reader.ts';
import { openDatabaseSide } from './database-side.ts';
import { openFolderSide, openRemoteSide } from './site-side.ts';

/** The route table of a site, of which a comparison reads only the shards that differ. */
export interface SideTable {
  readonly reference: ObjectReference;
  readonly root: RouteTableRoot;
  /** The routes of the shards of these numbers. */
  routes(shards: Iterable<number>): Promise<readonly Route[]>;
}

/** One publication to compare: of a database, or the current one of a site. */
export interface Side {
  /** As the user wrote it. */
  readonly name: string;
  readonly publication: Pick<Pointer, 'sequence' | 'revision' | 'published_at'>;
  /** Null for a database, which has no documents. */
  readonly table: SideTable | null;
  /** What the operator states of the data; null for nothing. Undefined in a partial mirror without it. */
  about(): Promise<About | null | undefined>;
  /** The hash of an export file; null for a database. Two files with one hash have the same records. */
  exportHash(resource: ExportResource): Promise<string | null>;
  /** The records of an export, many at a time, sorted by their key. */
  records(resource: ExportResource): AsyncIterable<readonly ExportRecord[]>;
  close(): void;
}

/**
 * Opens what a user names: the URL of a site, the folder of a site, a database for its newest publication, or
 * `DATABASE@SEQUENCE` or `DATABASE@REVISION`. Throws a Failure when it is nothing of these.
 */
export async function openSide(text: string, redirectsTo: readonly string[] | undefined): Promise<Side> {
  if (/^https?:\/\//i.test(text)) return openRemoteSide(text, redirectsTo);
  const mark = text.lastIndexOf('@');
  // A file may have an @ in its name.
  if (mark > 0 && !existsSync(text)) return openDatabaseAt(text, text.slice(0, mark), text.slice(mark + 1));
  return kindOfHolder(text) === 'site' ? openFolderSide(text, text) : openDatabaseSide(text, text, null);
}

function openDatabaseAt(text: string, file: string, at: string): Side {
  if (kindOfHolder(file) === 'database') return openDatabaseSide(text, file, at);
  throw new Failure(`${text}: expected a publication database before the @, got the folder of a site`);
}
