import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressTable, type QueryKind } from '../../../generator/contract/addresses.ts';
import { changeType } from '../../../generator/contract/documents/change.ts';
import { warningCode } from '../../../generator/contract/documents/envelope.ts';
import { feedPosition } from '../../../generator/contract/formats/list-reading.ts';
import { cursorLimit } from '../../../generator/contract/parameters.ts';
import { CursorSigner } from '../../../shim/lists/cursor-signing.ts';
import { ProblemError } from '../../../shim/problems.ts';
import { canonicalQuery, readQuery, refuseParameters } from '../../../shim/query.ts';
import { formatQueryString, parseQueryString } from '../../../shim/query-string.ts';

/** Any text of Unicode characters without lone surrogates. */
const text = fc.string({ unit: 'binary', maxLength: 60 });

const id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
const other = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';

function problemOf(act: () => unknown): ProblemError {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('expected a problem, got none');
}

function offending(kind: QueryKind, query: string): string[] {
  const { code, invalidParameters } = problemOf(() => readQuery(kind, query));
  expect(code).toBe('INVALID_PARAMETER');
  return invalidParameters.map(({ name }) => name);
}

describe('contract 3: a value is read as', () => {
  test.each([
    ['limit=100', { limit: 100 }],
    ['limit=07', { limit: 7 }],
    [`product_id=${id.toUpperCase()}`, { product_id: id }],
    ['product_id=11111111-1111-1111-1111-111111111111', { product_id: '11111111-1111-1111-1111-111111111111' }],
    ['since=2025-01-01T00:00:00+02:00', { since: '2024-12-31T22:00:00Z' }],
    ['since=2025-01-01T00:00:00%2B02:00', { since: '2024-12-31T22:00:00Z' }],
    ['until=2025-01-01t00:00:00.50z', { until: '2025-01-01T00:00:00.5Z' }],
    ['since=9999-12-31T23:59:59-23:59', { since: '9999-12-31T23:59:59.999999999Z' }],
    ['since=2025-01-01T00:00:00.123456789Z', { since: '2025-01-01T00:00:00.123456789Z' }],
    ['types=price_changed,status_changed', { types: ['price_changed', 'status_changed'] }],
    ['types=price_changed%2Cstatus_changed', { types: ['price_changed', 'status_changed'] }],
    ['&limit=3&&', { limit: 3 }],
    ['lim%69t=3', { limit: 3 }],
  ])('%s', (query, expected) => expect(readQuery('changes', query)).toEqual(expected));

  test.each([
    ['lat=-0&lng=-0.50&skus=000001', { lat: 0, lng: -0.5, skus: ['000001'] }],
    [`lat=90&lng=180&product_ids=${id},${other}`, { lat: 90, lng: 180, product_ids: [id, other] }],
  ])('%s', (query, expected) => expect(readQuery('comparison', query)).toEqual(expected));

  test.each([
    ['q=two+words', 'two words'],
    ['q=two%20words', 'two words'],
    ['q=a%2Bb', 'a+b'],
    ['q=caf%C3%A9', 'café'],
    ['q=cafÃ©', 'café'],
    [`q=${'%F0%9F%8D%B7'.repeat(200)}`, '🍷'.repeat(200)],
  ])('%s', (query, q) => expect(readQuery('search', query)).toEqual({ q }));
});

