import * as z from 'zod';
import { exportResource } from './export.ts';
import { jsonMediaType, ndjsonMediaType, problemMediaType } from './headers.ts';
import { queryParameters } from './parameters.ts';
import { type PathKind, prefix, templates } from './paths.ts';
import { categoryId, sku, slug, storeCode, uuid } from './primitives.ts';
import { problem, problemCode } from './problem.ts';
import { resources } from './resources.ts';
import { contractVersion, serviceName, serviceStatement } from './version.ts';

type Json = { [key: string]: unknown };

const pathParameters: Readonly<Record<string, z.ZodType>> = {
  product_id: uuid,
  store_id: uuid,
  family_id: uuid,
  brand_id: uuid,
  revision: uuid,
  sku,
  code: storeCode,
  slug,
  resource: exportResource,
  problem: problemCode,
  number: z.string().regex(/^[1-9][0-9]*$/),
  digest: z.string().regex(/^[0-9a-f]{16}$/),
  category_id: categoryId,
};

const validatorHeaders = {
  ETag: { $ref: '#/components/headers/ETag' },
  'Last-Modified': { $ref: '#/components/headers/Last-Modified' },
  'Cache-Control': { $ref: '#/components/headers/Cache-Control' },
  'X-Publication-Revision': { $ref: '#/components/headers/X-Publication-Revision' },
};

/** The OpenAPI 3.1 description of the service, generated from the schemas that check its documents. */
export function openApi(baseUrl: string): Json {
  const paths: Json = {};
  for (const kind of Object.keys(templates) as PathKind[]) {
    paths[pathTemplate(kind)] = { get: operation(kind) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: serviceName,
      version: contractVersion,
      description: serviceStatement,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [],
    tags: [...new Set((Object.keys(templates) as PathKind[]).map(tagOf))].map((name) => ({ name })),
    paths,
    components: { schemas: componentSchemas(), headers: componentHeaders(), responses: componentResponses() },
  };
}

function pathTemplate(kind: PathKind): string {
  return templates[kind].slice(prefix.length) || '/';
}

function tagOf(kind: PathKind): string {
  const area = pathTemplate(kind).split('/')[1] ?? '';
  const names: Readonly<Record<string, string>> = {
    '': 'Metadata',
    products: 'Products',
    'product-families': 'Product families',
    changes: 'Changes',
    brands: 'Brands',
    stores: 'Stores',
    search: 'Search',
    availability: 'Availability',
    exports: 'Exports',
  };
  return names[area] ?? 'Metadata';
}

function operation(kind: PathKind): Json {
  const query = (queryParameters as Readonly<Record<string, object>>)[kind];
  return {
    operationId: kind,
    summary: kind === 'export' ? 'An export file' : resources[kind].summary,
    tags: [tagOf(kind)],
    parameters: [...templateParameters(kind), ...(query ? queryOf(query) : []), ...conditionalOf(kind)],
    responses: {
      200: successOf(kind),
      304: { $ref: '#/components/responses/NotModified' },
      ...(query ? { 400: problemReference, 429: problemReference } : {}),
      404: problemReference,
      500: problemReference,
      503: problemReference,
    },
  };
}

const problemReference = { $ref: '#/components/responses/Problem' };

function templateParameters(kind: PathKind): Json[] {
  return [...templates[kind].matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: jsonSchema(pathParameters[name] ?? z.string()),
  }));
}

function queryOf(query: object): Json[] {
  type Described = { schema: z.ZodType; list?: number; required?: boolean; description: string };
  return Object.entries(query as Record<string, Described>).map(([name, { schema, list, required, description }]) => ({
    name,
    in: 'query',
    required: required ?? false,
    description,
    ...(list
      ? {
          style: 'form',
          explode: false,
          schema: { type: 'array', items: jsonSchema(schema), minItems: 1, maxItems: list, uniqueItems: true },
        }
      : { schema: jsonSchema(schema) }),
  }));
}

function conditionalOf(kind: PathKind): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  const match = header('If-None-Match', 'Entity tags of earlier responses; takes precedence over If-Modified-Since.');
  if (kind === 'export') return [match];
  return [match, header('If-Modified-Since', 'HTTP-date; the fallback validator.')];
}

function successOf(kind: PathKind): Json {
  if (kind === 'export') {
    return {
      description: 'One header record, then data records',
      headers: validatorHeaders,
      content: { [ndjsonMediaType]: { schema: { type: 'string', contentEncoding: 'gzip' } } },
    };
  }
  return {
    description: resources[kind].summary,
    headers: validatorHeaders,
    content: { [jsonMediaType]: { schema: { $ref: `#/components/schemas/${responseName(kind)}` } } },
  };
}

function responseName(kind: PathKind): string {
  const words = kind.split('_').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `${words.join('')}Response`;
}

function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Json;
  return rest;
}

/** Every response schema by name, with the named parts (`meta({id})`) beside them, each once. */
function componentSchemas(): Json {
  const schemas: Json = {};
  const add = (name: string, schema: z.ZodType) => {
    const { $defs, ...body } = jsonSchema(schema) as Json & { $defs?: Json };
    if (body.$ref !== `#/$defs/${name}`) schemas[name] = relocate(body);
    for (const [part, definition] of Object.entries($defs ?? {})) schemas[part] ??= relocate(definition);
  };
  for (const [kind, { schema }] of Object.entries(resources)) add(responseName(kind as PathKind), schema);
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

function componentHeaders(): Json {
  const header = (description: string) => ({ description, schema: { type: 'string' } });
  return {
    ETag: header('Strong entity tag: the MD5 of the bytes sent, in hex, quoted.'),
    'Last-Modified': header('When the publication with these bytes was published.'),
    'Cache-Control': header('How long the answer may be reused.'),
    'X-Publication-Revision': header('Revision the answer belongs to.'),
    'Retry-After': header('Seconds to wait.'),
    'X-Request-ID': header('Id of the request in the logs.'),
  };
}

function componentResponses(): Json {
  return {
    NotModified: { description: 'The representation has not changed.', headers: validatorHeaders },
    Problem: {
      description: 'A problem',
      headers: {
        'X-Request-ID': { $ref: '#/components/headers/X-Request-ID' },
        'Retry-After': { $ref: '#/components/headers/Retry-After' },
      },
      content: { [problemMediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  };
}
