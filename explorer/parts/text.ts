import { amountText, siteLanguage, siteZone } from '../site/site-profile.ts';

/* Values as text. They do not depend on the reader's language or time zone, so that everyone reads the same. */

const isEnglish = () => siteLanguage().startsWith('en');
let numbers: Intl.NumberFormat | null = null;

/** `12345` as `12,345`, or as the site's language writes it. */
export function countText(count: number): string {
  if (!isEnglish()) {
    numbers ??= new Intl.NumberFormat(siteLanguage());
    return numbers.format(count);
  }
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 store`, `1,204 stores`. */
export function countNoun(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** An amount as `$12.99`, or in another currency as the site's language writes it; a dash for null. */
export function priceText(minor: number | null): string {
  return minor === null
    ? '–'
    : (amountText(minor) ?? `$${countText(Math.trunc(minor / 100))}.${String(minor % 100).padStart(2, '0')}`);
}

/** A range of prices as `$12.99 to $25.99`, or as one price if both are equal; a dash for null. */
export function rangeText(
  range: { readonly minimum_amount_minor: number; readonly maximum_amount_minor: number } | null,
): string {
  if (range === null) return priceText(null);
  const { minimum_amount_minor: least, maximum_amount_minor: most } = range;
  return least === most ? priceText(least) : `${priceText(least)} to ${priceText(most)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/** A time in a time zone: its day as `2025-06-01` and `1 Jun 2025`, and its time as `08:00 UTC`. */
export function zonedText(instant: string, zone = siteZone()) {
  if (zone === 'UTC')
    return { isoDay: instant.slice(0, 10), day: dayText(instant), time: `${instant.slice(11, 16)} UTC` };
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      ...({ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const),
      ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
    });
  clocks.set(zone, clock);
  const parts = Object.fromEntries(clock.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour, minute, timeZoneName } = parts;
  const isoDay = `${year.padStart(4, '0')}-${month}-${day}`;
  return { isoDay, day: dayText(isoDay), time: `${hour}:${minute} ${timeZoneName}` };
}

/** `2025-06-01T08:00:00Z` as `1 Jun 2025, 08:00 UTC`. */
export function instantText(instant: string, zone = siteZone()): string {
  const { day, time } = zonedText(instant, zone);
  return `${day}, ${time}`;
}

/** The day of a time, or a day such as `2025-06-01`, as `1 Jun 2025`. */
export function dateText(instant: string): string {
  return instant.length > 10 ? zonedText(instant).day : dayText(instant);
}

const dates = new Map<'day' | 'month', Intl.DateTimeFormat>();

/** A day, or its month, as the site's language writes it. */
function localText(isoDay: string, part: 'day' | 'month'): string {
  const format =
    dates.get(part) ??
    new Intl.DateTimeFormat(siteLanguage(), {
      ...({ timeZone: 'UTC', year: 'numeric', month: 'short' } as const),
      ...(part === 'day' && { day: 'numeric' }),
    });
  dates.set(part, format);
  return format.format(new Date(`${isoDay.slice(0, 10)}T00:00:00Z`));
}

function dayText(isoDay: string): string {
  if (!isEnglish()) return localText(isoDay, 'day');
  const [year, month, day] = isoDay.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}

/** `2025-06-01…` as `Jun 2025`. */
export function monthText(instant: string): string {
  const { isoDay } = zonedText(instant);
  if (!isEnglish()) return localText(isoDay, 'month');
  return `${months[Number(isoDay.slice(5, 7)) - 1]} ${isoDay.slice(0, 4)}`;
}

/** How long before `now` a time is, in words. Both come from the data, not from the reader's clock. */
export function ageText(instant: string, now: string): string {
  const hours = Math.round((Date.parse(now) - Date.parse(instant)) / 3_600_000);
  if (hours < 1) return 'less than an hour before';
  return hours < 48 ? `${countNoun(hours, 'hour')} before` : `${countNoun(Math.round(hours / 24), 'day')} before`;
}

/** A distance in a straight line, as `12.3 km (7.6 mi)`. */
export function distanceText(metres: number): string {
  return `${(metres / 1000).toFixed(1)} km (${(metres / 1609.344).toFixed(1)} mi)`;
}

/** A code of the API as words: `reported_positive` as `reported positive`. */
export function words(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}

/** Words with a capital first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
