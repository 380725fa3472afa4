import { constants, createWriteStream, fstatSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { FeedEvent } from '../contract/formats/list-reading.ts';
import { parseJson } from '../contract/json.ts';
import { uuid } from '../contract/primitives.ts';
import { explainFile } from '../failure.ts';
import { beginning, type Position, WriteFailure } from './position.ts';

/** The target of events. `write` resolves when the events are with their reader, or on the disk. */
export interface EventSink {
  /** The position up to which events were written before, as far as the sink can know it. */
  readonly reached: Position;
  write(lines: string): Promise<void>;
  close(): void;
}

/** A pipe or terminal. It cannot tell what was written to it before. */
export class StreamSink implements EventSink {
  readonly reached = beginning;
  readonly #name: string;
  readonly #stream: Writable;

  /** `file` null: the standard output, which stays open. */
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

/** Opens a stream. Opening a FIFO without a reader would block for ever and ignore signals, so it is a Failure. */
function openStream(file: string): Writable {
  if (!statSync(file).isFIFO()) {
    const fd = explainFile(file, 'a stream that can be written', () => openSync(file, 'w'));
    return createWriteStream('', { fd });
  }
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const fd = explainFile(file, 'a FIFO that somebody reads', () => openSync(file, flags));
  return new Socket({ fd, readable: false, writable: true });
}

/** An event as a line. Its number, id and type come first, so that the beginning of a line identifies it. */
export function eventLine(number: number, event: FeedEvent): string {
  const { id, type, ...rest } = event;
  return `${JSON.stringify({ number, id, type, ...rest })}\n`;
}

/** The position that a line records; null for a line that {@link eventLine} did not write. */
export function positionOf(line: string): Position | null {
  if (!isBeginning(line)) return null;
  const { number, id, type } = (parseJson(line) ?? {}) as { number?: unknown; id?: unknown; type?: unknown };
  const isEvent = Number.isSafeInteger(number) && uuid.safeParse(id).success && typeof type === 'string';
  return isEvent ? { event: number as number, id: id as string } : null;
}

const start = '{"number":';

/** `x` stands for a digit of the id. */
const afterNumber = `,"id":"${'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'}","type":"`;

/** Whether a line of {@link eventLine} may begin with this text, for example a line that a kill cut short. */
export function isBeginning(text: string): boolean {
  if (text.length <= start.length) return start.startsWith(text);
  const [, number = '', rest = ''] = /^\{"number":([1-9]\d{0,15})(.*)$/s.exec(text) ?? [];
  if (number === '') return false;
  return [...rest.slice(0, afterNumber.length)].every((character, index) => {
    const expected = afterNumber[index];
    return expected === 'x' ? /[0-9a-f]/.test(character) : character === expected;
  });
}

/** Whether a file is the standard output of this process. */
export function isStandardOutput(file: string): boolean {
  const [named, own] = [statSync(file), fstatSync(1)];
  return named.dev === own.dev && named.ino === own.ino && named.rdev === own.rdev;
}
