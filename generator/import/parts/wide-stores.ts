import { cut } from '../../publish/snapshot/problem.ts';
import type { InventoryRule } from '../recipe/recipe.ts';
import type { Row } from '../tables/cell.ts';
import type { Columns } from '../tables/columns.ts';
import type { Table } from '../tables/input.ts';
import { code } from '../values/conversions.ts';
import { FieldReader, faulty, type OnFault } from '../values/field-reader.ts';
import type { Lookup, Lookups } from '../values/lookups.ts';
import type { OnRecipeFault } from '../values/part-fields.ts';
import type { ColumnUse } from './part-rows.ts';

export type WideQuantity = { readonly column: string; readonly store: string; readonly quantity: unknown };

type StoreColumn = { readonly column: string; readonly index: number; readonly store: string };

/** The stores of a table that has a column a store. An empty cell is no row, which is not the same as 0. */
export class WideStores {
  readonly #pattern: RegExp;
  readonly #pad: number | null;
  readonly #lookup: Lookup | null;
  readonly #quantity: FieldReader;
  readonly #codes = new Map<string, string | null>();
  readonly #stores = new WeakMap<Columns, { readonly count: number; readonly stores: readonly StoreColumn[] }>();

  constructor({ stores, fields }: InventoryRule, lookups: Lookups, onFault: OnRecipeFault) {
    const lookup = lookups.of('inventory.stores', stores?.lookup);
    if (lookup === undefined) onFault('inventory.stores.lookup', 'a name in lookups', `'${stores?.lookup}'`);
    if (fields.store !== undefined) onFault('inventory.fields.store', 'no rule, because stores are columns', 'one');
    const written = fields.quantity;
    const place = 'inventory.fields.quantity';
    const own = lookups.of(place, typeof written === 'object' ? written.lookup : undefined);
    this.#pattern = new RegExp(stores?.columns ?? '', 'u');
    this.#pad = stores?.pad ?? null;
    this.#lookup = lookup ?? null;
    this.#quantity = new FieldReader(typeof written === 'object' ? written : {}, 'integer', own ?? null, null);
  }

  takes(column: string): boolean {
    return this.#pattern.test(column);
  }

  /** Reports a table without stores, and columns that have the same name, of which none could be chosen. */
  check({ names }: Pick<ColumnUse, 'names'>, onFault: OnFault): void {
    const repeated = new Set(
      names.map(nameWithoutNumber).filter((name, index) => name !== names[index] && this.takes(name)),
    );
    for (const name of repeated) onFault(name, 'one column of this name', 'several');
    if (!names.some((name) => this.takes(name)))
      onFault(null, `columns that match ${this.#pattern.source}`, names.slice(0, 20).map(cut).join(', '));
  }

  /** The quantities of a row. */
  *quantities(row: Row, table: Table, onFault: OnFault): Generator<WideQuantity> {
    for (const { column, index, store } of this.#storesOf(table, onFault)) {
      const quantity = this.#quantity.valueOf(row.cells[index], column, onFault);
      if (quantity !== null && quantity !== faulty) yield { column, store, quantity };
    }
  }

  /** The columns of a table that are stores. Only files without a header get more columns from row to row. */
  #storesOf({ columns }: Table, onFault: OnFault): readonly StoreColumn[] {
    const known = this.#stores.get(columns);
    if (known?.count === columns.count) return known.stores;
    const stores = columns.names.flatMap((column) => {
      const store = this.#codeOf(column, onFault);
      const index = columns.indexOf(column);
      return store === null || index === undefined ? [] : { column, index, store };
    });
    this.#stores.set(columns, { count: columns.count, stores });
    return stores;
  }

  /** The store of a column: its name or the first group of the pattern, through the lookup, with its zeros. */
  #codeOf(column: string, onFault: OnFault): string | null {
    const known = this.#codes.get(column);
    if (known !== undefined) return known;
    const match = this.#pattern.exec(column);
    const found = match === null ? null : this.#found(match[1] ?? match[0], column, onFault);
    this.#codes.set(column, found);
    return found;
  }

  #found(name: string, column: string, onFault: OnFault): string | null {
    const text = this.#lookup === null ? name : this.#lookup.find(name);
    if (text === undefined) onFault(column, this.#lookup?.expected ?? '', `'${name}'`);
    if (text === null || text === undefined) return null;
    const converted = code(text, this.#pad);
    if ('value' in converted) return String(converted.value);
    onFault(column, converted.expected, `'${text}'`);
    return null;
  }
}

/** The name of a column in the header, where `Store 1 (2)` is the second `Store 1`. */
function nameWithoutNumber(name: string): string {
  return name.replace(/ \(\d+\)$/, '');
}
