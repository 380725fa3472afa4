import { compareInstants, epochSeconds } from '../../../contract/instant.ts';
import { displayPrice, minorDigits } from '../../../contract/profile.ts';
import { cut } from '../../../contract/schemas/checked-value.ts';
import type { Connection } from '../../database/connection.ts';
import { litrePrices, mostCommon, outOfRange } from '../../database/field-moves.ts';
import { countText } from '../../files/failure.ts';
import { profileIn } from '../../snapshot/format.ts';
import { median } from '../moves.ts';
import { roughly } from './currency-scale.ts';
import { examplesText, type Guard, percent } from './guard-rules.ts';

const day = 86_400;

/** The plausible median price per litre in US dollars, from soda to old cognac. */
const usualLitre = [0.5, 250] as const;

/**
 * Why the prices seem not to fit the sizes; null if they may fit. Prices may be in cents, for example, or sizes in
 * centilitres.
 */
function unlikelyLitres(connection: Connection, currency: string, unit: number): string | null {
  const [low, high] = usualLitre.map((dollars) => roughly(dollars, currency));
  const litres = litrePrices(connection);
  if (litres.length < 3 || low == null || high == null) return null;
  const middle = median(litres.map(({ litre }) => litre)) / unit;
  if (middle >= low && middle <= high) return null;
  const amount = (units: number) => displayPrice(Math.round(units * unit), currency);
  const examples = litres.slice(0, 2).map(({ sku, price, size }) => `${sku}: ${amount(price / unit)} for ${size} ml`);
  return `begins with a median price of ${amount(middle)} per litre: expected ${amount(low)} to ${amount(high)}; perhaps prices are in another unit, such as cents ("as": "integer" in the recipe), or sizes are ("unit")${examplesText(examples)}`;
}

