import { hash } from 'node:crypto';
import pMap from 'p-map';
import { objectPath } from '../contract/paths.ts';
import { type ObjectReference, routeTableRoot } from '../contract/site.ts';
import { jsonObject } from '../remote/json-object.ts';
import type { Storage } from '../store/storage.ts';
import type { RemoteSite } from './remote-site.ts';

const concurrency = 16;

/** Objects of a site that are in a folder already, and those that came. */
export type Transfer = { downloaded: number; downloadedBytes: number; kept: number };

/** Brings objects of a site into a folder: those that stand there and are what their name says need not come. */
export class Download {
  readonly transfer: Transfer = { downloaded: 0, downloadedBytes: 0, kept: 0 };
  readonly #remote: RemoteSite;
  readonly #storage: Storage;
  readonly #sound = new Set<string>();

  constructor(remote: RemoteSite, storage: Storage) {
    this.#remote = remote;
    this.#storage = storage;
  }

  /** The root of a route table and its shards. */
  async table(root: ObjectReference): Promise<void> {
    const bytes = await this.#bring(root);
    const value = jsonObject(bytes, routeTableRoot, `route table ${root.sha256}`);
    await this.objects(value.shards);
  }

  /** Rejects at the first that cannot be had. */
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

  async #bring(reference: ObjectReference): Promise<Uint8Array> {
    const { sha256 } = reference;
    const name = objectPath(sha256);
    const standing = this.#storage.read(name);
    const isSound = standing !== null && hash('sha256', standing) === sha256;
    if (isSound) this.transfer.kept += this.#sound.has(sha256) ? 0 : 1;
    const bytes = isSound ? standing : await this.#remote.object(reference);
    if (!isSound) {
      this.#storage.create(name, bytes);
      this.transfer.downloaded += 1;
      this.transfer.downloadedBytes += bytes.length;
    }
    this.#sound.add(sha256);
    return bytes;
  }
}
