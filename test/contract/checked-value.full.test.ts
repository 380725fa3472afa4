import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { addressTable } from '../../generator/contract/addresses.ts';
import { checkValue } from '../../generator/contract/checked-value.ts';
import { changeEvent, changePayload, changeType } from '../../generator/contract/documents/change.ts';
import { exportRecords } from '../../generator/contract/formats/export.ts';
import { parsePath } from '../../generator/contract/paths.ts';
import { copyBuiltFixtures } from '../build/built-fixtures.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

type Sample = { readonly schema: z.ZodType; readonly compiled: z.ZodType; readonly documents: unknown[] };

const samples = new Map<string, Sample>();
const samplesPerKind = 6;

const temporary = temporaryFolder();
afterAll(() => removeFolder(temporary));

beforeAll(async () => {
  const folder = join(temporary, 'site');
  await copyBuiltFixtures(folder, 12);
  for (const entry of readdirSync(join(folder, 'site/v1'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
    const file = join(entry.path, entry.name);
    const path = file.slice(join(folder, 'site').length);
    const kind = (parsePath(path) ?? parsePath(path.replace(/(?:\/index)?\.json$/, '')))?.kind;
    const schema = kind && addressTable[kind].schema;
    if (!kind || !schema) continue;
    const sample = samples.get(kind) ?? { schema, compiled: z.compile(schema, { strict: true }), documents: [] };
    if (sample.documents.length < samplesPerKind) sample.documents.push(JSON.parse(readFileSync(file, 'utf8')));
    samples.set(kind, sample);
  }
});

test('every schema that a build checks with can be compiled', () => {
  const schemas = [
    ...Object.values(addressTable).flatMap(({ schema }) => schema ?? []),
    ...changeType.options.map((type) => changePayload(type)),
    ...Object.values(exportRecords),
    changeEvent,
  ];
  for (const schema of schemas) expect(z.compile(schema, { strict: true })).not.toBe(schema);
});

const dates = ['2024-02-30T00:00:00Z', '2024-02-29T00:00:00Z'];
const oddValues = [null, true, '', 'odd', ...dates, -1, 0.5, 2 ** 53, [], {}, [null]];

/** A document with something in it taken away, replaced or added, at a place that the numbers choose. */
function altered(document: unknown, choices: readonly number[], kind: number): unknown {
  const copy: unknown = structuredClone(document);
  let at = copy;
  for (const [depth, choice] of choices.entries()) {
    if (typeof at !== 'object' || at === null) break;
    const holder = at as Record<string, unknown>;
    const keys = Object.keys(holder);
    const key = keys[choice % keys.length];
    const isInner = key !== undefined && typeof holder[key] === 'object' && holder[key] !== null;
    if (depth < choices.length - 1 && isInner) {
      at = holder[key];
      continue;
    }
    const value = oddValues[(kind >> 2) % oddValues.length];
    if (kind % 4 === 0 || key === undefined) holder.added = value;
    else if (kind % 4 === 1) delete holder[key];
    else holder[key] = value;
    break;
  }
  return copy;
}

test('a compiled schema judges altered documents as the schema does', () => {
  expect(samples.size).toBeGreaterThan(20);
  const all = [...samples.values()].flatMap(({ documents, ...schemas }) =>
    documents.map((document) => ({ ...schemas, document })),
  );
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.nat(all.length - 1),
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }),
      fc.nat(1000),
      (index, choices, kind) => {
        const { schema, compiled, document } = all[index] as (typeof all)[number];
        const value = altered(document, choices, kind);
        const isSound = schema.safeParse(value).success;
        verdicts[isSound ? 'accepted' : 'refused'] += 1;
        expect(compiled.validate(value)).toBe(isSound);
      },
    ),
    { numRuns: 800 },
  );
  expect(verdicts.accepted).toBeGreaterThan(8);
  expect(verdicts.refused).toBeGreaterThan(200);
});

test('a fault is told alike before and after a schema is compiled', () => {
  const schema = z.strictObject({ name: z.string().min(1), parts: z.array(z.int()) });
  const check = () => checkValue(schema, () => 'this document', { name: 'a', parts: [1, 'two'] });
  expect(check).toThrow('this document: parts.1: Invalid input: expected number, received string');
  for (let use = 0; use < 1_000; use += 1) checkValue(schema, () => 'this document', { name: 'a', parts: [1] });
  expect(check).toThrow('this document: parts.1: Invalid input: expected number, received string');
});
