import { type FactType, forFacts, type ProductFact, type TypeOfFact } from '../../contract/product-facts.ts';
import type { PurchaseEligibility } from '../../contract/schemas/primitives.ts';
import type { CatalogPresence, PackageSize, ProductDetail } from '../../contract/schemas/product.ts';
import type { StoreDetail } from '../../contract/schemas/store.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { type Table, table, type ValueOf } from './table.ts';

/** `PRAGMA application_id`: "shlf". A file with another id is not a publication database. */
export const applicationId = 0x73_68_6c_66;

/** `PRAGMA user_version`. Every change of the tables below raises it. */
export const schemaVersion = 3;

const span = {
  first_publication: ['INTEGER NOT NULL', 'private', 'First publication in which the row holds'],
  last_publication: ['INTEGER', 'private', 'Last publication in which it holds; null while it still does'],
} as const;

const factStorage = {
  money: 'INTEGER',
  instant: 'TEXT',
  percent: 'REAL',
  text: 'TEXT',
  year: 'INTEGER',
  gtin: 'TEXT',
} as const satisfies Readonly<Record<FactType, string>>;

const factColumns = forFacts(({ type, meaning }) => [factStorage[type], 'public', meaning]) as unknown as {
  readonly [Fact in ProductFact]: readonly [(typeof factStorage)[TypeOfFact<Fact>], 'public', string];
};

/**
 * Facts are stored as versions with a first and a last publication, so that the state at any publication can be read
 * back. Instants are UTC text, in the form that the service prints.
 */
