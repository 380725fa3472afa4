import { toInstant, toSeconds } from './plot.ts';
import { zonedText } from './text.ts';

/* Days in the site's time zone, counted from 1 Jan 1970, and chart positions, which are moments in time. */

const day = 86_400;

export function dayNumber(position: number): number {
  return toSeconds(zonedText(toInstant(position)).isoDay) / day;
}

/**
 * When a day began. The first estimate uses the offset at UTC midnight; the second corrects it if the clocks changed in
 * between.
 */
function startOfDay(dayIndex: number): number {
  const midnight = dayIndex * day;
  const first = 2 * midnight - clockAt(midnight);
  return first + midnight - clockAt(first);
}

/** The local time, read as if it were UTC. */
function clockAt(position: number): number {
  const { isoDay, time } = zonedText(toInstant(position));
  return toSeconds(`${isoDay}T${time.slice(0, 5)}:00Z`);
}

/**
 * Spans of whole days in the site's time zone without an attempt: before the first attempt, and between attempts if at
 * least twice as long as usual, so that a product checked once a week is not shaded all over.
 */
export function unaskedSpans(attempts: readonly number[], start: number, end: number): [number, number][] {
  const days = [...new Set(attempts.map(dayNumber))];
  const pauses = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const usual = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 1;
  const spans = days.flatMap((day, index): [number, number][] => {
    const next = days[index + 1] ?? dayNumber(end) + 1;
    return next - day > 1 && next - day >= 2 * usual ? [[startOfDay(day + 1), startOfDay(next)]] : [];
  });
  const [first] = days;
  return first !== undefined && startOfDay(first) > start ? [[start, startOfDay(first)], ...spans] : spans;
}
