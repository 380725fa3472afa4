import { describe, expect, test } from 'vitest';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import { parseList, unusedListParts } from '../../explorer/changes/asked-list.ts';
import { type Kept, parseKept, visited } from '../../explorer/changes/kept-list.ts';
import { joinedLists, mostWatched, nothingWatched, toggled } from '../../explorer/changes/watch-list.ts';
import { changesSince, type IsKnown } from '../../explorer/changes/watched-changes.ts';

/* What a watch list is, where it is kept, and what changed for its products since a moment. */

const dayNumber = (publication: number) => `2025-05-${String(publication).padStart(2, '0')}T08:00:00Z`;

/** A product whose values change in publications that are numbered by day. */
const series = {
  product: { id: '', source_ids: { agency_sku: '000001' }, name: 'Gin', brand: null },
  retrievals: {
    publication: [2, 4, 6, 8],
    attempted_at: [2, 4, 6, 8].map(dayNumber),
    succeeded: [true, true, true, false],
    reported_positive_store_count: [9, 7, 8, null],
    reported_quantity: [50, 40, 40, null],
  },
  prices: { publication: [2, 5, 7], at: [2, 5, 7].map(dayNumber), price_minor: [1000, 1200, 1100] },
  statuses: {
    publication: [2, 6],
    at: [2, 6].map(dayNumber),
    code: ['G', 'L'],
    label: ['General', 'Limited'],
    lifecycle: ['active', 'active'],
  },
  presence: { publication: [2, 9], at: [2, 9].map(dayNumber), catalog_presence: ['listed', 'absent'] },
} as unknown as ProductSeries;

const knownIn =
  (seen: number): IsKnown =>
  (publication) =>
    publication <= seen;

describe('changes of a product', () => {
  test('since a publication are the later ones, newest first, and reports are one difference', () => {
    expect(changesSince(series, knownIn(4))).toEqual({
      isNew: false,
      price: { before: 1000, now: 1100 },
      status: { before: 'General', now: 'Limited' },
      presence: { before: 'Listed', now: 'Absent' },
      stores: { before: 7, now: 8 },
      quantity: { before: 40, now: 40 },
      texts: [
        'Left the catalog, 9 May 2025',
        'Price $12.00 → $11.00, down $1.00 (8.3 %), 7 May 2025',
        'Status from General to Limited, 6 May 2025',
        'Stores that report it 7 → 8, 6 May 2025',
        'and 1 more',
      ],
      last: dayNumber(9),
    });
  });

  test('since the newest publication are none, and a day works like a publication', () => {
    const none = changesSince(series, knownIn(9));
    expect([none.texts, none.last, none.price]).toEqual([[], null, { before: 1100, now: 1100 }]);
    const isKnown: IsKnown = (_, at) => at < '2025-05-07';
    expect(changesSince(series, isKnown).texts).toEqual([
      'Left the catalog, 9 May 2025',
      'Price $12.00 → $11.00, down $1.00 (8.3 %), 7 May 2025',
    ]);
  });

  test('say if the product was first observed since then, with what came later', () => {
    const changes = changesSince(series, knownIn(1));
    expect([changes.isNew, changes.price]).toEqual([true, { before: null, now: 1100 }]);
    expect(changes.texts.at(-1)).toBe('and 1 more');
    const early = { ...series, prices: { publication: [2], at: [dayNumber(2)], price_minor: [1000] } };
    expect(changesSince(early as ProductSeries, knownIn(1)).texts.at(-1)).toBe('First observed, 2 May 2025');
  });
});

describe('what is kept', () => {
  const visit = (sequence: number) => ({ sequence, published_at: dayNumber(sequence) });
  const kept: Kept = { list: { ...nothingWatched, skus: ['000001'] }, seen: visit(4), before: visit(2) };

  test('is read back, and invalid lists are ignored', () => {
    expect(parseKept(JSON.stringify(kept))).toEqual(kept);
    const wrong = ['', 'x', 'null', '1', '{}', JSON.stringify({ ...kept, seen: {} })];
    wrong.push(JSON.stringify({ ...kept, list: { skus: [1], brands: [], categories: [] } }));
    wrong.push(JSON.stringify({ ...kept, list: { skus: [] } }));
    expect(wrong.map(parseKept)).toEqual(wrong.map(() => null));
  });

  test('has the publication of the previous visit, however often the reader returns to the current one', () => {
    const next = visited(kept, visit(7));
    expect([next.seen.sequence, next.before?.sequence]).toEqual([7, 4]);
    expect(visited(next, visit(7))).toBe(next);
    expect(visited(next, visit(1))).toEqual({ ...kept, seen: visit(1), before: null });
  });
});

describe('a list', () => {
  test('gains and loses entries, up to its limits', () => {
    const skus = Array.from({ length: mostWatched.skus }, (_, number) => String(number));
    const full = { ...nothingWatched, skus };
    expect(toggled(full, 'skus', 'more')).toBe(full);
    expect(toggled(full, 'skus', '7').skus).not.toContain('7');
    expect(toggled(full, 'brands', 'old').brands).toEqual(['old']);
    expect(joinedLists(full, { ...nothingWatched, skus: ['more'], brands: ['a'] })).toEqual({ ...full, brands: ['a'] });
  });

  test('comes from an address, with a report of what is ignored', () => {
    expect(parseList(new URLSearchParams('x=1'))).toBeNull();
    const query = new URLSearchParams({ skus: '000001,7,000001', brands: 'old,<b>', categories: 'cat_gin' });
    expect(parseList(query)).toEqual({ skus: ['000001'], brands: ['old'], categories: ['cat_gin'] });
    expect(unusedListParts(query).map(({ name, value }) => [name, value])).toEqual([
      ['skus', '7'],
      ['brands', '<b>'],
    ]);
  });
});
