import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { parseJson } from '../contract/json.ts';
import { explainFile, Failure } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

/**
 * How far the feed was read: number and id of the last event, and the last correction. Before the first event, the number
 * is 0. The id is null where only the number is known. `correction` is null where it is not known; then all corrections
 * before the event are behind, and no others.
 */
export type Position = {
  readonly event: number;
  readonly id: string | null;
  readonly correction: { readonly number: number; readonly revision: string } | null;
};

export const beginning: Position = { event: 0, id: null, correction: null };

/** Whether a position comes before another one in the feed, for sorting. */
export function comparePositions(a: Position, b: Position): number {
  return a.event - b.event || (a.correction?.number ?? 0) - (b.correction?.number ?? 0);
}

/**
 * A position takes some hundred bytes. Bytes beyond this limit are not read, because a longer file is something else.
 */
const longestState = 4096;

/** Reads the position of the last run. Throws a Failure when the file holds something else. */
export function readPosition(file: string): Position {
  const text = explainFile(file, 'a file that can be read', () => beginningOf(file));
  if (text === null) return beginning;
  const position = asPosition((parseJson(text) ?? {}) as Readonly<Record<string, unknown>>);
  if (position) return position;
  throw new Failure(
    `${file}: expected a position like {"event":1,"id":"..."}, got ${JSON.stringify(text.slice(0, 80))}`,
  );
}

/** A saved position; null when the fields are of something else. Versions without corrections saved none. */
function asPosition({ event, id, correction = null }: Readonly<Record<string, unknown>>): Position | null {
  const isEvent = isNumber(event, 1) && typeof id === 'string';
  if (correction === null) return isEvent ? { event, id, correction } : null;
  const { number, revision } = correction as Readonly<Record<string, unknown>>;
  if (!isNumber(number, 1) || typeof revision !== 'string') return null;
  if (isEvent) return { event, id, correction: { number, revision } };
  // The last line was a correction, and the id of the event before it is not known.
  return isNumber(event, 0) && id === null ? { event, id, correction: { number, revision } } : null;
}

function isNumber(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/**
 * Replaces the file atomically, so a kill leaves the previous position. Throws a {@link WriteFailure} when it cannot.
 */
export function savePosition(file: string, { event, id, correction }: Position): void {
  const position = correction === null ? { event, id } : { event, id, correction };
  explainWrite(file, () => replaceFile(file, (append) => append(`${JSON.stringify(position)}\n`)));
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
