import type { WarningCode } from '../contract/primitives.ts';
import { displayPrice } from '../contract/profile.ts';
import type {
  Move,
  NamedProduct,
  PublicationDetails,
  PublicationSummary,
  SetAsideRows,
} from '../database/publication-summary.ts';
import { countOf, countText, printable } from '../failure.ts';

/** What a publication did, in a few lines for people. */
export function summaryLines(summary: PublicationSummary, warnings: readonly WarningCode[]): string[] {
  const {
    products,
    stores,
    categories,
    retrievals,
    pairs_checked: pairs,
    events,
    unchanged_parts: unchanged,
  } = summary;
  const asked = retrievals.succeeded + retrievals.failed;
  return [
    `products: ${countsText(products) || 'none changed'}`,
    ...Object.entries({ stores, categories }).flatMap(([what, counts]) => {
      const text = countsText(counts);
      return text === '' ? [] : [`${what}: ${text}`];
    }),
    ...(asked === 0
      ? []
      : [
          `inventory: ${countOf(asked, 'product')} asked for, ${retrievals.failed} failed; ${countOf(pairs, 'pair')} checked`,
        ]),
    eventsLine(events),
    ...(unchanged.length === 0 ? [] : [`came again without any change: ${unchanged.join(', ')}`]),
    ...warnings.map((code) => `warning ${code}: ${warningTexts[code]}`),
  ];
}

/** `3 new, 1 gone, 12 repriced`, or nothing. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([what, count]) => `${countText(count)} ${what.replace('_', ' ')}`).join(', ');
}

function eventsLine(events: PublicationSummary['events']): string {
  const counts = Object.entries(events);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return 'events: none';
  return `events: ${countText(total)} (${counts.map(([type, count]) => `${type} ${countText(count)}`).join(', ')})`;
}

const warningTexts: Readonly<Record<WarningCode, string>> = {
  FIXTURE_DATA: 'the snapshot says that its data are no data of an agency',
  INVENTORY_COVERAGE_PARTIAL: 'some pairs of a listed product and a store were never checked',
  SOURCE_REFRESH_DELAYED: 'the newest inventory is older than the policy allows',
  UPSTREAM_PRODUCT_UNAVAILABLE: 'the last attempt failed for some listed products',
  SOURCE_SCHEMA_QUARANTINED: 'a part in force has rows that were set aside',
  CATALOG_BATCH_OLD: 'the catalog in force was retrieved more than 45 days earlier',
};

/** The rows of a snapshot that were set aside; none if there are none. */
export function setAsideLines(files: readonly SetAsideRows[]): string[] {
  return files.map(({ file, rows, line, reason }) => {
    const place = line === null ? '' : ` (line ${line})`;
    return `${file}: ${countOf(rows, 'row')} set aside; the first${place}: ${printable(reason)}`;
  });
}

/** Examples of what a publication did, for people. */
export function detailLines(details: PublicationDetails, { products }: PublicationSummary): string[] {
  const {
    new_products: added,
    gone_products: gone,
    price_moves: prices,
    quantity_moves: quantities,
    currency,
  } = details;
  const priceText = (amount: number | null) => (amount === null ? 'no price' : displayPrice(amount, currency));
  const price = ({ before, now, ...product }: Move) => `${nameOf(product)}: ${priceText(before)} to ${priceText(now)}`;
  return [
    ...block('new', added.map(nameOf), products.new),
    ...block('gone', gone.map(nameOf), products.gone),
    ...block('largest price moves', prices.map(price)),
    ...block(
      'largest quantity moves',
      quantities.map(
        ({ store, before, now, ...product }) =>
          `${nameOf(product)} in ${store}: ${before ?? 'no row'} to ${now ?? 'no row'}`,
      ),
    ),
  ];
}

function nameOf({ sku, name }: NamedProduct): string {
  return `${sku} ${printable(name)}`;
}

/** A title with lines below it. Says how many there are in all if these are only the first. */
function block(title: string, lines: readonly string[], total = lines.length): string[] {
  const share = total > lines.length ? ` (the first ${lines.length} of ${countText(total)})` : '';
  return lines.length === 0 ? [] : [`${title}${share}:`, ...lines.map((line) => `  ${line}`)];
}
