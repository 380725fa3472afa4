import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../../../contract/paths.ts';
import {
  type MirrorHolding,
  type MirrorRecord,
  mirrorFile,
  type Pointer,
  unfinishedFile,
} from '../../../contract/schemas/site-files.ts';
import { Failure, systemReason } from '../../files/failure.ts';
import { acquireLock, buildLock } from '../../files/file-lock.ts';
import { type ClientOptions, HttpClient } from '../../http/http-client.ts';
import { siteRoot } from '../../http/urls.ts';
import { checkOutWhole } from '../../site/checkout.ts';
import { refuseForeignFolder, refuseMisplacedLinks, sweep, unfinishedText } from '../../site/foreign-folder.ts';
import { selectionPatterns } from '../../site/mirror-holding.ts';
import { folderBeside, isLive, takePlace } from '../../site/publication-checkout.ts';
import { GoneError, type RemotePointer, RemoteSite } from '../../site/remote-site.ts';
import { objectsOfTable } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';
import type { SigningKey } from '../../trust/keys.ts';
import { refuseBadCheckpoint, refuseOlderOrForeign } from '../../trust/pointer-trust.ts';
import { keepingLines } from '../../trust/signature-file.ts';
import { type Download, downloadInto } from './download.ts';
import {
  answerObjects,
  heldPublications,
  knownPointer,
  type PreviousMirror,
  publicationsToHold,
  readPreviousMirror,
  sweepLeftovers,
} from './held-publications.ts';

export type MirrorOptions = ClientOptions & {
  readonly url: string;
  readonly directory: string;
  /** The patterns of `--only`; null for everything. */
  readonly only: readonly string[] | null;
  /** The key that must have signed the pointer. Null accepts any signature, or none. */
  readonly key: SigningKey | null;
  /** Whether to accept an older publication or another site, and to check everything that is there. */
  readonly force: boolean;
  readonly maxBytes?: number | undefined;
  /** Called on a whole mirror, to add what follows from it. */
  readonly complete?: (storage: Storage) => Promise<void>;
};

export type MirrorSummary = Awaited<ReturnType<typeof mirrorSite>>;

type MirrorProgress = (stage: string, done: number, of: number) => void;

/**
 * Updates a folder to the publication that a site's pointer names. A run that is killed at any moment leaves either the
 * previous publication or the new one whole, and the next run reuses what was downloaded. Throws a Failure if another
 * run is at work in the folder, if the site cannot be read, or if it does not match its hashes, its signature or what
 * the folder held before. In the result, `changed` is false if nothing was new and existing files were not checked;
 * `requests` includes repeated ones.
 */
export async function mirrorSite(options: MirrorOptions, progress: MirrorProgress) {
  const root = siteRoot(options.url);
  const directory = resolve(options.directory);
  refuseForeignFolder(options.directory);
  const lock = acquireLock(`${directory}/${buildLock}`);
  if (!lock)
    throw new Failure('busy', `another build or mirror is at work in ${options.directory}: wait until it ends`);
  const client = new HttpClient(options);
  try {
    const storage = new Storage(directory);
    refuseMisplacedLinks(options.directory, storage);
    const remote = new RemoteSite(root, client, options.key);
    const only = options.only && selectionPatterns(options.only);
    const download = downloadInto(remote, storage, directory);
    const run = { ...options, directory, only, remote, storage, progress, download };
    const summary = await updateToCurrent(run);
    await options.complete?.(storage);
    return { ...summary, requests: client.requests };
  } catch (error) {
    throw explainRefusal(error, options.directory);
  } finally {
    client.stop();
    lock.release();
  }
}

/** Turns an error of the operating system in the folder into a Failure. Returns other errors unchanged. */
function explainRefusal(error: unknown, directory: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure('file', `${directory}: out of space, ${systemReason(code)}; the next run continues from here`);
  }
  return new Failure(
    'file',
    `${resolve(directory, path ?? '')}: expected a file or folder that a mirror can read and write, got ${systemReason(code)}`,
  );
}

/** A site may publish during a run and delete objects. The run then starts again with the new pointer. */
const attempts = 4;

/** No other process writes to the folder. */
type Run = MirrorOptions & {
  readonly remote: RemoteSite;
  readonly storage: Storage;
  readonly progress: MirrorProgress;
  readonly download: Download;
};

async function updateToCurrent(run: Run) {
  const { key, only, force, remote, storage, progress } = run;
  const source = remote.root;
  const previous = readPrevious(run);
  const expected = previous && !force ? knownPointer(storage, previous, { source, only, key }) : null;
  progress('asking for the pointer', 0, 1);
  let next = await remote.pointer(expected);
  for (let attempt = 1; ; attempt += 1) {
    if (next === null) return unchanged(run, previous);
    if (previous && !force) refuseOlderOrForeign(previous, { pointer: next.pointer, source });
    if (next.signed && !force) await refuseBadCheckpoint(source, next.signed, previous?.seen ?? null, Date.now());
    try {
      return await adopt(run, next, previous);
    } catch (error) {
      if (!(error instanceof GoneError) || attempt === attempts) throw error;
      const moved: RemotePointer | null = await remote.pointer(next);
      if (moved === null) throw error;
      next = moved;
    }
  }
}

/** Reads the state that the last run left. With `force`, an unusable state counts as none. */
function readPrevious({ storage, force, directory }: Run): PreviousMirror | null {
  try {
    return readPreviousMirror(storage);
  } catch (error) {
    if (force && error instanceof Failure) return null;
    if (error instanceof Failure)
      throw new Failure('would_lose', `${directory}: ${error.message}; pass --force to accept it`);
    throw error;
  }
}

