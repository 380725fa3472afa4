/* Texts of values. They do not depend on the reader's language or time zone, so that two people read the same page. */

/** `12345` as `12,345`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 store`, `1,204 stores`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** An amount of US cents as `$12.99`; a dash for none. */
export function priceText(minor: number | null): string {
  return minor === null ? '–' : `$${countText(Math.trunc(minor / 100))}.${String(minor % 100).padStart(2, '0')}`;
}

/** A range of prices as `$12.99 to $25.99`, or as one price where it is one; a dash for none. */
export function rangeText(
  range: { readonly minimum_amount_minor: number; readonly maximum_amount_minor: number } | null,
): string {
  if (range === null) return priceText(null);
  const { minimum_amount_minor: least, maximum_amount_minor: most } = range;
  return least === most ? priceText(least) : `${priceText(least)} to ${priceText(most)}`;
}

/** `2025-06-01T08:00:00Z` as `1 Jun 2025, 08:00 UTC`. */
export function instantText(instant: string): string {
  return `${dateText(instant)}, ${instant.slice(11, 16)} UTC`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The UTC day of an instant, as `1 Jun 2025`. */
export function dateText(instant: string): string {
  const [year, month, day] = instant.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}

/** How long before `now` an instant is, in words; both are of the data, not of the reader's clock. */
export function ageText(instant: string, now: string): string {
  const hours = Math.round((Date.parse(now) - Date.parse(instant)) / 3_600_000);
  if (hours < 1) return 'less than an hour before';
  return hours < 48 ? `${countOf(hours, 'hour')} before` : `${countOf(Math.round(hours / 24), 'day')} before`;
}

/** A code of the service as words: `reported_positive` as `reported positive`. */
export function words(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ');
}

/** Words with a capital first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
