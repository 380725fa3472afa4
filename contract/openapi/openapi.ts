import * as z from 'zod';
import { type AddressKind, addressTable } from '../addresses.ts';
import { exportResource } from '../columns/export.ts';
import { contextTable, publicationTable } from '../columns/parquet.ts';
import { jsonMediaType } from '../headers.ts';
import { prefix, templates } from '../paths.ts';
import { type Profile, usualProfile } from '../profile.ts';
import { type DataLicense, statedLicense } from '../schemas/data-package.ts';
import { icebergTable } from '../schemas/iceberg.ts';
import { type About, contactPoint, contractVersion, serviceName, siteStatement } from '../schemas/metadata.ts';
import { parameterSchema } from '../schemas/parameter-values.ts';
import { categoryId, month, sku, slug, storeCode, uuid } from '../schemas/primitives.ts';
import { problemCode } from '../schemas/problem.ts';
import {
  headerComponents,
  headerReferences,
  type Json,
  jsonSchema,
  problemReferences,
  problemResponses,
  requestHeaderReferences,
  requestHeaders,
  responseSchemaName,
  schemaComponents,
} from './components.ts';
import answers from './examples.json' with { type: 'json' };
import { profiledExample } from './profiled-example.ts';

const kinds = (Object.keys(templates) as AddressKind[]).filter((kind) => !addressTable[kind].isOutsideContract);

const tags = {
  Metadata: 'What the service is, what it publishes, and what its problems mean.',
  Products: 'Catalog products by id or SKU, with their reported availability and history.',
  'Product families': 'Products that belong together, with every current member.',
  Changes: 'Observed change events, newest first. A page of them never changes.',
  Brands: 'Reviewed brands that the current publication represents.',
  Stores: 'Stores, and what was reported positive in them.',
  Search: 'Products, families, brands and stores by the words of their names.',
  Availability: 'Comparison of reported availability near a place, and the files it is computed from.',
  Exports: 'Everything of one publication as compressed NDJSON and as Parquet, and tables over time.',
  Iceberg: 'The Parquet files as tables of Apache Iceberg, on sites whose operators add them.',
};

const descriptionFor = (profile: Profile) => `${siteStatement(profile)}

Every answer is of one immutable publication, named in \`X-Publication-Revision\`.

- **Methods.** GET is described here. HEAD is answered like GET, without a body; OPTIONS with a 204 for CORS preflight;
  every other method with a 405 that carries \`Allow\` and the code \`METHOD_NOT_ALLOWED\`.
- **Hosts.** A host that runs no code serves every document, list and page; query strings, search and the comparison are
  for hosts that run the shim. On both, follow \`links.next\` to read a whole list.
- **Caching.** Every success and every 304 carries a strong \`ETag\`. The same bytes keep their tag across publications.
- **Parameters.** Unknown, repeated, empty or malformed ones are a 400 that names each of them in \`invalid_params\`.
- **Problems** are \`application/problem+json\`; \`type\` leads to what the code means and what to do about it.
`;

/**
 * The OpenAPI 3.1 description, generated from the schemas that check the documents. `info.license` and
 * `info.x-data-license` are the license of the data; without a stated license, both are absent.
 */
export function openApi(
  baseUrl: string,
  about: About | null = null,
  dataLicense: DataLicense | null = statedLicense(about),
  profile: Profile = usualProfile,
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: serviceName,
      version: contractVersion,
      description: descriptionFor(profile),
      contact: { name: about?.title ?? about?.agency ?? serviceName, ...(about && contactPoint(about)) },
      ...(dataLicense && {
        license: { name: dataLicense.name, ...(dataLicense.path && { url: dataLicense.path }) },
        'x-data-license': dataLicense,
      }),
    },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(kinds.map((kind) => [pathTemplate(kind), { get: operation(kind, profile) }])),
    components: {
      schemas: schemaComponents(profile),
      parameters: requestHeaders,
      headers: headerComponents,
      responses: {
        NotModified: { description: 'The client has this representation.', headers: headerReferences.validators },
        ...problemResponses(baseUrl),
      },
    },
  };
}

function pathTemplate(kind: AddressKind): string {
  return templates[kind].slice(prefix.length) || '/';
}

/** The tag comes from the first part of the path: `Product families` for `/product-families/{family_id}`. */
function operationTag(kind: AddressKind): string {
  const [, area = ''] = pathTemplate(kind).split('/');
  const tag = `${area.charAt(0).toUpperCase()}${area.slice(1).replace('-', ' ')}`;
  return tag in tags ? tag : 'Metadata';
}

function operation(kind: AddressKind, profile: Profile): Json {
  return {
    operationId: kind,
    summary: addressTable[kind].summary,
    description: operationDescription(kind),
    tags: [operationTag(kind)],
    parameters: [...pathParameters(kind, profile), ...queryParameters(kind, profile), ...requestHeaderReferences(kind)],
    responses: {
      ...(addressTable[kind].role === 'file' ? fileSuccesses(kind, profile) : { 200: documentSuccess(kind, profile) }),
      304: { $ref: '#/components/responses/NotModified' },
      ...problemReferences(kind),
    },
  };
}

