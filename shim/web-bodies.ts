import type { FileAnswer } from './answer.ts';
import { ByteCache } from './site/byte-cache.ts';

/** Above this an object is streamed where the host can, instead of being held in memory for each request. */
const bufferedSize = 2 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Bodies of files for hosts that answer with a `Response`. */
export class WebBodies {
  readonly #kept: ByteCache<Bytes>;

  /** Objects that were compared with their hash are kept, so many bytes of them. */
  constructor(keptBytes: number) {
    this.#kept = new ByteCache(keptBytes);
  }

  /** Rejects with an UnreadableError, before anything of the answer is sent. */
  async body({ view, object, range }: FileAnswer): Promise<Bytes | ReadableStream<Uint8Array>> {
    const stream = object.size > bufferedSize ? await view.stream(object, range) : null;
    if (stream) return stream;
    const bytes = this.#kept.get(object.sha256) ?? ((await view.bytes(object)) as Bytes);
    this.#kept.set(object.sha256, bytes, bytes.length);
    return range ? bytes.subarray(range.start, range.end + 1) : bytes;
  }
}
