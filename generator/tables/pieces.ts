import { createHash } from 'node:crypto';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';

/** Takes the bytes of a file piece by piece. It copies or writes them at once: the next piece may reuse the memory. */
export type Sink = (bytes: Uint8Array) => void;

/** Keeps the bytes of a small file. */
export class Pieces {
  readonly #pieces: Uint8Array[] = [];

  readonly add: Sink = (bytes) => {
    this.#pieces.push(new Uint8Array(bytes));
  };

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

/** Takes bytes piece by piece, and gives the size and hash of all. */
export function piecesDigest(): { readonly take: Sink; readonly reference: () => ObjectReference } {
  const whole = createHash('sha256');
  let size = 0;
  return {
    take: (bytes) => {
      whole.update(bytes);
      size += bytes.length;
    },
    reference: () => ({ sha256: whole.digest('hex'), size }),
  };
}
