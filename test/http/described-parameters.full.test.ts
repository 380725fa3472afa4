import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Description } from './described-answers.ts';
import { Servers } from './servers.ts';
import { SoundClient } from './sound-client.ts';

type Schema = {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
};

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema };

let servers: Servers;
let client: SoundClient;
let description: Description;

beforeAll(async () => {
  servers = await Servers.prepare();
  client = new SoundClient(await servers.named('main'));
  description = servers.site.document<Description>('/v1/openapi.json');
});

afterAll(async () => {
  client[Symbol.dispose]();
  await servers[Symbol.asyncDispose]();
});

function queryParameters(path: string): Parameter[] {
  const operation = description.paths[path]?.get as unknown as { readonly parameters: readonly Parameter[] };
  return operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'cursor');
}

/** Texts that a schema allows, including its extremes. */
function validText(schema: Schema): fc.Arbitrary<string> {
  if (schema.items) {
    const most = schema.maxItems ?? 1;
    const lists = fc.uniqueArray(validText(schema.items), {
      minLength: 1,
      maxLength: most,
      selector: (text) => text.toLowerCase(),
    });
    return lists.map((texts) => texts.join(','));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum = 0, maximum = 0, maxLength } = schema;
  if (schema.type === 'integer') return fc.integer({ min: minimum, max: maximum }).map(String);
  if (schema.type === 'number') {
    const decimals = fc.double({ min: minimum, max: maximum, noNaN: true }).map((value) => value.toFixed(6));
    return fc.oneof(fc.constantFrom(String(minimum), String(maximum)), decimals);
  }
  if (schema.pattern) {
    const matching = fc.stringMatching(new RegExp(schema.pattern));
    const fitting = matching.filter((text) => text.length <= (maxLength ?? Number.POSITIVE_INFINITY));
    return maxLength === undefined
      ? fitting
      : fc.oneof(
          fitting,
          fitting.map((text) => text.padEnd(maxLength, '_0z')),
        );
  }
  const units = fc.constantFrom('a', ' ', '"', 'é', '\u{1F377}', '\u{10FFFF}');
  const most = maxLength ?? 1;
  return fc.oneof(
    fc.string({ unit: units, minLength: 1, maxLength: most }),
    fc.string({ unit: units, minLength: most, maxLength: most }),
  );
}

/** Queries as described, with parameters that can be combined. */
function validQueries(path: string): fc.Arbitrary<string> {
  const parameters = queryParameters(path);
  const record = fc.record(Object.fromEntries(parameters.map(({ name, schema }) => [name, validText(schema)])), {
    requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
  });
  return record.map((all) => {
    const values = { ...all } as Record<string, string>;
    if (values.product_id !== undefined) delete values.sku;
    if (values.since !== undefined) delete values.until;
    if (path === '/availability/comparison') {
      if (values.skus !== undefined) delete values.product_ids;
      else values.product_ids ??= '11111111-1111-4111-8111-111111111111';
    }
    return new URLSearchParams(values).toString().replaceAll('+', '%20');
  });
}

/** Follows `self`, and a few times `next`. */
async function follow(target: string): Promise<void> {
  const first = await client.get(target);
  expect([200, 404], `${target}: ${first.body}`).toContain(first.status);
  if (first.status === 404) return;
  const { links } = JSON.parse(first.body.toString());
  if (!links) return;
  const again = await client.get(links.self);
  expect(again.status, links.self).toBe(200);
  expect(JSON.parse(again.body.toString()).links.self).toBe(links.self);
  let next: string | null = links.next;
  for (let page = 0; next !== null && page < 2; page += 1) {
    const reply = await client.get(next);
    expect(reply.status, next).toBe(200);
    next = JSON.parse(reply.body.toString()).links.next;
  }
}

describe('every query that fits the description is answered, and its links can be followed', () => {
  test.each([
    '/changes',
    '/product-families/{family_id}/changes',
    '/products/{product_id}/changes',
    '/brands',
    '/products',
    '/stores',
    '/product-families',
    '/search',
    '/availability/comparison',
  ])('%s', async (path) => {
    const family = servers.site.fact('family', 'wrenmoor-aged-rye') ?? '';
    const product = servers.site.fact('product', '001204') ?? '';
    const address = `/v1${path.replace('{family_id}', family).replace('{product_id}', product)}`;
    const asking = fc.asyncProperty(validQueries(path), async (query) => {
      await follow(query === '' ? address : `${address}?${query}`);
    });
    await fc.assert(asking, { numRuns: 25 });
  });
});

describe('a date-time is accepted exactly if the description allows it', () => {
  const digits = (size: number) => fc.stringMatching(new RegExp(`^\\d{${size}}$`));
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
  const year = fc.oneof(digits(4), fc.constantFrom('0000', '0001', '2024', '2025', '9999', '1900', '12025', '925'));
  const fraction = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 0, max: 12 }).map((size) => `.${'5'.repeat(size)}`),
  );
  const zone = fc.oneof(
    fc.constantFrom('Z', 'z', '', '+00:00', '-00:00', '+23:59', '-23:59', '+24:00', '+0100', '+01'),
    fc.tuple(fc.constantFrom('+', '-'), two(25), two(61)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const nearly = fc
    .tuple(year, two(13), two(32), fc.constantFrom('T', 't', ' ', '_'), two(24), two(60), two(60), fraction, zone)
    .map(([y, mo, d, t, h, mi, s, f, z]) => `${y}-${mo}-${d}${t}${h}:${mi}:${s}${f}${z}`);

  test.each(['since', 'until'])('%s', async (name) => {
    const schema = queryParameters('/changes').find((parameter) => parameter.name === name)?.schema as Schema;
    const ajv = new Ajv2020({ strict: false });
    ajvFormats.default(ajv);
    const isAllowed = ajv.compile<string>(schema);
    const described = fc.stringMatching(new RegExp(schema.pattern ?? ''));
    const counted = { allowed: 0, refused: 0 };
    const ask = async (text: string) => {
      const allowed = isAllowed(text);
      counted[allowed ? 'allowed' : 'refused'] += 1;
      const { status } = await client.get(`/v1/changes?limit=1&${name}=${encodeURIComponent(text)}`);
      expect([text, status]).toEqual([text, allowed ? 200 : 400]);
    };
    for (const text of [
      '9999-12-31T23:59:59-23:59',
      '9999-12-31T23:59:59.999999999Z',
      '0000-01-01T00:00:00+23:59',
      '0000-02-29T00:00:00Z',
      '2024-02-29t23:59:59z',
      '2023-02-29T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2025-01-01T00:00Z',
      '2025-01-01T24:00:00Z',
      '2025-01-01T00:00:00.1234567890Z',
      `2025-01-01T00:00:00.${'1'.repeat(7600)}Z`,
    ]) {
      await ask(text);
    }
    await fc.assert(fc.asyncProperty(fc.oneof(described, nearly), ask), { numRuns: 150 });
    expect(Math.min(counted.allowed, counted.refused)).toBeGreaterThan(25);
  });

  test('one outside the four-digit years of UTC is later, or earlier, than every event', async () => {
    const count = async (query: string) => {
      const { data } = JSON.parse((await client.get(`/v1/changes?limit=1&${query}`)).body.toString());
      return data.length;
    };
    expect(await count('until=9999-12-31T23:59:59-23:59')).toBe(1);
    expect(await count('since=9999-12-31T23:59:59-23:59')).toBe(0);
    expect(await count('since=0000-01-01T00:00:00%2B23:59')).toBe(1);
    expect(await count('until=0000-01-01T00:00:00%2B23:59')).toBe(0);
  });
});
