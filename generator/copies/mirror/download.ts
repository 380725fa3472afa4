import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { objectPath } from '../../../contract/paths.ts';
import type { ObjectReference } from '../../../contract/schemas/site-files.ts';
import { byteLimits } from '../../../contract/site/byte-limits.ts';
import { Failure } from '../../files/failure.ts';
import { writeToFile } from '../../http/receivers.ts';
import type { RemoteSite } from '../../site/remote-site.ts';
import type { Storage } from '../../site/storage.ts';
import { TableReader, tableClaims } from '../../site/table-reader.ts';

const concurrency = 16;

export type Download = ReturnType<typeof downloadInto>;

/**
 * Downloads objects into a folder. Skips each object that the folder already has with the right hash. `storage`: the
 * storage of `directory`.
 */
export function downloadInto(remote: RemoteSite, storage: Storage, directory: string) {
  const transfer = { downloaded: 0, downloadedBytes: 0, kept: 0 };
  const sound = new Set<string>();
  const fileFor = (sha256: string) => join(directory, objectPath(sha256));

  async function ensure({ sha256, size }: ObjectReference): Promise<void> {
    if (sound.has(sha256)) return;
    const file = fileFor(sha256);
    if ((await hashFile(file)) === sha256) transfer.kept += 1;
    else {
      storage.requireOwn(dirname(objectPath(sha256)));
      mkdirSync(dirname(file), { recursive: true });
      await remote.receive({ sha256, size }, (pieces) => writeToFile(pieces, file));
      transfer.downloaded += 1;
      transfer.downloadedBytes += size;
    }
    sound.add(sha256);
  }

  async function readPart(reference: ObjectReference): Promise<Uint8Array> {
    await ensure(reference);
    return storage.read(objectPath(reference.sha256)) ?? Buffer.alloc(0);
  }

  return {
    /** Counts objects that were downloaded, and that the folder had already. */
    transfer,
    /** Downloads route tables with their shards. Resolves to their size in bytes. */
    async tables(roots: readonly ObjectReference[]): Promise<number> {
      const claims = tableClaims(remote.root);
      for (const reference of roots) {
        const table = await TableReader.open({ readObject: readPart }, reference, remote.root, claims);
        // Two shards with the same bytes are one file.
        const shards = new Map(table.root.shards.map((shard) => [shard.sha256, shard]));
        await pMap(shards.values(), ensure, { concurrency });
      }
      return claims.total();
    },
    /** Rejects at the first object that cannot be downloaded. */
    async objects(references: readonly ObjectReference[], onDone: (done: number) => void): Promise<void> {
      let done = 0;
      const ensureOne = async (reference: ObjectReference) => {
        await ensure(reference);
        done += 1;
        onDone(done);
      };
      await pMap(
        references.filter(({ sha256 }) => !sound.has(sha256)),
        ensureOne,
        { concurrency },
      );
    },
    /**
     * Throws a Failure before the download if the site claims more bytes than `maxBytes`, or more than the disk has
     * room for. A damaged object needs no room: its replacement takes its place.
     */
    requireRoom(
      references: readonly ObjectReference[],
      tableBytes: number,
      maxBytes: number = byteLimits.mirror,
    ): void {
      for (const reference of references) remote.requireClaim(reference);
      const total = references.reduce((sum, { size }) => sum + size, tableBytes);
      if (total > maxBytes) {
        throw new Failure(
          'too_large',
          `${remote.root}: expected at most ${maxBytes} bytes in all, got a claim of ${total}; pass --max-bytes ${total} to accept it`,
        );
      }
      const isThere = ({ sha256 }: ObjectReference) =>
        sound.has(sha256) || statSync(fileFor(sha256), { throwIfNoEntry: false }) !== undefined;
      const needed = references.reduce((sum, reference) => sum + (isThere(reference) ? 0 : reference.size), 0);
      const { blocks, bavail, bsize } = statfsSync(directory);
      // Some network file systems do not report their size.
      if (blocks > 0 && needed > bavail * bsize)
        throw new Failure('file', `${directory}: needs ${needed} more bytes, ${bavail * bsize} are free`);
    },
  };
}

/** The hash of a file; null if there is no file. */
async function hashFile(file: string): Promise<string | null> {
  const digest = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) digest.update(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return digest.digest('hex');
}
