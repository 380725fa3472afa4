import type { FeedEvent } from '../contract/list-reading.ts';
import { parseJson } from '../contract/parse-json.ts';
import { uuid } from '../contract/primitives.ts';
import type { Position } from './position.ts';

/** An event as it is written: its number, id and type first, so that a line can be told by its beginning. */
export function eventLine(number: number, event: FeedEvent): string {
  const { id, type, ...rest } = event;
  return `${JSON.stringify({ number, id, type, ...rest })}\n`;
}

/** How far a line says the log was read; null for a line that {@link eventLine} did not write. */
export function positionOf(line: string): Position | null {
  if (!isBeginning(line)) return null;
  const { number, id, type } = (parseJson(line) ?? {}) as { number?: unknown; id?: unknown; type?: unknown };
  const isEvent = Number.isSafeInteger(number) && uuid.safeParse(id).success && typeof type === 'string';
  return isEvent ? { event: number as number, id: id as string } : null;
}

const start = '{"number":';

/** `x` stands for a digit of the id. */
const afterNumber = `,"id":"${'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'}","type":"`;

/** Whether a line of {@link eventLine} may begin so, as when a kill cut it short. */
export function isBeginning(text: string): boolean {
  if (text.length <= start.length) return start.startsWith(text);
  const [, number = '', rest = ''] = /^\{"number":([1-9]\d{0,15})(.*)$/s.exec(text) ?? [];
  if (number === '') return false;
  return [...rest.slice(0, afterNumber.length)].every((character, index) => {
    const expected = afterNumber[index];
    return expected === 'x' ? /[0-9a-f]/.test(character) : character === expected;
  });
}
