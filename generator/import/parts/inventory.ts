import { type CodeKind, expectedCode, isCode } from '../../../contract/profile.ts';
import { cut, explainIssues } from '../../../contract/schemas/checked-value.ts';
import type { Faults } from '../../files/faults.ts';
import type { InventoryLine } from '../../snapshot/format.ts';
import type { FileRule, InventoryRule } from '../recipe/recipe.ts';
import { limits } from '../tables/input.ts';
import { type Columns, cellKind, cellText, quoted, type Row, type Table } from '../tables/table.ts';
import { code } from '../values/conversions.ts';
import { cellAt, faulty, fieldReader, type OnFault } from '../values/field-reader.ts';
import { type PartFields, partFields } from '../values/part-fields.ts';
import { compilePattern, timely } from '../values/patterns.ts';
import { type ImportContext, type RoleFiles, wrongCode } from './context.ts';
import { openJoins } from './joins.ts';
import { type ColumnUse, LeftOut, type PartRow, partRows } from './part-rows.ts';
import type { ImportedProducts } from './products.ts';
import { SetAside } from './set-aside.ts';
import type { ImportedStores } from './stores.ts';

type Others = { readonly products: ImportedProducts | null; readonly stores: ImportedStores | null };

type Retrieval = Pick<InventoryLine, (typeof retrievalFields)[number]>;

/**
 * `row`: the first row of the product. `quantities`: four numbers for each quantity (store, quantity, file and row),
 * because a million objects would take three times the memory.
 */
type Stock = { readonly retrieval: Retrieval; readonly row: number; readonly quantities: number[] };

type AsideLine = { readonly fault: string };

const retrievalFields = ['status', 'attempted_at', 'retrieved_at', 'source_updated_at'] as const;

const file = 'inventory.ndjson';
const scopeFile = 'inventory_scope.json';
const noFile = { file, unit: 'row' } as const;

/**
 * Writes inventory.ndjson and inventory_scope.json, sorted by SKU and store, whatever the order of the rows. In the
 * result, `stores` is null for the stock of the whole state. `storesWithoutRows` are codes of stores in the scope
 * without a row: they stock no product.
 */
export async function importInventory(context: ImportContext, rule: InventoryRule, role: RoleFiles, others: Others) {
  const inventory = new InventoryImport(context, rule, role.rule, others);
  await inventory.read(role);
  return inventory.write();
}

/** Imports an inventory, which may have millions of rows. */
class InventoryImport {
  readonly #context: ImportContext;
  readonly #rule: InventoryRule;
  readonly #others: Others;
  readonly #fields: PartFields;
  readonly #wide: WideStores | null;
  readonly #leftOut: LeftOut;
  /** The stock of each product, by SKU. */
  readonly #stocks = new Map<string, Stock>();
  readonly #aside: SetAside;
  readonly #asideLines = new Map<string, AsideLine>();
  #rows = 0;
  /** The numbers that stand for stores in `quantities`, by code, and the codes by number. */
  readonly #numbers = new Map<string, number>();
  readonly #codes: string[] = [];
  readonly #files: Pick<Table, 'file' | 'unit'>[] = [];
  readonly #isStatewide: boolean;
  readonly #constantTime: string | null;
  readonly #isSound: boolean;

