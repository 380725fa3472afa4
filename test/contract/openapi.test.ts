import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressTable } from '../../generator/contract/addresses.ts';
import { parsePath } from '../../generator/contract/paths.ts';
import { FixtureSite } from '../http/fixture-site.ts';

type OpenApi = {
  openapi: string;
  paths: Record<string, { get: { operationId: string; description?: string } }>;
  components: { schemas: Record<string, object> };
};

let site: FixtureSite;
let description: OpenApi;
let validators: (name: string) => ValidateFunction;

beforeAll(async () => {
  site = await FixtureSite.build();
  description = site.document<OpenApi>('/v1/openapi.json');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema(description, 'openapi');
  validators = (name) => {
    const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
    if (!validate) throw new Error(`no schema ${name}`);
    return validate;
  };
});
afterAll(() => site?.[Symbol.dispose]());

describe('the emitted OpenAPI', () => {
  test('describes every address of the service once, and none that is for people', () => {
    const described = Object.entries(description.paths).map(([path, { get }]) => [get.operationId, path]);
    const expected = Object.entries(addressTable)
      .filter(([, { isForPeople }]) => !isForPeople)
      .map(([kind, { path }]) => [kind, path.slice('/v1'.length) || '/']);
    expect(description.openapi).toBe('3.1.0');
    expect(described.sort()).toEqual(expected.sort());
  });

  test('says what every property and operation means, and of what its lists are', () => {
    const { info, paths } = description as OpenApi & { info: Record<string, unknown> };
    expect(info).toHaveProperty('contact');
    expect(Object.values(paths).filter(({ get }) => !get.description)).toEqual([]);
    const without: string[] = [];
    const visit = (value: unknown, owner: string) => {
      if (typeof value !== 'object' || value === null) return;
      type Schema = { type?: unknown; items?: unknown; properties?: Record<string, { description?: string }> };
      const { type, items, properties = {} } = value as Schema;
      if (type === 'array' && !items) without.push(`${owner}: items`);
      for (const [name, schema] of Object.entries(properties)) {
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

  test('is what every document of the site matches', () => {
    let checked = 0;
    for (const { path, media_type } of site.routes.values()) {
      const kind = parsePath(path)?.kind;
      if (kind === undefined || media_type !== 'application/json') continue;
      const name = `${kind
        .split('_')
        .map((word) => word[0]?.toUpperCase() + word.slice(1))
        .join('')}Response`;
      const validate = validators(name);
      expect(validate(site.document<unknown>(path)), `${path}: ${JSON.stringify(validate.errors?.slice(0, 2))}`).toBe(
        true,
      );
      checked += 1;
    }
    expect(checked).toBeGreaterThan(400);
  });

  test('refuses what is not in the contract', () => {
    const metadata = site.document<{ data: Record<string, unknown> }>('/v1/metadata');
    const validate = validators('MetadataResponse');
    expect(validate({ ...metadata, data: { ...metadata.data, more: 1 } })).toBe(false);
    expect(validate({ data: metadata.data })).toBe(false);
  });
});
