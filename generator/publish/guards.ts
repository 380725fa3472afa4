import { cut, shown } from '../../contract/checked-value.ts';
import { compareInstants, epochSeconds } from '../../contract/instant.ts';
import { minorDigits } from '../../contract/profile.ts';
import { mostCommon, outOfRange } from '../database/field-moves.ts';
import { countText, Failure } from '../files/failure.ts';
import { profileIn } from '../snapshot/format.ts';
import {
  changedPrices,
  copiedQuantities,
  earlier,
  emptiedStores,
  exampleTexts,
  farQuantities,
  fivefoldQuantities,
  type Guard,
  type GuardFacts,
  inField,
  ofLevel,
  ofNew,
  ofShare,
  outlyingStores,
  overTime,
  percent,
  priceText,
  uncoveredStores,
} from './guard-rules.ts';

const day = 86_400;

/**
 * Each row has a name, an example, what it measures, the largest share that passes, the fewest moves, and the largest
 * share seen.
 */
export const guards = [
  {
    name: 'catalog',
    example: 'a price list cut in half',
    flag: '--accept-shrink',
    ...overTime(
      ofShare('loses % listed products', inField('products', 'gone'), [0.2, 1, 0.0059]),
      'listed_products',
      [0.7, 20],
      'listed products',
    ),
  },
  {
    name: 'new-products',
    example: 'every product once more under a new code',
    ...ofNew('products', [0.2, 20, 0.0306]),
  },
  {
    name: 'names',
    example: 'names shifted by one row',
    ...ofShare('renames % products that stay listed', inField('products', 'renamed'), [0.1, 20, 0.0155]),
  },
  {
    name: 'sizes',
    example: 'one size for every product',
    ...ofShare('resizes % products that stay listed', inField('products', 'resized'), [0.1, 20, 0.0003]),
  },
  {
    name: 'alcohol',
    example: 'a fraction instead of percent',
    ...ofShare(
      'gives another alcohol by volume, or none, to % products that stay listed',
      inField('products', 'alcohol_changed'),
      [0.1, 20, 0],
    ),
  },
  {
    name: 'categories',
    example: 'a catalog without its column of categories',
    ...ofShare(
      'files % products that stay listed under another category',
      inField('products', 'recategorised'),
      [0.1, 20, 0.0061],
    ),
  },
  {
    name: 'category-names',
    example: 'ids instead of names',
    ...ofShare('renames % categories that stay', inField('categories', 'renamed'), [0.2, 5, 0]),
  },
  {
    name: 'statuses',
    example: 'every product discontinued',
    ...ofShare(
      'gives another status to % products that stay listed',
      inField('products', 'status_changed'),
      [0.2, 20, 0.0404],
    ),
  },
  {
    name: 'prices',
    example: 'dollars read as cents',
    limit:
      'moves at least 10 prices by more than half or loses them, and these are more than 5 % of the prices of products that stay listed; or moves at least 10 prices fivefold, up or down, or to 0',
    seen: '0.43 %; 0',
    trips: ({ header, prices: { compared, far, fivefold, examples } }) => {
      const prices = `of ${countText(compared)} prices`;
      const some = () => shown(exampleTexts(examples.far, priceText(header)));
      if (far >= 10 && far > compared * 0.05)
        return `moves ${countText(far)} ${prices} by more than half: expected at most 5 % of them${some()}`;
      if (fivefold < 10) return null;
      return `moves ${countText(fivefold)} ${prices} fivefold or to 0: expected fewer than 10${some()}`;
    },
  },
  {
    name: 'price-moves',
    example: 'a tenth of the prices at random',
    limit:
      'moves at least 20 prices by more than a quarter or loses them, and these are more than 1 % of all prices, and more than 35 % of those that change',
    seen: '27 % of those that change',
    trips: ({ header, prices: { wide, changed, compared, examples } }) => {
      if (wide < 20 || wide <= compared * 0.01 || wide <= changed * 0.35) return null;
      const some = shown(exampleTexts(examples.changed, priceText(header)));
      return `moves ${countText(wide)} of ${countText(changed)} changed prices by more than a quarter: expected at most 35 %${some}`;
    },
  },
  {
    name: 'price-total',
    example: 'a fifth of the prices times 0.4',
    ...ofLevel(
      'prices',
      'price_level',
      ({ prices }) => prices.changed,
      20,
      [
        [0.97, 1.03],
        [0.9, 1.1],
      ],
      'by 1.003',
    ),
  },
  {
    name: 'price-changes',
    example: 'prices of other products',
    ...ofShare('changes % prices of products that stay listed', changedPrices, [0.4, 20, 0.154]),
  },
  {
    name: 'price-factor',
    example: 'a quarter of the prices in another currency',
    limit: 'changes at least 20 prices, more than a fifth of all, and 90 % of these by one factor',
    seen: '–',
    trips: ({ header, prices }) => {
      if (prices.changed < 20 || prices.changed <= prices.compared * 0.2) return null;
      const common = prices.commonFactor();
      if (common === null || common.moves < 20 || common.agreeing < common.moves * 0.9) return null;
      const factor = Number(common.factor.toPrecision(3));
      return `multiplies ${countText(common.agreeing)} of ${countText(common.moves)} changed prices by ${factor}: expected different changes${shown(exampleTexts(prices.examples.changed, priceText(header)))}`;
    },
  },
  {
    name: 'directory',
    example: 'an empty directory',
    ...overTime(
      ofShare('loses % stores of the directory', inField('stores', 'gone'), [0.2, 5, 0.01]),
      'directory_stores',
      [0.7, 5],
      'stores of the directory',
    ),
  },
  { name: 'new-stores', example: 'every store once more under a new code', ...ofNew('stores', [0.2, 5, 0]) },
  {
    name: 'store-names',
    example: 'store codes shifted by one row',
    ...ofShare('renames % stores that stay', inField('stores', 'renamed'), [0.2, 5, 0]),
  },
  {
    name: 'store-addresses',
    example: 'store codes shifted by one row',
    ...ofShare('gives another address to % stores that stay', inField('stores', 'readdressed'), [0.2, 5, 0]),
  },
  {
    name: 'store-locations',
    example: 'longitudes without their sign',
    ...ofShare(
      'moves % stores that stay by more than 0.1 degrees, or to no location',
      inField('stores', 'relocated'),
      [0.2, 5, 0],
    ),
  },
  {
    name: 'closures',
    example: 'every store closed',
    ...ofShare('closes % stores that stay', inField('stores', 'closed'), [0.2, 5, 0.01]),
  },
  {
    name: 'outlying-stores',
    example: 'latitude and longitude swapped',
    ...ofShare(
      'puts % stores in a new place north of 80° N, south of 56° S, or more than 20 degrees from the middle of at least 10 stores',
      outlyingStores,
      [0, 1, 0],
    ),
  },
  {
    name: 'scope',
    example: 'half of the stores left out, or all',
    ...overTime(
      {
        limit:
          'has an inventory that covers no store, or leaves out more than 20 % of the stores that the inventory before covered, at least 3',
        seen: '0 %',
        trips: (facts) => {
          const { covered, attempts } = facts.inventory;
          if (covered?.size === 0 && attempts > 0 && profileIn(facts.header).inventory === 'stores')
            return 'has an inventory that covers no store: expected some in inventory_scope.json';
          const { moved, of } = uncoveredStores(facts);
          if (moved < 3 || moved <= of() * 0.2) return null;
          return `leaves out ${countText(moved)} of ${countText(of())} stores that the inventory before covered: expected at most 20 %`;
        },
      },
      'scope_stores',
      [0.7, 5],
      'covered stores',
    ),
  },
  {
    name: 'inventory',
    example: 'lines without rows',
    flag: '--accept-shrink',
    ...overTime(
      {
        limit: 'loses more than half of the positive inventory rows',
        seen: '1.7 %',
        trips: ({ inventory: { lost, retrievedPositive, positiveBefore } }) => {
          // Only retrieved products lose rows, so the rows of all products rarely need counting.
          if (lost <= retrievedPositive * 0.5) return null;
          const before = positiveBefore();
          if (lost <= before * 0.5) return null;
          return `loses ${countText(lost)} of ${countText(before)} positive inventory rows: expected at most half`;
        },
      },
      'positive_rows',
      [0.4, 50],
      'positive inventory rows',
    ),
  },
  {
    name: 'emptied-stores',
    example: 'no rows of a third of the stores',
    ...ofShare(
      'leaves less than a tenth of their rows to % stores that had at least 10',
      emptiedStores,
      [0.2, 3, 0.02],
    ),
  },
  {
    name: 'quantities',
    example: 'rows shifted by one SKU',
    ...ofShare('moves % quantities that stay positive by more than half', farQuantities, [0.3, 50, 0.0796]),
  },
  {
    name: 'quantity-jumps',
    example: 'ten times the stock in a tenth of the rows',
    ...ofShare(
      'multiplies or divides % quantities that stay positive by five or more',
      fivefoldQuantities,
      [0.05, 20, 0.0141],
    ),
  },
  {
    name: 'quantity-total',
    example: 'the same, as a sum',
    ...ofLevel(
      'quantities',
      'quantity_level',
      ({ inventory }) => inventory.moved,
      50,
      [
        [2 / 3, 3 / 2],
        [1 / 3, 3],
      ],
      'by 0.83 to 1.13',
    ),
  },
  {
    name: 'largest-quantity',
    example: 'one row of 4,503,599,627,370,496',
    limit:
      'reports a quantity of at least 1,000 that is more than ten times the largest ever reported, or the first above 10,000,000',
    seen: 'the largest: 8,613',
    trips: ({ inventory: { largest }, totalsBefore }) => {
      const before = totalsBefore?.largest_quantity ?? 0;
      const { quantity, of } = largest;
      const isFar = before > 0 && quantity >= 1_000 && quantity > before * 10;
      if (!isFar && (quantity <= 10_000_000 || before > 10_000_000)) return null;
      const most = isFar ? `at most ten times the ${countText(before)} seen before` : 'at most 10,000,000';
      return `reports ${countText(quantity)} of ${of}: expected ${most}`;
    },
  },
  {
    name: 'quantity-factor',
    example: 'cases instead of bottles',
    limit:
      'moves more than half of the quantities that stay positive, at least 20 of them 10 or more before or after, and the median of the factors is two thirds or less, or one and a half or more',
    seen: 'a median of 0.85',
    trips: ({ quantities }) => {
      const common = quantities.commonFactor(10);
      if (common === null || common.moves < 20 || quantities.changed <= quantities.compared / 2) return null;
      if (common.factor > 2 / 3 && common.factor < 3 / 2) return null;
      const factor = Number(common.factor.toPrecision(3));
      return `multiplies ${countText(quantities.changed)} of ${countText(quantities.compared)} quantities by a median of ${factor}: expected between 2/3 and 3/2${shown(exampleTexts(quantities.examples.changed, countText))}`;
    },
  },
  {
    name: 'copied-quantities',
    example: 'store codes as quantities',
    ...ofShare(
      'has % positive quantities equal to the store code, the SKU, the size or the price',
      copiedQuantities,
      [0.5, 50, 0.02],
    ),
  },
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
      'is the first with products, and more than half of the sizes, at least 5, are below 20 ml or above 20 l, of the prices below one unit of the currency, or of the alcohol below 1 % or above 60 %',
    seen: '0.1 %; 0.08 %; –',
    trips: ({ connection, previous, header }) => {
      if (previous !== null) return null;
      const unit = 10 ** minorDigits(profileIn(header).currency);
      const scales = [
        ['sizes', 'size_ml', 20, 20_000, 'from 20 to 20,000 ml'],
        ['prices', 'price_minor', unit, Number.MAX_SAFE_INTEGER, 'of one unit of the currency or more'],
        ['values of alcohol', 'alcohol_by_volume', 1, 60, 'from 1 to 60 %'],
      ] as const;
      for (const [what, column, low, high, expected] of scales) {
        const { out, all, examples } = outOfRange(connection, column, low, high);
        if (out < 5 || out <= all / 2) continue;
        return `begins with ${countText(out)} of ${countText(all)} ${what} that no shelf has: expected most ${expected}${shown(examples)}`;
      }
      return null;
    },
  },
  {
    name: 'retrievals',
    example: 'failed retrievals only',
    ...ofShare(
      'fails in % retrievals',
      ({ inventory: { failed, attempts } }) => ({ moved: failed, of: () => attempts }),
      [0.5, 10, 0.0063],
    ),
  },
  {
    name: 'asked',
    example: 'an empty inventory',
    ...ofShare(
      'leaves out % products that the inventory before it asked for',
      ({ inventory: { attempts, attemptsBefore } }) => ({ moved: attemptsBefore - attempts, of: () => attemptsBefore }),
      [0.9, 20, 0.034],
    ),
  },
  {
    name: 'repeat',
    example: 'the inventory of yesterday with its times',
    ...ofShare(
      'has % lines of inventory.ndjson no newer than the last attempt for their product',
      ({ inventory: { repeated, attempts } }) => ({ moved: repeated, of: () => attempts }),
      [0.5, 10, 0],
    ),
  },
  {
    name: 'unchanged',
    example: 'the inventory of yesterday with the times of today',
    limit:
      'reports the quantities of the inventory before, all of at least 1,000 rows, or of at least 100 if at least three of the last 20 publications had an inventory and all of these moved at least ten; rows with the same `source_updated_at` do not count, and an inventory that was accepted is not asked about for 20 publications',
    seen: '0.14 % moved',
    trips: (facts) => {
      const { compared, moved } = facts.inventory;
      if (moved > 0 || compared < 100) return null;
      const others = earlier(facts, 'unchanged').filter(({ compared_rows }) => compared_rows > 0);
      const isUsual = others.some(({ changed_rows }) => changed_rows === 0);
      const isKnown = others.length >= 3 && others.every(({ changed_rows }) => changed_rows >= 10);
      if (isUsual || (compared < 1_000 && !isKnown)) return null;
      return `reports the quantities of the inventory before at all of ${countText(compared)} rows, with new times: expected some to move`;
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
        return `has times in the wrong order: expected source_updated_at and attempted_at before retrieved_at${shown(inventory.misordered)}`;
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

export type GuardName = (typeof guards)[number]['name'];

export const guardNames: readonly GuardName[] = guards.map(({ name }) => name);

/** A guard that stops a snapshot, and the option that accepts it. */
export type TrippedGuard = { readonly guard: GuardName; readonly option: string; readonly message: string };

/** The guards that a snapshot trips. */
export function trippedGuards(facts: GuardFacts): TrippedGuard[] {
  return guards.flatMap((guard: Guard & { readonly name: GuardName }) => {
    const message = guard.trips(facts, guard.name);
    return message === null ? [] : [{ guard: guard.name, option: acceptingOption(guard), message }];
  });
}

/** The option that accepts what a guard stops. */
export function acceptingOption({ name, flag }: Pick<Guard, 'name' | 'flag'>): string {
  return flag ?? `--accept ${name}`;
}

/** The error of a snapshot that guards stop. */
export function stoppedByGuards(snapshot: string, tripped: readonly TrippedGuard[]): Failure {
  const found = tripped.map(({ message, option }) => {
    return `snapshot ${snapshot} ${message}; ${option} publishes it anyway`;
  });
  const facts = { snapshot, guards: tripped };
  if (found.length === 1) return new Failure('stopped_by_guard', found.join(), { facts });
  const lines = [...found, `snapshot ${snapshot} was not published: ${found.length} guards stop it`];
  return new Failure('stopped_by_guard', `${found[0]} (and ${found.length - 1} more)`, { lines, facts });
}
