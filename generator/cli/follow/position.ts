import { existsSync } from 'node:fs';
import type { FeedEvent, FollowedCorrection } from '../../../contract/schemas/pages.ts';
import { uuid } from '../../../contract/schemas/primitives.ts';
import { parseJson } from '../../../contract/text.ts';
import { replaceFile } from '../../files/durable-files.ts';
import { explainFile, Failure } from '../../files/failure.ts';
import { firstBytes } from '../../files/regular-file.ts';

/**
 * How far the feed was read: number and id of the last event, and the last correction. Before the first event, the
 * number is 0. The id is null if only the number is known. `correction` is null if it is unknown; then exactly the
 * corrections before the event have been read.
 */
export type Position = {
  readonly event: number;
  readonly id: string | null;
  readonly correction: { readonly number: number; readonly revision: string } | null;
};

export const beginning: Position = { event: 0, id: null, correction: null };

export function comparePositions(a: Position, b: Position): number {
  return a.event - b.event || (a.correction?.number ?? 0) - (b.correction?.number ?? 0);
}

/** A position takes a few hundred bytes. A longer file is something else, and is not read. */
const longestState = 4096;

/** Reads the position in a file. Throws a Failure if the file contains something else. */
export function readPosition(file: string): Position {
  if (!existsSync(file)) return beginning;
  const text = explainFile(file, 'a file that can be read', () => firstBytes(file, longestState)).toString();
  const position = asPosition((parseJson(text) ?? {}) as Readonly<Record<string, unknown>>);
  if (position) return position;
  throw new Failure(
    'follow_position',
    `${file}: expected a position like {"event":1,"id":"..."}, got ${JSON.stringify(text.slice(0, 80))}`,
  );
}

/** The position in a parsed file; null for anything else. Earlier versions of `follow` saved no correction. */
function asPosition({ event, id, correction = null }: Readonly<Record<string, unknown>>): Position | null {
  const isEvent = isNumber(event, 1) && typeof id === 'string';
  if (correction === null) return isEvent ? { event, id, correction } : null;
  const { number, revision } = correction as Readonly<Record<string, unknown>>;
  if (!isNumber(number, 1) || typeof revision !== 'string') return null;
  if (isEvent) return { event, id, correction: { number, revision } };
  // The last line was a correction, and the id of the event before it is unknown.
  return isNumber(event, 0) && id === null ? { event, id, correction: { number, revision } } : null;
}

function isNumber(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Replaces the file atomically: a killed run leaves the previous position. May throw a {@link WriteFailure}. */
export function savePosition(file: string, { event, id, correction }: Position): void {
  const position = correction === null ? { event, id } : { event, id, correction };
  explainWrite(file, () => replaceFile(file, (append) => append(`${JSON.stringify(position)}\n`)));
}

/** Events or their position cannot be written. Polling again would not help, and could write events twice. */
export class WriteFailure extends Failure {
  override readonly name = 'WriteFailure';
}

/** Returns what `use` returns. Throws a {@link WriteFailure} if the system refuses the file. */
export function explainWrite<Result>(file: string, use: () => Result): Result {
  try {
    return explainFile(file, 'a file that can be written', use);
  } catch (error) {
    throw error instanceof Failure ? new WriteFailure(error.code, error.message) : error;
  }
}

/** The line of an event. Number, id and type come first, so that the beginning of a line identifies the event. */
export function eventLine(number: number, event: FeedEvent): string {
  const { id, type, ...rest } = event;
  return `${JSON.stringify({ number, id, type, ...rest })}\n`;
}

/**
 * The line of a correction. It has no `number`, `id` or `type`, so that no reader takes it for an event. It begins with
 * what identifies the correction.
 */
export function correctionLine({ number, corrected_by_revision, ...rest }: FollowedCorrection): string {
  return `${JSON.stringify({ correction: number, corrected_by_revision, ...rest })}\n`;
}

/** The position that a line states; null for a line that this module did not write. */
export function positionInLine(line: string): Position | null {
  if (!isBeginning(line)) return null;
  const parsed = (parseJson(line) ?? {}) as Readonly<Record<string, unknown>>;
  return 'correction' in parsed ? correctionPosition(parsed) : eventPosition(parsed);
}

function eventPosition({ number, id, type }: Readonly<Record<string, unknown>>): Position | null {
  const isEvent = Number.isSafeInteger(number) && uuid.safeParse(id).success && typeof type === 'string';
  return isEvent ? { event: number as number, id: id as string, correction: null } : null;
}

function correctionPosition(parsed: Readonly<Record<string, unknown>>): Position | null {
  const { correction: number, corrected_by_revision: revision, after_event: event } = parsed;
  const isCorrection = Number.isSafeInteger(number) && uuid.safeParse(revision).success && Number.isSafeInteger(event);
  if (!isCorrection) return null;
  return { event: event as number, id: null, correction: { number: number as number, revision: revision as string } };
}

const anyUuid = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';

/** Both kinds of lines begin with text, a number and text. `x` stands for a digit of an id. */
const beginnings = [
  ['{"number":', `,"id":"${anyUuid}","type":"`],
  ['{"correction":', `,"corrected_by_revision":"${anyUuid}",`],
] as const;

/** Whether a line of this module can begin with this text, for example a line that a kill cut short. */
export function isBeginning(text: string): boolean {
  return beginnings.some(([start, afterNumber]) => {
    if (text.length <= start.length) return start.startsWith(text);
    if (!text.startsWith(start)) return false;
    const [, rest = null] = /^[1-9]\d{0,15}(?!\d)(.*)$/s.exec(text.slice(start.length)) ?? [];
    if (rest === null) return false;
    return [...rest.slice(0, afterNumber.length)].every((character, index) => {
      const expected = afterNumber[index];
      return expected === 'x' ? /[0-9a-f]/.test(character) : character === expected;
    });
  });
}
