import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { type ObjectReference, routeTableRoot } from '../contract/formats/site.ts';
import { objectPath } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { jsonObject, requireShallow } from '../remote/json-object.ts';
import { limits } from '../remote/limits.ts';
import { FileReceiver } from '../remote/receivers.ts';
import { type RemoteSite, tableClaims } from '../site/remote-site.ts';
import type { Storage } from '../site/storage.ts';

const concurrency = 16;

/** Downloads objects of a site into a folder. An object that is there with the right hash is not downloaded. */
export class Download {
  /** Counts of the objects that were downloaded, and of those that the folder had already. */
  readonly transfer = { downloaded: 0, downloadedBytes: 0, kept: 0 };
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
    const claims = tableClaims(this.#remote.root);
    for (const root of roots) {
      claims.addRoot(root);
      const value = jsonObject(await this.#bringPart(root), routeTableRoot, `route table ${root.sha256}`);
      claims.addShards(value);
      // Two shards with the same bytes are one file.
      const shards = new Map(value.shards.map((shard) => [shard.sha256, shard]));
      await pMap(
        shards.values(),
        async (shard) => requireShallow(await this.#bringPart(shard), `shard ${shard.sha256} of a route table`),
        { concurrency },
      );
    }
    return claims.total();
  }

  /** Downloads objects. Rejects at the first that cannot be downloaded. */
  async objects(references: readonly ObjectReference[], onDone: (done: number) => void = () => {}): Promise<void> {
    const wanted = references.filter(({ sha256 }) => !this.#sound.has(sha256));
    let done = 0;
    await pMap(
      wanted,
      async (reference) => {
        await this.#bring(reference);
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
    const isThere = ({ sha256 }: ObjectReference) =>
      this.#sound.has(sha256) || statSync(this.#fileOf(sha256), { throwIfNoEntry: false }) !== undefined;
    const lacking = references.reduce((sum, reference) => sum + (isThere(reference) ? 0 : reference.size), 0);
    const { blocks, bavail, bsize } = statfsSync(this.#directory);
    // Some network file systems do not report their size.
    if (blocks > 0 && lacking > bavail * bsize)
      throw new Failure(`${this.#directory}: expected room for ${lacking} bytes that lack, got ${bavail * bsize}`);
  }

  async #bring({ sha256, size }: ObjectReference): Promise<void> {
    if (this.#sound.has(sha256)) return;
    const file = this.#fileOf(sha256);
    if ((await digestOf(file)) === sha256) this.transfer.kept += 1;
    else {
      this.#storage.requireOwn(dirname(objectPath(sha256)));
      mkdirSync(dirname(file), { recursive: true });
      await this.#remote.receive({ sha256, size }, () => new FileReceiver(file));
      this.transfer.downloaded += 1;
      this.transfer.downloadedBytes += size;
    }
    this.#sound.add(sha256);
  }

  /** Brings a part of a route table. Resolves to its bytes. */
  async #bringPart(reference: ObjectReference): Promise<Uint8Array> {
    await this.#bring(reference);
    return this.#storage.read(objectPath(reference.sha256)) ?? Buffer.alloc(0);
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
