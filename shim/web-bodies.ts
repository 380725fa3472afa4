import type { FileAnswer } from './answer.ts';
import { ByteCache } from './site/byte-cache.ts';
import type { CurrentPublication } from './site/current-publication.ts';

/** Above this an object is streamed where the host can, instead of being held in memory for each request. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Bodies of files for hosts that answer with a `Response`. */
export class WebBodies {
  readonly #publication: CurrentPublication;
  readonly #kept: ByteCache<Bytes>;

  /** Objects that were compared with their hash are kept, so many bytes of them. */
  constructor(publication: CurrentPublication, keptBytes: number) {
    this.#publication = publication;
    this.#kept = new ByteCache(keptBytes);
  }

  /** Rejects with an UnreadableError, before anything of the answer is sent. */
  async body({ object, range }: FileAnswer): Promise<Bytes | ReadableStream<Uint8Array>> {
    const stream = object.size > bufferedSize ? await this.#publication.stream(object, range) : null;
    if (stream) return stream;
    const bytes = this.#kept.get(object.sha256) ?? ((await this.#publication.bytes(object)) as Bytes);
    this.#kept.set(object.sha256, bytes, bytes.length);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }
}
