import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressTable } from '../../generator/contract/addresses.ts';
import { objectPath, parsePath } from '../../generator/contract/paths.ts';
import { build, publishFixtures, temporaryFolder } from '../build/fixture-series.ts';
import { documentAt, readSite } from '../build/site-tree.ts';

type OpenApi = {
  openapi: string;
  paths: Record<string, { get: { operationId: string; responses: Record<string, unknown> } }>;
  components: { schemas: Record<string, object> };
};

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let description: OpenApi;
let validators: (name: string) => ValidateFunction;

beforeAll(async () => {
  await publishFixtures(join(folder.path, 'db.sqlite'));
  await build(join(folder.path, 'db.sqlite'), dist);
  description = documentAt<OpenApi>(dist, '/v1/openapi.json');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema(description, 'openapi');
  validators = (name) => {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
    if (!validate) throw new Error(`no schema ${name}`);
    return validate;
  };
});
afterAll(folder.remove);

describe('the emitted OpenAPI', () => {
  test('describes every address of the service once, and none that is for people', () => {
    const described = Object.entries(description.paths).map(([path, { get }]) => [get.operationId, path]);
    const expected = Object.entries(addressTable)
      .filter(([, { isForPeople }]) => !isForPeople)
      .map(([kind, { path }]) => [kind, path.slice('/v1'.length) || '/']);
    expect(description.openapi).toBe('3.1.0');
    expect(described.sort()).toEqual(expected.sort());
  });

  test('has no reference to what is not there', () => {
    const text = JSON.stringify(description);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'));
    expect(references.length).toBeGreaterThan(100);
    for (const path of references) {
      const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], description);
      expect(found, path.join('/')).toBeDefined();
    }
  });

  test('says what every property means', () => {
    const without: string[] = [];
    const visit = (value: unknown, owner: string) => {
      if (typeof value !== 'object' || value === null) return;
      const { properties } = value as { properties?: Record<string, { description?: string }> };
      for (const [name, schema] of Object.entries(properties ?? {})) {
        if (!schema.description) without.push(`${owner}.${name}`);
      }
      for (const part of Object.values(value)) visit(part, owner);
    };
    for (const [owner, schema] of Object.entries(description.components.schemas)) visit(schema, owner);
    expect(without).toEqual([]);
  });

  test('lints clean', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The rule compares templates only. Here the schemas of the parameters distinguish addresses: an id is a UUID,
        // and `by-sku` is not.
        'no-ambiguous-paths': 'off',
      },
    });
    const source = JSON.stringify(description);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  test('has what the recommended rules of Spectral want beyond those of Redocly', () => {
    const { info, paths } = description as OpenApi & { info: Record<string, unknown> };
    expect(info).toHaveProperty('contact');
    const operations = Object.values(paths).map(({ get }) => get as unknown as Record<string, unknown>);
    expect(operations.filter((operation) => !operation.description)).toEqual([]);
    const arrays: unknown[] = [];
    const visit = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return;
      if ((value as { type?: unknown }).type === 'array') arrays.push(value);
      for (const part of Object.values(value)) visit(part);
    };
    visit(description.components.schemas);
    expect(arrays.filter((array) => !(array as { items?: unknown }).items)).toEqual([]);
  });

  test('is what every document of the site matches', () => {
    let checked = 0;
    for (const { path, sha256, media_type } of readSite(dist).routes.values()) {
      const kind = parsePath(path)?.kind;
      if (kind === undefined || media_type !== 'application/json') continue;
      const name = `${kind
        .split('_')
        .map((word) => word[0]?.toUpperCase() + word.slice(1))
        .join('')}Response`;
      const validate = validators(name);
      const document: unknown = JSON.parse(readFileSync(join(dist, objectPath(sha256)), 'utf8'));
      expect(validate(document), `${path}: ${JSON.stringify(validate.errors?.slice(0, 2))}`).toBe(true);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(400);
  });

  test('refuses what is not in the contract', () => {
    const metadata = documentAt<{ data: Record<string, unknown> }>(dist, '/v1/metadata');
    const validate = validators('MetadataResponse');
    expect(validate(metadata)).toBe(true);
    expect(validate({ ...metadata, data: { ...metadata.data, more: 1 } })).toBe(false);
    expect(validate({ data: metadata.data })).toBe(false);
  });
});
