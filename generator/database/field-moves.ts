import { type Connection, firstValue, rowQuery } from './connection.ts';
import { holds } from './product-state.ts';

/** A field that can differ between versions `before` and `now`. `moved` is a condition, `shown` makes examples. */
type Field = { readonly moved: string; readonly shown: (version: string) => string };

/** Examples show the first column. */
function field(...columns: readonly [string, ...string[]]): Field {
  const moved = columns.map((column) => `before.${column} IS NOT now.${column}`).join(' OR ');
  return { moved, shown: (version) => `${version}.${columns[0]}` };
}

function stateField(from: string, to: string): Field {
  const moved = `before.operational_state IN (${from}) AND now.operational_state IN (${to})`;
  return { ...field('operational_state'), moved };
}
const [open, closed] = ["'open', 'unknown'", "'temporarily_closed', 'permanently_closed'"];

/** `there`: an SQL condition for a version in the catalog, directory or curation. `label`: the name in examples. */
const kinds = {
  products: {
    table: 'product_version',
    key: 'product',
    label: '(SELECT sku FROM product WHERE product.product = touched.product)',
    there: (version: string) => `${version}.catalog_presence = 'listed'`,
    fields: {
      repriced: field('price_minor'),
      renamed: field('name'),
      resized: field('size_ml', 'package_display', 'container_count', 'unit_milliliters', 'total_milliliters'),
      recategorised: field('category_id'),
      status_changed: field('status_label', 'status_code', 'lifecycle'),
      alcohol_changed: {
        ...field('alcohol_by_volume'),
        moved: 'before.alcohol_by_volume IS NOT NULL AND now.alcohol_by_volume IS NOT before.alcohol_by_volume',
      },
      brand_changed: field('brand_name', 'brand_id'),
      details_changed: field('family_name', 'family_id', 'relationship_type', 'vintage_year', 'age_statement'),
    },
  },
  stores: {
    table: 'store_version',
    key: 'store',
    label: 'ifnull(ifnull(now.inventory_store_code, now.directory_id), before.directory_id)',
    there: (version: string) =>
      `${version}.store > 0 AND ifnull(${version}.presence_state, '') NOT IN ('suspect_missing', 'reviewed_retired')`,
    fields: {
      renamed: field('name'),
      readdressed: field('line1', 'line2', 'city', 'region', 'postal_code'),
      relocated: {
        moved: `before.latitude IS NOT NULL AND ifnull(
          max(abs(now.latitude - before.latitude), abs(now.longitude - before.longitude)) > 0.1, TRUE)`,
        shown: (version: string) => `${version}.latitude || ', ' || ${version}.longitude`,
      },
      recoded: field('inventory_store_code', 'directory_id'),
      closed: stateField(open, closed),
      opened: stateField(closed, open),
      details_changed: field(
        'regular_hours',
        'phone',
        'services',
        'access_type',
        'operational_note',
        'latitude',
        'longitude',
      ),
    },
  },
  categories: {
    table: 'category_version',
    key: 'id',
    label: 'touched.id',
    there: (version: string) => `${version}.id IS NOT NULL`,
    fields: { renamed: field('name'), details_changed: field('parent_id', 'active') },
  },
} as const;

export type Kind = keyof typeof kinds;
export type FieldOf<Of extends Kind> = 'new' | 'gone' | 'back' | (keyof (typeof kinds)[Of]['fields'] & string);

/** How many products, stores or categories are new, gone or back, or changed a field. */
export type FieldCounts<Of extends Kind> = Readonly<Record<FieldOf<Of>, number>>;

export type AllFieldCounts = { readonly [Of in Kind]: FieldCounts<Of> };

export function allFieldCounts(connection: Connection, sequence: number): AllFieldCounts {
  return {
    products: fieldCounts(connection, 'products', sequence),
    stores: fieldCounts(connection, 'stores', sequence),
    categories: fieldCounts(connection, 'categories', sequence),
  };
}

function fieldCounts<Of extends Kind>(connection: Connection, kind: Of, sequence: number): FieldCounts<Of> {
  const counts = Object.entries(allFields(kind)).map(
    ([name, { moved }]) => `count(*) FILTER (WHERE ${moved}) AS ${name}`,
  );
  const found = connection
    .prepare<[{ sequence: number }], FieldCounts<Of>>(`${touched(kind)} SELECT ${counts.join(', ')} ${pairs(kind)}`)
    .get({ sequence });
  if (found === undefined) throw new Error(`no counts of ${kind}`);
  return found;
}

/** The first two changes of a field: `000138: Old Name to New Name`. */
export function fieldExamples<Of extends Kind>(
  connection: Connection,
  kind: Of,
  name: FieldOf<Of>,
  sequence: number,
): string[] {
  const { moved, shown } = allFields(kind)[name] as Field;
  const of = (version: string) => `ifnull(${shown(version)}, 'none')`;
  return connection
    .prepare<[{ sequence: number }], string>(`
      ${touched(kind)} SELECT label || ': ' || was || iif(name IS NULL, '', ' to ' || name) FROM (
        SELECT ${kinds[kind].label} AS label, ${of(name === 'new' ? 'now' : 'before')} AS was,
          ${name === 'gone' || name === 'new' ? 'NULL' : of('now')} AS name
        ${pairs(kind)} WHERE ${moved})
      ORDER BY label LIMIT 2`)
    .pluck()
    .all({ sequence });
}