const definitions = {
  identity: table('One row, which identifies this database.', {
    id: ['TEXT NOT NULL', 'private', 'UUIDv5 of the first snapshot; the namespace of every other id'],
    profile: ['TEXT', 'public', "JSON of the agency's profile; null: the profile of the contract"],
  }),
  publication: table('A row for each published snapshot.', {
    sequence: ['INTEGER PRIMARY KEY', 'public', 'Counts from 1 without gaps'],
    revision: [
      'TEXT NOT NULL UNIQUE',
      'public',
      'UUIDv5 of the sequence, the content hash and what it corrects, in the namespace of the previous revision, or of the database for the first one',
    ],
    content_sha256: ['TEXT NOT NULL UNIQUE', 'private', 'SHA-256 over the decompressed parts of the snapshot'],
    published_at: ['TEXT NOT NULL', 'public', "The snapshot's published_at"],
    catalog_publication: ['INTEGER NOT NULL', 'private', 'Publication that brought the catalog in force'],
    catalog_source_updated_at: ['TEXT', 'public', 'When the source says it updated the catalog in force'],
    catalog_retrieved_at: ['TEXT NOT NULL', 'public', 'When the catalog in force was retrieved'],
    directory_publication: ['INTEGER NOT NULL', 'private', 'Publication that brought the store directory in force'],
    directory_source_updated_at: ['TEXT', 'public', 'When the source says it updated the directory in force'],
    directory_retrieved_at: ['TEXT NOT NULL', 'public', 'When the directory in force was retrieved'],
    policy_id: ['TEXT NOT NULL', 'public', 'Retrieval-age policy in force'],
    policy_max_age_seconds: ['INTEGER NOT NULL', 'public', 'Its maximum age'],
    history_days: ['INTEGER NOT NULL', 'public', 'How long change events are kept'],
    publication_days: ['INTEGER NOT NULL', 'public', 'How long exports of earlier publications are kept'],
    warnings: ['TEXT NOT NULL', 'public', 'JSON array of its own and derived codes, in the order of the contract'],
    own_warnings: ['TEXT NOT NULL', 'private', 'JSON array of the codes the snapshot carried'],
    quarantined_parts: ['TEXT NOT NULL', 'private', 'JSON array of the parts in force with rows that were set aside'],
    product_count: [
      'INTEGER NOT NULL',
      'public',
      'Products ever listed, which is the number of records in the products export',
    ],
    store_count: [
      'INTEGER NOT NULL',
      'public',
      'Stores ever in the directory, which is the number of records in the stores export',
    ],
    inventory_pair_count: [
      'INTEGER NOT NULL',
      'public',
      'Observed pairs of a product and a store, which is the number of records in the inventory export',
    ],
    last_event: ['INTEGER NOT NULL', 'private', 'Number of the last event up to this publication; 0 before the first'],
    events_retrieved_min: ['TEXT', 'private', 'Oldest retrieval time of its own events'],
    events_retrieved_max: ['TEXT', 'private', 'Newest retrieval time of its own events'],
    events_with_source_time: ['INTEGER NOT NULL', 'private', 'How many of its own events have a source update time'],
  }),
  publication_total: table('Totals after a publication, with which guards compare later publications.', {
    publication: ['INTEGER PRIMARY KEY', 'private', 'The publication'],
    listed_products: ['INTEGER NOT NULL', 'private', 'Products listed'],
    directory_stores: ['INTEGER NOT NULL', 'private', 'Stores in the directory'],
    scope_stores: ['INTEGER', 'private', 'Stores that its retrievals covered; null if none succeeded'],
    positive_rows: ['INTEGER NOT NULL', 'private', 'Current positive rows'],
    largest_quantity: ['INTEGER NOT NULL', 'private', 'Largest quantity reported up to here'],
    compared_rows: [
      'INTEGER NOT NULL',
      'private',
      'Rows that an earlier retrieval also reported, from a source that is not older',
    ],
    changed_rows: ['INTEGER NOT NULL', 'private', 'How many of these rows are new, gone, or have another quantity'],
    price_level: [
      'REAL NOT NULL',
      'private',
      'Chained price index: 1 at first, then multiplied by the ratio of the sums of compared prices',
    ],
    quantity_level: ['REAL NOT NULL', 'private', 'The same index of quantities'],
  }),
  accepted_guard: table('A guard that would have stopped a publication if nobody had accepted it.', {
    publication: ['INTEGER NOT NULL', 'private', 'The publication'],
    guard: ['TEXT NOT NULL', 'private', 'Name of the guard'],
  }).key('publication', 'guard'),
  product: table('A row for each product that was ever listed.', {
    product: ['INTEGER PRIMARY KEY', 'private', 'Short key in the other tables'],
    id: ['TEXT NOT NULL UNIQUE', 'public', 'Stable product id'],
    sku: ['TEXT NOT NULL UNIQUE', 'public', "The agency's code"],
    first_publication: ['INTEGER NOT NULL', 'private', 'Publication that first listed it'],
    first_observed_at: ['TEXT NOT NULL', 'public', 'When the catalog that first listed it was retrieved'],
  }),
  product_version: table('A product in the catalog and the curation, over a span of publications.', {
    version: ['INTEGER PRIMARY KEY', 'private', 'Key'],
    product: ['INTEGER NOT NULL', 'private', 'The product'],
    ...span,
    catalog_presence: ['TEXT NOT NULL', 'public', 'listed or absent'],
    observed_publication: [
      'INTEGER',
      'private',
      'Publication of the catalog that the row comes from, if that is not the catalog in force (absent, or set aside)',
    ],
    source_name: ['TEXT NOT NULL', 'private', 'Name as the agency wrote it'],
    source_title: ['TEXT NOT NULL', 'private', "The snapshot's display title"],
    size_ml: ['REAL', 'public', 'Legacy size column; package_size.milliliters, in halves'],
    size_text: ['TEXT', 'private', 'Size as written in the name'],
    size_of: [
      'TEXT',
      'private',
      'Whether that is the size of a container or the package; null where the agency does not say',
    ],
    pack_count: ['INTEGER', 'private', 'Containers according to the source'],
    price_minor: ['INTEGER', 'public', 'Price in minor units of the currency'],
    price_source: ['TEXT NOT NULL', 'public', 'Where the price was seen'],
    status_code: ['TEXT NOT NULL', 'public', 'Source status code'],
    status_label: ['TEXT NOT NULL', 'public', 'Source status label'],
    status_raw: ['TEXT NOT NULL', 'public', 'Raw source status'],
    lifecycle: ['TEXT NOT NULL', 'public', 'Lifecycle that the status stands for'],
    ...factColumns,
    category_id: ['TEXT', 'public', 'Category the product is filed under'],
    name: ['TEXT NOT NULL', 'public', 'Title without the resolved brand'],
    brand_id: ['TEXT', 'public', 'Reviewed brand'],
    brand_name: ['TEXT', 'public', 'Its name'],
    family_id: ['TEXT', 'public', 'Public family, which readers see while the product is listed'],
    family_name: ['TEXT', 'public', 'Its name'],
    relationship_type: ['TEXT', 'public', 'How the product relates to its family'],
    vintage_year: ['INTEGER', 'public', 'Vintage'],
    age_statement: ['TEXT', 'public', 'Age statement'],
    container_count: ['INTEGER', 'public', 'Containers of the package'],
    unit_milliliters: ['INTEGER', 'public', 'Volume of one'],
    total_milliliters: ['INTEGER', 'public', 'Volume of all'],
    package_display: ['TEXT', 'public', 'Size as text'],
    package_interpretation: ['TEXT NOT NULL', 'public', 'How the size was read'],
    package_basis: ['TEXT NOT NULL', 'public', 'What that reading rests on'],
    normalization_state: ['TEXT NOT NULL', 'public', 'Normalization state of the package'],
    lowest_price_minor: ['INTEGER', 'public', 'Lowest price observed up to here'],
    highest_price_minor: ['INTEGER', 'public', 'Highest price observed up to here'],
  }),
  store: table('A row for each store that was ever in the directory.', {
    store: ['INTEGER PRIMARY KEY', 'private', 'Short key in the other tables'],
    id: ['TEXT NOT NULL UNIQUE', 'public', 'Stable store id'],
    first_publication: ['INTEGER NOT NULL', 'private', 'Publication that brought it first'],
  }),
  store_version: table('A store in the directory, over a span of publications.', {
    version: ['INTEGER PRIMARY KEY', 'private', 'Key'],
    store: ['INTEGER NOT NULL', 'private', 'The store'],
    ...span,
    observed_publication: [
      'INTEGER',
      'private',
      'Publication of the directory that the row comes from, if that is not the directory in force (missing, or set aside)',
    ],
    inventory_store_code: ['TEXT', 'public', 'Code in the inventory source'],
    directory_id: ['TEXT', 'public', 'Id in the directory'],
    name: ['TEXT NOT NULL', 'public', 'Name'],
    line1: ['TEXT NOT NULL', 'public', 'Address'],
    line2: ['TEXT', 'public', 'Address'],
    city: ['TEXT NOT NULL', 'public', 'City'],
    region: ['TEXT', 'public', 'State, or region'],
    postal_code: ['TEXT', 'public', 'Postal code'],
    phone: ['TEXT', 'public', 'Phone'],
    latitude: ['REAL', 'public', 'WGS84 degrees'],
    longitude: ['REAL', 'public', 'WGS84 degrees'],
    access_type: ['TEXT NOT NULL', 'public', 'Who may buy there'],
    operational_state: ['TEXT NOT NULL', 'public', 'Whether it is open'],
    operational_note: ['TEXT', 'public', 'Note'],
    operational_source: ['TEXT NOT NULL', 'public', 'Who established the state'],
    services: ['TEXT NOT NULL', 'public', 'JSON array of services'],
    regular_hours: ['TEXT', 'public', 'Hours'],
    presence_state: ['TEXT', 'public', 'Directory presence'],
    presence_last_seen_at: ['TEXT', 'public', 'Last retrieval of a directory with the store'],
  }),
  about_version: table(
    'What the operator states about the data, over a span of publications. Without a row, nothing is stated.',
    {
      ...span,
      title: ['TEXT', 'public', 'Title of the site'],
      agency: ['TEXT', 'public', 'Whose reports these are'],
      notice: ['TEXT', 'public', 'Notice for readers'],
      license_name: ['TEXT', 'public', 'License of the data; null if none is stated'],
      license_url: ['TEXT', 'public', 'Where it can be read'],
      source_url: ['TEXT', 'public', "The agency's own page"],
      contact: ['TEXT', 'public', 'Email address or URL of the operator'],
      doi: ['TEXT', 'public', 'DOI of the data'],
      spatial_coverage: ['TEXT', 'public', 'The area that the data are about'],
    },
  ).key('first_publication'),
  category_version: table('A category, over a span of publications.', {
    id: ['TEXT NOT NULL', 'public', 'Category id'],
    ...span,
    parent_id: ['TEXT', 'public', 'Parent category'],
    name: ['TEXT NOT NULL', 'public', 'Name'],
    active: ['INTEGER NOT NULL', 'public', '1 while it is active'],
  }).key('id', 'first_publication'),
  brand_version: table('A brand, reviewed or not, over a span of publications.', {
    slug: ['TEXT NOT NULL', 'public', 'Slug of a reviewed brand'],
    ...span,
    id: ['TEXT NOT NULL', 'public', 'Stable brand id'],
    name: ['TEXT NOT NULL', 'public', 'Name of a reviewed brand'],
    aliases: ['TEXT NOT NULL', 'public', 'JSON array of its aliases'],
    reviewed: ['INTEGER NOT NULL', 'private', '1 when reviewed; only then is the row public'],
  }).key('slug', 'first_publication'),
  family_version: table('A product family, over a span of publications.', {
    slug: ['TEXT NOT NULL', 'public', 'Slug of a family of a reviewed brand'],
    ...span,
    id: ['TEXT NOT NULL', 'public', 'Stable family id'],
    name: ['TEXT NOT NULL', 'public', 'Name'],
    brand_slug: ['TEXT NOT NULL', 'public', 'Its brand'],
  }).key('slug', 'first_publication'),
  curated_product: table('A SKU in the curation, listed or not, over a span of publications.', {
    sku: ['TEXT NOT NULL', 'private', 'The SKU'],
    ...span,
    brand_slug: ['TEXT', 'private', 'Brand, reviewed or not'],
    family_slug: ['TEXT', 'private', 'Family'],
    relationship_type: ['TEXT', 'private', 'Relationship type'],
    vintage_year: ['INTEGER', 'private', 'Vintage'],
    age_statement: ['TEXT', 'private', 'Age statement'],
    package: ['TEXT', 'private', 'JSON of the curated package'],
  }).key('sku', 'first_publication'),
  former_sku: table('A code that a product had before, over a span of publications.', {
    former_sku: ['TEXT NOT NULL', 'public', 'The code'],
    sku: ['TEXT NOT NULL', 'public', 'The product that had it, by its SKU'],
    ...span,
  }).key('former_sku', 'sku', 'first_publication'),
  inventory_scope: table('A set of stores that retrievals covered. Each set is stored once.', {
    scope: ['INTEGER PRIMARY KEY', 'private', 'Key'],
    stores: ['TEXT NOT NULL UNIQUE', 'private', 'JSON array of its stores, ascending'],
  }),
  inventory_scope_store: table('The stores of each scope.', {
    scope: ['INTEGER NOT NULL', 'private', 'The scope'],
    store: ['INTEGER NOT NULL', 'private', 'A store of the scope'],
  }).key('scope', 'store'),
  retrieval: table("An attempt to retrieve a product's inventory.", {
    product: ['INTEGER NOT NULL', 'private', 'The product'],
    publication: ['INTEGER NOT NULL', 'private', 'The publication that brought it'],
    attempted_at: ['TEXT NOT NULL', 'public', 'When it was made'],
    status: ['TEXT NOT NULL', 'public', 'succeeded or failed'],
    retrieved_at: ['TEXT', 'public', 'When it succeeded'],
    source_updated_at: ['TEXT', 'public', 'When the source says it updated the inventory'],
    scope: ['INTEGER', 'private', 'Stores that a success covered'],
    last_success: ['INTEGER', 'private', 'Publication of the last success up to and including this one'],
    reported_quantity: ['INTEGER', 'public', 'After a success: sum over all stores with a current row'],
    reported_positive_store_count: ['INTEGER', 'public', 'After a success: stores with a current positive row'],
    first_retrieved_at: ['TEXT', 'public', 'Oldest successful retrieval up to here'],
    last_positive_at: ['TEXT', 'public', 'Newest retrieval up to here that reported a positive row'],
  }).key('product', 'publication'),
  inventory_version: table(
    'A reported row of a product in a store. A covered pair without a row over a span is absent in the source.',
    {
      product: ['INTEGER NOT NULL', 'private', 'The product'],
      store: ['INTEGER NOT NULL', 'private', 'The store'],
      ...span,
      quantity: ['INTEGER NOT NULL', 'public', 'Reported quantity; 0 is an explicit zero'],
      purchase_eligibility: ['TEXT', 'public', 'Classification of a positive row'],
    },
  ).key('product', 'store', 'first_publication'),
  older_observation: table(
    "A pair outside the scope of its product's last success, whose earlier observation stands.",
    {
      product: ['INTEGER NOT NULL', 'private', 'The product'],
      store: ['INTEGER NOT NULL', 'private', 'The store'],
      ...span,
      observed_publication: ['INTEGER NOT NULL', 'private', 'Publication of the retrieval that observed the pair'],
    },
  ).key('product', 'store', 'first_publication'),
  event: table('The change log: append-only, numbered in the order of the feed, oldest first.', {
    number: ['INTEGER PRIMARY KEY', 'private', 'Position in the log, from 1 without gaps'],
    id: ['TEXT NOT NULL', 'public', 'UUIDv5 of publication, type, product and store'],
    publication: ['INTEGER NOT NULL', 'private', 'The publication that brought it'],
    type: ['TEXT NOT NULL', 'public', 'Event type'],
    product: ['INTEGER NOT NULL', 'private', 'The product'],
    product_version: ['INTEGER NOT NULL', 'private', 'Version of the product at that time'],
    store_version: ['INTEGER', 'private', 'Version of the store at that time'],
    retrieved_at: ['TEXT NOT NULL', 'public', 'When the fact was retrieved'],
    source_updated_at: ['TEXT', 'public', 'When the source says it updated the fact'],
    change: ['TEXT NOT NULL', 'public', 'JSON of the payload'],
  }),
  product_history: table("A product's running totals after a publication with events of it.", {
    product: ['INTEGER NOT NULL', 'private', 'The product'],
    publication: ['INTEGER NOT NULL', 'private', 'The publication'],
    event_count: ['INTEGER NOT NULL', 'public', 'Events up to here'],
    last_price_change_at: ['TEXT', 'public', 'Newest retrieval time of its price changes'],
    last_inventory_change_at: ['TEXT', 'public', 'Newest retrieval time of its inventory changes'],
  }).key('product', 'publication'),
  quarantined_row: table('A row of a snapshot that was set aside.', {
    publication: ['INTEGER NOT NULL', 'private', 'The publication'],
    file: ['TEXT NOT NULL', 'private', 'The part that it was in'],
    line: ['INTEGER', 'private', 'Its line; null in a file that is a single document'],
    reason: ['TEXT NOT NULL', 'private', 'What was wrong'],
    text: ['TEXT NOT NULL', 'private', 'The row as it was delivered'],
  }),
  correction: table('A statement of a later publication that a publication is wrong. The newest one holds.', {
    publication: ['INTEGER NOT NULL', 'public', 'The publication that is wrong'],
    corrected_by: ['INTEGER NOT NULL', 'public', 'The publication that corrects it'],
    reason: ['TEXT NOT NULL', 'public', 'What was wrong, for readers'],
  }).key('corrected_by', 'publication'),
};

