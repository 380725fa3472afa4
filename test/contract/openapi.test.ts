import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressTable } from '../../contract/addresses.ts';
import { FixtureSite } from '../http/fixture-site.ts';

type OpenApi = {
  openapi: string;
  paths: Record<string, { get: { operationId: string; description?: string } }>;
  components: { schemas: Record<string, object> };
};

let site: FixtureSite;
let description: OpenApi;

beforeAll(async () => {
  site = await FixtureSite.build();
  description = site.document<OpenApi>('/v1/openapi.json');
});
afterAll(() => site?.[Symbol.dispose]());

describe('the emitted OpenAPI', () => {
  test('describes every address of the service once, except those for people', () => {
    const described = Object.entries(description.paths).map(([path, { get }]) => [get.operationId, path]);
    const expected = Object.entries(addressTable)
      .filter(([, { isOutsideContract }]) => !isOutsideContract)
      .map(([kind, { path }]) => [kind, path.slice('/v1'.length) || '/']);
    expect(description.openapi).toBe('3.1.0');
    expect(described.sort()).toEqual(expected.sort());
  });

  test('says what every property and operation means, what its lists contain, and that there are no other properties', () => {
    const { info, paths } = description as OpenApi & { info: Record<string, unknown> };
    expect(info).toHaveProperty('contact');
    expect(Object.values(paths).filter(({ get }) => !get.description)).toEqual([]);
    const without: string[] = [];
    const visit = (value: unknown, owner: string) => {
      if (typeof value !== 'object' || value === null) return;
      type Schema = { type?: unknown; items?: unknown; properties?: Record<string, { description?: string }> };
      const { type, items, properties } = value as Schema;
      if (type === 'array' && !items) without.push(`${owner}: items`);
      if (properties && !('additionalProperties' in value)) without.push(`${owner}: an end of its properties`);
      for (const [name, schema] of Object.entries(properties ?? {})) {
        if (!schema.description) without.push(`${owner}.${name}`);
      }
      for (const part of Object.values(value)) visit(part, owner);
    };
    for (const [owner, schema] of Object.entries(description.components.schemas)) visit(schema, owner);
    expect(without).toEqual([]);
  });

  test('gives each id one pattern with its format, in lower case but for queries, and escapes no slash', () => {
    const ids = new Set<string>();
    const visit = (value: unknown, isQuery: boolean) => {
      if (typeof value !== 'object' || value === null) return;
      const { pattern, format, allOf, in: place } = value as { [key: string]: unknown };
      expect(allOf).toBeUndefined();
      expect(String(pattern)).not.toContain('\\/');
      if (format === 'uuid' && pattern !== undefined) ids.add(`${isQuery ? 'query' : 'other'} ${pattern}`);
      else expect(String(pattern)).not.toContain('a-f]{8}-');
      for (const part of Object.values(value)) visit(part, isQuery || place === 'query');
    };
    visit({ paths: description.paths, schemas: description.components.schemas }, false);
    const hex = (digits: string) => `${digits}{8}-${digits}{4}`;
    expect([...ids].sort()).toEqual([
      expect.stringMatching(/^other \^\[0-9a-f\]\{8\}-/),
      expect.stringContaining(hex('[0-9a-fA-F]')),
    ]);
  });

  test('lints clean', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The rule only compares templates. Here the schemas of the parameters distinguish addresses: an id is a UUID,
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
});
