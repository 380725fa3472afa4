import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { parseJson } from '../contract/parse-json.ts';
import { explainFile, Failure } from '../failure.ts';
import { beginning, type Position } from './position.ts';

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
  readonly #stream: NodeJS.WritableStream;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  write(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(new Failure(`standard output: ${error.message}`));
      this.#stream.once('error', fail);
      this.#stream.write(lines, (error) => {
        if (error) return;
        this.#stream.removeListener('error', fail);
        resolve();
      });
    });
  }

  close(): void {}
}

const lineFeed = 0x0a;
const blockSize = 64 * 1024;

/**
 * A file that grows. Its own last line says what was written, so that a kill between the writing of events and that of
 * the position repeats none; a line that a kill cut short is taken away.
 */
export class FileSink implements EventSink {
  readonly reached: Position;
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = explainFile(file, 'a file to append to', () => openSync(file, 'a+'));
    const { line, end } = lastLine(this.#descriptor);
    this.reached = line === null ? beginning : positionIn(file, line);
    ftruncateSync(this.#descriptor, end);
  }

  async write(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The last whole line of a file, read from its end, and where it ends; null when there is none. */
function lastLine(descriptor: number): { line: string | null; end: number } {
  const { size } = fstatSync(descriptor);
  let tail = Buffer.alloc(0);
  for (let start = size; start > 0; ) {
    const length = Math.min(blockSize, start);
    const block = Buffer.alloc(length);
    start -= length;
    readSync(descriptor, block, 0, length, start);
    tail = Buffer.concat([block, tail]);
    const end = tail.lastIndexOf(lineFeed);
    if (end < 0) continue;
    const before = end === 0 ? -1 : tail.lastIndexOf(lineFeed, end - 1);
    if (before >= 0 || start === 0) return { line: tail.subarray(before + 1, end).toString(), end: start + end + 1 };
  }
  return { line: null, end: 0 };
}

function positionIn(file: string, line: string): Position {
  const { number, id } = (parseJson(line) ?? {}) as { number?: unknown; id?: unknown };
  if (Number.isSafeInteger(number) && typeof id === 'string') return { event: number as number, id };
  throw new Failure(`${file}: expected events that follow wrote before, got ${JSON.stringify(line.slice(0, 80))}`);
}