export const snapshotGuards = [
  {
    name: 'one-value',
    example: 'one price for every product',
    limit:
      'is the first with products or with positive quantities, and more than half of the names, prices or quantities are the same, or more than 95 % of the sizes, at least 1,000',
    seen: '6.9 %; of sizes 72 %',
    trips: ({ connection, previous, inventory: { positive, retrievedPositive } }) => {
      const first = [
        ...(previous === null ? (['name', 'price_minor', 'size_ml'] as const) : []),
        ...(positive > 0 && retrievedPositive === 0 ? (['quantity'] as const) : []),
      ];
      for (const column of first) {
        const { value, count, all } = mostCommon(connection, column);
        const most = column === 'size_ml' ? 0.95 : 0.5;
        if (count < 1_000 || count <= all * most) continue;
        return `begins with the ${column} ${cut(value)} in ${countText(count)} of ${countText(all)} rows: expected at most ${percent(most)}`;
      }
      return null;
    },
  },
  {
    name: 'scale',
    example: 'sizes of 1 and 6, of a column of packs',
    limit:
      'is the first with products, and more than half of the sizes, at least 5, are below 20 ml or above 20 l, of the prices below one unit of the currency, or of the alcohol below 1 % or above 60 %; or the median price per litre, of at least 3, is below 0.5 or above 250 US dollars, roughly converted',
    seen: '0.1 %; 0.08 %; –; 27 dollars',
    trips: ({ connection, previous, header }) => {
      if (previous !== null) return null;
      const { currency } = profileIn(header);
      const unit = 10 ** minorDigits(currency);
      const scales = [
        ['sizes', 'size_ml', 20, 20_000, 'from 20 to 20,000 ml'],
        ['prices', 'price_minor', unit, Number.MAX_SAFE_INTEGER, 'of one unit of the currency or more'],
        ['values of alcohol', 'alcohol_by_volume', 1, 60, 'from 1 to 60 %'],
      ] as const;
      for (const [what, column, low, high, expected] of scales) {
        const { out, all, examples } = outOfRange(connection, column, low, high);
        if (out < 5 || out <= all / 2) continue;
        return `begins with ${countText(out)} of ${countText(all)} ${what} that no shelf has: expected most ${expected}${examplesText(examples)}`;
      }
      return unlikelyLitres(connection, currency, unit);
    },
  },
  {
    name: 'source-times',
    example: 'an older catalog',
    limit:
      'has an earlier `retrieved_at` or `source_updated_at` of the catalog or the directory than before, or an earlier `source_updated_at` than before in more than half of the lines of `inventory.ndjson`, at least 10',
    seen: '0',
    trips: ({ header, previous, inventory: { turnedBack, attempts } }) => {
      for (const part of ['catalog', 'directory'] as const) {
        for (const field of ['source_updated_at', 'retrieved_at'] as const) {
          const [before, now] = [previous?.[`${part}_${field}`] ?? null, header[part]?.[field] ?? null];
          if (before === null || now === null || compareInstants(now, before) >= 0) continue;
          return `goes back in time: expected ${part}.${field} from ${before} on, got ${now}`;
        }
      }
      if (turnedBack < 10 || turnedBack <= attempts / 2) return null;
      return `goes back in time: expected source_updated_at no earlier than before, got an earlier one in ${countText(turnedBack)} of ${countText(attempts)} lines of inventory.ndjson`;
    },
  },
  {
    name: 'times',
    example: 'a catalog that was updated in 2099',
    limit:
      'has a part retrieved more than a day after `published_at`, or more than 25 days before it; or a `source_updated_at` more than a day after its `retrieved_at`; or a retrieval that ends more than an hour before it begins',
    seen: '–',
    trips: ({ header, inventory }) => {
      const times: readonly (readonly [string, string | null])[] = [
        ['catalog.retrieved_at', header.catalog?.retrieved_at ?? null],
        ['directory.retrieved_at', header.directory?.retrieved_at ?? null],
        ['the last attempted_at of inventory.ndjson', inventory.lastAttempt],
      ];
      for (const [field, time] of times) {
        if (time === null) continue;
        const age = epochSeconds(header.published_at) - epochSeconds(time);
        if (age >= -day && age <= 25 * day) continue;
        const expected = 'at most a day after published_at and at most 25 days before it';
        return `has times that do not belong together: expected ${field} ${expected}, got ${time} and ${header.published_at}`;
      }
      for (const part of ['catalog', 'directory'] as const) {
        const { source_updated_at: updated = null, retrieved_at: retrieved = '' } = header[part] ?? {};
        if (updated === null || epochSeconds(updated) - epochSeconds(retrieved) <= day) continue;
        return `has times in the wrong order: expected ${part}.source_updated_at before ${part}.retrieved_at, got ${updated} and ${retrieved}`;
      }
      if (inventory.misordered.length > 0)
        return `has times in the wrong order: expected source_updated_at and attempted_at before retrieved_at${examplesText(inventory.misordered)}`;
      return null;
    },
  },
  {
    name: 'future',
    example: 'a `published_at` of 2099',
    flag: '--accept-future',
    limit: 'has a `published_at` more than a day ahead of the clock; every later snapshot would then be older',
    seen: '–',
    trips: ({ header, notAfter }) => {
      if (notAfter === null || compareInstants(header.published_at, notAfter) <= 0) return null;
      return `is dated in the future: expected published_at up to ${notAfter}, a day from now, got ${header.published_at}`;
    },
  },
  {
    name: 'retention',
    example: '`history_days` of 30 instead of 365',
    limit:
      'keeps changes or exports for fewer days than the snapshot before, which takes older ones off the site for good',
    seen: '0',
    trips: ({ header: { retention }, previous }) => {
      for (const [field, what] of [
        ['history_days', 'changes'],
        ['publication_days', 'exports of earlier publications'],
      ] as const) {
        const [before, now] = [previous?.[field] ?? 0, retention[field]];
        if (now >= before) continue;
        return `takes older ${what} off the site for good: expected retention.${field} of ${before} or more, as before, got ${now}`;
      }
      return null;
    },
  },
] as const satisfies readonly Guard[];
