import { hash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import type { ObjectReference, Pointer } from '../contract/formats/site.ts';
import { type MirrorHolding, mirrorFile } from '../contract/formats/site-records.ts';
import { checkoutFolder, pointerFile, signatureFile, siteLink } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { limits } from '../remote/limits.ts';
import { mirrorRecordBytes } from '../site/mirror-record.ts';
import { refuseOlderOrForeign } from '../site/pointer-replacement.ts';
import { keepingLines } from '../site/pointer-signature.ts';
import { GoneError, type RemotePointer, type RemoteSite } from '../site/remote-site.ts';
import { objectsOfTable } from '../site/route-table.ts';
import { completeCheckout, dateFiles, sweep } from '../site/site-writer.ts';
import type { Storage } from '../site/storage.ts';
import { Download } from './download.ts';
import {
  type HeldPublication,
  heldPublications,
  holdingOfCurrent,
  objectsOf,
  publicationsOf,
} from './held-publications.ts';
import type { MirrorOptions, MirrorProgress, MirrorSummary } from './mirror.ts';
import {
  isUnfinished,
  knownPointer,
  markFinished,
  markUnfinished,
  type PreviousMirror,
  readPreviousMirror,
  sweepLeftovers,
} from './previous-mirror.ts';

/** A site may publish while it is read, and give up what it kept: so often a run begins with the pointer again. */
const beginnings = 4;

export type Outcome = Omit<MirrorSummary, 'requests'>;

/** One run of mirroring, in a folder that nobody else writes. */
export class MirrorRun {
  readonly #options: MirrorOptions;
  readonly #remote: RemoteSite;
  readonly #storage: Storage;
  readonly #progress: MirrorProgress;
  readonly #download: Download;

  constructor(options: MirrorOptions, remote: RemoteSite, storage: Storage, progress: MirrorProgress) {
    this.#options = options;
    this.#remote = remote;
    this.#storage = storage;
    this.#progress = progress;
    this.#download = new Download(remote, storage, options.directory);
  }

  async toCurrent(): Promise<Outcome> {
    const { key, only, force } = this.#options;
    const source = this.#remote.root;
    const previous = this.#previous();
    const known = previous && !force ? knownPointer(this.#storage, previous, { source, only, key }) : null;
    this.#progress('asking for the pointer', 0, 1);
    let next = await this.#remote.pointer(known);
    for (let beginning = 1; ; beginning += 1) {
      if (next === null) return this.#unchanged(previous);
      if (previous && !force) refuseOlderOrForeign(previous, { pointer: next.pointer, source });
      try {
        return await this.#take(next, previous);
      } catch (error) {
        if (!(error instanceof GoneError) || beginning === beginnings) throw error;
        const moved: RemotePointer | null = await this.#remote.pointer(next);
        if (moved === null) throw error;
        next = moved;
      }
    }
  }

  /** With force, what stands there is no reason to stop. */
  #previous(): PreviousMirror | null {
    try {
      return readPreviousMirror(this.#storage);
    } catch (error) {
      if (this.#options.force && error instanceof Failure) return null;
      if (error instanceof Failure) throw new Failure(`${this.#options.directory}: ${error.message}; --force takes it`);
      throw error;
    }
  }

  #unchanged(previous: PreviousMirror | null): Outcome {
    if (!previous?.holding) throw new Error('a pointer was known to be there, and is not');
    const { pointer, holding } = previous;
    const deleted = isUnfinished(this.#storage) ? this.#finish(pointer, holding.only) : 0;
    return { pointer, holding, changed: false, deleted, ...this.#download.transfer };
  }

  /** Objects, checkouts, then what turns readers: the record, the signature, the link, the pointer; then what may go. */
  async #take(next: RemotePointer, previous: PreviousMirror | null): Promise<Outcome> {
    const { only, directory } = this.#options;
    const { pointer } = next;
    const isAfterKill = isUnfinished(this.#storage);
    markUnfinished(this.#storage);
    this.#progress('fetching the route table', 0, 1);
    const tableBytes = await this.#download.tables(publicationsOf(pointer, only).map(({ routes }) => routes));
    const held = heldPublications(directory, pointer, only);
    const references = objectsOf(held);
    this.#requireRoom(references, tableBytes);
    await this.#download.objects(references, (done) => this.#progress('fetching objects', done, references.length));

    const isSame = previous !== null && Buffer.from(previous.bytes).equals(next.bytes);
    this.#progress('checking out', 0, 1);
    // The current publication comes last, so that its times are the ones that stay.
    for (const publication of held.toReversed()) this.#checkOut(publication, isSame);
    const names = { pointer_sha256: hash('sha256', next.bytes), etag: next.etag };
    const holding = holdingOfCurrent(held, names, only);
    if (!isSame) this.#storage.flush();
    this.#turn(next, holding, isSame ? null : previous);

    this.#progress('deleting what is not held any more', 0, 1);
    let deleted = 0;
    if (!isSame) deleted = this.#sweep(held, references);
    else if (isAfterKill) deleted = sweepLeftovers(this.#storage, pointer, only);
    markFinished(this.#storage);
    return { pointer, holding, changed: true, deleted, ...this.#download.transfer };
  }

  /** What a site claims is refused before it comes, where it is more than is wanted or than there is room for. */
  #requireRoom(references: readonly ObjectReference[], tableBytes: number): void {
    const { directory, maxBytes = limits.mirror } = this.#options;
    for (const reference of references) this.#remote.requireClaim(reference);
    const total = references.reduce((sum, { size }) => sum + size, tableBytes);
    if (total > maxBytes) {
      throw new Failure(
        `${this.#remote.root}: expected at most ${maxBytes} bytes in all, got a claim of ${total}; --max-bytes ${total} takes it`,
      );
    }
    const lacking = this.#download.lacking(references);
    const { blocks, bavail, bsize } = statfsSync(directory);
    const free = bavail * bsize;
    // Some network file systems do not say how large they are.
    if (blocks > 0 && lacking > free)
      throw new Failure(`${directory}: expected room for ${lacking} bytes that lack, got ${free}`);
  }

  /** Of the publication that readers have now nothing is taken away, also where less of it is asked for than before. */
  #checkOut({ revision, held }: HeldPublication, isSame: boolean): void {
    const leftovers = isSame ? [] : this.#storage.list(checkoutFolder(revision));
    completeCheckout(this.#storage, revision, held, [], leftovers);
    dateFiles(this.#storage, revision, held, new Map());
  }

  /** The record and the signature are true of both pointers while one takes the other's place. */
  #turn({ bytes, signature, pointer }: RemotePointer, holding: MirrorHolding, before: PreviousMirror | null): void {
    const storage = this.#storage;
    const holdings = before?.holding ? [holding, before.holding] : [holding];
    const record = { format: 'shelfpress-mirror', format_version: 1, source: this.#remote.root } as const;
    storage.replace(mirrorFile, mirrorRecordBytes({ ...record, holdings }));
    if (signature) {
      const previous = storage.read(signatureFile);
      storage.replace(signatureFile, keepingLines(signature, previous, storage.read(pointerFile)));
    } else storage.remove(signatureFile);
    const target = checkoutFolder(pointer.revision);
    if (storage.pointsTo(siteLink) !== target) storage.pointTo(siteLink, target);
    storage.replace(pointerFile, bytes);
  }

  /** What a run left that was killed after the pointer had moved, or before it could. */
  #finish(pointer: Pointer, only: readonly string[] | null): number {
    this.#progress('deleting what a killed run left', 0, 1);
    try {
      const deleted = sweepLeftovers(this.#storage, pointer, only);
      markFinished(this.#storage);
      return deleted;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(
        `${this.#options.directory}: expected the route tables that came there, got others; --force mends them`,
      );
    }
  }

  #sweep(held: readonly HeldPublication[], references: readonly ObjectReference[]): number {
    const named = new Set(references.map(({ sha256 }) => sha256));
    for (const { root } of held) for (const sha256 of objectsOfTable(this.#storage, root)) named.add(sha256);
    return sweep(this.#storage, new Set(held.map(({ revision }) => revision)), named);
  }
}
