import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { parseJson } from '../contract/json.ts';
import { explainFile, Failure } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

/** Up to where the log was read: the number of the last event, and its id, null before the first one. */
export type Position = { readonly event: number; readonly id: string | null };

export const beginning: Position = { event: 0, id: null };

/** Some hundred bytes: what is longer is something else, and not read. */
const longestState = 4096;

/** Where a position is kept between runs. Throws a Failure when the file holds something else. */
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

/** Replaces the file in one step: a kill leaves the position before. Throws a {@link WriteFailure} where it cannot. */
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

/** What was read cannot be written or remembered: to look again would not help, and could write events twice. */
export class WriteFailure extends Failure {
  override readonly name = 'WriteFailure';
}

/** What a use of a file gives; where the system refuses it, a {@link WriteFailure}. */
export function explainWrite<Result>(file: string, use: () => Result): Result {
  try {
    return explainFile(file, 'a file that can be written', use);
  } catch (error) {
    throw error instanceof Failure ? new WriteFailure(error.message) : error;
  }
}
