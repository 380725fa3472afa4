import { addressTable, isDownload } from '../addresses.ts';
import { jsonMediaType } from '../headers.ts';
import { type PathKind, prefix, templates } from '../paths.ts';
import { contractVersion, serviceName, serviceStatement } from '../version.ts';
import { headerComponents, headerReferences, requestHeaderReferences, requestHeaders } from './headers.ts';
import { pathParameters, queryParametersOf } from './parameters.ts';
import { problemReferences, problemResponses } from './problems.ts';
import { type Json, responseSchemaName, schemaComponents } from './schemas.ts';

const kinds = Object.keys(templates) as PathKind[];

const tags = {
  Metadata: 'What the service is, what it publishes, and what its problems mean.',
  Products: 'Catalog products by id or SKU, with their reported availability and history.',
  'Product families': 'Products that belong together, with every current member.',
  Changes: 'Observed change events, newest first. A page of them never changes.',
  Brands: 'Reviewed brands that the current publication represents.',
  Stores: 'Stores, and what was reported positive in them.',
  Search: 'Products, families, brands and stores by the words of their names.',
  Availability: 'Comparison of reported availability near a place, and the files it is computed from.',
  Exports: 'Everything of one publication as compressed NDJSON.',
} as const;

type Tag = keyof typeof tags;

const areas: Readonly<Record<string, Tag>> = {
  products: 'Products',
  'product-families': 'Product families',
  changes: 'Changes',
  brands: 'Brands',
  stores: 'Stores',
  search: 'Search',
  availability: 'Availability',
  exports: 'Exports',
};

const description = `${serviceStatement}

Every answer is of one immutable publication, named in \`X-Publication-Revision\`.

- **Methods.** GET is described here. HEAD is answered like GET, without a body; OPTIONS with a 204 for CORS preflight;
  every other method with a 405 that carries \`Allow\` and the code \`METHOD_NOT_ALLOWED\`.
- **Hosts.** A host that runs no code serves every document, list and page; query strings, search and the comparison are
  for hosts that run the shim. On both, whoever follows \`links.next\` walks a whole list.
- **Caching.** Every success and every 304 carries a strong \`ETag\`. The same bytes keep their tag across publications.
- **Parameters.** Unknown, repeated, empty or malformed ones are a 400 that names each of them in \`invalid_params\`.
- **Problems** are \`application/problem+json\`; \`type\` leads to what the code means and what to do about it.
`;

/** The OpenAPI 3.1 description of the service, generated from the schemas that check its documents. */
export function openApi(baseUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: serviceName,
      version: contractVersion,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(kinds.map((kind) => [pathTemplate(kind), { get: operation(kind) }])),
    components: {
      schemas: schemaComponents(),
      parameters: requestHeaders,
      headers: headerComponents,
      responses: {
        NotModified: { description: 'The client has this representation.', headers: headerReferences.validators },
        ...problemResponses(baseUrl),
      },
    },
  };
}

function pathTemplate(kind: PathKind): string {
  return templates[kind].slice(prefix.length) || '/';
}

function tagOf(kind: PathKind): Tag {
  return areas[pathTemplate(kind).split('/')[1] ?? ''] ?? 'Metadata';
}

function operation(kind: PathKind): Json {
  return {
    operationId: kind,
    summary: addressTable[kind].summary,
    tags: [tagOf(kind)],
    parameters: [...pathParameters(kind), ...queryParametersOf(kind), ...requestHeaderReferences(kind)],
    responses: {
      ...(addressTable[kind].role === 'file' ? fileSuccesses(kind) : { 200: documentSuccess(kind) }),
      304: { $ref: '#/components/responses/NotModified' },
      ...problemReferences(kind),
    },
  };
}

function documentSuccess(kind: PathKind): Json {
  return {
    description: addressTable[kind].summary,
    headers: { ...headerReferences.validators, ...headerReferences.coding },
    content: { [jsonMediaType]: { schema: { $ref: `#/components/schemas/${responseSchemaName(kind)}` } } },
  };
}

function fileSuccesses(kind: PathKind): Json {
  const { content: description, mediaType, encoding } = addressTable[kind];
  const { validators, coding, file, part } = headerReferences;
  const schema = { type: 'string', ...(encoding ? { contentEncoding: encoding } : {}) };
  const content = { [mediaType]: { schema } };
  if (!isDownload(kind)) return { 200: { description, headers: { ...validators, ...coding }, content } };
  return {
    200: { description, headers: { ...validators, ...file }, content },
    206: {
      description: 'The range of the compressed bytes that was asked for',
      headers: { ...validators, ...file, ...part },
      content,
    },
  };
}
