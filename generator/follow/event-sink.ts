import { constants, createWriteStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { explainFile } from '../failure.ts';
import { isStandardOutput } from './file-place.ts';
import { beginning, type Position } from './position.ts';
import { WriteFailure } from './write-failure.ts';

/** Where events are written. `write` ends when they are with whoever reads them, or on the disk. */
export interface EventSink {
  /** What was written there before, as far as the sink can know it. */
  readonly reached: Position;
  write(lines: string): Promise<void>;
  close(): void;
}

/** A pipe or terminal: it cannot be asked what it was given before. */
export class StreamSink implements EventSink {
  readonly reached = beginning;
  readonly #name: string;
  readonly #stream: Writable;

  /** Of null the standard output, which stays open. */
  constructor(file: string | null) {
    const isOwn = file === null || isStandardOutput(file);
    this.#name = isOwn ? 'standard output' : file;
    this.#stream = isOwn ? process.stdout : openStream(file);
  }

  write(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(new WriteFailure(`${this.#name}: ${error.message}`));
      this.#stream.once('error', fail);
      this.#stream.write(lines, (error) => {
        if (error) return;
        this.#stream.removeListener('error', fail);
        resolve();
      });
    });
  }

  close(): void {
    if (this.#stream !== process.stdout) this.#stream.destroy();
  }
}

/** To open a FIFO that nobody reads would wait for a reader for ever, and heed no signal: it is a Failure. */
function openStream(file: string): Writable {
  if (!statSync(file).isFIFO()) {
    const fd = explainFile(file, 'a stream that can be written', () => openSync(file, 'w'));
    return createWriteStream('', { fd });
  }
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const fd = explainFile(file, 'a FIFO that somebody reads', () => openSync(file, flags));
  return new Socket({ fd, readable: false, writable: true });
}
