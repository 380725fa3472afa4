import { zonedText } from '../text/text.ts';
import { toInstant, toSeconds } from './plot.ts';

/* Days of the site's zone, counted from 1 Jan 1970, and positions of charts, which are moments. */

const day = 86_400;

export function dayNumber(position: number): number {
  return toSeconds(zonedText(toInstant(position)).isoDay) / day;
}

/** When a day began. The clock tells how far the zone is from UTC, and once more in case that it was changed in between. */
export function startOfDay(dayIndex: number): number {
  const midnight = dayIndex * day;
  const first = 2 * midnight - clockAt(midnight);
  return first + midnight - clockAt(first);
}

/** What clocks of the zone show, as if it were UTC. */
function clockAt(position: number): number {
  const { isoDay, time } = zonedText(toInstant(position));
  return toSeconds(`${isoDay}T${time.slice(0, 5)}:00Z`);
}
