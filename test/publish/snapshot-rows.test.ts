import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { formatProblem, type OnBad, SnapshotError } from '../../generator/publish/snapshot/problem.ts';
import { readRows, readScope, type UniqueFields } from '../../generator/publish/snapshot/rows.ts';

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
    problems.push(...faults.map((fault) => formatProblem({ file, line: row.line, ...fault })));
  };
  return { onBad, bad, problems };
}

async function read(path: string, unique: UniqueFields<Row> = () => []) {
  const { onBad, bad, problems } = collect(basename(path, '.gz'));
  const rows: [line: number, sku: string, text: string][] = [];
  for await (const { line, row, text } of readRows(path, schema, { onBad, unique })) rows.push([line, row.sku, text]);
  return { rows, bad, problems };
}

const lineOf = (sku: string, code: string | null = null) => JSON.stringify({ sku, code });

describe('lines', () => {
  test.each([
    ['with a last newline', `${lineOf('1')}\n${lineOf('2')}\n`],
    ['without a last newline', `${lineOf('1')}\n${lineOf('2')}`],
    ['with CRLF', `${lineOf('1')}\r\n${lineOf('2')}\r\n`],
    ['with a byte order mark', `\uFEFF${lineOf('1')}\n${lineOf('2')}\n`],
  ])('%s', async (_, content) => {
    const expected = {
      rows: [
        [1, '1', lineOf('1')],
        [2, '2', lineOf('2')],
      ],
      bad: [],
      problems: [],
    };
    expect(await read(await fileOf('products.ndjson', content))).toEqual(expected);
    expect(await read(await fileOf('products.ndjson.gz', gzipSync(content)))).toEqual(expected);
  });

  test('blank lines are skipped and counted', async () => {
    const { rows, bad } = await read(
      await fileOf('products.ndjson', `\uFEFF\n${lineOf('1')}\n \t\r\n\n${lineOf('2')}\n\n`),
    );
    expect(rows.map(([line]) => line)).toEqual([2, 5]);
    expect(bad).toEqual([]);
  });

  test('any text is read back, however the chunks fall', async () => {
    const skus = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 });
    const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    // The first line is longer than a chunk, so that a chunk can end anywhere in the lines after it.
    const run = async (values: string[], filler: number) => {
      const all = ['x'.repeat(256 * 1024 - filler), ...values];
      const content = all.map((sku) => lineOf(sku)).join('\n');
      await writeFile(join(folder, 'products.ndjson'), content);
      await writeFile(join(folder, 'products.ndjson.gz'), gzipSync(content));
      for (const name of ['products.ndjson', 'products.ndjson.gz']) {
        const { rows, bad } = await read(join(folder, name));
        expect(rows.map(([, sku]) => sku)).toEqual(all);
        expect(bad).toEqual([]);
      }
    };
    await fc.assert(fc.asyncProperty(skus, fc.integer({ min: 0, max: 400 }), run), { numRuns: 15 });
  });
});

describe('bad lines', () => {
  test('go to onBad with their text and faults, and the others are read', async () => {
    const texts = [lineOf('1'), '{"sku":1}', lineOf('2')];
    const { rows, bad, problems } = await read(await fileOf('products.ndjson.gz', gzipSync(texts.join('\n'))));
    expect(rows.map(([line, sku]) => [line, sku])).toEqual([
      [1, '1'],
      [3, '2'],
    ]);
    expect(bad).toEqual([{ line: 2, text: '{"sku":1}' }]);
    expect(problems).toEqual([
      'products.ndjson:2 sku: expected a string, got 1',
      'products.ndjson:2 code: expected a string, got nothing',
    ]);
  });

  test.each([
    ['{"sku":"1"', "a JSON object, got expected ',' or '}' after property value at position 10"],
    ['{"sku":"1}', 'a JSON object, got unterminated string at position 10'],
    ['sku,code', `a JSON object, got unexpected token 's', "sku,code"`],
    [
      `${lineOf('1')}${lineOf('2')}`,
      'a JSON object, got unexpected non-whitespace character after JSON at position 2…',
    ],
    ['\uFEFF{}', `a JSON object, got unexpected token '\\ufeff', "\\ufeff{}"`],
    ['[1]', 'an object, got [1]'],
    ['null', 'an object, got null'],
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

describe('unique fields', () => {
  const unique: UniqueFields<Row> = ({ sku, code }) => [
    ['sku', sku],
    ['code', code],
  ];

  test('a value that a line before has is a bad row', async () => {
    const texts = [lineOf('1', 'a'), '', lineOf('2', 'b'), lineOf('2', 'c'), lineOf('1', 'b'), lineOf('3', 'c')];
    const { rows, problems } = await read(await fileOf('stores.ndjson', texts.join('\n')), unique);
    // Line 6 may have the code of line 4, because line 4 is not used.
    expect(rows.map(([line]) => line)).toEqual([1, 3, 6]);
    expect(problems).toEqual([
      'stores.ndjson:4 sku: expected a value of its own, got "2", which line 3 has too',
      'stores.ndjson:5 sku: expected a value of its own, got "1", which line 1 has too',
      'stores.ndjson:5 code: expected a value of its own, got "b", which line 3 has too',
    ]);
  });

  test('a null is like no other, and fields are apart from each other', async () => {
    const texts = [lineOf('1'), lineOf('2'), lineOf('3', '1')];
    expect((await read(await fileOf('stores.ndjson', texts.join('\n')), unique)).problems).toEqual([]);
  });
});

describe('files that cannot be read to their end', () => {
  const rejection = async (path: string): Promise<string[]> => {
    const error = await read(path).catch((thrown: unknown) => thrown);
    if (!(error instanceof SnapshotError)) throw new Error('read, or failed otherwise');
    return error.problems.shown.map(formatProblem);
  };

  test('a truncated gzip file', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => lineOf(String(index * 7919))).join('\n');
    const packed = gzipSync(lines);
    expect(await rejection(await fileOf('inventory.ndjson.gz', packed.subarray(0, packed.length / 2)))).toEqual([
      'inventory.ndjson.gz: expected a whole gzip file, got unexpected end of file',
    ]);
  });
});

describe('readScope', () => {
  const scope = async (content: string) => {
    const { onBad, problems } = collect('inventory_scope.json');
    return { codes: await readScope(await fileOf('inventory_scope.json', content), onBad), problems };
  };

  test('the codes in their order', async () => {
    const content = '\uFEFF{"inventory_store_codes": ["0012", "0001"], "note": "ignored"}\n';
    expect(await scope(content)).toEqual({ codes: ['0012', '0001'], problems: [] });
  });

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
