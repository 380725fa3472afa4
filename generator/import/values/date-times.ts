import { DateTime, IANAZone } from 'luxon';
import { canonicalInstant, compareInstants, epochSeconds } from '../../contract/instant.ts';
import type { Converted } from './conversions.ts';

/** How a column writes times. `format` has the tokens of Luxon. A format or a date of a workbook needs a `zone`. */
export type TimeStyle = {
  readonly zone: string | null;
  readonly format: string | null;
  readonly whenRepeated: 'earlier' | 'later' | null;
};

const english = { locale: 'en-US', numberingSystem: 'latn' } as const;

export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** Whether a format says the offset from UTC or the zone, so that it needs no zone. */
export function saysOffset(format: string): boolean {
  return /Z/i.test(format.replace(/'[^']*'/g, ''));
}

/** Whether a format says the year. Luxon takes that of the clock otherwise. */
export function saysYear(format: string): boolean {
  return /[ykDfF]/.test(format.replace(/'[^']*'/g, ''));
}

/** Times before it stand for none, such as 1899-12-30, 1970-01-01 and 1980-01-01, or for years of two digits. */
const earliest = '1990-01-01T00:00:00Z';

/** What is expected of a time of a snapshot that is published at `publishedAt`; null if nothing else is. */
export function expectedTime(time: string, publishedAt: string | null): string | null {
  if (compareInstants(time, earliest) < 0) return 'a time from 1990 on';
  const isLate = publishedAt !== null && epochSeconds(time) > epochSeconds(publishedAt) + 86_400;
  return isLate ? `a time at most a day after the publication at ${publishedAt}` : null;
}

/**
 * A time as UTC text. A wall-clock time that its zone skips is refused. One that its zone has twice is refused too, unless
 * the recipe says which of the two counts.
 */
export function dateTime(text: string, { zone, format, whenRepeated }: TimeStyle): Converted {
  if (format === null) return rfc3339(text);
  if (saysOffset(format)) {
    const read = DateTime.fromFormat(text, format, { ...english, setZone: true });
    return read.isValid ? { value: utcText(read) } : { expected: likeThis(format) };
  }
  const wall = DateTime.fromFormat(text, format, { ...english, zone: 'utc' });
  return wall.isValid ? inZone(wall, zone ?? 'utc', whenRepeated) : { expected: likeThis(format) };
}

/** The date of a workbook, `2024-03-01` or `2024-03-01T14:05:00`, as a wall-clock time of a zone. */
export function workbookDateTime(text: string, { zone, whenRepeated }: TimeStyle): Converted {
  if (zone === null) return { expected: 'a zone in the recipe, because a date of a workbook has none' };
  const wall = DateTime.fromISO(text, { zone: 'utc' });
  // Luxon takes a time without a date for one of today.
  return wall.isValid && /^\d{4}-\d{2}-\d{2}/.test(text) ? inZone(wall, zone, whenRepeated) : { expected: 'a date' };
}

function inZone(wall: DateTime, zone: string, whenRepeated: TimeStyle['whenRepeated']): Converted {
  const local = wall.setZone(zone, { keepLocalTime: true });
  const isShown = local.hour === wall.hour && local.minute === wall.minute && local.ordinal === wall.ordinal;
  if (!isShown) return { expected: `a time that the clocks of ${zone} show` };
  const both = local.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
  if (both.length > 1 && whenRepeated === null) {
    return { expected: `a time that the clocks of ${zone} show once; "when_repeated" says which one counts` };
  }
  const chosen = whenRepeated === 'later' ? both.at(-1) : both.at(0);
  return { value: utcText(chosen ?? local) };
}

function rfc3339(text: string): Converted {
  const value = canonicalInstant(text);
  return value === null ? { expected: 'a date-time like 2024-01-02T22:26:37Z, or a format and a zone' } : { value };
}

function utcText(time: DateTime): string {
  return canonicalInstant(time.toUTC().toISO({ suppressMilliseconds: true }) ?? '') ?? '';
}

function likeThis(format: string): string {
  const example = DateTime.fromISO('2024-03-09T14:05:00Z', { zone: 'utc' });
  return `a date-time like ${example.setLocale('en-US').toFormat(format)}`;
}
