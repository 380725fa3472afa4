import type { Connection } from './connection.ts';
import { holds, lastRetrievals, type PackageColumns, type ProductStateRow } from './product-state.ts';

/** Columns that many products share, in groups. */
type SharedColumns = {
  brand: Pick<ProductStateRow, 'brand_name' | 'brand_id'>;
  package: PackageColumns;
  price: Pick<ProductStateRow, 'price_minor' | 'price_source' | 'observed_publication'>;
  status: Pick<ProductStateRow, 'status_code' | 'status_label' | 'status_raw' | 'lifecycle' | 'catalog_presence'>;
};

type Group = keyof SharedColumns;

const sharedColumns: { readonly [Name in Group]: readonly (keyof SharedColumns[Name] & string)[] } = {
  brand: ['brand_name', 'brand_id'],
  package: [
    'size_ml',
    'container_count',
    'unit_milliliters',
    'total_milliliters',
    'package_display',
    'package_interpretation',
    'package_basis',
    'normalization_state',
  ],
  price: ['price_minor', 'price_source', 'observed_publication'],
  status: ['status_code', 'status_label', 'status_raw', 'lifecycle', 'catalog_presence'],
};

const textOf = (group: Group) => `json_array(${sharedColumns[group].map((name) => `v.${name}`).join(', ')})`;

/** The columns of a group, read from their text. */
export function columnsIn<Name extends Group>(group: Name, text: string): SharedColumns[Name] {
  const values: readonly unknown[] = JSON.parse(text);
  return Object.fromEntries(sharedColumns[group].map((name, index) => [name, values[index]])) as SharedColumns[Name];
}

type ExportedProductValues = readonly [
  product: number,
  id: string,
  sku: string,
  name: string,
  catalog_presence: string,
  brand: string,
  family_id: string | null,
  category_id: string | null,
  package_size: string,
  price: string,
  status: string,
  attempted_at: string | null,
  attempt_status: string | null,
  retrieved_at: string | null,
  scope: number | null,
];

/**
 * A product as its export needs it. `brand`, `package`, `price` and `status` are texts for `columnsIn`: one text takes
 * less to read than its columns, and what is made of it can be looked up by it.
 */
export type ExportedProductRow = ReturnType<typeof rowOf>;

/** Every product at a publication, by id. */
export function* exportedProducts(connection: Connection, at: number): Generator<ExportedProductRow> {
  const statement = connection
    .prepare<[{ at: number }], ExportedProductValues>(`
      SELECT p.product, p.id, p.sku, v.name, v.catalog_presence, ${textOf('brand')}, v.family_id, v.category_id,
        ${textOf('package')}, ${textOf('price')}, ${textOf('status')},
        attempt.attempted_at, attempt.status, success.retrieved_at, success.scope
      FROM product AS p
        JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
        ${lastRetrievals}
      ORDER BY p.id`)
    .raw();
  for (const values of statement.iterate({ at })) yield rowOf(values);
}

function rowOf(values: ExportedProductValues) {
  return {
    product: values[0],
    id: values[1],
    sku: values[2],
    name: values[3],
    catalog_presence: values[4],
    brand: values[5],
    family_id: values[6],
    category_id: values[7],
    package: values[8],
    price: values[9],
    status: values[10],
    attempted_at: values[11],
    attempt_status: values[12],
    retrieved_at: values[13],
    scope: values[14],
  };
}
