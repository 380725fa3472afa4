import { columnConstraints, describeTable, type TableName, tableMeanings } from '../../contract/columns/parquet.ts';
import { parquetMediaType } from '../../contract/headers.ts';
import type { Profile } from '../../contract/profile.ts';
import { type DataLicense, type PublishedAt, packageMembers, tableField } from '../../contract/schemas/data-package.ts';
import type { About } from '../../contract/schemas/metadata.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { type TablesPackage, tableNames } from '../../contract/schemas/tables-package.ts';

type Name = TablesPackage['resources'][number]['name'];

type Reference = readonly [column: string, table: Name, key: string];

/** `path`: the path of the file below `/v1/exports/`. `key`: the columns that identify a row. */
type Described = {
  readonly path: string;
  readonly table: TableName;
  readonly meaning: string;
  readonly key: readonly string[];
  readonly references?: readonly Reference[];
};

const ofProduct: Reference = ['product_id', 'products', 'id'];
const events = { table: 'changes_history', key: ['number'], references: [ofProduct] } as const;
const newest = (table: 'products' | 'stores' | 'inventory') => ({
  path: `latest/${table}.parquet`,
  table,
  meaning: tableMeanings[table],
});

const tables: Readonly<Record<Name, Described>> = {
  products: { ...newest('products'), key: ['id'] },
  stores: { ...newest('stores'), key: ['id'] },
  inventory: {
    ...newest('inventory'),
    key: ['product_id', 'store_id'],
    references: [ofProduct, ['store_id', 'stores', 'id']],
  },
  daily: {
    path: 'daily.parquet',
    table: 'daily_history',
    meaning: 'Price, status and reported inventory of every product in every publication of the change history.',
    key: ['agency_sku', 'publication'],
    references: [ofProduct],
  },
  changes: { ...events, path: 'changes.parquet', meaning: 'Every event in a piece of the change history.' },
  newest_changes: {
    ...events,
    path: 'changes/newest.parquet',
    meaning: 'The newest events, which are not in a piece yet.',
  },
  products_over_time: {
    path: 'products_over_time.parquet',
    table: 'products_over_time',
    meaning: 'Name, brand, category, size, status and price of each product, and in which publications they were so.',
    key: ['agency_sku', 'first_publication'],
    references: [ofProduct],
  },
  stores_over_time: {
    path: 'stores_over_time.parquet',
    table: 'stores_over_time',
    meaning: 'What each store was, and in which publications.',
    key: ['store_id', 'first_publication'],
  },
  categories: {
    path: 'categories.parquet',
    table: 'categories',
    meaning: 'The tree of categories, and in which publications it was so.',
    key: ['category_id', 'first_publication'],
  },
  coverage: {
    path: 'coverage.parquet',
    table: 'coverage',
    meaning:
      'A row for each publication, store and top category (null for none): about how many products it asked, and how many answers came.',
    // A category may be null, so these columns do not identify a row as keys do.
    key: [],
  },
};

export type PackagedTable = Required<Described> & { readonly name: Name };

/** All tables of the package. Their paths are below `/v1/exports/`. */
export const packagedTables: readonly PackagedTable[] = tableNames.options.map((name) => ({
  name,
  references: [],
  ...tables[name],
}));

export function makeTablesPackage(
  publication: PublishedAt,
  fileAt: (path: string) => ObjectReference,
  about: About | null,
  license: DataLicense | null,
  profile: Profile,
): TablesPackage {
  const resources = packagedTables.map(
    ({ name, path, table, meaning, key, references }): TablesPackage['resources'][number] => {
      const { size, sha256 } = fileAt(path);
      const constraints = columnConstraints(table, profile);
      return {
        name,
        path,
        profile: 'data-resource',
        description: meaning,
        format: 'parquet',
        mediatype: parquetMediaType,
        bytes: size,
        hash: `sha256:${sha256}`,
        schema: {
          fields: describeTable(table, profile).map((field) => ({
            ...tableField(field),
            ...constraints.get(field.name),
          })),
          ...(key.length > 0 ? { primaryKey: [...key] } : {}),
          ...(references.length > 0
            ? {
                foreignKeys: references.map(([fields, resource, to]) => ({
                  fields,
                  reference: { resource, fields: to },
                })),
              }
            : {}),
        },
      };
    },
  );
  return { ...packageMembers(publication, about, license, profile), resources };
}
