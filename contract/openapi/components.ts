import * as z from 'zod';
import { type AddressKind, addressTable } from '../addresses.ts';
import { textFor } from '../columns/table.ts';
import { problemMediaType } from '../headers.ts';
import { prefix, templates } from '../paths.ts';
import { type Problem, type ProblemCode, problemKinds } from '../problem.ts';
import { isUsual, type Profile } from '../profile.ts';
import { schemaFor } from '../schemas/documents.ts';
import type { BySite } from '../schemas/primitives.ts';
import { problem } from '../schemas/problem.ts';
import { meanings } from './meanings.ts';

export type Json = { [key: string]: unknown };

const componentPath = '#/components/schemas/';

export function responseSchemaName(kind: AddressKind): string {
  const words = kind.split('_').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `${words.join('')}Response`;
}

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1, for a site with this profile. */
export function jsonSchema(schema: z.ZodType, profile: Profile): Json {
  const override = ({ jsonSchema }: { jsonSchema: Json }) => {
    asList(jsonSchema);
    inSite(jsonSchema, profile);
    plainSlashes(jsonSchema);
  };
  const { $schema: _, ...rest } = inDescription(z.toJSONSchema(schema, { override })) as Json;
  return rest;
}

/** Fills in a part that depends on the site's profile. Marks a part that the site lacks. */
function inSite(schema: Json, profile: Profile): void {
  const bySite = schema.bySite as BySite | undefined;
  if (bySite === undefined) return;
  delete schema.bySite;
  if (bySite.usual === null) {
    if (isUsual(profile)) schema.absent = true;
    return;
  }
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, isUsual(profile) ? bySite.usual : bySite.ofSite(profile));
}

/** Drops the marked parts. References to a schema's own parts become references to components. */
function inDescription(value: unknown): unknown {
  const isThere = (part: unknown) => (part as Json | null)?.absent !== true;
  if (Array.isArray(value)) return value.filter(isThere).map(inDescription);
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, componentPath);
  if (typeof value !== 'object' || value === null) return value;
  const there = Object.entries(value).filter(
    ([key, part]) => isThere(part) && (key !== 'id' || typeof part !== 'string'),
  );
  return Object.fromEntries(there.map(([key, part]) => [key, inDescription(part)]));
}

/** Some tools do not know `prefixItems`, so a pair of equal types becomes a list of two. */
function asList(schema: Json): void {
  const { prefixItems } = schema;
  if (!Array.isArray(prefixItems)) return;
  delete schema.prefixItems;
  Object.assign(schema, { items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length });
}

/** A slash needs no backslash in a pattern (ECMA-262, `u`), and some tools refuse one. */
function plainSlashes(schema: Json): void {
  const { pattern } = schema;
  if (typeof pattern === 'string')
    schema.pattern = pattern.replace(/\\(.)/gs, (escaped, one) => (one === '/' ? '/' : escaped));
}

const made = new Map<string, Readonly<Json>>();

/**
 * Every response schema by name, and each named part (`meta({id})`) once. A process makes them once for a profile,
 * because that takes longer than the rest of the description.
 */
export function schemaComponents(profile: Profile): Readonly<Json> {
  const key = JSON.stringify(profile);
  const known = made.get(key) ?? makeSchemaComponents(profile);
  made.set(key, known);
  return known;
}

function makeSchemaComponents(profile: Profile): Json {
  const schemas: Json = {};
  const add = (name: string, schema: z.ZodType) => {
    const { $defs, ...body } = jsonSchema(schema, profile) as Json & { $defs?: Json };
    if (body.$ref !== componentPath + name) schemas[name] = body;
    for (const [part, definition] of Object.entries($defs ?? {})) schemas[part] ??= definition;
  };
  for (const [kind, { definedBy }] of Object.entries(addressTable)) {
    const schema = schemaFor(kind as AddressKind);
    const name = responseSchemaName(kind as AddressKind);
    if (definedBy !== null) schemas[name] = { type: 'object', description: `As ${definedBy} defines it.` };
    else if (schema) add(name, schema);
  }
  add('Problem', problem);
  const responses = Object.keys(addressTable).map((kind) => responseSchemaName(kind as AddressKind));
  return Object.fromEntries(
    Object.entries(usedBy([...responses, 'Problem'], schemas))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, explained(schema, name, profile)]),
  );
}

function usedBy(names: readonly string[], schemas: Json): Json {
  const used: Json = {};
  const wanted = [...names];
  for (const name of wanted) {
    if (name in used || !(name in schemas)) continue;
    used[name] = schemas[name];
    const references = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    wanted.push(...[...references].map(([, other = '']) => other));
  }
  return used;
}