  constructor(context: ImportContext, rule: InventoryRule, fileRule: FileRule, others: Others) {
    const { recipe, options, faults, profile, recipeFault: onFault } = context;
    const faultsBefore = faults.added;
    this.#context = context;
    this.#aside = new SetAside(context.isQuarantine, context);
    this.#rule = rule;
    this.#others = others;
    this.#isStatewide = profile.inventory === 'statewide';
    const columnsOfStores = rule.stores !== undefined ? ['store', 'quantity'] : this.#isStatewide ? ['store'] : [];
    this.#fields = partFields('inventory', rule.fields, fileRule, context, columnsOfStores);
    this.#wide = rule.stores === undefined ? null : wideStores(rule, fileRule, context);
    this.#leftOut = new LeftOut(rule);
    this.#constantTime = options.retrievedAt ?? recipe.snapshot.retrieved_at ?? null;
    if (this.#constantTime === null && !this.#fields.has('retrieved_at'))
      onFault('inventory.fields', 'a rule for retrieved_at, or snapshot.retrieved_at, or --retrieved-at', 'none');
    const scopes = '"stores", "rows" or a list of store codes';
    if (profile.inventory === 'stores' && rule.scope === undefined) onFault('inventory.scope', scopes, 'none');
    const ofStores = [rule.scope, rule.stores, rule.fields.store].some((one) => one !== undefined);
    if (profile.inventory === 'none' || (this.#isStatewide && ofStores))
      onFault('inventory', `no ${this.#isStatewide ? 'stores' : 'such part'}, as the profile says`, 'some');
    const quantity = rule.fields.quantity;
    const column = typeof quantity === 'object' ? quantity.column : quantity;
    if (
      column !== undefined &&
      /(?<![a-z])cases?(?![a-z])/i.test(column) &&
      this.#fields.reader('quantity')?.rule.as === undefined
    )
      onFault(
        'inventory.fields.quantity',
        'a column of units; "as": "integer" publishes cases as they are',
        `'${column}'`,
      );
    for (const condition of rule.leave_out ?? []) {
      if (!('not_in' in condition) || others[condition.not_in] !== null) continue;
      onFault('inventory.leave_out', `${condition.not_in} in this import`, 'none');
    }
    this.#isSound = faults.added === faultsBefore;
  }

  async read(role: RoleFiles): Promise<void> {
    const { faults, onUse } = this.#context;
    if (!this.#isSound) return;
    const columns = [...this.#fields.columns, ...this.#leftOut.columns];
    const source = {
      ...role,
      joins: await openJoins(this.#rule.joins ?? [], columns, this.#fields, this.#context),
      each: this.#rule.each ?? null,
      columns,
      uses: (column: string) => column === this.#rule.each || this.#wide?.isStore(column) === true,
      leftOut: this.#leftOut,
    };
    const use = (columns: ColumnUse) => {
      onUse(columns);
      this.#wide?.check(columns, (field, expected, got) =>
        faults.add({ file: columns.file, line: null, field, expected, got }),
      );
    };
    for await (const partRow of partRows(source, { ...this.#context, onUse: use })) {
      const own = this.#aside.faultsOfRow();
      const before = own.added;
      const sku = this.#readRow(partRow, own);
      if (own.added > before && !this.#asideLines.has(sku ?? '')) {
        const fault = this.#aside.take(own, sku !== null);
        if (fault !== null && sku !== null) this.#asideLines.set(sku, fault);
      }
      if (this.#rows > limits.rows) {
        faults.in(partRow.table, partRow.row)(null, `at most ${limits.rows} quantities`, 'more');
        break;
      }
    }
  }

  /** Returns the product of a row; null if its code is unreadable or not in the import. */
  #readRow(partRow: PartRow, own: Faults): string | null {
    const { row, table } = partRow;
    const onFault = own.in(table, row);
    if (this.#files.at(-1)?.file !== table.file) this.#files.push({ file: table.file, unit: table.unit });
    const written = this.#fields.read('sku', row, table, onFault);
    const sku = written === faulty ? null : this.#checkedCode('sku', written, this.#fields.placeOf('sku'), onFault);
    if (sku === null) return null;
    const { products } = this.#others;
    if (products?.isComplete && !products.skus.has(sku)) {
      if (!this.#leftOut.hasUnknown('products'))
        onFault(this.#fields.placeOf('sku'), 'a product of this import, or a rule in leave_out', `'${sku}'`);
      return null;
    }
    const retrieval = this.#retrieval(partRow, onFault);
    if (retrieval === null) {
      this.#reportQuantities(partRow, onFault);
      return sku;
    }
    const stock = this.#stocks.get(sku) ?? { retrieval, row: row.number, quantities: [] };
    this.#stocks.set(sku, stock);
    if (retrievalFields.some((field) => stock.retrieval[field] !== retrieval[field]))
      onFault(null, 'one retrieval for each product', `another one than ${table.unit} ${stock.row} has`);
    if (retrieval.status !== 'succeeded') return sku;
    if (this.#wide !== null) {
      for (const { column, store, quantity } of this.#wide.quantities(row, table, onFault))
        this.#keep(stock, row, column, store, quantity, onFault);
      return sku;
    }
    if (this.#rule.each !== undefined) {
      const list = cellAt(row, table, this.#rule.each);
      if (cellKind(list) === 'error') onFault(this.#rule.each, 'a list of objects, empty for no rows', cellText(list));
      // An empty list means that no store has the product.
      if (cellKind(list) === 'error' || cellText(list) === '0') return sku;
    }
    const store = this.#isStatewide ? '' : this.#fields.read('store', row, table, onFault);
    const quantity = this.#fields.read('quantity', row, table, onFault);
    if (store === faulty || quantity === faulty) return sku;
    this.#keep(stock, row, this.#fields.placeOf('store'), store, quantity, onFault);
    return sku;
  }

  /** Reports faulty quantities in a row with other faults. A failed retrieval has no quantities. */
  #reportQuantities({ row, table }: PartRow, onFault: OnFault): void {
    if (this.#fields.read('status', row, table, () => {}) !== 'succeeded') return;
    if (this.#wide !== null) for (const _ of this.#wide.quantities(row, table, onFault));
    else for (const field of ['store', 'quantity']) this.#fields.read(field, row, table, onFault);
  }

  #keep(stock: Stock, row: Row, column: string, store: unknown, quantity: unknown, onFault: OnFault): void {
    const code = this.#isStatewide ? '' : this.#checkedCode('store_code', store, column, onFault);
    if (code === null) return;
    if (typeof quantity !== 'number') {
      onFault(this.#wide === null ? this.#fields.placeOf('quantity') : column, 'a whole number like 1,299', 'nothing');
      return;
    }
    const { stores } = this.#others;
    if (!this.#isStatewide && stores?.isComplete && !stores.codes.has(code)) {
      if (!this.#leftOut.hasUnknown('stores'))
        onFault(column, 'a store of this import, or a rule in leave_out', `'${code}'`);
      return;
    }
    const number = this.#numbers.get(code) ?? this.#codes.push(code) - 1;
    this.#numbers.set(code, number);
    this.#rows += 1;
    stock.quantities.push(number, quantity, this.#files.length - 1, row.number);
  }

  #checkedCode(kind: CodeKind, value: unknown, column: string, onFault: OnFault): string | null {
    const { profile } = this.#context;
    if (typeof value === 'string' && isCode(kind, profile, value)) return value;
    onFault(column, ...wrongCode(expectedCode(kind, profile), value, profile));
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

  write() {
    const { faults, writer, schemas } = this.#context;
    const { products, stores } = this.#others;
    const time = this.#constantTime;
    const scope = this.#scope();
    const inScope = new Set(this.#rule.scope !== 'stores' || stores?.isComplete ? scope : this.#codes);
    const isOfCatalog = this.#rule.asked_for === 'catalog';
    writer.line(file);
    if (isOfCatalog && products === null)
      this.#context.recipeFault('inventory.asked_for', 'products in this import', 'none');
    if (isOfCatalog && time === null)
      this.#context.recipeFault('inventory.asked_for', 'snapshot.retrieved_at, or --retrieved-at', 'none');
    let count = 0;
    let rowCount = 0;
    const known = isOfCatalog ? (products?.skus ?? new Set<string>()) : this.#stocks;
    const asked = [...new Set([...known.keys(), ...this.#asideLines.keys()])].sort();
    this.#aside.settle(file, asked.length);
    const unlisted = { status: 'succeeded', attempted_at: time, retrieved_at: time, source_updated_at: null };
    for (const sku of asked) {
      const aside = this.#asideLines.get(sku);
      const stock = this.#stocks.get(sku);
      if (aside !== undefined) {
        const quantities = this.#isStatewide ? { quantity: aside } : { rows: aside };
        writer.line(file, { sku, ...(stock?.retrieval ?? unlisted), ...quantities });
        continue;
      }
      const rows = this.#storeRows(sku, stock?.quantities ?? [], inScope);
      rowCount += rows.length;
      const quantities = this.#isStatewide ? { quantity: rows[0]?.[1] ?? null } : { rows };
      const line = { sku, ...(stock?.retrieval ?? unlisted), ...quantities };
      const checked = schemas.inventoryLine.safeParse(line);
      if (checked.success) {
        count += 1;
        if (faults.total === 0) writer.line(file, checked.data);
      } else if (faults.total === 0) {
        const place = { ...(this.#files[0] ?? noFile), line: stock?.row ?? null };
        for (const { expected, got } of explainIssues(checked.error.issues, line))
          faults.add({ ...place, field: null, expected, got });
      }
    }
    const written = { retrievals: count, rows: rowCount, setAside: this.#asideLines.size, leftOut: this.#leftOut };
    if (this.#isStatewide) return { ...written, stores: null, storesWithoutRows: [] };
    writer.document(scopeFile, { inventory_store_codes: scope });
    return { ...written, stores: scope.length, storesWithoutRows: scope.filter((store) => !this.#numbers.has(store)) };
  }

  /** Reports two quantities for a store, and stores outside the scope. */
  #storeRows(
    sku: string,
    quantities: readonly number[],
    inScope: ReadonlySet<string>,
  ): [store: string, quantity: number][] {
    const { faults } = this.#context;
    const found = new Map<string, { readonly quantity: number; readonly from: number; readonly row: number }>();
    const column = this.#fields.placeOf(this.#isStatewide ? 'sku' : 'store');
    const key = this.#isStatewide ? 'product' : 'product and store';
    for (let at = 0; at < quantities.length; at += 4) {
      const [number = 0, quantity = 0, from = 0, row = 0] = quantities.slice(at, at + 4);
      const store = this.#codes[number] ?? '';
      const place = { ...(this.#files[from] ?? noFile), line: row, field: column };
      const previous = found.get(store);
      // Columns of one row are not duplicates.
      const isColumn = this.#wide !== null && previous?.row === row && previous.from === from;
      const chosen = previous && !isColumn ? this.#leftOut.choose(previous.quantity === quantity) : null;
      if (previous && chosen === null) {
        const of = previous.from === from ? '' : ` of ${this.#files[previous.from]?.file}`;
        const got = `${store === '' ? sku : `${sku} in ${store}`}, which ${place.unit} ${previous.row}${of} has too`;
        faults.add({ ...place, expected: `one row for each ${key}, or "repeated" in the recipe`, got });
      }
      if (!inScope.has(store)) faults.add({ ...place, expected: 'a store of the scope', got: `'${store}'` });
      if (chosen !== 'first') found.set(store, { quantity, from, row });
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([store, { quantity }]) => [store, quantity]);
  }

  #scope(): string[] {
    const { scope = 'rows' } = this.#rule;
    const { stores } = this.#others;
    if (scope === 'rows') return [...this.#codes].sort();
    if (scope !== 'stores') {
      for (const code of scope)
        this.#checkedCode('store_code', code, 'inventory.scope', (place, ...fault) => {
          this.#context.recipeFault(place ?? '', ...fault);
        });
      return [...new Set(scope)].sort();
    }
    if (stores === null)
      this.#context.recipeFault('inventory.scope', 'stores in this import, or a list of store codes', "'stores'");
    return [...(stores?.codes ?? [])].sort();
  }
}

type WideStores = ReturnType<typeof wideStores>;

/** The stores of a table with a column for each. An empty cell means no row, not a quantity of 0. */
function wideStores(
  { stores, fields }: InventoryRule,
  { decimal, nothing, entities, encoding }: FileRule,
  context: ImportContext,
) {
  const { lookups, recipeFault, profile, nameCodes, notices } = context;
  const lookup = lookups.of('inventory.stores', stores?.lookup);
  if (lookup === undefined) recipeFault('inventory.stores.lookup', 'a name in lookups', `'${stores?.lookup}'`);
  if (fields.store !== undefined) recipeFault('inventory.fields.store', 'no rule, because stores are columns', 'one');
  const rule = typeof fields.quantity === 'object' ? fields.quantity : {};
  const lookupOfQuantity = lookups.of('inventory.fields.quantity', rule.lookup) ?? null;
  const style = {
    ...{ decimal, nothing, entities, encoding },
    profile,
    codeKind: null,
    publishedAt: null,
    nameCodes,
    notices,
  };
  const reader = fieldReader(rule, 'integer', lookupOfQuantity, style);
  const pattern = compilePattern(stores?.columns ?? '');
  const codeIn = (column: string) =>
    timely(
      (expected) => recipeFault('inventory.stores.columns', expected, quoted(column)),
      () => pattern.first(column),
    );
  const isStore = (column: string) => codeIn(column) !== undefined;
  let [known, count, places]: [Columns | null, number, ReturnType<typeof placesByCode>] = [null, 0, []];

  /** The column's name or the first group of the pattern, looked up and padded with zeros. */
  function storeCode(column: string, onFault: OnFault): string | null {
    const name = codeIn(column);
    if (name === undefined) return null;
    const text = lookup ? lookup.find(name) : name;
    if (text === undefined) onFault(column, lookup?.expected ?? '', `'${name}'`);
    if (text === null || text === undefined) return null;
    const converted = code(text, stores?.pad ?? null, { kind: 'store_code', profile });
    if ('value' in converted) return String(converted.value);
    onFault(column, converted.expected, `'${text}'`);
    return null;
  }

  function placesByCode(columns: Columns, onFault: OnFault) {
    return columns.names.flatMap((column) => {
      const store = storeCode(column, onFault);
      const index = columns.indexOf(column);
      return store === null || index === undefined ? [] : { column, index, store };
    });
  }

  return {
    isStore,
    /** Reports a table without stores, and columns with the same name, because it is unclear which one counts. */
    check({ names }: Pick<ColumnUse, 'names'>, onFault: OnFault): void {
      // In a header, `Store 1 (2)` is the second `Store 1`.
      const bare = names.map((name) => name.replace(/ \(\d+\)$/, ''));
      const repeated = new Set(bare.filter((name, index) => name !== names[index] && isStore(name)));
      for (const name of repeated) onFault(name, 'one column of this name', 'several');
      if (!names.some(isStore))
        onFault(null, `columns that match ${stores?.columns}`, names.slice(0, 20).map(cut).join(', '));
    },
    *quantities(row: Row, { columns }: Table, onFault: OnFault) {
      // Only files without a header gain columns from row to row.
      if (known !== columns || count !== columns.count)
        [known, count, places] = [columns, columns.count, placesByCode(columns, onFault)];
      for (const { column, index, store } of places) {
        const quantity = reader.readCell(row.cells[index], column, onFault);
        if (quantity !== null && quantity !== faulty) yield { column, store, quantity };
      }
    },
  };
}