const answeredBy: Readonly<Record<(typeof addressTable)[AddressKind]['role'], string>> = {
  document: 'A precomputed document, which every host answers.',
  list: 'A list. Follow `links.next` to read all of it; a query is answered by hosts that compute.',
  page: 'A precomputed page of a list, which every host answers. Its address comes from `links.next`.',
  tool: 'A precomputed file for tools, without `data` and `meta`, which every host answers.',
  computed: 'Answered by hosts that compute, from precomputed files. Rate-limited per client address.',
  file: 'A precomputed file, which every host answers.',
};

function operationDescription(kind: AddressKind): string {
  const { summary, role } = addressTable[kind];
  return `${summary}. ${answeredBy[role]}`;
}

/** Shortened answers, written by `vitest run test/contract/openapi-examples.test.ts --update`. */
const examples: Readonly<Record<string, unknown>> = answers;

/** A page without an example of its own gets that of its list. Empty if the bundled snapshots have no such answer. */
function answerExample(kind: AddressKind, profile: Profile): Json {
  const example = examples[kind] ?? examples[kind.replace(/_page$/, '')];
  return example === undefined ? {} : { example: profiledExample(example, profile) };
}

function documentSuccess(kind: AddressKind, profile: Profile): Json {
  return {
    description: addressTable[kind].summary,
    headers: {
      ...headerReferences.validators,
      ...headerReferences.coding,
      ...(addressTable[kind].link === null ? {} : headerReferences.alternate),
      ...(addressTable[kind].query === null ? {} : headerReferences.quota),
    },
    content: {
      [jsonMediaType]: {
        schema: { $ref: `#/components/schemas/${responseSchemaName(kind)}` },
        ...answerExample(kind, profile),
      },
    },
  };
}

function fileSuccesses(kind: AddressKind, profile: Profile): Json {
  const { content: description, mediaType, encoding } = addressTable[kind];
  const { validators, coding, packed, file, part } = headerReferences;
  const content = { [mediaType]: { schema: fileSchema(kind), ...answerExample(kind, profile) } };
  if (!addressTable[kind].isDownload) return { 200: { description, headers: { ...validators, ...coding }, content } };
  const headers = { ...validators, ...(encoding ? packed : {}), ...file };
  return {
    200: { description, headers, content },
    206: {
      description: 'The range that was asked for, of the bytes as they are stored',
      headers: { ...headers, ...part },
      content: { [mediaType]: { schema: fileSchema(kind) } },
    },
  };
}

/** JSON Schema 2020-12 needs only `contentMediaType` for bytes. Client generators want `format: binary`. */
function fileSchema(kind: AddressKind): Json {
  const { mediaType, encoding, isDownload } = addressTable[kind];
  if (encoding) return { type: 'string', contentEncoding: encoding };
  return isDownload ? { type: 'string', format: 'binary', contentMediaType: mediaType } : { type: 'string' };
}

type Described = { readonly schema: z.ZodType; readonly description: string };

const described: Readonly<Record<string, Described>> = {
  product_id: { schema: uuid, description: 'Stable product id' },
  store_id: { schema: uuid, description: 'Stable store id' },
  family_id: { schema: uuid, description: 'Stable product-family id' },
  brand_id: { schema: uuid, description: 'Stable brand id' },
  category_id: { schema: categoryId, description: 'Category id' },
  revision: { schema: uuid, description: 'Revision of a retained publication' },
  snapshot: { schema: uuid, description: 'Revision of the publication that is the snapshot' },
  sku: { schema: sku, description: 'Current SKU, or a former one that names one product alone' },
  code: { schema: storeCode, description: 'Inventory code of the store' },
  slug: { schema: slug, description: 'Slug of the brand' },
  resource: { schema: exportResource, description: 'Which of the three files' },
  table: { schema: publicationTable, description: 'Which of the four tables' },
  context: { schema: contextTable, description: 'Which of the four tables over time' },
  iceberg_table: { schema: icebergTable, description: 'Which of the five Iceberg tables' },
  problem: { schema: problemCode, description: 'Code of the problem' },
  number: {
    schema: z.string().regex(/^[1-9][0-9]*$/),
    description: 'Number of the page, segment, piece or publication, from the oldest',
  },
  month: { schema: month, description: 'Month in UTC, as in 2025-06' },
  digest: { schema: z.string().regex(/^[0-9a-f]{16}$/), description: 'Digest that the links lead to' },
};

/** The path parameters of an address. Throws if one has no description. */
function pathParameters(kind: AddressKind, profile: Profile): Json[] {
  return [...templates[kind].matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => {
    const parameter = described[name];
    if (!parameter) throw new Error(`the path parameter ${name} has no description`);
    const { schema, description } = parameter;
    return { name, in: 'path', required: true, description, schema: jsonSchema(schema, profile) };
  });
}

/** The query parameters of an address (contract.md 3). Most addresses have none. */
function queryParameters(kind: AddressKind, profile: Profile): Json[] {
  return Object.entries(addressTable[kind].query ?? {}).map(([name, { is, list, required, description }]) => ({
    name,
    in: 'query',
    required: required ?? false,
    description: list === undefined ? description : `${description} Separated by commas, at most ${list}.`,
    ...(list === undefined
      ? { schema: jsonSchema(parameterSchema(is), profile) }
      : {
          style: 'form',
          explode: false,
          schema: {
            type: 'array',
            items: jsonSchema(parameterSchema(is), profile),
            minItems: 1,
            maxItems: list,
            uniqueItems: true,
          },
        }),
  }));
}
