import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { FeedEvent } from '../contract/formats/list-reading.ts';
import { parseJson } from '../contract/json.ts';
import { uuid } from '../contract/primitives.ts';
import { explainFile, Failure } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

/** How far the log was read: number and id of the last event. Before the first one, the number is 0 and the id null. */
export type Position = { readonly event: number; readonly id: string | null };

export const beginning: Position = { event: 0, id: null };

/**
 * A position takes some hundred bytes. Bytes beyond this limit are not read, because a longer file is something else.
 */
const longestState = 4096;

/** Reads the position of the last run. Throws a Failure when the file holds something else. */
export function readPosition(file: string): Position {
  const text = explainFile(file, 'a file that can be read', () => beginningOf(file));
  if (text === null) return beginning;
  const { event, id } = (parseJson(text) ?? {}) as Partial<Position>;
  if (Number.isSafeInteger(event) && (event as number) > 0 && typeof id === 'string')
    return { event: event as number, id };
  throw new Failure(
    `${file}: expected a position like {"event":1,"id":"..."}, got ${JSON.stringify(text.slice(0, 80))}`,
  );
}

/**
 * Replaces the file atomically, so a kill leaves the previous position. Throws a {@link WriteFailure} when it cannot.
 */
export function savePosition(file: string, { event, id }: Position): void {
  explainWrite(file, () => replaceFile(file, (append) => append(`${JSON.stringify({ event, id })}\n`)));
}

function beginningOf(file: string): string | null {
  if (!existsSync(file)) return null;
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(longestState);
    return bytes.subarray(0, readSync(descriptor, bytes)).toString();
  } finally {
    closeSync(descriptor);
  }
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

/** Events or their position cannot be written. Another poll would not help, and could write events twice. */
export class WriteFailure extends Failure {
  override readonly name = 'WriteFailure';
}

/** Uses a file and returns the result. Throws a {@link WriteFailure} when the system refuses. */
export function explainWrite<Result>(file: string, use: () => Result): Result {
  try {
    return explainFile(file, 'a file that can be written', use);
  } catch (error) {
    throw error instanceof Failure ? new WriteFailure(error.message) : error;
  }
}
