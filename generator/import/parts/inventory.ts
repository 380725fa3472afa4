import { usualProfile } from '../../contract/profile.ts';
import { partSchemas } from '../../publish/snapshot/format.ts';
import { cut, problemsOf } from '../../publish/snapshot/problem.ts';
import type { InventoryRule } from '../recipe/recipe.ts';
import { limits } from '../tables/input.ts';
import { type Columns, kindOf, type Row, type Table, textOf } from '../tables/table.ts';
import { code } from '../values/conversions.ts';
import { cellAt, FieldReader, faulty, type Lookup, type OnFault } from '../values/field-reader.ts';
import { PartFields } from '../values/part-fields.ts';
import { type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { type ColumnUse, LeftOut, type PartRow, partRows } from './part-rows.ts';
import type { ImportedProducts } from './products.ts';
import type { ImportedStores } from './stores.ts';

const { inventoryLine, inventoryScope } = partSchemas(usualProfile);

/** The other parts of the import. A part that it does not have is null. */
type Others = { readonly products: ImportedProducts | null; readonly stores: ImportedStores | null };

type ImportedInventory = {
  readonly retrievals: number;
  readonly rows: number;
  readonly stores: number;
  /** Codes of stores in the scope of which no row is: each product is absent there. */
  readonly storesWithoutRows: readonly string[];
  readonly leftOut: LeftOut;
};

/** A retrieval of a product's inventory, as the lines of a snapshot have it. */
type Retrieval = {
  readonly status: string;
  readonly attempted_at: string;
  readonly retrieved_at: string | null;
  readonly source_updated_at: string | null;
};

/**
 * What the rows say of a product. `row`: the first of them. `quantities`: four numbers for each quantity, namely store,
 * quantity, file and row, because a million objects would take three times the memory.
 */
type Stock = { readonly retrieval: Retrieval; readonly row: number; readonly quantities: number[] };

const retrievalFields = ['status', 'attempted_at', 'retrieved_at', 'source_updated_at'] as const;

const file = 'inventory.ndjson';
const scopeFile = 'inventory_scope.json';
const noFile = { file, unit: 'row' } as const;

/** Writes inventory.ndjson and inventory_scope.json, by sku and store, whatever the order of the rows is. */
export async function importInventory(
  context: ImportContext,
  rule: InventoryRule,
  role: RoleFiles,
  others: Others,
): Promise<ImportedInventory> {
  const inventory = new InventoryImport(context, rule, others);
  await inventory.read(role);
  return inventory.write();
}

/** Collects the rows of the inventory, of which there may be millions. */
class InventoryImport {
  readonly #context: ImportContext;
  readonly #rule: InventoryRule;
  readonly #others: Others;
  readonly #fields: PartFields;
  readonly #wide: WideStores | null;
  readonly #leftOut: LeftOut;
  /** By sku. */
  readonly #stocks = new Map<string, Stock>();
  #rows = 0;
  readonly #codes = new Set<string>();
  readonly #files: Pick<Table, 'file' | 'unit'>[] = [];
  readonly #constantTime: string | null;
  readonly #isSound: boolean;

  constructor(context: ImportContext, rule: InventoryRule, others: Others) {
    const { recipe, options, faults } = context;
    const onFault = recipeFault(context);
    const faultsBefore = faults.total;
    this.#context = context;
    this.#rule = rule;
    this.#others = others;
    const columnsOfStores = rule.stores === undefined ? [] : ['store', 'quantity'];
    this.#fields = new PartFields('inventory', rule.fields, context, columnsOfStores, onFault);
    this.#wide = rule.stores === undefined ? null : new WideStores(rule, context);
    this.#leftOut = new LeftOut(rule.leave_out ?? []);
    this.#constantTime = options.retrievedAt ?? recipe.snapshot.retrieved_at ?? null;
    if (this.#constantTime === null && !this.#fields.has('retrieved_at'))
      onFault('inventory.fields', 'a rule for retrieved_at, or snapshot.retrieved_at, or --retrieved-at', 'none');
    for (const condition of rule.leave_out ?? []) {
      if (!('not_in' in condition) || others[condition.not_in] !== null) continue;
      onFault('inventory.leave_out', `${condition.not_in} in this import`, 'none');
    }
    this.#isSound = faults.total === faultsBefore;
  }

  async read(role: RoleFiles): Promise<void> {
    const { faults, onUse } = this.#context;
    if (!this.#isSound) return;
    const source = {
      ...role,
      each: this.#rule.each ?? null,
      columns: [...this.#fields.columns, ...this.#leftOut.columns],
      uses: (column: string) => column === this.#rule.each || this.#wide?.isStore(column) === true,
      leftOut: this.#leftOut,
    };
    const use = (columns: ColumnUse) => {
      onUse(columns);
      const place = { file: columns.file, unit: 'row' as const, row: null };
      this.#wide?.check(columns, (column, expected, got) => faults.add({ ...place, column }, expected, got));
    };
    for await (const partRow of partRows(source, { ...this.#context, onUse: use })) {
      this.#readRow(partRow);
      if (this.#rows > limits.rows) {
        faults.add(placeOf(partRow, null), `at most ${limits.rows} quantities`, 'more');
        break;
      }
    }
  }

  #readRow(partRow: PartRow): void {
    const { row, table } = partRow;
    const { faults } = this.#context;
    const onFault: OnFault = (column, expected, got) => faults.add(placeOf(partRow, column), expected, got);
    if (this.#files.at(-1)?.file !== table.file) this.#files.push({ file: table.file, unit: table.unit });
    const sku = this.#sku(partRow, onFault);
    if (sku === null) return;
    const { products } = this.#others;
    if (products?.isComplete && !products.skus.has(sku)) {
      if (!this.#leftOut.hasUnknown('products'))
        onFault(this.#fields.placeOf('sku'), 'a product of this import, or a rule in leave_out', `'${sku}'`);
      return;
    }
    const retrieval = this.#retrieval(partRow, onFault);
    if (retrieval === null) {
      this.#reportQuantities(partRow, onFault);
      return;
    }
    const stock = this.#stocks.get(sku) ?? { retrieval, row: row.number, quantities: [] };
    this.#stocks.set(sku, stock);
    if (retrievalFields.some((field) => stock.retrieval[field] !== retrieval[field]))
      onFault(null, 'one retrieval for each product', `another one than ${table.unit} ${stock.row} has`);
    if (retrieval.status !== 'succeeded') return;
    if (this.#wide !== null) {
      for (const { column, store, quantity } of this.#wide.quantities(row, table, onFault))
        this.#keep(stock, row, column, store, quantity, onFault);
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
    this.#keep(stock, row, this.#fields.placeOf('store'), store, quantity, onFault);
  }

  /** Reports the faults of the quantities of a row that has other faults. A failed retrieval has no quantities. */
  #reportQuantities({ row, table }: PartRow, onFault: OnFault): void {
    if (this.#fields.read('status', row, table, () => {}) !== 'succeeded') return;
    if (this.#wide !== null) for (const _ of this.#wide.quantities(row, table, onFault));
    else for (const field of ['store', 'quantity']) this.#fields.read(field, row, table, onFault);
  }

  #keep(stock: Stock, row: Row, column: string, store: unknown, quantity: unknown, onFault: OnFault): void {
    if (typeof store !== 'string' || !/^\d{4}$/.test(store)) {
      onFault(column, 'four digits ("pad": 4 in the recipe adds lost zeros)', quotedText(store));
      return;
    }
    if (typeof quantity !== 'number') {
      onFault(this.#wide === null ? this.#fields.placeOf('quantity') : column, 'a whole number like 1,299', 'nothing');
      return;
    }
    const { stores } = this.#others;
    if (stores?.isComplete && !stores.codes.has(store)) {
      if (!this.#leftOut.hasUnknown('stores'))
        onFault(column, 'a store of this import, or a rule in leave_out', `'${store}'`);
      return;
    }
    this.#codes.add(store);
    this.#rows += 1;
    stock.quantities.push(Number(store), quantity, this.#files.length - 1, row.number);
  }

  #sku({ row, table }: PartRow, onFault: OnFault): string | null {
    const sku = this.#fields.read('sku', row, table, onFault);
    if (sku === faulty) return null;
    if (typeof sku === 'string' && /^\d{6}$/.test(sku)) return sku;
    onFault(this.#fields.placeOf('sku'), 'six digits ("pad": 6 in the recipe adds lost zeros)', quotedText(sku));
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
    return {
      status,
      attempted_at: attempt,
      retrieved_at: status === 'failed' ? null : time,
      source_updated_at: updated as string | null,
    };
  }

  write(): ImportedInventory {
    const { faults, writer } = this.#context;
    const { products, stores } = this.#others;
    const time = this.#constantTime;
    const scope = this.#scope();
    const inScope = new Set(this.#rule.scope !== 'stores' || stores?.isComplete ? scope : this.#codes);
    const isOfCatalog = this.#rule.asked_for === 'catalog';
    writer.line(file);
    if (isOfCatalog && products === null)
      recipeFault(this.#context)('inventory.asked_for', 'products in this import', 'none');
    if (isOfCatalog && time === null) {
      recipeFault(this.#context)('inventory.asked_for', 'snapshot.retrieved_at, or --retrieved-at', 'none');
      return { retrievals: 0, rows: 0, stores: 0, storesWithoutRows: [], leftOut: this.#leftOut };
    }
    let count = 0;
    const asked = [...(isOfCatalog ? (products?.skus ?? new Map()) : this.#stocks).keys()].sort();
    const unlisted = { status: 'succeeded', attempted_at: time, retrieved_at: time, source_updated_at: null };
    for (const sku of asked) {
      const stock = this.#stocks.get(sku);
      const rows = this.#rowsOf(sku, stock?.quantities ?? [], inScope);
      const line = { sku, ...(stock?.retrieval ?? unlisted), rows };
      const checked = inventoryLine.safeParse(line);
      if (checked.success) {
        count += 1;
        if (faults.total === 0) writer.line(file, checked.data);
      } else if (faults.total === 0) {
        const place = { ...(this.#files[0] ?? noFile), row: stock?.row ?? null, column: null };
        for (const { expected, got } of problemsOf(checked.error, line)) faults.add(place, expected, got);
      }
    }
    writer.document(scopeFile, inventoryScope.parse({ inventory_store_codes: scope }));
    const storesWithoutRows = scope.filter((store) => !this.#codes.has(store));
    return { retrievals: count, rows: this.#rows, stores: scope.length, storesWithoutRows, leftOut: this.#leftOut };
  }

  /** The quantities of a product by store. Reports a store that comes twice, and one that is not in the scope. */
  #rowsOf(
    sku: string,
    quantities: readonly number[],
    inScope: ReadonlySet<string>,
  ): [store: string, quantity: number][] {
    const { faults } = this.#context;
    const found: { store: string; quantity: number; from: number; row: number }[] = [];
    for (let at = 0; at < quantities.length; at += 4) {
      const [store = 0, quantity = 0, from = 0, row = 0] = quantities.slice(at, at + 4);
      found.push({ store: String(store).padStart(4, '0'), quantity, from, row });
    }
    found.sort((a, b) => Number(a.store) - Number(b.store));
    for (const [index, { store, from, row }] of found.entries()) {
      const place = { ...(this.#files[from] ?? noFile), row, column: this.#fields.placeOf('store') };
      const previous = found[index - 1];
      if (previous?.store === store) {
        const of = previous.from === from ? '' : ` of ${this.#files[previous.from]?.file}`;
        const where = `${place.unit} ${previous.row}${of}`;
        faults.add(place, 'one row for each product and store', `${sku} in ${store}, which ${where} has too`);
      }
      if (!inScope.has(store)) faults.add(place, 'a store of the scope', `'${store}'`);
    }
    return found.map(({ store, quantity }) => [store, quantity]);
  }

  /** The stores that the retrievals covered, in order. */
  #scope(): string[] {
    const { scope } = this.#rule;
    const { stores } = this.#others;
    if (scope === 'rows') return [...this.#codes].sort();
    if (scope !== 'stores') return [...new Set(scope)].sort();
    if (stores === null)
      recipeFault(this.#context)('inventory.scope', 'stores in this import, or a list of store codes', "'stores'");
    return [...(stores?.codes ?? [])].sort();
  }
}

function quotedText(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : 'nothing';
}

function placeOf({ row, table }: PartRow, column: string | null) {
  return { file: table.file, unit: table.unit, row: row.number, column };
}

type WideQuantity = { readonly column: string; readonly store: string; readonly quantity: unknown };

type StoreColumn = { readonly column: string; readonly index: number; readonly store: string };

/** The stores of a table that has a column a store. An empty cell is no row, which is not the same as 0. */
class WideStores {
  readonly #pattern: RegExp;
  readonly #pad: number | null;
  readonly #lookup: Lookup | null;
  readonly #quantity: FieldReader;
  #columns: Columns | null = null;
  #count = 0;
  #stores: readonly StoreColumn[] = [];

  constructor({ stores, fields }: InventoryRule, context: ImportContext) {
    const onFault = recipeFault(context);
    const { lookups } = context;
    const lookup = lookups.of('inventory.stores', stores?.lookup);
    if (lookup === undefined) onFault('inventory.stores.lookup', 'a name in lookups', `'${stores?.lookup}'`);
    if (fields.store !== undefined) onFault('inventory.fields.store', 'no rule, because stores are columns', 'one');
    const rule = typeof fields.quantity === 'object' ? fields.quantity : {};
    const lookupOfQuantity = lookups.of('inventory.fields.quantity', rule.lookup) ?? null;
    this.#pattern = new RegExp(stores?.columns ?? '', 'u');
    this.#pad = stores?.pad ?? null;
    this.#lookup = lookup ?? null;
    this.#quantity = new FieldReader(rule, 'integer', lookupOfQuantity, null);
  }

  isStore(column: string): boolean {
    return this.#pattern.test(column);
  }

  /** Reports a table without stores, and columns that have the same name, of which none could be chosen. */
  check({ names }: Pick<ColumnUse, 'names'>, onFault: OnFault): void {
    // In a header, `Store 1 (2)` is the second `Store 1`.
    const bare = names.map((name) => name.replace(/ \(\d+\)$/, ''));
    const repeated = new Set(bare.filter((name, index) => name !== names[index] && this.isStore(name)));
    for (const name of repeated) onFault(name, 'one column of this name', 'several');
    if (!names.some((name) => this.isStore(name)))
      onFault(null, `columns that match ${this.#pattern.source}`, names.slice(0, 20).map(cut).join(', '));
  }

  /** The quantities of a row. */
  *quantities(row: Row, { columns }: Table, onFault: OnFault): Generator<WideQuantity> {
    // Only files without a header get more columns from row to row.
    if (this.#columns !== columns || this.#count !== columns.count) this.#stores = this.#storesOf(columns, onFault);
    [this.#columns, this.#count] = [columns, columns.count];
    for (const { column, index, store } of this.#stores) {
      const quantity = this.#quantity.valueOf(row.cells[index], column, onFault);
      if (quantity !== null && quantity !== faulty) yield { column, store, quantity };
    }
  }

  #storesOf(columns: Columns, onFault: OnFault): StoreColumn[] {
    return columns.names.flatMap((column) => {
      const store = this.#codeOf(column, onFault);
      const index = columns.indexOf(column);
      return store === null || index === undefined ? [] : { column, index, store };
    });
  }

  /** The store of a column: its name or the first group of the pattern, through the lookup, with its zeros. */
  #codeOf(column: string, onFault: OnFault): string | null {
    const match = this.#pattern.exec(column);
    if (match === null) return null;
    const name = match[1] ?? match[0];
    const text = this.#lookup === null ? name : this.#lookup.find(name);
    if (text === undefined) onFault(column, this.#lookup?.expected ?? '', `'${name}'`);
    if (text === null || text === undefined) return null;
    const converted = code(text, this.#pad);
    if ('value' in converted) return String(converted.value);
    onFault(column, converted.expected, `'${text}'`);
    return null;
  }
}
