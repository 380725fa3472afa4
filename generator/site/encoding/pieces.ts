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