export const indexes: readonly string[] = [
  'CREATE UNIQUE INDEX product_version_of ON product_version (product, first_publication)',
  'CREATE UNIQUE INDEX product_version_open ON product_version (product) WHERE last_publication IS NULL',
  'CREATE INDEX product_version_first ON product_version (first_publication, product)',
  'CREATE UNIQUE INDEX store_version_of ON store_version (store, first_publication)',
  'CREATE UNIQUE INDEX store_version_open ON store_version (store) WHERE last_publication IS NULL',
  'CREATE INDEX retrieval_of_publication ON retrieval (publication, retrieved_at)',
  'CREATE INDEX inventory_version_open ON inventory_version (product, store, quantity) WHERE last_publication IS NULL',
  'CREATE INDEX event_of_product ON event (product, number)',
  'CREATE INDEX quarantined_row_of ON quarantined_row (publication)',
];

export const tables: readonly Table[] = Object.entries(definitions).map(([name, { meaning, columns, primaryKey }]) => ({
  name,
  meaning,
  columns: Object.entries(columns).map(([column, [type, visibility, meaning]]) => {
    return { name: column, type, visibility, meaning };
  }),
  primaryKey,
}));

export type TableName = keyof typeof definitions;

/** Text columns, of any table, that hold a word of the contract. */
type Words = {
  readonly catalog_presence: CatalogPresence;
  readonly price_source: NonNullable<ProductDetail['price']>['source'];
  readonly lifecycle: ProductDetail['status']['lifecycle'];
  readonly package_interpretation: PackageSize['interpretation'];
  readonly package_basis: PackageSize['basis'];
  readonly normalization_state: PackageSize['normalization_state'];
  readonly size_of: 'container' | 'package';
  readonly access_type: StoreDetail['access_type'];
  readonly operational_state: StoreDetail['operational_status']['state'];
  readonly operational_source: StoreDetail['operational_status']['source'];
  readonly presence_state: NonNullable<StoreDetail['directory_presence']>['state'];
  readonly purchase_eligibility: PurchaseEligibility;
  readonly status: 'succeeded' | 'failed';
  readonly type: ChangeType;
};

type ColumnsOf<Name extends TableName> = (typeof definitions)[Name]['columns'];

export type RowOf<Name extends TableName> = {
  readonly [Column in keyof ColumnsOf<Name>]: ValueOf<Column, ColumnsOf<Name>[Column], Words>;
};

export function columnNames<Name extends TableName>(name: Name): (keyof RowOf<Name> & string)[] {
  return Object.keys(definitions[name].columns) as (keyof RowOf<Name> & string)[];
}
