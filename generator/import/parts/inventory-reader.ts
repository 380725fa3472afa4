import type { InventoryRule } from '../recipe/recipe.ts';
import { kindOf, textOf } from '../tables/cell.ts';
import { limits, type Table } from '../tables/input.ts';
import { cellAt, faulty, type OnFault } from '../values/field-reader.ts';
import { PartFields } from '../values/part-fields.ts';
import { type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { type ColumnUse, LeftOut, type PartRow, partRows } from './part-rows.ts';
import type { ImportedProducts } from './products.ts';
import { QuantityTable } from './quantity-table.ts';
import { type Retrieval, Retrievals } from './retrievals.ts';
import type { ImportedStores } from './stores.ts';
import { WideStores } from './wide-stores.ts';

/** The other parts of the import. A part that it does not have is null. */
export type Others = { readonly products: ImportedProducts | null; readonly stores: ImportedStores | null };

/** What the files of the inventory have. */
export type InventoryRows = {
  readonly quantities: QuantityTable;
  readonly retrievals: Retrievals;
  readonly codes: Set<string>;
  readonly files: readonly SourceFile[];
  readonly storeColumn: string;
  readonly leftOut: LeftOut;
};

export type SourceFile = Pick<Table, 'file' | 'unit'>;

/** Collects the rows of the inventory, of which there may be millions. */
export class InventoryReader {
  readonly #context: ImportContext;
  readonly #rule: InventoryRule;
  readonly #role: RoleFiles;
  readonly #others: Others;
  readonly #fields: PartFields;
  readonly #wide: WideStores | null;
  readonly #leftOut: LeftOut;
  readonly #quantities = new QuantityTable();
  readonly #retrievals = new Retrievals();
  readonly #codes = new Set<string>();
  readonly #files: SourceFile[] = [];
  readonly #constantTime: string | null;
  readonly #faultsBefore: number;

  constructor(context: ImportContext, rule: InventoryRule, role: RoleFiles, others: Others) {
    const { recipe, lookups, options } = context;
    const onFault = recipeFault(context);
    this.#faultsBefore = context.faults.total;
    this.#context = context;
    this.#rule = rule;
    this.#role = role;
    this.#others = others;
    const besides = rule.stores === undefined ? [] : ['store', 'quantity'];
    this.#fields = new PartFields('inventory', rule.fields, context, besides, onFault);
    this.#wide = rule.stores === undefined ? null : new WideStores(rule, lookups, onFault);
    this.#leftOut = new LeftOut(rule.leave_out ?? []);
    this.#constantTime = options.retrievedAt ?? recipe.snapshot.retrieved_at ?? null;
    if (this.#constantTime === null && !this.#fields.has('retrieved_at'))
      onFault('inventory.fields', 'a rule for retrieved_at, or snapshot.retrieved_at, or --retrieved-at', 'none');
    for (const left of rule.leave_out ?? []) {
      if (!('not_in' in left) || others[left.not_in] !== null) continue;
      onFault('inventory.leave_out', `${left.not_in} in this import`, 'none');
    }
  }

  async read(): Promise<InventoryRows> {
    const { faults, onUse } = this.#context;
    const storeColumn = this.#fields.placeOf('store');
    const result = {
      quantities: this.#quantities,
      retrievals: this.#retrievals,
      codes: this.#codes,
      files: this.#files,
      storeColumn,
    };
    if (faults.total > this.#faultsBefore) return { ...result, leftOut: this.#leftOut };
    const source = {
      ...this.#role,
      each: this.#rule.each ?? null,
      columns: [...this.#fields.columns, ...this.#leftOut.columns],
      uses: (column: string) => column === this.#rule.each || this.#wide?.takes(column) === true,
      leftOut: this.#leftOut,
    };
    const use = (columns: ColumnUse) => {
      onUse(columns);
      const place = { file: columns.file, unit: 'row' as const, row: null };
      this.#wide?.check(columns, (column, expected, got) => faults.add({ ...place, column }, expected, got));
    };
    for await (const partRow of partRows(source, { ...this.#context, onUse: use })) {
      this.#take(partRow);
      if (this.#quantities.length > limits.rows) {
        faults.add(placeOf(partRow, null), `at most ${limits.rows} quantities`, 'more');
        break;
      }
    }
    return { ...result, leftOut: this.#leftOut };
  }

  #take(partRow: PartRow): void {
    const { row, table } = partRow;
    const { faults } = this.#context;
    const onFault: OnFault = (column, expected, got) => faults.add(placeOf(partRow, column), expected, got);
    if (this.#files.at(-1)?.file !== table.file) this.#files.push({ file: table.file, unit: table.unit });
    const sku = this.#sku(partRow, onFault);
    if (sku === null) return;
    const { products } = this.#others;
    if (products?.isComplete && !products.skus.has(sku)) {
      if (!this.#leftOut.takesUnknown('products'))
        onFault(this.#fields.placeOf('sku'), 'a product of this import, or a rule in leave_out', `'${sku}'`);
      return;
    }
    const retrieval = this.#retrieval(partRow, onFault);
    if (retrieval === null) {
      this.#reportQuantities(partRow, onFault);
      return;
    }
    const before = this.#retrievals.add(sku, retrieval, row.number);
    if (before !== null)
      onFault(null, 'one retrieval for each product', `another one than ${table.unit} ${before} has`);
    if (retrieval.status !== 'succeeded') return;
    if (this.#wide !== null) {
      for (const { column, store, quantity } of this.#wide.quantities(row, table, onFault))
        this.#keep(partRow, sku, column, store, quantity, onFault);
      return;
    }
    if (this.#rule.each !== undefined) {
      const list = cellAt(row, table, this.#rule.each);
      if (kindOf(list) === 'error') onFault(this.#rule.each, 'a list of objects, empty for no rows', textOf(list));
      // A list that is empty is an answer: no store has the product.
      if (kindOf(list) === 'error' || textOf(list) === '0') return;
    }
    const store = this.#fields.read('store', row, table, onFault);
    const quantity = this.#fields.read('quantity', row, table, onFault);
    if (store === faulty || quantity === faulty) return;
    this.#keep(partRow, sku, this.#fields.placeOf('store'), store, quantity, onFault);
  }

  /** Reports the faults of the quantities of a row that has other faults. A failed retrieval has no quantities. */
  #reportQuantities({ row, table }: PartRow, onFault: OnFault): void {
    if (this.#fields.read('status', row, table, () => {}) !== 'succeeded') return;
    if (this.#wide !== null) for (const _ of this.#wide.quantities(row, table, onFault));
    else for (const field of ['store', 'quantity']) this.#fields.read(field, row, table, onFault);
  }

  #keep(partRow: PartRow, sku: string, column: string, store: unknown, quantity: unknown, onFault: OnFault): void {
    if (typeof store !== 'string' || !/^\d{4}$/.test(store)) {
      const got = typeof store === 'string' ? `'${store}'` : 'nothing';
      onFault(column, 'four digits ("pad": 4 in the recipe adds lost zeros)', got);
      return;
    }
    if (typeof quantity !== 'number') {
      onFault(this.#wide === null ? this.#fields.placeOf('quantity') : column, 'a whole number like 1,299', 'nothing');
      return;
    }
    const { stores } = this.#others;
    if (stores?.isComplete && !stores.codes.has(store)) {
      if (!this.#leftOut.takesUnknown('stores'))
        onFault(column, 'a store of this import, or a rule in leave_out', `'${store}'`);
      return;
    }
    this.#codes.add(store);
    const from = { file: this.#files.length - 1, row: partRow.row.number };
    this.#quantities.add(sku, { store: Number(store), quantity, ...from });
  }

  #sku({ row, table }: PartRow, onFault: OnFault): string | null {
    const sku = this.#fields.read('sku', row, table, onFault);
    if (sku === faulty) return null;
    if (typeof sku === 'string' && /^\d{6}$/.test(sku)) return sku;
    const got = typeof sku === 'string' ? `'${sku}'` : 'nothing';
    onFault(this.#fields.placeOf('sku'), 'six digits ("pad": 6 in the recipe adds lost zeros)', got);
    return null;
  }

  #retrieval({ row, table }: PartRow, onFault: OnFault): Retrieval | null {
    const [status, retrieved, attempted, updated] = ['status', 'retrieved_at', 'attempted_at', 'source_updated_at'].map(
      (field) => this.#fields.read(field, row, table, onFault),
    );
    if ([status, retrieved, attempted, updated].includes(faulty)) return null;
    if (status !== 'succeeded' && status !== 'failed') {
      onFault(this.#fields.placeOf('status'), 'one of succeeded, failed', `'${String(status)}'`);
      return null;
    }
    const time = (retrieved ?? this.#constantTime) as string | null;
    const attempt = (attempted ?? time) as string | null;
    if (attempt === null || (status === 'succeeded' && time === null)) {
      onFault(this.#fields.placeOf('retrieved_at'), 'a time of retrieval', 'nothing');
      return null;
    }
    const isFailed = status === 'failed';
    return {
      status,
      attempted_at: attempt,
      retrieved_at: isFailed ? null : time,
      source_updated_at: updated as string | null,
    };
  }
}

function placeOf({ row, table }: PartRow, column: string | null) {
  return { file: table.file, unit: table.unit, row: row.number, column };
}
