import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { parseJson } from '../contract/json.ts';
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
