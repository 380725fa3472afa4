import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { jsonSchema, schemaNames } from '../../generator/cli/schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false });
ajvFormats.default(ajv);
const validators = new Map(schemaNames.map((name) => [name, ajv.compile(jsonSchema(name) ?? {})]));

const partFiles: Readonly<Record<string, string>> = {
  'snapshot.json': 'snapshot',
  'products.ndjson': 'product',
  'stores.ndjson': 'store',
  'inventory.ndjson': 'inventory',
  'inventory_scope.json': 'inventory-scope',
  'curation.json': 'curation',
};

function faultsOf(name: string, value: unknown): unknown[] {
  const validate = validators.get(name);
  return validate?.(value) ? [] : [...(validate?.errors ?? ['no schema'])];
}

function valuesOf(path: string): unknown[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  if (!path.includes('.ndjson')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('the bundled snapshots fit their schemas', () => {
  for (const folder of fixtureFolders()) {
    for (const file of readdirSync(folder)) {
      const name = partFiles[file.replace(/\.gz$/, '')] ?? '';
      for (const value of valuesOf(join(folder, file))) expect(faultsOf(name, value), `${folder}/${file}`).toEqual([]);
    }
  }
});

test('so do the recipes in the fixtures and in the templates', () => {
  const ofFixtures = readdirSync('fixtures/imports').map((name) => join('fixtures/imports', name, 'recipe.json'));
  const ofTemplates = readdirSync('templates/recipes').map((name) => join('templates/recipes', name));
  const files = [...ofFixtures.filter((file) => existsSync(file)), ...ofTemplates];
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(faultsOf('recipe', valuesOf(file)[0]), file).toEqual([]);
});

test('the name of an inherited member is not the name of a schema', () => expect(jsonSchema('toString')).toBeNull());

describe('a schema refuses', () => {
  const [product] = valuesOf('fixtures/01-2025-03-03/products.ndjson') as Record<string, unknown>[];
  const [curation] = valuesOf('fixtures/01-2025-03-03/curation.json') as Record<string, unknown>[];

  test.each([
    ['product', { ...product, sku: '12' }],
    ['product', Object.fromEntries(Object.entries(product ?? {}).slice(1))],
    ['curation', { ...curation, brands: [{ slug: 'a', name: 'A', aliases: [1], reviewed: true }] }],
    ['curation', { ...curation, about: { license: { name: 'CC BY' } } }],
    ['inventory-scope', { inventory_store_codes: ['1'] }],
    ['recipe', { format: 'inventory-recipe', format_version: 1, snapshot: {}, files: {}, more: 1 }],
  ])('%s %j', (name, value) => expect(faultsOf(name, value)).not.toEqual([]));
});
