import { comparedAttempts, comparedPublications } from '../../database/totals.ts';
import { countText } from '../../files/failure.ts';
import { median } from '../moves.ts';
import {
  copiedQuantities,
  earlier,
  emptiedStores,
  examplesText,
  exampleTexts,
  farQuantities,
  fivefoldQuantities,
  type Guard,
  missingStores,
  ofLevel,
  ofShare,
  overTime,
} from './guard-rules.ts';

export const inventoryGuards = [
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
    name: 'missing-store',
    example: 'no rows of one store',
    limit:
      'has no row of an open store that had at least 100 positive rows, and that this inventory covers, or the one before it did',
    seen: '0',
    trips: (facts) => {
      const { moved, of, examples } = missingStores(facts);
      if (moved === 0) return null;
      return `has no row of ${countText(moved)} of ${countText(of())} stores: expected some${examplesText(examples())}`;
    },
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
      return `multiplies ${countText(quantities.changed)} of ${countText(quantities.compared)} quantities by a median of ${factor}: expected between 2/3 and 3/2${examplesText(exampleTexts(quantities.examples.changed, countText))}`;
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
    limit: `asks for less than half of the products that the inventories of the last ${comparedPublications} publications asked for, at least 20 fewer; the middle one of these counts`,
    seen: '3.4 % fewer',
    trips: ({ connection, sequence, inventory: { attempts, attemptsBefore } }) => {
      // A snapshot without an inventory asks for nothing.
      if (attemptsBefore === 0) return null;
      const before = median(comparedAttempts(connection, sequence, 'asked'));
      if (attempts * 2 >= before || before - attempts < 20) return null;
      return `asks for ${countText(attempts)} products: expected about ${countText(before)}, as in the last ${comparedPublications} publications`;
    },
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
] as const satisfies readonly Guard[];
