import type { FeedEvent, FollowedCorrection } from '../contract/formats/list-reading.ts';
import { parseJson } from '../contract/json.ts';
import { uuid } from '../contract/primitives.ts';
import type { Position } from './position.ts';

/** An event as a line. Its number, id and type come first, so that the beginning of a line identifies it. */
export function eventLine(number: number, event: FeedEvent): string {
  const { id, type, ...rest } = event;
  return `${JSON.stringify({ number, id, type, ...rest })}\n`;
}

/**
 * A correction as a line. It has no `number`, `id` or `type`, so that nobody takes it for an event. Its own number and
 * the revision that corrects come first.
 */
export function correctionLine({ number, corrected_by_revision, ...rest }: FollowedCorrection): string {
  return `${JSON.stringify({ correction: number, corrected_by_revision, ...rest })}\n`;
}

/** The position that a line records; null for a line that this module did not write. */
export function positionOf(line: string): Position | null {
  if (!isBeginning(line)) return null;
  const parsed = (parseJson(line) ?? {}) as Readonly<Record<string, unknown>>;
  return 'correction' in parsed ? positionOfCorrection(parsed) : positionOfEvent(parsed);
}

function positionOfEvent({ number, id, type }: Readonly<Record<string, unknown>>): Position | null {
  const isEvent = Number.isSafeInteger(number) && uuid.safeParse(id).success && typeof type === 'string';
  return isEvent ? { event: number as number, id: id as string, correction: null } : null;
}

function positionOfCorrection(parsed: Readonly<Record<string, unknown>>): Position | null {
  const { correction: number, corrected_by_revision: revision, after_event: event } = parsed;
  const isCorrection = Number.isSafeInteger(number) && uuid.safeParse(revision).success && Number.isSafeInteger(event);
  if (!isCorrection) return null;
  return { event: event as number, id: null, correction: { number: number as number, revision: revision as string } };
}

const anyUuid = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';

/** The beginnings of the two kinds of lines: text, a number, text. `x` stands for a digit of an id. */
const beginnings = [
  ['{"number":', `,"id":"${anyUuid}","type":"`],
  ['{"correction":', `,"corrected_by_revision":"${anyUuid}",`],
] as const;

/** Whether a line of this module may begin with this text, for example a line that a kill cut short. */
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
