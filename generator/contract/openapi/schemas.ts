import * as z from 'zod';
import { addressTable } from '../addresses.ts';
import type { PathKind } from '../paths.ts';
import { problem } from '../problem.ts';

export type Json = { [key: string]: unknown };

/** The name of an answer's schema in the components. */
export function responseSchemaName(kind: PathKind): string {
  const words = kind.split('_').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `${words.join('')}Response`;
}

/** A schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Json;
  return rest;
}

/** Every response schema by name, with the named parts (`meta({id})`) beside them, each once. */
export function schemaComponents(): Json {
  const schemas: Json = {};
  const add = (name: string, schema: z.ZodType) => {
    const { $defs, ...body } = jsonSchema(schema) as Json & { $defs?: Json };
    if (body.$ref !== `#/$defs/${name}`) schemas[name] = relocate(body);
    for (const [part, definition] of Object.entries($defs ?? {})) schemas[part] ??= relocate(definition);
  };
  for (const [kind, { schema }] of Object.entries(addressTable)) {
    if (schema) add(responseSchemaName(kind as PathKind), schema);
  }
  add('Problem', problem);
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' || typeof (value as Json).id !== 'string')
      .map(([key, part]) => [
        key,
        key === '$ref' && typeof part === 'string' ? part.replace('#/$defs/', '#/components/schemas/') : relocate(part),
      ]),
  );
}