/** Whether a killed run may have left files that no publication names. */
function isUnfinished({ storage }: Run): boolean {
  return storage.read(unfinishedFile) !== null;
}

async function unchanged(run: Run, previous: PreviousMirror | null) {
  if (!previous?.holding) throw new Error('the pointer that was there is gone');
  const { pointer, holding } = previous;
  if (previous.seen?.expires) await renewSignature(run, previous);
  const deleted = isUnfinished(run) ? finish(run, pointer, holding.only) : 0;
  return { pointer, holding, changed: false, deleted, lacking: run.storage.lacking, ...run.download.transfer };
}

/** Fetches the signature file again. Also refuses a site whose signature has expired. */
async function renewSignature({ remote, storage }: Run, { bytes, seen }: PreviousMirror): Promise<void> {
  const { signature, signed } = await remote.signatureFor(bytes);
  if (!signature || !signed) return;
  await refuseBadCheckpoint(remote.root, signed, seen, Date.now());
  if (!storage.read(signatureFile)?.equals(signature)) storage.replace(signatureFile, signature);
}

/**
 * Adopts a publication. Objects and checkouts come first, then record, signature, link and pointer, which switch
 * readers. At the end, deletes what the mirror no longer holds.
 */
async function adopt(run: Run, next: RemotePointer, previous: PreviousMirror | null) {
  const { only, directory, maxBytes, storage, download, progress } = run;
  const { pointer } = next;
  const isAfterKill = isUnfinished(run);
  storage.replace(unfinishedFile, unfinishedText);
  progress('fetching the route table', 0, 1);
  const tableBytes = await download.tables(publicationsToHold(pointer, only).map(({ routes }) => routes));
  const held = heldPublications(directory, pointer, only);
  const references = answerObjects(held);
  const named = new Set(references.map(({ sha256 }) => sha256));
  for (const { root } of held) for (const sha256 of objectsOfTable(storage, root)) named.add(sha256);
  // Leftovers of killed runs may occupy the space that the rest needs.
  if (isAfterKill && previous?.holding) sweepLeftovers(storage, previous.pointer, previous.holding.only, named);
  download.requireRoom(references, tableBytes, maxBytes);
  await download.objects(references, (done) => progress('fetching objects', done, references.length));

  const isSame = previous?.bytes.equals(next.bytes) ?? false;
  progress('checking out', 0, 1);
  // Files that publications share have one time. The current publication comes last, so that its times stay.
  const [current] = held;
  // Plain servers may be serving another table of the same publication.
  const isReplaced = !isSame && isLive(storage, pointer.revision);
  for (const { revision, held: routes } of held.toReversed()) {
    if (isReplaced && revision === pointer.revision) {
      checkOutWhole(storage, folderBeside(revision), routes);
      continue;
    }
    // With the same pointer as before, no file is deleted, even if fewer are selected than before.
    checkOutWhole(storage, checkoutFolder(revision), routes, isSame ? [] : undefined);
  }
  const holding: MirrorHolding = {
    pointer_sha256: hash('sha256', next.bytes),
    etag: next.etag,
    only: only && [...only],
    routes: current?.held.length ?? 0,
    route_count: current?.routeCount ?? 0,
  };
  storage.flush();
  const folder = isReplaced ? folderBeside(pointer.revision) : checkoutFolder(pointer.revision);
  switchReaders(run, next, holding, isSame ? null : previous, folder);
  if (isReplaced && current) takePlace(storage, pointer.revision, current.held);

  progress('deleting files that are no longer needed', 0, 1);
  let deleted = 0;
  if (!isSame) {
    deleted = sweep(storage, new Set(held.map(({ revision }) => revision)), named);
  } else if (isAfterKill) deleted = sweepLeftovers(storage, pointer, only);
  storage.removeMark(unfinishedFile);
  return { pointer, holding, changed: true, deleted, lacking: storage.lacking, ...download.transfer };
}

/** Record and signature fit both pointers until the new one is in place. Plain servers get `folder`. */
function switchReaders(
  { storage, remote }: Run,
  { bytes, signature }: RemotePointer,
  holding: MirrorHolding,
  before: PreviousMirror | null,
  folder: string,
): void {
  const holdings = before?.holding ? [holding, before.holding] : [holding];
  const source = remote.root;
  const record: MirrorRecord = { format: 'shelfpress-mirror', format_version: 1, source, holdings };
  storage.replace(mirrorFile, Buffer.from(`${JSON.stringify(record, null, 2)}\n`));
  if (signature) {
    const previous = storage.read(signatureFile);
    storage.replace(signatureFile, keepingLines(signature, previous, storage.read(pointerFile)));
  } else storage.removeMark(signatureFile);
  if (storage.pointsTo(siteLink) !== folder) storage.pointTo(siteLink, folder);
  storage.replace(pointerFile, bytes);
}

/** Deletes what a killed run left, before or after its pointer moved. Returns the number of deleted objects. */
function finish({ storage, directory, progress }: Run, pointer: Pointer, only: readonly string[] | null): number {
  progress('deleting what a killed run left', 0, 1);
  try {
    const deleted = sweepLeftovers(storage, pointer, only);
    storage.removeMark(unfinishedFile);
    return deleted;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      'site_damaged',
      `${directory}: expected the route tables that were downloaded, got others; pass --force to download them again`,
    );
  }
}
