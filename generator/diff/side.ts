import type { About } from '../contract/documents/metadata.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import type { ObjectReference, Pointer, Route, RouteTableRoot } from '../contract/formats/site.ts';
import type { ExportRecord } from '../site/export-reader.ts';

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
