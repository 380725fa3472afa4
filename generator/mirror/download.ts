import { createHash, hash } from 'node:crypto';
import { createReadStream, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { type ObjectReference, routeTableRoot } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { jsonObject, requireShallow } from '../remote/json-object.ts';
import { limits } from '../remote/limits.ts';
import { FileReceiver } from '../remote/receivers.ts';
import { type RemoteSite, TableClaims } from '../site/remote-site.ts';
import type { Storage } from '../site/storage.ts';

const concurrency = 16;

/** Objects of this size or more are never in memory as a whole. */
const largeBytes = 1024 * 1024;

/** Counts of the objects that were downloaded, and of those that the folder had already. */
export type Transfer = { downloaded: number; downloadedBytes: number; kept: number };

/** Downloads objects of a site into a folder. An object that is there with the right hash is not downloaded. */
export class Download {
  readonly transfer: Transfer = { downloaded: 0, downloadedBytes: 0, kept: 0 };
  readonly #remote: RemoteSite;
  readonly #storage: Storage;
  readonly #directory: string;
  readonly #sound = new Set<string>();

  /** `storage`: the storage of `directory`. */
  constructor(remote: RemoteSite, storage: Storage, directory: string) {
    this.#remote = remote;
    this.#storage = storage;
    this.#directory = directory;
  }

  /** Downloads route tables, each with its root and shards. Resolves to their size in bytes. */
  async tables(roots: readonly ObjectReference[]): Promise<number> {
    const claims = new TableClaims(this.#remote.root);
    for (const root of roots) {
      claims.addRoot(root);
      const value = jsonObject(await this.#bringPart(root), routeTableRoot, `route table ${root.sha256}`);
      claims.addShards(value);
      await pMap(
        value.shards,
        async (shard) => requireShallow(await this.#bringPart(shard), `shard ${shard.sha256} of a route table`),
        { concurrency },
      );
    }
    return claims.total;
  }

  /** Downloads objects. Rejects at the first that cannot be downloaded. */
  async objects(references: readonly ObjectReference[], onDone: (done: number) => void = () => {}): Promise<void> {
    const wanted = references.filter(({ sha256 }) => !this.#sound.has(sha256));
    let done = 0;
    await pMap(
      wanted,
      async (reference) => {
        if (reference.size < largeBytes) await this.#bringPart(reference);
        else await this.#bringLarge(reference);
        done += 1;
        onDone(done);
      },
      { concurrency },
    );
  }

  /**
   * Throws a Failure before the download when the site claims more bytes than `maxBytes`, or more than the disk has
   * room for. A damaged object needs no room, because its replacement takes its place.
   */
  requireRoom(references: readonly ObjectReference[], tableBytes: number, maxBytes: number = limits.mirror): void {
    for (const reference of references) this.#remote.requireClaim(reference);
    const total = references.reduce((sum, { size }) => sum + size, tableBytes);
    if (total > maxBytes) {
      throw new Failure(
        `${this.#remote.root}: expected at most ${maxBytes} bytes in all, got a claim of ${total}; --max-bytes ${total} takes it`,
      );
    }
    const { lacking, free } = this.#roomFor(references);
    if (lacking > free)
      throw new Failure(`${this.#directory}: expected room for ${lacking} bytes that lack, got ${free}`);
  }

  /** Whether the disk has room for the objects that are not there. */
  hasRoom(references: readonly ObjectReference[]): boolean {
    const { lacking, free } = this.#roomFor(references);
    return lacking <= free;
  }

  #roomFor(references: readonly ObjectReference[]): { lacking: number; free: number } {
    const isThere = ({ sha256 }: ObjectReference) =>
      this.#sound.has(sha256) || statSync(this.#fileOf(sha256), { throwIfNoEntry: false }) !== undefined;
    const lacking = references.reduce((sum, reference) => sum + (isThere(reference) ? 0 : reference.size), 0);
    const { blocks, bavail, bsize } = statfsSync(this.#directory);
    // Some network file systems do not report their size.
    return { lacking, free: blocks > 0 ? bavail * bsize : Number.POSITIVE_INFINITY };
  }

  async #bringPart(reference: ObjectReference): Promise<Uint8Array> {
    const { sha256 } = reference;
    const name = objectPath(sha256);
    const previous = this.#storage.read(name);
    if (previous !== null && hash('sha256', previous) === sha256) {
      this.#count(reference, true);
      return previous;
    }
    const bytes = await this.#remote.object(reference);
    this.#storage.create(name, bytes);
    this.#count(reference, false);
    return bytes;
  }

  async #bringLarge(reference: ObjectReference): Promise<void> {
    const file = this.#fileOf(reference.sha256);
    const isSound = (await digestOf(file)) === reference.sha256;
    if (!isSound) {
      this.#storage.requireOwn(dirname(objectPath(reference.sha256)));
      mkdirSync(dirname(file), { recursive: true });
      await this.#remote.receive(reference, () => new FileReceiver(file));
    }
    this.#count(reference, isSound);
  }

  #count({ sha256, size }: ObjectReference, isKept: boolean): void {
    if (isKept) this.transfer.kept += this.#sound.has(sha256) ? 0 : 1;
    else {
      this.transfer.downloaded += 1;
      this.transfer.downloadedBytes += size;
    }
    this.#sound.add(sha256);
  }

  #fileOf(sha256: string): string {
    return join(this.#directory, objectPath(sha256));
  }
}

/** The SHA-256 of a file; null when there is none. */
async function digestOf(file: string): Promise<string | null> {
  const digest = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) digest.update(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return digest.digest('hex');
}