/** Adds the meaning of each property. `owner`: the component that contains the schema. */
function explained(value: unknown, owner: string, profile: Profile): unknown {
  if (Array.isArray(value)) return value.map((part) => explained(part, owner, profile));
  if (typeof value !== 'object' || value === null) return value;
  const { properties, ...rest } = value as Json;
  const inner = Object.entries(rest).map(([key, part]) => [key, explained(part, owner, profile)]);
  if (typeof properties !== 'object' || properties === null) {
    return Object.fromEntries(properties === undefined ? inner : [...inner, ['properties', properties]]);
  }
  const described = Object.entries(properties).map(([name, schema]) => {
    const meaning = meanings[`${owner}.${name}`] ?? meanings[name];
    const description = meaning && textFor(profile, meaning);
    return [name, { ...(explained(schema, owner, profile) as Json), ...(description ? { description } : {}) }];
  });
  return { ...Object.fromEntries(inner), properties: Object.fromEntries(described) };
}

type Header = { readonly description: string; readonly schema: Json; readonly required?: true };

const text: Json = { type: 'string' };
const uuid: Json = { type: 'string', format: 'uuid' };
const matching = (pattern: string): Json => ({ type: 'string', pattern });

/** A header that is in every answer whose response lists it. */
function always(description: string, schema = text): Header {
  return { description, schema, required: true };
}

export const headerComponents: Readonly<Record<string, Header>> = {
  ETag: always('Strong entity tag of the bytes sent.', matching('^"[^"]+"$')),
  'Last-Modified': {
    description:
      'When the publication was published in which these bytes last changed, as an HTTP-date. Absent from a whole answer to an If-Modified-Since that is not earlier.',
    schema: text,
  },
  'Cache-Control': always('How long the answer may be reused.'),
  'X-Publication-Revision': always(
    'Revision the answer is of: the current one, that of a cursor, or that of an export.',
    uuid,
  ),
  'Content-Encoding': { description: 'Coding of the bytes sent; absent when they are not coded.', schema: text },
  Vary: { description: 'Accept-Encoding, where the answer can be sent in several codings.', schema: text },
  Link: always('Another form of the same content, with rel=alternate.'),
  'Content-Disposition': always('attachment, with the name to save the file under, without its coding.'),
  'Accept-Ranges': always('bytes', { const: 'bytes' }),
  'Content-Range': always('Which bytes of how many, or how many there are.'),
  'Retry-After': always('Seconds to wait before asking again.', { type: 'integer', minimum: 0 }),
  'RateLimit-Policy': {
    description:
      'The quota of a client for comparisons, searches and selections: q points in w seconds (draft-ietf-httpapi-ratelimit-headers). Absent where the host does not tell.',
    schema: matching('^"[^"]+";q=[0-9]+;w=[0-9]+$'),
  },
  RateLimit: {
    description:
      'What is left of the quota: r points, and t seconds until it is whole again. Of no use in a cached answer.',
    schema: matching('^"[^"]+";r=[0-9]+;t=[0-9]+$'),
  },
  'X-Request-ID': always("Id of the request, also the body's request_id.", uuid),
};

export const headerReferences = {
  validators: referencesTo('ETag', 'Last-Modified', 'Cache-Control', 'X-Publication-Revision'),
  coding: referencesTo('Content-Encoding', 'Vary'),
  packed: referencesTo('Content-Encoding'),
  file: referencesTo('Content-Disposition', 'Accept-Ranges'),
  part: referencesTo('Content-Range'),
  problem: referencesTo('Cache-Control', 'X-Request-ID'),
  wait: referencesTo('Retry-After'),
  quota: referencesTo('RateLimit-Policy', 'RateLimit'),
  alternate: referencesTo('Link'),
} as const;

function referencesTo(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function requestHeader(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: text };
}

/** Request headers that can change the answer, RFC 9110 12.5.3, 13 and 14.2. */
export const requestHeaders = {
  IfNoneMatch: requestHeader('If-None-Match', 'Entity tags of earlier answers, or *; wins over If-Modified-Since.'),
  IfModifiedSince: requestHeader(
    'If-Modified-Since',
    'HTTP-date, the fallback validator; ignored for an answer that carries a cursor.',
  ),
  AcceptEncoding: requestHeader(
    'Accept-Encoding',
    'Codings the client can read. Documents that were compressed when they were published are sent so, and computed answers of a kilobyte or more.',
  ),
  Range: requestHeader(
    'Range',
    'One range of the bytes as stored, as in bytes=0-499 or bytes=-8; several are answered with all.',
  ),
  IfRange: requestHeader(
    'If-Range',
    'Strong entity tag, or exact Last-Modified, for which the range counts. All is sent of a file that is another by now.',
  ),
} as const;

