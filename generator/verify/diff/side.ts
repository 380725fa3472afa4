import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatPath, objectPath, pointerFile, signatureFile } from '../../../contract/paths.ts';
import { type About, metadataAbout } from '../../../contract/schemas/metadata.ts';
import type { ObjectReference, Pointer, Route } from '../../../contract/schemas/site-files.ts';
import type { SiteSource } from '../../../contract/site/source.ts';
import type { ExportResource } from '../../../contract/vocabulary.ts';
import { type Connection, explainDatabase } from '../../database/connection.ts';
import { openSound } from '../../database/database-file.ts';
import { type Publication, publicationsUpTo } from '../../database/publications.ts';
import { makeExportRecords } from '../../documents/export-records.ts';
import { stateAt } from '../../documents/state.ts';
import { Failure } from '../../files/failure.ts';
import { type ClientOptions, HttpClient } from '../../http/http-client.ts';
import { jsonObject } from '../../http/json-object.ts';
import { writeToFile } from '../../http/receivers.ts';
import { siteRoot } from '../../http/urls.ts';
import { SiteFiles } from '../../site/checked-files.ts';
import { pointerIn } from '../../site/checked-pointer.ts';
import { RemoteSite } from '../../site/remote-site.ts';
import { Storage } from '../../site/storage.ts';
import { TableReader } from '../../site/table-reader.ts';
import { type ExportRecord, readExport } from '../../tables/export-reader.ts';
import { holderKind } from '../inspect/holder.ts';

/** One publication to compare: of a database, or the current one of a site. */
export interface Side {
  /** As the user wrote it. */
  readonly name: string;
  readonly publication: Pick<Pointer, 'sequence' | 'revision' | 'published_at'>;
  /** Null for a database, which has no documents. */
  readonly table: TableReader | null;
  /** What the operator states about the data; null for nothing. Undefined in a partial mirror without it. */
  about(): Promise<About | null | undefined>;
  /** The hash of an export file; null for a database. Two files with one hash have the same records. */
  exportHash(resource: ExportResource): Promise<string | null>;
  /** The records of an export, sorted by their key. */
  records(resource: ExportResource): AsyncIterable<ExportRecord>;
  close(): void;
}

/**
 * Opens what a user names: the URL of a site, the folder of a site, a database for its newest publication, or
 * `DATABASE@SEQUENCE` or `DATABASE@REVISION`. Throws a Failure when it is none of these.
 */
