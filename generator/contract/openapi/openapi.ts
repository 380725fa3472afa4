import * as z from 'zod';
import { type AddressKind, addressTable } from '../addresses.ts';
import { type About, contactPoint, contractVersion, serviceName, statementOf } from '../documents/metadata.ts';
import { type DataLicense, licenseOf } from '../formats/data-package.ts';
import { exportResource } from '../formats/export.ts';
import { publicationTable } from '../formats/parquet.ts';
import { jsonMediaType, parquetMediaType } from '../headers.ts';
import { prefix, templates } from '../paths.ts';
import { sku, slug, storeCode, uuid } from '../primitives.ts';
import { problemCode } from '../problem.ts';
import { type Profile, usualProfile } from '../profile.ts';
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

const kinds = (Object.keys(templates) as AddressKind[]).filter((kind) => !addressTable[kind].isForPeople);

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

const descriptionFor = (profile: Profile) => `${statementOf(profile)}

Every answer is of one immutable publication, named in \`X-Publication-Revision\`.

- **Methods.** GET is described here. HEAD is answered like GET, without a body; OPTIONS with a 204 for CORS preflight;
  every other method with a 405 that carries \`Allow\` and the code \`METHOD_NOT_ALLOWED\`.
- **Hosts.** A host that runs no code serves every document, list and page; query strings, search and the comparison are
  for hosts that run the shim. On both, whoever follows \`links.next\` walks a whole list.
- **Caching.** Every success and every 304 carries a strong \`ETag\`. The same bytes keep their tag across publications.
- **Parameters.** Unknown, repeated, empty or malformed ones are a 400 that names each of them in \`invalid_params\`.
- **Problems** are \`application/problem+json\`; \`type\` leads to what the code means and what to do about it.
`;

/**
 * The OpenAPI 3.1 description of the service, generated from the schemas that check its documents. `info.license` is that
 * of the description, `info.x-data-license` that of the data.
 */
