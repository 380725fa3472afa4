import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AddressKind, addressTable } from '../../contract/addresses.ts';
import { avroMediaType, csvMediaType, ndjsonMediaType, parquetMediaType } from '../../contract/headers.ts';
import { objectPath, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { SiteFolder } from '../../shim/node/site-folder.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { asking } from '../shim/asking.ts';

const file = new URL('../../contract/openapi/examples.json', import.meta.url);

/** Questions whose answers are the examples for addresses without a file. */
const questions: Readonly<Partial<Record<AddressKind, string>>> = {
  search: '/v1/search?q=sake&limit=2',
  comparison:
    '/v1/availability/comparison?skus=020200&lat=40.76&lng=-111.89&strategies=best_single_store&radius_m=500000',
};

/** The bundled snapshots have too few rows for pages of these lists, and too few events for a segment or a piece. */
const withoutExample: readonly AddressKind[] = [
  'products_page',
  'product_changes_segment',
  'families_page',
  'family_changes_segment',
  'changes_segment',
  'brands_page',
  'stores_page',
  'change_piece',
  'iceberg_version',
];

/** An example is text, so Parquet and Avro files have none. */
function isText(kind: AddressKind): boolean {
  return ![parquetMediaType, avroMediaType].includes(addressTable[kind].mediaType);
}

/** An example is short: it has the first row of a list, both times of a pair, and the beginning of a text. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2 && value.every((time) => /^\d{4}-\d\d-\d\dT/.test(time))) return value;
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
}

let site: FixtureSite;
beforeAll(async () => {
  site = await FixtureSite.build();
});
afterAll(() => site?.[Symbol.dispose]());

/** The first route of each kind that is the current publication's own. */
function routesByKind(): Map<AddressKind, Route> {
  const found = new Map<AddressKind, Route>();
  for (const route of [...site.routes.values()].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const kind = parsePath(route.path)?.kind;
    if (kind && !found.has(kind) && route.last_sequence === undefined) found.set(kind, route);
  }
  return found;
}

function makeExample(kind: AddressKind, { sha256, media_type }: Route): unknown {
  const bytes = readFileSync(join(site.dist, objectPath(sha256)));
  if (kind === 'openapi') return { openapi: '3.1.0', info: { title: 'Shelfpress', version: '1.0.0' }, paths: {} };
  if (media_type === 'application/json') return shortened(JSON.parse(bytes.toString()));
  // Only the column names, because those are right for sites with other currencies and codes too.
  if (media_type === csvMediaType) return gunzipSync(bytes).toString().split('\r\n')[0];
  if (media_type !== ndjsonMediaType) return bytes.toString().split('\n').slice(0, 3).join('\n');
  const [header = '', record = ''] = gunzipSync(bytes).toString().split('\n');
  return `${JSON.stringify(shortened(JSON.parse(header)))}\n${record}\n`;
}

/** Kinds that are described and can have an example. What others define has its examples there. */
const describedKinds = (Object.keys(addressTable) as AddressKind[]).filter(
  (kind) => !addressTable[kind].isOutsideContract && addressTable[kind].definedBy === null && isText(kind),
);

async function examples(): Promise<Map<AddressKind, unknown>> {
  const found = new Map<AddressKind, unknown>();
  const routes = routesByKind();
  const { ask } = asking(new SiteFolder(site.dist));
  for (const kind of describedKinds) {
    const question = questions[kind];
    const route = routes.get(kind);
    if (question) {
      const { status, body } = await ask(question);
      expect([question, status]).toEqual([question, 200]);
      found.set(kind, shortened(body));
    } else if (route) found.set(kind, makeExample(kind, route));
  }
  return found;
}

test('the examples in the description are answers from the bundled snapshots', async () => {
  const found = await examples();
  const missing = describedKinds.filter((kind) => !found.has(kind));
  expect(missing).toEqual(withoutExample);
  const lines = [...found].map(([kind, value]) => `  ${JSON.stringify(kind)}: ${JSON.stringify(value)}`);
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(file.pathname);
});