export async function openSide(text: string, options: ClientOptions): Promise<Side> {
  if (/^https?:\/\//i.test(text)) return openRemoteSide(text, options);
  const mark = text.lastIndexOf('@');
  // A file may have an @ in its name.
  if (mark > 0 && !existsSync(text)) return openDatabaseAt(text, text.slice(0, mark), text.slice(mark + 1));
  return holderKind(text) === 'site' ? openFolderSide(text) : openDatabaseSide(text, text, null);
}

function openDatabaseAt(text: string, file: string, at: string): Side {
  if (holderKind(file) === 'database') return openDatabaseSide(text, file, at);
  throw new Failure('wrong_value', `${text}: expected a publication database before the @, got the folder of a site`);
}

/** The fewest leading characters that name a revision. */
const shortestRevision = 8;

/**
 * A publication of a database. `at`: its sequence, its revision or the beginning of that, or null for the newest.
 * Throws a Failure when there is no such publication.
 */
function openDatabaseSide(name: string, file: string, at: string | null): Side {
  const connection = openSound(file);
  try {
    return explainDatabase(file, () => databaseSide(name, connection, at));
  } catch (error) {
    connection.close();
    throw error;
  }
}

function databaseSide(name: string, connection: Connection, at: string | null): Side {
  const publication = publicationAt(connection, at);
  const state = stateAt(connection, publication.sequence);
  return {
    name,
    publication,
    table: null,
    about: async () => state.aboutAt(publication.sequence),
    exportHash: async () => null,
    /** Makes the records as a build does, so that they compare with those of a site. */
    async *records(resource) {
      const records = makeExportRecords(state, resource);
      try {
        for (;;) {
          const next = explainDatabase(connection.name, () => records.next());
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // A connection cannot be closed while it reads.
        records.return(undefined);
      }
    },
    close: () => connection.close(),
  };
}

function publicationAt(connection: Connection, at: string | null): Publication {
  const publications = publicationsUpTo(connection, Number.MAX_SAFE_INTEGER);
  const newest = publications.at(-1);
  if (newest === undefined)
    throw new Failure('database_missing', `${connection.name}: expected a publication, got an empty database`);
  if (at === null) return newest;
  const found = publications.filter(
    ({ sequence, revision }) => String(sequence) === at || (at.length >= shortestRevision && revision.startsWith(at)),
  );
  if (found.length === 1 && found[0]) return found[0];
  throw new Failure(
    'wrong_value',
    `${connection.name}: expected a sequence from 1 to ${newest.sequence} or a revision after the @, got ${at || 'nothing'}`,
  );
}

/** Downloads the file of an object if need be, checks its hash, and returns its path. */
type FetchFile = (reference: ObjectReference) => Promise<string>;

/** The objects of a site. A partial mirror does not hold all of them. */
type Objects = { readonly fetchFile: FetchFile; readonly isHeld: (reference: ObjectReference) => boolean };

/** The current publication of a site in a folder. Throws a Failure when there is none. */
async function openFolderSide(folder: string): Promise<Side> {
  const storage = new Storage(folder);
  const { pointer } = pointerIn(storage, folder);
  const table = await TableReader.open(folderSource(storage), pointer.routes, folder);
  const files = new SiteFiles(folder);
  const fetchFile: FetchFile = async ({ sha256 }) => {
    const path = objectPath(sha256);
    const found = existsSync(files.locate(path)) ? files.digest(path).sha256 : 'no such file';
    if (found !== sha256)
      throw new Failure('site_damaged', `${folder}/${path}: expected a file with that SHA-256, got ${found}`);
    return files.locate(path);
  };
  const isHeld = ({ sha256 }: ObjectReference) => existsSync(files.locate(objectPath(sha256)));
  return siteSide(folder, pointer, table, { fetchFile, isHeld }, () => undefined);
}

/**
 * The current publication of a live site. Its exports are downloaded into a temporary folder, which `close` removes.
 */
async function openRemoteSide(name: string, options: ClientOptions): Promise<Side> {
  const client = new HttpClient(options);
  const remote = new RemoteSite(siteRoot(name), client, null);
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-diff-'));
  const close = () => {
    client.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { pointer } = await remote.current();
    const table = await TableReader.open(remote, pointer.routes, remote.root);
    const fetchFile: FetchFile = async (reference) => {
      const file = join(folder, reference.sha256);
      await remote.receive(reference, (pieces) => writeToFile(pieces, file));
      return file;
    };
    return siteSide(name, pointer, table, { fetchFile, isHeld: () => true }, close);
  } catch (error) {
    close();
    throw error;
  }
}

function siteSide(name: string, pointer: Pointer, table: TableReader, objects: Objects, close: () => void): Side {
  const found = new Map<string, Route>();
  /** The route of an address, which is read once. `what`: the text before its path in a message. */
  const routeAt = async (path: string, what = ''): Promise<Route> => {
    if (!found.has(path)) {
      for (const routes of (await table.shards([table.shardNumberFor(path)])).values()) {
        for (const route of routes) found.set(route.path, route);
      }
    }
    const route = found.get(path);
    if (!route) throw new Failure('host_answer', `${name}: expected ${what}${path} in its route table, got none`);
    return route;
  };
  const exportRoute = (resource: ExportResource) =>
    routeAt(formatPath('export', { revision: pointer.revision, resource }), 'the export ');
  return {
    name,
    publication: pointer,
    table,
    close,
    async about() {
      const path = formatPath('metadata');
      const route = await routeAt(path);
      if (!objects.isHeld(route)) return undefined;
      const file = await objects.fetchFile(route);
      return jsonObject(readFileSync(file), metadataAbout, `${name}: ${path}`).data.about;
    },
    exportHash: async (resource) => (await exportRoute(resource)).sha256,
    async *records(resource) {
      const route = await exportRoute(resource);
      const file = await objects.fetchFile(route);
      yield* readExport({ file, size: route.size, resource, name: `${name}: ${route.path}` });
    },
  };
}

/** A site in a folder, as a source. */
function folderSource(storage: Storage): SiteSource {
  return {
    readPointer: async () => storage.read(pointerFile),
    readSignature: async () => storage.read(signatureFile),
    readObject: async ({ sha256 }) => storage.read(objectPath(sha256)),
  };
}
