import { describe, expect, test } from 'vitest';
import { jsonSchema, schemaNames } from '../../generator/cli/schema.ts';
import { type Target, targets } from '../../generator/import/recipe/recipe.ts';
import { readText } from './repository.ts';

const page = readText('docs/importing.md');

/** Keys and enumerated values of a JSON Schema, at any depth. */
function wordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key === 'properties') return [...Object.keys(inner), ...Object.values(inner).flatMap(wordsOf)];
    if (key === 'enum') return (inner as unknown[]).map(String);
    return wordsOf(inner);
  });
}

describe('docs/importing.md', () => {
  test.each(Object.entries(targets))('has every field of %s as in the table in the code', (part, fields) => {
    const [, section = ''] = page.split(`\n### Fields of \`${part}\`\n`);
    const rows = (section.split('\n##')[0] ?? '').match(/^\| `.*$/gm);
    const readAs = ({ as, fallback }: Target) => {
      if (fallback === undefined) return as;
      return fallback === null ? `${as}, optional` : `${as}, else \`${fallback}\``;
    };
    expect(rows).toEqual(fields.map((target) => `| \`${target.field}\` | ${readAs(target)} | ${target.meaning} |`));
  });

  test('names every key of a recipe, and every value that a key can have', () => {
    const code = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).join('\n');
    const recipe = jsonSchema('recipe') as { properties: { snapshot: { properties: Record<string, unknown> } } };
    // docs/snapshot-format.md explains these.
    const {
      warnings: _,
      policy: __,
      retention: ___,
      profile: ____,
      ...snapshot
    } = recipe.properties.snapshot.properties;
    const schema = { ...recipe, properties: { ...recipe.properties, snapshot: { properties: snapshot } } };
    const words = new Set(wordsOf(schema));
    expect([...words].filter((word) => !code.includes(word))).toEqual([]);
    expect(words.size).toBeGreaterThan(60);
  });
});

test('docs/cli.md names every schema', () => {
  const [, section = ''] = readText('docs/cli.md').split('\n## `schema`\n');
  expect(schemaNames.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
