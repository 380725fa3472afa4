import type { Conversion, Part } from './recipe.ts';

/** A field of a snapshot that a recipe can fill. `fallback` is its value in a recipe that does not name it. */
export type Target = {
  readonly field: string;
  readonly as: Conversion;
  readonly fallback?: unknown;
  readonly meaning: string;
};

const text = 'text' as const;

/**
 * The fields that a recipe fills, by part. A field without a fallback is required. docs/importing.md prints this table,
 * and a first recipe is drafted from it.
 */
export const targets: Readonly<Record<Part, readonly Target[]>> = {
  products: [
    { field: 'sku', as: 'code', meaning: 'six digits; `pad` adds lost zeros' },
    { field: 'source_name', as: text, meaning: 'the name as the agency wrote it' },
    { field: 'name', as: text, meaning: 'the title to show' },
    { field: 'size_ml', as: 'volume', fallback: null, meaning: 'the size, as milliliters' },
    { field: 'size_text', as: text, fallback: null, meaning: 'the size as the agency wrote it' },
    { field: 'pack_count', as: 'integer', fallback: null, meaning: 'containers of the package' },
    { field: 'price_minor', as: 'price', fallback: null, meaning: 'the price, as cents' },
    { field: 'price_source', as: text, meaning: '`agency_workbook` or `agency_locator`' },
    { field: 'status_code', as: text, meaning: "the agency's code of the status" },
    { field: 'status_label', as: text, meaning: 'the status in words' },
    { field: 'status_raw', as: text, meaning: 'the status as the agency wrote it' },
    { field: 'lifecycle', as: text, meaning: '`active`, `discontinued`, `restricted`, `unavailable` or `unknown`' },
    {
      field: 'category_id',
      as: text,
      fallback: null,
      meaning: 'a category of the curation; `"as": "category"` makes ids',
    },
  ],
  stores: [
    { field: 'inventory_store_code', as: 'code', fallback: null, meaning: 'four digits; `pad` adds lost zeros' },
    { field: 'directory_id', as: text, fallback: null, meaning: 'the id in the directory; one of the two is needed' },
    { field: 'name', as: text, meaning: 'the name of the store' },
    { field: 'address.line1', as: text, meaning: 'street and number' },
    { field: 'address.line2', as: text, fallback: null, meaning: 'the rest of the address' },
    { field: 'address.city', as: text, meaning: 'city' },
    { field: 'address.region', as: text, meaning: 'state, such as `UT`' },
    { field: 'address.postal_code', as: text, meaning: 'ZIP code' },
    { field: 'phone', as: 'phone', fallback: null, meaning: 'telephone number, written as `+18015550101`' },
    { field: 'location.latitude', as: 'number', fallback: null, meaning: 'degrees north' },
    { field: 'location.longitude', as: 'number', fallback: null, meaning: 'degrees east' },
    {
      field: 'access_type',
      as: text,
      meaning: '`consumer_state_store`, `licensee_only`, `package_agency` or `unknown`',
    },
    {
      field: 'operational_status.state',
      as: text,
      fallback: 'unknown',
      meaning: '`open`, `temporarily_closed`, `permanently_closed` or `unknown`',
    },
    { field: 'operational_status.note', as: text, fallback: null, meaning: 'a note on the state' },
    { field: 'operational_status.source', as: text, fallback: 'unknown', meaning: '`reviewed_editorial` or `unknown`' },
    { field: 'regular_hours', as: text, fallback: null, meaning: 'opening hours as the agency wrote them' },
    {
      field: 'directory_presence.state',
      as: text,
      fallback: 'present',
      meaning: 'whether the directory still has the store',
    },
    {
      field: 'directory_presence.last_seen_at',
      as: 'date-time',
      fallback: null,
      meaning: 'when it last had it; the time of retrieval where the state is `present`',
    },
  ],
  inventory: [
    { field: 'sku', as: 'code', meaning: 'six digits; `pad` adds lost zeros' },
    { field: 'store', as: 'code', meaning: 'four digits; a wide table has `stores` instead' },
    { field: 'quantity', as: 'integer', meaning: 'the reported quantity' },
    {
      field: 'status',
      as: text,
      fallback: 'succeeded',
      meaning: '`succeeded` or `failed`; a failed retrieval has no store and no quantity',
    },
    {
      field: 'retrieved_at',
      as: 'date-time',
      fallback: null,
      meaning: 'time of the retrieval; else that of `snapshot` or `--retrieved-at`',
    },
    {
      field: 'attempted_at',
      as: 'date-time',
      fallback: null,
      meaning: 'time of the attempt; else that of the retrieval',
    },
    { field: 'source_updated_at', as: 'date-time', fallback: null, meaning: 'when the agency updated the quantity' },
  ],
};