export function countAt(connection: Connection, kind: Kind, sequence: number): number {
  const { table, there } = kinds[kind];
  const counted = connection.prepare<[{ at: number }], number>(
    `SELECT count(*) FROM ${table} WHERE ${holds(table)} AND ${there(table)}`,
  );
  return counted.pluck().get({ at: sequence }) ?? 0;
}

/** The most common value of a column of listed products, or of positive quantities, and how many have a value. */
export function mostCommon(
  connection: Connection,
  column: 'name' | 'price_minor' | 'size_ml' | 'quantity',
): { readonly value: string; readonly count: number; readonly all: number } {
  const [table, condition] =
    column === 'quantity'
      ? ['inventory_version', 'quantity > 0']
      : ['product_version', `${kinds.products.there('product_version')} AND ${column} IS NOT NULL`];
  const found = connection.prepare<[], { value: string; count: number; all: number }>(`
    SELECT CAST(${column} AS TEXT) AS value, count(*) AS count, sum(count(*)) OVER () AS "all" FROM ${table}
    WHERE last_publication IS NULL AND ${condition} GROUP BY ${column} ORDER BY count DESC, ${column} LIMIT 1`);
  return found.get() ?? { value: '', count: 0, all: 0 };
}

/** How many listed products have a value in a column, how many are out of range, and the first two of these. */
export function outOfRange(
  connection: Connection,
  column: 'size_ml' | 'price_minor' | 'alcohol_by_volume',
  low: number,
  high: number,
): { readonly out: number; readonly all: number; readonly examples: readonly string[] } {
  const listed = `FROM product_version JOIN product USING (product)
    WHERE last_publication IS NULL AND ${kinds.products.there('product_version')} AND ${column} IS NOT NULL`;
  const isOut = `${column} NOT BETWEEN ? AND ?`;
  const range: [number, number] = [low, high];
  const counted = connection
    .prepare<number[], { out: number; all: number }>(
      `SELECT count(*) FILTER (WHERE ${isOut}) AS out, count(*) AS "all" ${listed}`,
    )
    .get(...range);
  const examples = connection
    .prepare<number[], string>(`SELECT sku || ': ' || ${column} ${listed} AND ${isOut} ORDER BY sku LIMIT 2`)
    .pluck()
    .all(...range);
  return { out: counted?.out ?? 0, all: counted?.all ?? 0, examples };
}

/** By SKU, the prices per litre in minor units of listed products with a price and a size. */
export function litrePrices(connection: Connection) {
  return connection
    .prepare<[], { readonly sku: string; readonly price: number; readonly size: number; readonly litre: number }>(`
      SELECT sku, price_minor AS price, size_ml AS size, price_minor * 1000.0 / size_ml AS litre
      FROM product_version JOIN product USING (product)
      WHERE last_publication IS NULL AND ${kinds.products.there('product_version')} AND price_minor > 0 AND size_ml > 0
      ORDER BY sku`)
    .all();
}

function allFields(kind: Kind): Readonly<Record<string, Field>> {
  const { key, there, fields } = kinds[kind];
  const [was, is] = [`ifnull(${there('before')}, FALSE)`, `ifnull(${there('now')}, FALSE)`];
  const { shown } = field('name');
  const staying = Object.entries<Field>(fields).map(([name, { moved, ...rest }]) => [
    name,
    { moved: `${was} AND ${is} AND (${moved})`, ...rest },
  ]);
  return {
    new: { moved: `before.${key} IS NULL AND ${is}`, shown },
    gone: { moved: `${was} AND NOT ${is}`, shown },
    back: { moved: `before.${key} IS NOT NULL AND NOT ${was} AND ${is}`, shown },
    ...Object.fromEntries(staying),
  };
}

/** SQL: the keys with a version that begins or ends at the publication `:sequence`. */
function touched(kind: Kind): string {
  const { table, key } = kinds[kind];
  return `WITH touched AS (SELECT ${key} FROM ${table} WHERE first_publication = :sequence
    UNION SELECT ${key} FROM ${table} WHERE last_publication = :sequence - 1)`;
}

/** SQL: the versions of these keys before and in the publication. */
function pairs(kind: Kind): string {
  const { table, key } = kinds[kind];
  return `FROM touched
    LEFT JOIN ${table} AS before ON before.${key} = touched.${key} AND before.last_publication = :sequence - 1
    LEFT JOIN ${table} AS now ON now.${key} = touched.${key} AND now.first_publication = :sequence`;
}

/** Stores that are open, or may be, and have a code in the inventory. */
export function openStoreCodes(connection: Connection): { readonly store: number; readonly code: string }[] {
  return rowQuery<[], { store: number; code: string }>(
    connection,
    `SELECT store, inventory_store_code AS code FROM store_version
    WHERE last_publication IS NULL AND inventory_store_code IS NOT NULL AND operational_state IN (${open})
    ORDER BY code`,
  )();
}

/** The number of positive rows that a store has now. */
export function positiveRowCount(connection: Connection, store: number): number {
  const rows = 'SELECT count(*) FROM inventory_version WHERE last_publication IS NULL AND store = ? AND quantity > 0';
  return firstValue(connection, rows, store) ?? 0;
}
