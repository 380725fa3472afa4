import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressTable } from '../../../contract/addresses.ts';
import type { QueryKind } from '../../../contract/parameters.ts';
import { changeType } from '../../../contract/schemas/change.ts';
import { feedPosition } from '../../../contract/schemas/pages.ts';
import { warningCode } from '../../../contract/schemas/primitives.ts';
import { cursorLimit } from '../../../contract/vocabulary.ts';
import { CursorSigner } from '../../../shim/lists/cursor-signing.ts';
import { canonicalQuery, readQuery } from '../../../shim/query.ts';

/** Any Unicode text without lone surrogates. */
const text = fc.string({ unit: 'binary', maxLength: 60 });

const id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
test('a canonical query reads back as itself, whatever is searched for', () => {
  fc.assert(
    fc.property(
      text.filter((q) => q !== ''),
      (q) => {
        const canonical = canonicalQuery('brands', { q, limit: 5 });
        expect(canonical).toMatch(/^[\x21-\x7e]*$/);
        expect(readQuery('brands', canonical)).toEqual({ q, limit: 5 });
      },
    ),
  );
});

describe('contract 4: the longest links can be followed', () => {
  const category = (n: number) => `cat_${String(n).padStart(124, '0')}`;
  const time = (zone: string) => `2025-01-01T00:00:00.123456789${zone}`;
  test.each<[QueryKind, string, string]>([
    [
      'brands',
      '/v1/brands',
      `q=${'%F4%8F%BF%BF'.repeat(200)}&category_ids=${Array.from({ length: 20 }, (_, n) => category(n))}&sort=-name&limit=100`,
    ],
    [
      'changes',
      '/v1/changes',
      `sku=000001&store_id=${id}&types=${changeType.options}&since=${time('-23:59')}&until=${time('-23:59')}&limit=100`,
    ],
    [
      'family_changes',
      `/v1/product-families/${id}/changes`,
      `store_id=${id}&types=${changeType.options}&since=${time('-23:59')}&until=${time('-23:59')}&limit=100`,
    ],
    ['products', '/v1/products', 'limit=100'],
  ])('%s', (kind, path, query) => {
    const names = Object.keys(addressTable[kind].query ?? {}).filter(
      (name) => name !== 'product_id' && name !== 'cursor',
    );
    const values = readQuery(kind, query);
    expect(Object.keys(values).sort()).toEqual(names.sort());
    const next = `${path}?${canonicalQuery(kind, values)}&cursor=${'x'.repeat(cursorLimit)}`;
    expect(next.length).toBeLessThanOrEqual(8192);
  });

  test('with the largest cursor that is ever issued', async () => {
    const instant = `2025-01-01T00:00:00.${'1'.repeat(100)}Z`;
    const position = feedPosition.parse({
      event: Number.MAX_SAFE_INTEGER,
      cut: `/v1/product-families/${id}/changes/0123456789abcdef/pages/{number}.json`,
      history: {
        tracking_started_at: instant,
        earliest_available_at: instant,
        latest_available_at: instant,
        retention_days: Number.MAX_SAFE_INTEGER,
        retained_event_count: Number.MAX_SAFE_INTEGER,
        source_update_time_known: false,
      },
      warnings: warningCode.options.map((code) => ({ code })),
    });
    const signer = new CursorSigner({ secrets: ['a secret of this test'], now: () => 0 });
    const cursor = await signer.sign('/v1/changes', signer.expires, { revision: id, position });
    expect(cursor.length).toBeLessThanOrEqual(cursorLimit);
    expect((await signer.read(cursor, '/v1/changes')).position).toEqual(position);
  });
});
