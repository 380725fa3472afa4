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
export function startOfDay(dayIndex: number): number {
  const midnight = dayIndex * day;
  const first = 2 * midnight - clockAt(midnight);
  return first + midnight - clockAt(first);
}

/** The local time, read as if it were UTC. */
function clockAt(position: number): number {
  const { isoDay, time } = zonedText(toInstant(position));
  return toSeconds(`${isoDay}T${time.slice(0, 5)}:00Z`);
}
