import { expect, test } from 'vitest';
import { exportRecords, inventoryColumns, productColumns, storeColumns } from '../../contract/columns/export.ts';
import { tableColumns } from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { changeColumns, changeRecord } from '../../contract/schemas/change-pieces.ts';

/** A document in which every value is its own path, such as `price.times.retrieved_at`. */
function documentAt(path: string): unknown {
  return new Proxy(() => {}, {
    get: (_, key) => (typeof key === 'string' ? documentAt(path === '' ? key : `${path}.${key}`) : () => path),
  });
}

type Columns = Readonly<Record<string, { readonly of: (document: never) => unknown }>>;

test.each<[string, Columns]>([
  ['products', productColumns],
  ['stores', storeColumns],
  ['inventory', inventoryColumns],
])('every column of %s has the value that its name says, and no other column has it', (_, columns) => {
  const paths = Object.entries(columns).map(([name, { of }]) => [name, String(of(documentAt('') as never))] as const);
  expect(paths.filter(([name, path]) => !name.endsWith(path.split('.').at(-1) ?? '?'))).toEqual([]);
  expect(new Set(paths.map(([, path]) => path)).size).toBe(paths.length);
});

test.each([
  ['products', exportRecords.products, productColumns],
  ['stores', exportRecords.stores, storeColumns],
  ['inventory', exportRecords.inventory, inventoryColumns],
  ['changes', changeRecord, changeColumns],
])('records of %s have no rule across columns, because a build checks each column by itself', (_, schema, columns) => {
  expect(Object.keys(schema.shape)).toEqual(['record_type', ...Object.keys(columns)]);
  expect(schema.def.checks ?? []).toEqual([]);
});

test('an empty text that was reported does not become null in the table of changes', () => {
  const size = (display: string) => ({ milliliters: null, container_count: null, display });
  const fields = [{ field: 'package', previous: size(''), current: null }];
  const event = { type: 'product_presentation_changed', change: { fields } };
  const cellFor = (name: string) =>
    tableColumns('changes', usualProfile)
      .find((column) => column.name === name)
      ?.of({ number: 1, event } as never);
  expect([cellFor('previous_package'), cellFor('current_package')]).toEqual(['', null]);
});