/** Downloads take If-None-Match, and headers for ranges (contract.md 5). */
export function requestHeaderReferences(kind: AddressKind): Json[] {
  const names: readonly (keyof typeof requestHeaders)[] = addressTable[kind].isDownload
    ? ['IfNoneMatch', 'Range', 'IfRange']
    : ['IfNoneMatch', 'IfModifiedSince', 'AcceptEncoding'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function response(description: string, ...codes: readonly [ProblemCode, ...ProblemCode[]]) {
  return { status: problemKinds[codes[0]].status, codes, description };
}

/** Problems of an operation that share a status, by the name of their component (contract.md 6). */
const responses = {
  InvalidParameter: response(
    'A parameter is unknown, repeated, empty or malformed, or does not fit another one.',
    'INVALID_PARAMETER',
  ),
  InvalidListQuery: response(
    'A parameter is faulty, or the cursor is not ours, expired, or of another list or query.',
    'INVALID_PARAMETER',
    'CURSOR_INVALID',
    'CURSOR_EXPIRED',
    'CURSOR_QUERY_MISMATCH',
  ),
  ResourceNotFound: response(
    'Nothing is published at this address, or the store of store_id is unknown.',
    'RESOURCE_NOT_FOUND',
  ),
  ProductNotFound: response(
    'No product has this id, or nothing is published at this address of it.',
    'PRODUCT_NOT_FOUND',
    'RESOURCE_NOT_FOUND',
  ),
  SkuNotFound: response(
    'No product has or had this SKU, or several had it.',
    'SKU_NOT_FOUND',
    'SKU_AMBIGUOUS',
    'RESOURCE_NOT_FOUND',
  ),
  SelectionNotFound: response(
    'A product, SKU or store of the query is unknown, or several products had the SKU.',
    'PRODUCT_NOT_FOUND',
    'SKU_NOT_FOUND',
    'SKU_AMBIGUOUS',
    'RESOURCE_NOT_FOUND',
  ),
  PreconditionFailed: response('If-Match or If-Unmodified-Since does not hold.', 'PRECONDITION_FAILED'),
  UriTooLong: response('The request target is longer than 8192 characters.', 'URI_TOO_LONG'),
  RangeNotSatisfiable: response('The range begins past the end of the file.', 'RANGE_NOT_SATISFIABLE'),
  RateLimited: response('Too many comparisons, searches and selections from this address.', 'RATE_LIMITED'),
  Internal: response('The service failed; details are withheld.', 'INTERNAL'),
  NoPublication: response('No safe published revision is currently readable.', 'NO_PUBLICATION'),
};

type ResponseName = keyof typeof responses;

/** Each component has an example of every code. */
export function problemResponses(baseUrl: string): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([name, { status, codes, description }]) => {
      const waits = status === 429 || status === 503;
      const headers = {
        ...headerReferences.problem,
        ...(waits ? headerReferences.wait : {}),
        ...(status === 429 ? headerReferences.quota : {}),
        ...(status === 416 ? headerReferences.part : {}),
      };
      const schema = {
        allOf: [{ $ref: '#/components/schemas/Problem' }],
        properties: { status: { const: status }, code: { enum: codes } },
      };
      const examples = Object.fromEntries(codes.map((code) => [code, { value: example(baseUrl, code, status) }]));
      return [name, { description, headers, content: { [problemMediaType]: { schema, examples } } }];
    }),
  );
}

export function problemReferences(kind: AddressKind): Json {
  return Object.fromEntries(
    responseNames(kind).map((name) => [responses[name].status, { $ref: `#/components/responses/${name}` }]),
  );
}

function responseNames(kind: AddressKind): ResponseName[] {
  const parameters = Object.keys(addressTable[kind].query ?? {});
  const notFound = notFoundResponse(templates[kind], parameters);
  return [
    parameters.includes('cursor') ? 'InvalidListQuery' : 'InvalidParameter',
    ...(notFound ? [notFound] : []),
    'PreconditionFailed',
    'UriTooLong',
    ...(addressTable[kind].isDownload ? (['RangeNotSatisfiable'] as const) : []),
    ...(parameters.length > 0 ? (['RateLimited'] as const) : []),
    'Internal',
    'NoPublication',
  ];
}

/** An address without a path parameter always exists, but its query can name something that does not. */
function notFoundResponse(template: string, parameters: readonly string[]): ResponseName | null {
  if (parameters.includes('sku') || parameters.includes('skus')) return 'SelectionNotFound';
  if (template.includes('{product_id}')) return 'ProductNotFound';
  if (template.includes('{sku}')) return 'SkuNotFound';
  return template.includes('{') ? 'ResourceNotFound' : null;
}

function example(baseUrl: string, code: ProblemCode, status: number): Problem {
  const { title, detail } = problemKinds[code];
  const isParameter = code === 'INVALID_PARAMETER';
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: isParameter ? `${prefix}/brands?limit=0` : `${prefix}/brands`,
    code,
    request_id: '00000000-0000-4000-8000-000000000000',
    ...(isParameter ? { invalid_params: [{ name: 'limit', reason: 'expected an integer from 1 to 100, got 0' }] } : {}),
  };
}