describe('contract 3: offending are', () => {
  test.each<[QueryKind, string, string[]]>([
    ['changes', 'limit=0', ['limit']],
    ['changes', 'limit=101', ['limit']],
    ['changes', 'limit=', ['limit']],
    ['changes', 'limit', ['limit']],
    ['changes', 'limit=1e1', ['limit']],
    ['changes', 'limit=+5', ['limit']],
    ['changes', 'limit=%2B5', ['limit']],
    ['changes', 'limit=5.0', ['limit']],
    ['changes', 'limit= 5', ['limit']],
    ['changes', 'limit=0x5', ['limit']],
    ['changes', 'limit=5&limit=5', ['limit']],
    ['changes', 'Limit=5', ['Limit']],
    ['changes', 'types=price_changed,price_changed', ['types']],
    ['changes', 'types=price_changed,', ['types']],
    ['changes', 'types=sold', ['types']],
    ['changes', 'types=', ['types']],
    ['changes', 'types[]=price_changed', ['types[]']],
    ['changes', 'since=2025-01-01', ['since']],
    ['changes', 'since=2025-01-01T00:00:00', ['since']],
    ['changes', 'since=2025-02-30T00:00:00Z', ['since']],
    ['changes', 'since=2025-01-02T00:00:00Z&until=2025-01-01T00:00:00Z', ['since', 'until']],
    ['changes', `since=2025-01-01T00:00:00.${'1'.repeat(10)}Z`, ['since']],
    ['changes', `until=2025-01-01T00:00:00.${'1'.repeat(7600)}Z`, ['until']],
    ['changes', 'sku=12345', ['sku']],
    ['changes', 'sku=１２３４５６', ['sku']],
    ['changes', `product_id=${id}&sku=000001`, ['product_id', 'sku']],
    ['changes', `product_id=x&sku=000001`, ['product_id', 'sku']],
    ['changes', `product_id={${id}}`, ['product_id']],
    ['changes', 'q=x', ['q']],
    ['changes', 'cursor=', ['cursor']],
    ['changes', '__proto__=1&constructor=2&toString=3', ['__proto__', 'constructor', 'toString']],
    ['changes', 'limit=%FF', ['limit']],
    ['changes', 'limit=%zz&%zz=1', ['limit', '%zz']],
    ['changes', 'limit=0&types=x&foo=1&foo=2&since=y', ['limit', 'types', 'foo', 'since']],
    ['brands', 'sort=Name', ['sort']],
    ['brands', 'category_ids=red', ['category_ids']],
    ['brands', `category_ids=${Array.from({ length: 21 }, (_, n) => `cat_${n}`).join()}`, ['category_ids']],
    ['brands', `category_ids=cat_${'x'.repeat(125)}`, ['category_ids']],
    ['brands', `q=${'x'.repeat(201)}`, ['q']],
    ['products', 'q=x', ['q']],
    ['search', '', ['q']],
    ['search', 'q=', ['q']],
    ['search', 'q=x&cursor=y', ['cursor']],
    ['search', 'kinds=product&limit=0', ['limit', 'q']],
    ['comparison', '', ['product_ids', 'lat', 'lng']],
    ['comparison', 'lat=90.1&lng=-181&skus=000001', ['lat', 'lng']],
    ['comparison', 'lat=NaN&lng=Infinity&skus=000001', ['lat', 'lng']],
    ['comparison', 'lat=1,5&lng=1.&skus=000001', ['lat', 'lng']],
    ['comparison', 'lat=1&lng=2&skus=000001,000001', ['skus']],
    ['comparison', `lat=1&lng=2&product_ids=${id},${id.toUpperCase()}`, ['product_ids']],
    ['comparison', `lat=1&lng=2&product_ids=${id}&skus=000001`, ['product_ids', 'skus']],
    [
      'comparison',
      'lat=1&lng=2&skus=000001&radius_m=0&max_stops=4&strategies=x&inventory_age=old',
      ['radius_m', 'max_stops', 'strategies', 'inventory_age'],
    ],
    ['comparison', `lat=1&lng=2&skus=${Array.from({ length: 26 }, (_, n) => String(100_000 + n)).join()}`, ['skus']],
  ])('%s?%s', (kind, query, names) => expect(offending(kind, query)).toEqual(names));

  test('all parameters of an address that takes none', () => {
    const { code, invalidParameters } = problemOf(() => refuseParameters('a=1&b&a=2'));
    expect([code, invalidParameters.map(({ name }) => name)]).toEqual(['INVALID_PARAMETER', ['a', 'b']]);
    expect(() => refuseParameters('&&')).not.toThrow();
  });

  test('reasons say what was expected and what came, and no more of it than a line', () => {
    const { invalidParameters } = problemOf(() => readQuery('changes', `limit=${'9'.repeat(5000)}`));
    expect(invalidParameters[0]?.reason).toMatch(/^expected an integer from 1 to 100, got '9{80}…'$/);
  });

  test('a cursor that is too long is an invalid cursor, unless something else is wrong', () => {
    const long = `cursor=${'x'.repeat(2049)}`;
    expect(problemOf(() => readQuery('changes', long)).code).toBe('CURSOR_INVALID');
    expect(offending('changes', `${long}&limit=0`)).toEqual(['limit']);
  });
});

describe('a canonical query', () => {
  test('has the order of the contract, lists ascending, and values as they are compared', () => {
    const query = `until=2025-01-01T00:00:00.000Z&types=status_changed,price_changed&limit=007&product_id=${id.toUpperCase()}`;
    expect(canonicalQuery('changes', readQuery('changes', query))).toBe(
      `product_id=${id}&types=price_changed,status_changed&until=2025-01-01T00:00:00Z&limit=7`,
    );
  });

  test('reads back as itself, whatever is searched for', () => {
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

  test('with the largest cursor that is handed out', async () => {
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
    const wrong = cursor.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    await expect(signer.read(wrong, '/v1/changes')).rejects.toThrow('CURSOR_INVALID');
  });
});

test('formatting a query string and parsing it are inverse', () => {
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const pairs = texts.map((value, index) => [`name${index}`, value] as const);
      expect(parseQueryString(formatQueryString(pairs))).toEqual(pairs.map(([name, value]) => ({ name, text: value })));
    }),
  );
});