export function openApi(
  baseUrl: string,
  about: About | null = null,
  dataLicense: DataLicense | null = licenseOf(about),
  profile: Profile = usualProfile,
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: serviceName,
      version: contractVersion,
      description: descriptionFor(profile),
      contact: { name: about?.title ?? 'The operator of this service', ...(about && contactPoint(about)) },
      license: { name: 'MIT', identifier: 'MIT' },
      ...(dataLicense === null ? {} : { 'x-data-license': dataLicense }),
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

function tagOf(kind: AddressKind): Tag {
  return areas[pathTemplate(kind).split('/')[1] ?? ''] ?? 'Metadata';
}

function operation(kind: AddressKind, profile: Profile): Json {
  return {
    operationId: kind,
    summary: addressTable[kind].summary,
    description: descriptionOf(kind),
    tags: [tagOf(kind)],
    parameters: [
      ...pathParameters(kind, profile),
      ...queryParametersOf(kind, profile),
      ...requestHeaderReferences(kind),
    ],
    responses: {
      ...(addressTable[kind].role === 'file' ? fileSuccesses(kind) : { 200: documentSuccess(kind) }),
      304: { $ref: '#/components/responses/NotModified' },
      ...problemReferences(kind),
    },
  };
}

const answeredBy: Readonly<Record<(typeof addressTable)[AddressKind]['role'], string>> = {
  document: 'A precomputed document, which every host answers.',
  list: 'A list. Whoever follows `links.next` walks all of it; a query is answered by hosts that compute.',
  page: 'A precomputed page of a list, which every host answers. Its address comes from `links.next`.',
  tool: 'A precomputed file for tools, without `data` and `meta`, which every host answers.',
  computed: 'Answered by hosts that compute, from precomputed files. The client address has a rate limit.',
  file: 'A precomputed file, which every host answers.',
};

function descriptionOf(kind: AddressKind): string {
  const { summary, role } = addressTable[kind];
  return `${summary}. ${answeredBy[role]}`;
}

/** The example of an answer, for a page perhaps that of its list; nothing where the bundled snapshots have none. */
function exampleOf(kind: AddressKind): Json {
  const example = examples[kind] ?? examples[kind.replace(/_page$/, '')];
  return example === undefined ? {} : { example: JSON.parse(example) };
}

function documentSuccess(kind: AddressKind): Json {
  return {
    description: addressTable[kind].summary,
    headers: {
      ...headerReferences.validators,
      ...headerReferences.coding,
      ...(addressTable[kind].link === null ? {} : headerReferences.alternate),
      ...(addressTable[kind].query === null ? {} : headerReferences.quota),
    },
    content: {
      [jsonMediaType]: { schema: { $ref: `#/components/schemas/${responseSchemaName(kind)}` }, ...exampleOf(kind) },
    },
  };
}

function fileSuccesses(kind: AddressKind): Json {
  const { content: description, mediaType, encoding } = addressTable[kind];
  const { validators, coding, packed, file, part } = headerReferences;
  const content = { [mediaType]: { schema: fileSchema(kind), ...exampleOf(kind) } };
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

/**
 * The schema of a file's content. `contentMediaType` without a `contentEncoding` says that the bytes are binary, as JSON
 * Schema 2020-12 has it. Tools that make clients know `format: binary`.
 */
function fileSchema(kind: AddressKind): Json {
  const { mediaType, encoding } = addressTable[kind];
  if (encoding) return { type: 'string', contentEncoding: encoding };
  return mediaType === parquetMediaType
    ? { type: 'string', format: 'binary', contentMediaType: mediaType }
    : { type: 'string' };
}

type Described = { readonly schema: z.ZodType; readonly description: string };

const described: Readonly<Record<string, Described>> = {
  product_id: { schema: uuid, description: 'Stable product id' },
  store_id: { schema: uuid, description: 'Stable store id' },
  family_id: { schema: uuid, description: 'Stable product-family id' },
  brand_id: { schema: uuid, description: 'Stable brand id' },
  revision: { schema: uuid, description: 'Revision of a retained publication' },
  sku: { schema: sku, description: 'Current SKU, or a former one that names one product alone' },
  code: { schema: storeCode, description: 'Inventory code of the store' },
  slug: { schema: slug, description: 'Slug of the brand' },
  resource: { schema: exportResource, description: 'Which of the three files' },
  table: { schema: publicationTable, description: 'Which of the four tables' },
  problem: { schema: problemCode, description: 'Code of the problem' },
  number: {
    schema: z.string().regex(/^[1-9][0-9]*$/),
    description: 'Number of the page, segment or piece, from the oldest',
  },
  digest: { schema: z.string().regex(/^[0-9a-f]{16}$/), description: 'Digest that the links lead to' },
};

/** The parameters in the path of an address. Throws if one has no description. */
function pathParameters(kind: AddressKind, profile: Profile): Json[] {
  return [...templates[kind].matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => {
    const parameter = described[name];
    if (!parameter) throw new Error(`the path parameter ${name} has no description`);
    const { schema, description } = parameter;
    return { name, in: 'path', required: true, description, schema: jsonSchema(schema, profile) };
  });
}

/** The query parameters of an address (contract.md 3). Most addresses have none. */
function queryParametersOf(kind: AddressKind, profile: Profile): Json[] {
  return Object.entries(addressTable[kind].query ?? {}).map(([name, { schema, list, required, description }]) => ({
    name,
    in: 'query',
    required: required ?? false,
    description: list === undefined ? description : `${description} Separated by commas, at most ${list}.`,
    ...(list === undefined
      ? { schema: jsonSchema(schema, profile) }
      : {
          style: 'form',
          explode: false,
          schema: { type: 'array', items: jsonSchema(schema, profile), minItems: 1, maxItems: list, uniqueItems: true },
        }),
  }));
}

/**
 * Answers of the bundled snapshots as JSON, shortened: the examples of the description of the service. Written by
 * `vitest run test/contract/openapi-examples.test.ts --update`.
 */
const examples: Readonly<Record<string, string>> = {
  service_index:
    '{"data":{"name":"Reported Inventory and Change-History Read Service","contract_version":"1.3.0","publication_revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","published_at":"2025-06-05T22:00:00Z","links":{"products":"/v1/products","families":"/v1/product-families","brands":"/v1/brands","stores":"/v1/stores","categories":"/v1/categories","changes":"/v1/changes","exports":"/v1/exports","metadata":"/v1/metadata","publications":"/v1/metadata/publications","publications_feed":"/v1/metadata/publications.atom","activity":"/v1/metadata/activity.json","search_index":"/v1/search/index.json","brand_index":"/v1/brands/index.json","browse":"/v1/products/browse.json","comparison_stores":"/v1/availability/stores.json","changes_index":"/v1/changes/pages.json","change_pieces":"/v1/exports/changes.json","changes_parquet":"/v1/exports/changes.parquet","newest_changes_parquet":"/v1/exports/changes/newest.parquet","daily_parquet":"/v1/exports/daily.parquet","openapi":"/v1/openapi.json","search":"/v1/search","comparison":"/v1/availability/comparison"}},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  products:
    '{"data":[{"id":"56692ff6-d1e1-5929-95f0-16a062467643","source_ids":{"agency_sku":"016001"},"name":"Aperitivo","brand":"Corvane","brand_id":"d3e9cfbd-364a-569d-89ec-3bfc185b1733","family_id":null,"package_size":{"milliliters":750,"display":"750 mL","normalization_state":"normalized"},"price":{"amount_minor":2399,"currency":"USD","display":"$23.99","source":"agency_workbook","times":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"}},"status":{"code":"G","label":"General listing","lifecycle":"active","source_raw":"G - GENERAL LISTING"}}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/products","next":null}}',
  product:
    '{"data":{"id":"09b8b3fd-8920-5fa8-b465-1a8e16f547c2","source_ids":{"agency_sku":"014100"},"name":"Dunmarrow Peach Schnapps","brand":null,"brand_id":null,"package_size":{"milliliters":750,"container_count":1,"unit_milliliters":750,"total_milliliters":750,"display":"750 mL","interpretation":"single_container","basis":"normalized_source_size","normalization_state":"normalized"},"price":{"amount_minor":1199,"currency":"USD","display":"$11.99","source":"agency_workbook","times":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"}},"status":{"code":"G","label":"General listing","lifecycle":"active","source_raw":"G - GENERAL LISTING"},"family_id":null,"category_ids":["cat_liqueurs_schnapps"],"catalog_presence":"listed","former_skus":[],"inventory_retrieved_at":"2025-06-05T20:28:22Z","availability_summary":{"scope_store_count":15,"reported_positive_store_count":1,"eligible_positive_store_count":1,"reported_zero_store_count":0,"row_absent_store_count":12,"unchecked_store_count":2,"retrieved_at_min":"2025-06-05T20:28:22Z","retrieved_at_max":"2025-06-05T20:28:22Z","retrieval_policy_id":"inventory-48h","meets_retrieval_policy":true,"upstream_age_known":false,"last_refresh_attempt":{"attempted_at":"2025-06-05T20:28:19Z","status":"succeeded"}}},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  product_by_sku:
    '{"data":{"id":"66cdeda6-5ebb-52bf-b885-e72135251fa2","source_ids":{"agency_sku":"001204"},"name":"Straight Bourbon","brand":"Wrenmoor","brand_id":"36ee0b64-d638-5166-bdac-aabdfaa61b25","package_size":{"milliliters":750,"container_count":1,"unit_milliliters":750,"total_milliliters":750,"display":"750 mL","interpretation":"single_container","basis":"normalized_source_size","normalization_state":"normalized"},"price":{"amount_minor":2899,"currency":"USD","display":"$28.99","source":"agency_workbook","times":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"}},"status":{"code":"G","label":"General listing","lifecycle":"active","source_raw":"G - GENERAL LISTING"},"family_id":"965734ba-270f-5ea6-b014-a575b4852e5a","category_ids":["cat_whiskey_bourbon"],"catalog_presence":"listed","former_skus":["900101"],"inventory_retrieved_at":"2025-06-05T18:00:22Z","availability_summary":{"scope_store_count":15,"reported_positive_store_count":13,"eligible_positive_store_count":10,"reported_zero_store_count":0,"row_absent_store_count":0,"unchecked_store_count":2,"retrieved_at_min":"2025-06-05T18:00:22Z","retrieved_at_max":"2025-06-05T18:00:22Z","retrieval_policy_id":"inventory-48h","meets_retrieval_policy":true,"upstream_age_known":false,"last_refresh_attempt":{"attempted_at":"2025-06-05T18:00:19Z","status":"succeeded"}}},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  former_skus: '{"ambiguous":["900103"]}',
  browse:
    '{"publication_revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","warnings":[{"code":"FIXTURE_DATA"}],"currency":"USD","count":52,"brands":[{"slug":"chateau-d-ombre","name":"Château d\'Ombre"}],"categories":["cat_beer"],"statuses":[{"code":"G","label":"General listing","lifecycle":"active"}],"columns":{"sku":["016001"],"name":["Aperitivo"],"brand":[1],"category":[5],"in_family":[false],"price_minor":[2399],"milliliters":[750],"container_count":[1],"status":[0],"reported_positive_store_count":[1],"reported_quantity":[7],"inventory_retrieved_on":["2025-06-05"],"meets_retrieval_policy":[true]}}',
  product_availability:
    '{"data":{"product":{"id":"09b8b3fd-8920-5fa8-b465-1a8e16f547c2","source_ids":{"agency_sku":"014100"},"name":"Dunmarrow Peach Schnapps","brand":null},"summary":{"scope_store_count":15,"reported_positive_store_count":1,"eligible_positive_store_count":1,"reported_zero_store_count":0,"row_absent_store_count":12,"unchecked_store_count":2,"retrieved_at_min":"2025-06-05T20:28:22Z","retrieved_at_max":"2025-06-05T20:28:22Z","retrieval_policy_id":"inventory-48h","meets_retrieval_policy":true,"upstream_age_known":false,"last_refresh_attempt":{"attempted_at":"2025-06-05T20:28:19Z","status":"succeeded"}},"stores":[{"store_id":"14ebc26c-6e2e-59b5-b908-af3a4aeb928f","inventory_store_code":"0005","name":"Store 5, Tarn","state":"row_absent","reported_quantity":null,"purchase_eligibility":null,"retrieved_at":"2025-06-05T20:28:22Z","meets_retrieval_policy":true}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  product_series:
    '{"product":{"id":"09b8b3fd-8920-5fa8-b465-1a8e16f547c2","source_ids":{"agency_sku":"014100"},"name":"Dunmarrow Peach Schnapps","brand":null},"warnings":[{"code":"FIXTURE_DATA"}],"currency":"USD","retention_days":365,"retrievals":{"publication":[1],"attempted_at":["2025-03-03T20:32:08Z"],"succeeded":[true],"reported_positive_store_count":[2],"reported_quantity":[20]},"prices":{"publication":[1],"at":["2025-03-03T16:40:00Z"],"price_minor":[1199]},"statuses":{"publication":[1],"at":["2025-03-03T16:40:00Z"],"code":["G"],"label":["General listing"],"lifecycle":["active"]},"presence":{"publication":[1],"at":["2025-03-03T16:40:00Z"],"catalog_presence":["listed"]}}',
  product_changes:
    '{"data":[{"id":"f6a7980c-6538-52d1-9674-85f1dee1801a","type":"aggregate_inventory_changed","product":{"id":"09b8b3fd-8920-5fa8-b465-1a8e16f547c2","source_ids":{"agency_sku":"014100"},"name":"Dunmarrow Peach Schnapps","brand":null},"store":null,"change":{"previous":{"reported_quantity":16,"reported_positive_store_count":1},"current":{"reported_quantity":15,"reported_positive_store_count":1},"difference":-1},"semantics":"reported_quantity_change_not_a_sale","times":{"source_updated_at":null,"retrieved_at":"2025-04-14T20:58:17Z","published_at":"2025-04-14T22:30:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-04-14T20:58:17Z","retention_days":365,"retained_event_count":9,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/products/09b8b3fd-8920-5fa8-b465-1a8e16f547c2/changes","next":null}}',
  product_changes_page:
    '{"data":[{"id":"ef072799-900d-5226-8718-d039ee09ef26","type":"store_inventory_changed","product":{"id":"0fdf58cb-f934-5544-8f78-21705b8f1aa3","source_ids":{"agency_sku":"002050"},"name":"Vodka","brand":"Old Pellander"},"store":{"id":"d652a2f2-2ea2-5dfc-8ed1-9dafd01ab938","source_ids":{"inventory_store_code":"0008"},"name":"Store 8, Ossel"},"change":{"previous":{"state":"reported_positive","reported_quantity":32},"current":{"state":"reported_positive","reported_quantity":31},"difference":-1},"semantics":"reported_quantity_change_not_a_sale","times":{"source_updated_at":null,"retrieved_at":"2025-04-25T18:28:18Z","published_at":"2025-04-25T22:00:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-04-25T18:28:18Z","retention_days":365,"retained_event_count":101,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/products/0fdf58cb-f934-5544-8f78-21705b8f1aa3/changes/pages/1.json","next":null}}',
  product_changes_index:
    '{"page_size":100,"page_path":"/v1/products/0fdf58cb-f934-5544-8f78-21705b8f1aa3/changes/pages/{number}.json","first_page":1,"segments":[],"pages":[{"number":1,"count":100,"retrieved":["2025-03-03T16:40:00Z","2025-04-25T18:28:18Z"],"published":["2025-03-03T22:00:00Z","2025-04-25T22:00:00Z"],"types":["product_first_observed"],"stores":[0],"products":[0]}],"stores":["14ebc26c-6e2e-59b5-b908-af3a4aeb928f"],"products":["0fdf58cb-f934-5544-8f78-21705b8f1aa3"]}',
  families:
    '{"data":[{"id":"9b4cd2e1-5835-5c65-9242-6853793a5173","slug":"wrenmoor-aged-rye","name":"Aged Rye","brand":"Wrenmoor","brand_id":"36ee0b64-d638-5166-bdac-aabdfaa61b25","member_count":3,"category_ids":["cat_whiskey_rye"],"price_range":{"currency":"USD","minimum_amount_minor":3899,"maximum_amount_minor":18999}}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/product-families","next":null}}',
  family:
    '{"data":{"id":"1d7938fb-725d-5f65-be35-59d665e58363","slug":"tolliver-quane-rum","name":"Rum","brand":"Tolliver & Quane","brand_id":"60d27b23-4b5d-5703-ab16-7a7f6d420da3","member_count":3,"category_ids":["cat_rum"],"price_range":{"currency":"USD","minimum_amount_minor":1699,"maximum_amount_minor":2099},"inventory_retrieved_at":"2025-06-05T19:04:22Z","observed_history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_observed_at":"2025-03-03T16:40:00Z","latest_observed_at":"2025-06-05T19:04:22Z","last_price_change_at":null,"last_inventory_change_at":"2025-06-05T18:56:22Z","last_reported_positive_at":"2025-06-05T19:04:22Z","retained_change_count":44,"recent_change_count_30d":7,"member_count":3,"members_reporting_stock":3,"positive_store_product_pairs":7,"retention_days":365,"observed_price":{"currency":"USD","minimum_amount_minor":1699,"maximum_amount_minor":2099},"semantics":"current_family_members_published_observations_not_inferred_sales_or_continuous_history"},"members":[{"id":"b7fa1ebe-c2fe-58ad-8805-8f6b3b1dded2","source_ids":{"agency_sku":"004021"},"name":"Gold Rum","brand":"Tolliver & Quane","relationship_type":"expression","vintage_year":null,"age_statement":null,"package_size":{"milliliters":750,"display":"750 mL","normalization_state":"normalized"},"price":{"amount_minor":1799,"currency":"USD","display":"$17.99","source":"agency_workbook","times":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"}},"status":{"code":"G","label":"General listing","lifecycle":"active","source_raw":"G - GENERAL LISTING"},"inventory_retrieved_at":"2025-06-05T19:00:22Z","availability_summary":{"scope_store_count":15,"reported_positive_store_count":2,"eligible_positive_store_count":2,"reported_zero_store_count":0,"row_absent_store_count":11,"unchecked_store_count":2,"retrieved_at_min":"2025-06-05T19:00:22Z","retrieved_at_max":"2025-06-05T19:00:22Z","retrieval_policy_id":"inventory-48h","meets_retrieval_policy":true,"upstream_age_known":false,"last_refresh_attempt":{"attempted_at":"2025-06-05T19:00:19Z","status":"succeeded"}}}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}],"freshness":{"catalog":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"},"inventory":{"source_updated_at":null,"retrieved_at_min":"2025-06-05T18:56:22Z","retrieved_at_max":"2025-06-05T19:04:22Z","published_at":"2025-06-05T22:00:00Z","upstream_age_known":false}}}}',
  family_changes:
    '{"data":[{"id":"9c31e2a7-9b3f-5cd2-8716-69c347c374a9","type":"store_inventory_changed","product":{"id":"da41954c-d9fd-5c88-ae5b-02547bd15457","source_ids":{"agency_sku":"004020"},"name":"White Rum","brand":"Tolliver & Quane"},"store":{"id":"64a6c5d0-d258-5a5d-a1ef-5f0ab8393a3c","source_ids":{"inventory_store_code":"0002"},"name":"Store 2, Harrow Falls North"},"change":{"previous":{"state":"reported_positive","reported_quantity":4},"current":{"state":"reported_positive","reported_quantity":3},"difference":-1},"semantics":"reported_quantity_change_not_a_sale","times":{"source_updated_at":null,"retrieved_at":"2025-06-05T18:56:22Z","published_at":"2025-06-05T22:00:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-06-05T18:56:22Z","retention_days":365,"retained_event_count":44,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}],"family":{"id":"1d7938fb-725d-5f65-be35-59d665e58363","member_scope":"members_visible_at_publication_revision"}},"links":{"self":"/v1/product-families/1d7938fb-725d-5f65-be35-59d665e58363/changes","next":null}}',
  family_changes_page:
    '{"data":[{"id":"3845f2bf-995e-5083-8312-124760fce25f","type":"store_inventory_changed","product":{"id":"66cdeda6-5ebb-52bf-b885-e72135251fa2","source_ids":{"agency_sku":"001204"},"name":"Straight Bourbon","brand":"Wrenmoor"},"store":{"id":"9792345d-858b-5507-bee3-a05fe16c8907","source_ids":{"inventory_store_code":"0011"},"name":"Store 11, Gant"},"change":{"previous":{"state":"reported_positive","reported_quantity":21},"current":{"state":"reported_positive","reported_quantity":18},"difference":-3},"semantics":"reported_quantity_change_not_a_sale","times":{"source_updated_at":null,"retrieved_at":"2025-04-14T18:30:17Z","published_at":"2025-04-14T22:30:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-04-14T18:34:17Z","retention_days":365,"retained_event_count":114,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}],"family":{"id":"965734ba-270f-5ea6-b014-a575b4852e5a","member_scope":"members_visible_at_publication_revision"}},"links":{"self":"/v1/product-families/965734ba-270f-5ea6-b014-a575b4852e5a/changes/05779dc9432d8244/pages/1.json","next":null}}',
  family_changes_index:
    '{"page_size":100,"page_path":"/v1/product-families/965734ba-270f-5ea6-b014-a575b4852e5a/changes/05779dc9432d8244/pages/{number}.json","first_page":1,"segments":[],"pages":[{"number":1,"count":100,"retrieved":["2025-03-03T16:40:00Z","2025-04-14T18:30:17Z"],"published":["2025-03-03T22:00:00Z","2025-04-14T22:30:00Z"],"types":["product_first_observed"],"stores":[0],"products":[0]}],"stores":["14ebc26c-6e2e-59b5-b908-af3a4aeb928f"],"products":["66cdeda6-5ebb-52bf-b885-e72135251fa2"]}',
  changes:
    '{"data":[{"id":"cde12549-2bfe-50a3-9acf-6afd2d02341f","type":"aggregate_inventory_changed","product":{"id":"e5fef8d7-31bc-5f26-afe6-915ccce4f186","source_ids":{"agency_sku":"020200"},"name":"Plum Sake","brand":"Nine Lanterns"},"store":null,"change":{"previous":{"reported_quantity":11,"reported_positive_store_count":3},"current":{"reported_quantity":10,"reported_positive_store_count":3},"difference":-1},"semantics":"reported_quantity_change_not_a_sale","times":{"source_updated_at":null,"retrieved_at":"2025-06-05T21:12:22Z","published_at":"2025-06-05T22:00:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":true,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-06-05T21:12:22Z","retention_days":365,"retained_event_count":1149,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/changes","next":"/v1/changes/pages/11.json"}}',
  changes_page:
    '{"data":[{"id":"22e2e2f2-132d-5867-b293-8b6197f846ce","type":"store_inventory_first_observed","product":{"id":"cf87c72e-5876-52b4-bfe0-bd8360cb6259","source_ids":{"agency_sku":"002077"},"name":"Pepper Vodka","brand":"Old Pellander"},"store":{"id":"fc01eaa6-dcf1-5f10-b864-5cf76a6ea999","source_ids":{"inventory_store_code":"0001"},"name":"Store 1, Harrow Falls"},"change":{"current":{"state":"reported_positive","reported_quantity":6}},"semantics":"baseline_observation_not_a_restock","times":{"source_updated_at":null,"retrieved_at":"2025-03-03T18:40:11Z","published_at":"2025-03-03T22:00:00Z"},"upstream_age_known":false}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"history":{"tracking_started_at":"2025-03-03T22:00:00Z","earliest_available_at":"2025-03-03T16:40:00Z","latest_available_at":"2025-03-03T21:08:11Z","retention_days":365,"retained_event_count":194,"source_update_time_known":false},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/changes/pages/1.json","next":null}}',
  changes_index:
    '{"page_size":100,"page_path":"/v1/changes/pages/{number}.json","first_page":1,"segments":[],"pages":[{"number":1,"count":100,"retrieved":["2025-03-03T16:40:00Z","2025-03-03T18:40:11Z"],"published":["2025-03-03T22:00:00Z","2025-03-03T22:00:00Z"],"types":["product_first_observed"],"stores":[0],"products":[0]}],"stores":["14ebc26c-6e2e-59b5-b908-af3a4aeb928f"],"products":["09b8b3fd-8920-5fa8-b465-1a8e16f547c2"]}',
  brands:
    '{"data":[{"id":"1e39dbbd-1dc9-5b42-8cae-7fcebd26b537","slug":"chateau-d-ombre","name":"Château d\'Ombre","product_count":4,"family_count":1,"category_ids":["cat_wine_fortified_tawny"],"inventory_retrieved_at":"2025-06-05T20:12:22Z"}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/brands","next":null}}',
  brand_index:
    '{"warnings":[{"code":"FIXTURE_DATA"}],"brands":[{"brand":{"id":"1e39dbbd-1dc9-5b42-8cae-7fcebd26b537","slug":"chateau-d-ombre","name":"Château d\'Ombre","product_count":4,"family_count":1,"category_ids":["cat_wine_fortified_tawny"],"inventory_retrieved_at":"2025-06-05T20:12:22Z"},"names":["chateau dombre"]}]}',
  brand:
    '{"data":{"id":"00c70ea7-23ab-5761-83c9-c91f35b43ccb","slug":"kestermann","name":"Kestermann","product_count":2,"family_count":1,"category_ids":["cat_liqueurs"],"inventory_retrieved_at":"2025-06-05T20:24:22Z","aliases":[],"families":[{"id":"a28402f7-44da-5b89-8f20-52f6b102a326","slug":"kestermann-bitters","name":"Bitters","member_count":2}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  brand_by_slug:
    '{"data":{"id":"1e39dbbd-1dc9-5b42-8cae-7fcebd26b537","slug":"chateau-d-ombre","name":"Château d\'Ombre","product_count":4,"family_count":1,"category_ids":["cat_wine_fortified_tawny"],"inventory_retrieved_at":"2025-06-05T20:12:22Z","aliases":["Ch. d\'Ombre"],"families":[{"id":"80d6e566-7e15-59f6-af1c-a3ba1cc75d07","slug":"chateau-d-ombre-reserve","name":"Réserve","member_count":1}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  stores:
    '{"data":[{"id":"3b6b9782-6d05-57e1-82d8-9feba6e76a0f","source_ids":{"inventory_store_code":"0006","directory_id":"cas-6"},"name":"Club Store 6, Harrow Falls","address":{"line1":"900 Depot Road","line2":"Dock B","city":"Harrow Falls","region":"CX","postal_code":"00211","country":"US"},"phone":"+15555550106","contact_links":{"telephone_uri":"tel:+15555550106","geo_uri":"geo:43.2104,-118.3321"},"location":{"latitude":43.2104,"longitude":-118.3321},"distance_m":null,"access_type":"licensee_only","operational_status":{"state":"open","note":null,"source":"unknown"},"services":["parking"],"regular_hours_available":true,"directory_presence":{"state":"present","last_seen_at":"2025-06-05T16:50:00Z"},"details_times":{"source_updated_at":null,"retrieved_at":"2025-06-05T16:50:00Z","published_at":"2025-06-05T22:00:00Z"}}],"meta":{"page":{"has_more":false,"next_cursor":null,"cursor_expires_at":null},"warnings":[{"code":"FIXTURE_DATA"}]},"links":{"self":"/v1/stores","next":null}}',
  store:
    '{"data":{"id":"14ebc26c-6e2e-59b5-b908-af3a4aeb928f","source_ids":{"inventory_store_code":"0005","directory_id":"cas-5"},"name":"Store 5, Tarn","address":{"line1":"3 Lower Causeway","line2":null,"city":"Tarn","region":"CX","postal_code":"00240","country":"US"},"phone":"+15555550105","contact_links":{"telephone_uri":"tel:+15555550105","geo_uri":null},"location":null,"distance_m":null,"access_type":"consumer_state_store","operational_status":{"state":"open","note":null,"source":"unknown"},"services":["accessible_entrance"],"regular_hours_available":true,"directory_presence":{"state":"present","last_seen_at":"2025-06-05T16:50:00Z"},"details_times":{"source_updated_at":null,"retrieved_at":"2025-06-05T16:50:00Z","published_at":"2025-06-05T22:00:00Z"},"regular_hours":"Monday - Saturday, 11:00 am to 7:00 pm"},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  store_by_code:
    '{"data":{"id":"fc01eaa6-dcf1-5f10-b864-5cf76a6ea999","source_ids":{"inventory_store_code":"0001","directory_id":"cas-1"},"name":"Store 1, Harrow Falls","address":{"line1":"14 Lantern Street","line2":null,"city":"Harrow Falls","region":"CX","postal_code":"00210","country":"US"},"phone":"+15555550101","contact_links":{"telephone_uri":"tel:+15555550101","geo_uri":"geo:43.2217,-118.3048"},"location":{"latitude":43.2217,"longitude":-118.3048},"distance_m":null,"access_type":"consumer_state_store","operational_status":{"state":"open","note":null,"source":"unknown"},"services":["wine_store"],"regular_hours_available":true,"directory_presence":{"state":"present","last_seen_at":"2025-06-05T16:50:00Z"},"details_times":{"source_updated_at":null,"retrieved_at":"2025-06-05T16:50:00Z","published_at":"2025-06-05T22:00:00Z"},"regular_hours":"Monday - Saturday, 11:00 am to 9:00 pm"},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  store_availability:
    '{"data":{"store":{"id":"14ebc26c-6e2e-59b5-b908-af3a4aeb928f","source_ids":{"inventory_store_code":"0005","directory_id":"cas-5"},"name":"Store 5, Tarn"},"products":[{"product_id":"81dbd4fb-d683-5865-8b96-33476a64cff4","agency_sku":"003115","name":"Barrel Rested Gin","brand":"Marrowgate","reported_quantity":24,"purchase_eligibility":"eligible","retrieved_at":"2025-06-05T18:48:22Z","meets_retrieval_policy":true}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  categories:
    '{"data":[{"id":"cat_beer","parent_id":null,"name":"Beer","active":true,"product_count":1,"total_product_count":5}],"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  search:
    '{"data":[{"kind":"product","id":"e5fef8d7-31bc-5f26-afe6-915ccce4f186","name":"Plum Sake","brand":"Nine Lanterns","agency_sku":"020200","path":"/v1/products/e5fef8d7-31bc-5f26-afe6-915ccce4f186"}],"meta":{"total":1,"warnings":[{"code":"FIXTURE_DATA"}]}}',
  search_index:
    '{"publication_revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","warnings":[{"code":"FIXTURE_DATA"}],"entries":[{"hit":{"kind":"product","id":"56692ff6-d1e1-5929-95f0-16a062467643","name":"Aperitivo","brand":"Corvane","agency_sku":"016001","path":"/v1/products/56692ff6-d1e1-5929-95f0-16a062467643"},"terms":"corvane aperitivo 016001"}]}',
  comparison:
    '{"data":{"requested_products":[{"id":"e5fef8d7-31bc-5f26-afe6-915ccce4f186","source_ids":{"agency_sku":"020200"},"name":"Plum Sake","brand":"Nine Lanterns","brand_id":"89e4497d-a599-5569-9ac8-2e67b13fe96c","package_size":{"milliliters":500,"container_count":1,"unit_milliliters":500,"total_milliliters":500,"display":"500 mL","interpretation":"single_container","basis":"normalized_source_size","normalization_state":"normalized"},"price":{"amount_minor":1799,"currency":"USD","display":"$17.99","source":"agency_workbook","times":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"}},"status":{"code":"L","label":"Limited listing","lifecycle":"active","source_raw":"L - LIMITED LISTING"}}],"scope":{"origin":{"latitude":40.76,"longitude":-111.89},"radius_m":500000,"store_count":2,"inventory_age":"within_policy","purchase_eligibility":"eligible","max_stops":3},"strategies":[{"strategy":"best_single_store","result_state":"no_solution","completeness_required":false,"no_solution_reason":"NO_REPORTED_MATCH","plan":null}]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}],"coverage":{"selected_coverage_mode":"purchase_eligible_reported_positive","covered_product_ids":[],"uncovered_product_ids":["e5fef8d7-31bc-5f26-afe6-915ccce4f186"],"uncertain_product_ids":[],"restricted_product_ids":[],"reported_positive_product_ids":[],"purchase_eligible_product_ids":[],"requested_product_count":1,"store_count":2,"expected_pair_count":2,"observed_pair_count":2,"unchecked_pair_count":0,"retrieved_at_min":"2025-06-05T21:12:22Z","retrieved_at_max":"2025-06-05T21:12:22Z","upstream_age_known":false}}}',
  comparison_stores:
    '{"warnings":[{"code":"FIXTURE_DATA"}],"stores":[{"id":"14ebc26c-6e2e-59b5-b908-af3a4aeb928f","source_ids":{"inventory_store_code":"0005","directory_id":"cas-5"},"name":"Store 5, Tarn","address":{"line1":"3 Lower Causeway","line2":null,"city":"Tarn","region":"CX","postal_code":"00240","country":"US"},"phone":"+15555550105","contact_links":{"telephone_uri":"tel:+15555550105","geo_uri":null},"location":null,"distance_m":null,"access_type":"consumer_state_store","operational_status":{"state":"open","note":null,"source":"unknown"},"services":["accessible_entrance"],"regular_hours_available":true,"directory_presence":{"state":"present","last_seen_at":"2025-06-05T16:50:00Z"},"details_times":{"source_updated_at":null,"retrieved_at":"2025-06-05T16:50:00Z","published_at":"2025-06-05T22:00:00Z"}}]}',
  metadata:
    '{"data":{"service":{"name":"Reported Inventory and Change-History Read Service","contract_version":"1.3.0","statement":"This service is independent of the agency and is not endorsed by it. Reported quantities are observations, not purchase guarantees."},"about":{"title":"Example inventory","agency":"Example State Alcohol Agency","notice":"The data are invented: the state, the agency, its stores and its products do not exist.","license":{"name":"CC0-1.0","url":"https://creativecommons.org/publicdomain/zero/1.0/"},"source_url":null,"contact":null},"publication":{"revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","sequence":12,"published_at":"2025-06-05T22:00:00Z"},"counts":{"products":53,"listed_products":52,"product_families":12,"brands":12,"stores":17,"categories":23,"inventory_pairs":765,"change_events":1149},"retention":{"history_days":365,"publication_days":30},"retrieval_policy":{"id":"inventory-48h","max_age_seconds":172800},"correction":null,"feed":{"last_event":1149,"corrections":[]}},"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  publications:
    '{"data":[{"revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","sequence":12,"published_at":"2025-06-05T22:00:00Z","current":true,"exports":{"products":{"record_count":53,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/products.ndjson.gz"},"stores":{"record_count":17,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/stores.ndjson.gz"},"inventory":{"record_count":765,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/inventory.ndjson.gz"}},"correction":null}],"meta":{"warnings":[{"code":"FIXTURE_DATA"}]}}',
  activity:
    '{"publication_revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","warnings":[{"code":"FIXTURE_DATA"}],"currency":"USD","publications":{"publication":[1],"published_at":["2025-03-03T22:00:00Z"],"events":{"product_first_observed":[49],"price_changed":[0],"status_changed":[0],"product_presentation_changed":[0],"aggregate_inventory_changed":[0],"store_inventory_first_observed":[145],"store_inventory_changed":[0],"catalog_presence_changed":[0]}},"most_changed":[{"product":{"id":"66cdeda6-5ebb-52bf-b885-e72135251fa2","source_ids":{"agency_sku":"001204"},"name":"Straight Bourbon","brand":"Wrenmoor"},"event_count":16}],"prices":{"publication":12,"published_at":"2025-06-05T22:00:00Z","rise_count":1,"fall_count":1,"largest_rises":[{"product":{"id":"66cdeda6-5ebb-52bf-b885-e72135251fa2","source_ids":{"agency_sku":"001204"},"name":"Straight Bourbon","brand":"Wrenmoor"},"previous_minor":2799,"current_minor":2899}],"largest_falls":[{"product":{"id":"36a67649-6a6b-5513-9b8b-3f104c8a1284","source_ids":{"agency_sku":"010421"},"name":"Pinot Noir \'21","brand":"Tumbrel Ridge"},"previous_minor":2799,"current_minor":2599}]}}',
  publications_feed:
    '"<?xml version=\\"1.0\\" encoding=\\"utf-8\\"?>\\n<feed xmlns=\\"http://www.w3.org/2005/Atom\\">\\n<id>urn:uuid:10011ce8-056e-5a9c-b1af-a0f232ee27d8</id>"',
  exports:
    '{"data":{"publication_revision":"a286b3df-3aba-5ef2-9c40-5bc6d794994c","published_at":"2025-06-05T22:00:00Z","format":"gzip_ndjson","schema_version":1,"files":{"products":{"record_count":53,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/products.ndjson.gz"},"stores":{"record_count":17,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/stores.ndjson.gz"},"inventory":{"record_count":765,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/inventory.ndjson.gz"}},"parquet":{"format":"parquet","files":{"products":{"record_count":53,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/products.parquet","size":19205,"sha256":"a9431e48cab61673cc01d810111edf4ef9c1dcac53f82475f3b2f2fd6ca83a7d","etag":"\\"3baf7a3c7c20a91c8761064f7ae85491\\""},"stores":{"record_count":17,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/stores.parquet","size":9918,"sha256":"bb5b78b3b0092277e07f06d765cf3d1805858c88eb787bf7e51c5667bb466132","etag":"\\"8b8f1785b4d6f73a4db45ccfe4f8c6ea\\""},"inventory":{"record_count":765,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/inventory.parquet","size":6159,"sha256":"c3ae2c9a04a8b5d99b4c1180449ad7950b7effeb2ff1ee39b15d8fbdff94ca59","etag":"\\"b2e9a7a97f05585a0f61e94588d7202d\\""},"daily":{"record_count":53,"url":"/v1/exports/a286b3df-3aba-5ef2-9c40-5bc6d794994c/daily.parquet","size":5773,"sha256":"36c21b0f7d8a83e5a29f07819a8478e794ba44f178e831639388dc5f05b61a96","etag":"\\"fccde2c49fd362e835a8911bd58c6980\\""}},"history":{"changes":{"record_count":0,"url":"/v1/exports/changes.parquet","size":6552,"sha256":"37289fd3c3df98c553f96fa6d7147c35688bd2201f431a5b3a579e73ec6a2afa","etag":"\\"4e9bf934a0e5c40da912b379b37a9575\\""},"newest_changes":{"record_count":1149,"url":"/v1/exports/changes/newest.parquet","size":61663,"sha256":"967624eeb2ab89d23f8a0e20e002dfc0fbd6df7efb08c30f3ed61c289f235e34","etag":"\\"003cd27a01b6f72bf596386569353b06\\""},"daily":{"record_count":605,"url":"/v1/exports/daily.parquet","size":38193,"sha256":"23248d3718e56c174fbc6a1ea5f66c478cdd132b6474a9386500e29f646edb3b","etag":"\\"92812202ef7834be434327a9839ae4b0\\""}}},"corrections":[]},"meta":{"warnings":[{"code":"FIXTURE_DATA"}],"freshness":{"catalog":{"source_updated_at":"2025-06-02T15:20:00Z","retrieved_at":"2025-06-05T16:40:00Z","published_at":"2025-06-05T22:00:00Z"},"inventory":{"source_updated_at":null,"retrieved_at_min":"2025-05-20T18:40:20Z","retrieved_at_max":"2025-06-05T21:24:22Z","published_at":"2025-06-05T22:00:00Z","upstream_age_known":false}}}}',
  export:
    '"{\\"record_type\\":\\"header\\",\\"header\\":{\\"resource\\":\\"inventory\\",\\"schema_version\\":1,\\"publication_revision\\":\\"524c2fbb-cbaf-5a00-9a49-847cca8aa054\\",\\"published_at\\":\\"2025-05-20T22:00:00Z\\",\\"record_count\\":765,\\"warnings\\":[{\\"code\\":\\"FIXTURE_DATA\\"}],\\"fields\\":[{\\"name\\":\\"product_id\\",\\"type\\":\\"uuid\\",\\"unit\\":null,\\"meaning\\":\\"Product of the pair\\"}]}}\\n{\\"record_type\\":\\"inventory\\",\\"product_id\\":\\"09b8b3fd-8920-5fa8-b465-1a8e16f547c2\\",\\"agency_sku\\":\\"014100\\",\\"store_id\\":\\"14ebc26c-6e2e-59b5-b908-af3a4aeb928f\\",\\"inventory_store_code\\":\\"0005\\",\\"state\\":\\"row_absent\\",\\"reported_quantity\\":null,\\"purchase_eligibility\\":null,\\"retrieved_at\\":\\"2025-05-20T20:32:20Z\\",\\"meets_retrieval_policy\\":true}\\n"',
  change_pieces:
    '{"format":"gzip_ndjson","schema_version":1,"events_per_piece":10000,"fields":[{"name":"number","type":"integer","unit":null,"meaning":"Number of the event in the log, from 1, without gaps"}],"pieces":[],"parquet":{"url":"/v1/exports/changes.parquet","newest_url":"/v1/exports/changes/newest.parquet"},"after":{"first_event":1,"first_page":1,"page_path":"/v1/changes/pages/{number}.json","list":{"url":"/v1/changes"}}}',
  export_checksums:
    '"3bf2aef4cf248fdc147926a9a3eabf6160df1a3183549eff9b3283ae3d6665f4  daily.parquet\\n847e817bd879c7f0b1c25899e88d2ebd79d20d75670267f52dbd8aecc65c8b90  inventory.ndjson.gz\\nacf8d07ff9f2c5850c08bc2dee9216357304de3da504995e178936158481287a  inventory.parquet"',
  export_citation:
    '"cff-version: \\"1.2.0\\"\\ntype: \\"dataset\\"\\nmessage: \\"Please cite the revision that you used, and the day on which you downloaded it.\\""',
  export_package:
    '{"profile":"data-package","name":"reported-inventory-524c2fbb-cbaf-5a00-9a49-847cca8aa054","id":"524c2fbb-cbaf-5a00-9a49-847cca8aa054","title":"Reported inventory","description":"This service is independent of the agency and is not endorsed by it. Reported quantities are observations, not purchase guarantees.","version":"524c2fbb-cbaf-5a00-9a49-847cca8aa054","created":"2025-05-20T22:00:00Z","sources":[{"title":"Catalog, store directory and inventory of the agency, as retrieved by this service"}],"resources":[{"name":"products","path":"products.ndjson.gz","profile":"data-resource","description":"One header record, then data records, whose record_type is product.","format":"ndjson","mediatype":"application/x-ndjson","encoding":"utf-8","compression":"gz","bytes":8106,"hash":"sha256:2168a1a772dfc3e9e6afc57179e21627d8040570ddcba6bfb9013ab7c6c272bf","schema":{"fields":[{"name":"record_type","type":"string","description":"header, or product"}]}}]}',
  problem:
    '{"data":{"code":"CURSOR_EXPIRED","title":"Expired cursor","status":400,"detail":"The cursor is past its cursor_expires_at, or its publication is no longer kept.","remedy":"Start again from the first page of the list."},"meta":{"warnings":[]}}',
  openapi: '{"openapi":"3.1.0","info":{"title":"Shelfpress","version":"1.0.0"},"paths":{}}',
};
