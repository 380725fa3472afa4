import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { usualProfile } from '../../contract/profile.ts';
import { formatFault } from '../../generator/files/faults.ts';
import { partSchemas } from '../../generator/snapshot/format.ts';
import type { OnBad } from '../../generator/snapshot/row-faults.ts';
import { readRows, readScope, type UniqueFields } from '../../generator/snapshot/rows.ts';

const schema = z.object({ sku: z.string(), code: z.string().nullable() });
type Row = z.infer<typeof schema>;

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function collect(file: string) {
  const bad: { readonly line: number | null; readonly text: string }[] = [];
  const problems: string[] = [];
  const onBad: OnBad = (row, faults) => {
    bad.push(row);
    problems.push(...faults.map((fault) => formatFault({ file, line: row.line, ...fault })));
  };
  return { onBad, bad, problems };
}

async function read(path: string, unique: UniqueFields<Row> = () => []) {
  const { onBad, bad, problems } = collect(basename(path, '.gz'));
  const rows: [line: number, sku: string, text: string][] = [];
  for await (const batch of readRows([path], schema, { onBad, unique }))
    for (const { line, row, text } of batch) rows.push([line, row.sku, text]);
  return { rows, bad, problems };
}

const lineOf = (sku: string, code: string | null = null) => JSON.stringify({ sku, code });

test('lines are read back, however they end and wherever the chunks fall; blank ones are counted', async () => {
  const skus = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 });
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const breaks = fc.constantFrom('\n', '\r\n', '\n \t\r\n');
  // The first line is longer than a chunk, so that a chunk can end anywhere in the lines after it.
  const run = async (values: string[], filler: number, lineBreak: string, isMarked: boolean, isEnded: boolean) => {
    const all = ['x'.repeat(256 * 1024 - filler), ...values];
    const text = all.map((sku) => lineOf(sku)).join(lineBreak);
    const content = `${isMarked ? '\uFEFF' : ''}${text}${isEnded ? lineBreak : ''}`;
    const step = lineBreak.split('\n').length - 1;
    const rows = all.map((sku, index) => [1 + index * step, sku, lineOf(sku)]);
    await writeFile(join(folder, 'products.ndjson'), content);
    await writeFile(join(folder, 'products.ndjson.gz'), gzipSync(content, { level: 1 }));
    for (const name of ['products.ndjson', 'products.ndjson.gz'])
      expect(await read(join(folder, name))).toEqual({ rows, bad: [], problems: [] });
  };
  const filler = fc.integer({ min: 0, max: 400 });
  await fc.assert(fc.asyncProperty(skus, filler, breaks, fc.boolean(), fc.boolean(), run), { numRuns: 25 });
});

describe('bad lines', () => {
  test.each([
    ['{"sku":"1"', "a JSON object, got expected ',' or '}' after property value at position 10"],
    [
      `${lineOf('1')}${lineOf('2')}`,
      'a JSON object, got unexpected non-whitespace character after JSON at position 23',
    ],
    ['\uFEFF{}', `a JSON object, got unexpected token '\\u{feff}', "\\u{feff}{}"`],
    ['[1]', 'an object, got [1]'],
    [Buffer.from('{"sku":"Ch\xe2teau"}', 'latin1'), 'valid UTF-8, got {"sku":"Ch\uFFFDteau"}'],
    [Buffer.from([0xed, 0xa0, 0x80]), 'valid UTF-8, got \uFFFD\uFFFD\uFFFD'],
  ])('%s', async (content, expected) => {
    const bytes = Buffer.concat([Buffer.from(`${lineOf('1')}\n`), Buffer.from(content), Buffer.from('\n')]);
    const { rows, problems } = await read(await fileOf('products.ndjson', bytes));
    expect(problems).toEqual([`products.ndjson:2: expected ${expected}`]);
    expect(rows).toHaveLength(1);
  });

  test('a line over 16 MiB is not held', async () => {
    const fits = lineOf('x'.repeat(16 * 1024 * 1024 - lineOf('').length));
    const content = [fits, `${fits} `, 'x'.repeat(17 * 1024 * 1024), lineOf('2')].join('\n');
    const { rows, bad, problems } = await read(await fileOf('products.ndjson.gz', gzipSync(content, { level: 1 })));
    expect(rows.map(([line]) => line)).toEqual([1, 4]);
    expect(problems).toEqual([
      'products.ndjson:2: expected a line of at most 16 MiB, got 16777217 bytes',
      'products.ndjson:3: expected a line of at most 16 MiB, got 17825792 bytes',
    ]);
    expect(bad[1]?.text).toBe(`${'x'.repeat(1024)}…`);
  });
});

test('a value that a line before has is a bad row', async () => {
  const texts = [lineOf('1', 'a'), '', lineOf('2', 'b'), lineOf('2', 'c'), lineOf('1', 'b'), lineOf('3', 'c')];
  const { rows, problems } = await read(await fileOf('stores.ndjson', texts.join('\n')), ({ sku, code }) => [
    ['sku', sku],
    ['code', code],
  ]);
  // Line 6 may have the code of line 4, because line 4 is not used.
  expect(rows.map(([line]) => line)).toEqual([1, 3, 6]);
  expect(problems).toEqual([
    'stores.ndjson:4 sku: expected a value of its own, got "2", which line 3 has too',
    'stores.ndjson:5 sku: expected a value of its own, got "1", which line 1 has too',
    'stores.ndjson:5 code: expected a value of its own, got "b", which line 3 has too',
  ]);
});

describe('readScope', () => {
  const scope = async (content: string) => {
    const { onBad, problems } = collect('inventory_scope.json');
    return {
      codes: await readScope(await fileOf('inventory_scope.json', content), onBad, partSchemas(usualProfile)),
      problems,
    };
  };

  test('a faulty or repeated code is left out', async () => {
    expect(await scope('{"inventory_store_codes": ["0012", 1, "0012", "0001"]}')).toEqual({
      codes: ['0012', '0001'],
      problems: [
        'inventory_scope.json inventory_store_codes[1]: expected four digits, got 1',
        'inventory_scope.json inventory_store_codes[2]: expected a value of its own, got "0012", which inventory_store_codes[0] has too',
      ],
    });
  });

  test.each([
    ['{}', 'inventory_scope.json inventory_store_codes: expected an array, got nothing'],
    ['["0001"]', 'inventory_scope.json: expected an object, got ["0001"]'],
    ['0001', 'inventory_scope.json: expected a JSON document, got unexpected number at position 1'],
  ])('%s is no scope', async (content, expected) => {
    await expect(scope(content)).rejects.toThrow(new RegExp(`: ${expected.replace(/[[\].]/g, '\\$&')}$`));
  });
});
