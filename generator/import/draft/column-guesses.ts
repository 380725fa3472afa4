import type { Part } from '../recipe/recipe.ts';
import { cellKind } from '../tables/table.ts';
import { columnNames, isAvailableStock, isOtherAmount, isProof, namedColumn, wideStore } from './column-names.ts';
import type { Proof } from './column-proofs.ts';
import {
  areAlcohols,
  areCodes,
  areGroups,
  areGtins,
  areLikelyPrices,
  areNames,
  arePackSizes,
  arePacks,
  arePrices,
  areQuantities,
  areStreets,
  areUniqueCodes,
  areUnitsOfSale,
  areUsualPacks,
  areUsualSizes,
  areWords,
  areYears,
  currencyIn,
  decimalTexts,
  guessSizeStyle,
} from './column-values.ts';
import type { DraftTable } from './draft-tables.ts';

/*
 * Which column is which field. Each row of the tables below is a field with the look of its values.
 */

/** Whether values may be a field's. `texts`: the distinct ones, `filled`: how many rows have one. */
type Look = (texts: readonly string[], filled: number, counts: readonly number[]) => boolean;

function isFew(texts: readonly string[], filled: number): boolean {
  return filled < 20 || texts.length <= filled / 2;
}

/** What values of a field look like. A column with other values is not suggested, whatever its name. */
const looks: Readonly<Record<string, Look>> = {
  sku: (texts) => areCodes(texts) || texts.every((text) => /\d/.test(text) && text.length <= 40),
  // Sizes of bottles are few. Numbers that differ in nearly every row are something else.
  size_ml: (texts, filled, counts) =>
    guessSizeStyle(texts, counts) === 'written' || (guessSizeStyle(texts) !== null && isFew(texts, filled)),
  pack_count: arePacks,
  category_id: (texts) => !texts.every((text) => /^\d+$/.test(text)),
  price_minor: arePrices,
  quantity: areQuantities,
  alcohol_by_volume: areAlcohols,
  vintage: areYears,
  gtin: (texts) => areGtins(texts, 0.9),
};

/** Fields that values reveal without a header. */
const shownByValues: Readonly<Partial<Record<Part, Readonly<Record<string, Look>>>>> = {
  products: {
    gtin: (texts) => texts.length >= 3 && areGtins(texts, 0.98),
    size_ml: (texts, _, counts) => guessSizeStyle(texts, counts) === 'written' || areUsualSizes(texts),
    pack_count: (texts, filled) => areUsualPacks(texts) && texts.length < filled,
    price_minor: (texts) => (currencyIn('', texts) !== null && arePrices(texts)) || areLikelyPrices(texts),
  },
  stores: {
    'address.line1': areStreets,
    name: (texts, filled) => areWords(texts) && texts.length === filled,
    'address.city': areWords,
  },
};

/** What values of a table of products reveal, if they also show a size or a price. */
const shownBesides: Readonly<Record<string, Look>> = {
  sku: (texts, filled) => areUniqueCodes(texts, filled),
  source_name: (texts, filled) => areNames(texts) && texts.length >= 0.7 * filled,
};

type Values = Pick<
  DraftTable,
  'values' | 'counts' | 'count' | 'filled' | 'decimalOf' | 'decided' | 'proofs' | 'reasons'
>;

/**
 * What the columns of a part are. `fields`: a column by its field. `rivals`: columns that may all be a field's, which a
 * person decides. `reasons`: why, by column, where that is more than its name and values.
 */
export type Guesses = {
  readonly fields: ReadonlyMap<string, string>;
  readonly rivals: ReadonlyMap<string, readonly string[]>;
  readonly reasons: ReadonlyMap<string, string>;
  /** Columns that are named as a field whose values they do not have. */
  readonly misnamed: ReadonlyMap<string, string>;
};

export function guessFields(part: Part, columns: readonly string[], table: Values | null = null) {
  return guessColumns(part, columns, table).fields;
}

/**
 * Guesses the fields of a part: by proofs, then those with the columns that their names suggest, if the values agree,
 * and then those that values alone reveal. A column is suggested once. Without values, only names count.
 */
export function guessColumns(part: Part, columns: readonly string[], table: Values | null = null): Guesses {
  const guessing = guessedByName(part, columns, table);
  guessing.byValues();
  guessing.leaveNumbers();
  return guessing;
}

function guessedByName(part: Part, columns: readonly string[], table: Values | null): Guessing {
  const guessing = new Guessing(part, columns, table);
  guessing.byProofs();
  guessing.byNames();
  guessing.byPackPrice();
  guessing.byStock();
  return guessing;
}

class Guessing implements Guesses {
  readonly fields: Map<string, string>;
  readonly rivals = new Map<string, readonly string[]>();
  readonly reasons: Map<string, string>;
  readonly misnamed = new Map<string, string>();
  readonly #part: Part;
  readonly #table: Values | null;
  readonly #decided: ReadonlyMap<string, string>;
  readonly #texts: ReadonlyMap<string, readonly string[]>;
  readonly #usable: readonly string[];
  /** Columns that are known to be nothing that is published. */
  readonly #excluded = new Set<string>();

  constructor(part: Part, columns: readonly string[], table: Values | null) {
    this.#part = part;
    this.#table = table;
    this.#decided = table?.decided ?? new Map();
    this.fields = new Map([...this.#decided].filter(([, column]) => column !== noColumn));
    this.reasons = new Map(table?.reasons);
    this.#texts = new Map(
      columns.map((one) => [one, table === null ? [] : decimalTexts(table.values(one), table.decimalOf(one))]),
    );
    // A list in a record is no value.
    this.#usable = columns.filter((column) => !table?.values(column).some((cell) => cellKind(cell) === 'error'));
  }

  byProofs(): void {
    for (const proof of this.#proofs()) {
      if (proof.kind === 'per_liter') {
        this.#exclude(proof.per, `the price of a liter: ${proof.why}`);
        this.#take('price_minor', proof.price, proof.why);
        this.#take('size_ml', proof.size, proof.why);
      } else if (proof.kind === 'pack_size') {
        this.#exclude(proof.whole, `the size of a pack: ${proof.why}`);
        this.#take('size_ml', proof.one, proof.why);
        this.#take('pack_count', proof.pack, proof.why);
      }
    }
  }

  byNames(): void {
    for (const field of Object.keys(columnNames[this.#part])) {
      if (!this.#isOpen(field)) continue;
      const free = this.#free();
      const candidates = free.filter((column) => this.#looksLike(looks[field], column));
      const column = namedColumn(candidates, this.#part, field);
      const misnamed = column === undefined ? namedColumn(free, this.#part, field) : undefined;
      if (column !== undefined) this.fields.set(field, column);
      else if (misnamed !== undefined && !this.misnamed.has(misnamed)) this.misnamed.set(misnamed, field);
    }
    const isStrength = (texts: readonly string[]) => areAlcohols(texts.map((text) => String(Number(text) / 2)));
    const proof = this.#valued(
      (texts) => texts.every((text) => /^\d+(?:\.\d+)?$/.test(text)) && isStrength(texts),
    ).find(isProof);
    if (this.#part === 'products' && proof !== undefined)
      this.#take('alcohol_by_volume', proof, 'its name, and values of proof');
  }

  /**
   * A price of a bottle beside that of a pack: only one of them is what a customer pays. If that is the price of a
   * bottle, the number of bottles is that of a case, and no product is one.
   */
  byPackPrice(): void {
    const proof = this.#proofs().find(({ kind }) => kind === 'pack_price');
    if (proof?.kind !== 'pack_price') return;
    const { one, pack, whole, why } = proof;
    const price = this.fields.get('price_minor');
    if (price === whole) return;
    if (price === undefined && this.#isOpen('price_minor')) this.rivals.set('price_minor', [one, whole]);
    if (this.fields.get('pack_count') === pack) this.fields.delete('pack_count');
    this.#exclude(pack, `the bottles of a case: ${why}`);
    this.#exclude(whole, `the price of a case of '${one}': ${why}`);
  }

  /** What is on hand, and what of it is available, are different numbers: a person decides which one is published. */
  byStock(): void {
    const column = this.fields.get('quantity');
    if (this.#part !== 'inventory' || column === undefined || this.#decided.has('quantity')) return;
    const others = this.#free().filter((one) => isAvailableStock(one) && this.#looksLike(looks.quantity, one));
    if (isAvailableStock(column) || others.length === 0) return;
    this.fields.delete('quantity');
    this.rivals.set('quantity', [column, ...others]);
  }

  byValues(): void {
    if (this.#part === 'products') {
      this.#leaveToOtherParts();
      this.#settlePacks();
    }
    for (const [field, look] of Object.entries(shownByValues[this.#part] ?? {})) {
      // What is left may be a city once it is known what the name is.
      if (field === 'address.city' && this.rivals.has('name')) continue;
      const candidates = this.#valued(look);
      // A number of bottles means something only beside the size of one, and looks like many other numbers.
      if (field === 'pack_count' && (candidates.length > 1 || !this.fields.has('size_ml'))) continue;
      // Two columns of amounts may be a price and a cost, unless one alone has the sign of a currency.
      const marked = candidates.filter((one) => field === 'price_minor' && currencyIn('', this.#texts.get(one) ?? []));
      this.#settle(field, marked.length === 1 ? marked : candidates);
    }
    const isPriced = ['size_ml', 'price_minor'].some((field) => this.fields.has(field) || this.rivals.has(field));
    if (this.#part !== 'products' || !isPriced) return;
    this.#besides();
    // Words that repeat may be categories, countries or makers, which only a person can tell.
    const groups = this.#valued(areGroups);
    if (this.#isOpen('category_id') && groups.length > 0) this.rivals.set('category_id', groups);
  }

  /** Leaves it to a person which numbers are prices and sizes, if any are. */
  leaveNumbers(): void {
    if (this.#part !== 'products') return;
    const numbers = this.#valued((texts) => texts.length > 2 && arePrices(texts) && !areYears(texts));
    // Sizes of bottles are few.
    const sizes = numbers.filter((one) => this.#valued(isFew).includes(one));
    for (const [field, columns] of Object.entries({ price_minor: numbers, size_ml: sizes }))
      if (this.#isOpen(field) && columns.length > 0) this.rivals.set(field, columns);
    if (this.rivals.has('price_minor') && this.fields.has('sku')) this.#besides();
  }

  #besides(): void {
    for (const [field, look] of Object.entries(shownBesides)) this.#settle(field, this.#valued(look));
  }

  /** One file may also have stores and quantities, whose columns are no facts of products. */
  #leaveToOtherParts(): void {
    const shared = ['sku', 'directory_id', 'access_type'];
    for (const part of ['stores', 'inventory'] as const)
      for (const [field, column] of namedFields(part, this.#usable)) {
        const isOwn = [...this.fields.values()].includes(column) || (field === 'quantity' && this.#isPack(column));
        if (!shared.includes(field) && !isOwn) this.#excluded.add(column);
      }
  }

  #isPack(column: string): boolean {
    return arePackSizes(this.#texts.get(column) ?? []);
  }

  /**
   * Numbers of bottles: if some products have one, the others are packs. If all have six or more, or if words such as
   * `CS6` tell them, they may be cases, whose price is that of a bottle, and a person decides.
   */
  #settlePacks(): void {
    if (this.#decided.has('pack_count') || this.#proofs().some(({ kind }) => kind === 'pack_size')) return;
    const named = this.fields.get('pack_count');
    const words = this.#valued(areUnitsOfSale);
    if (words.length > 0) {
      this.fields.delete('pack_count');
      this.rivals.set('pack_count', [...(named === undefined ? [] : [named]), ...words]);
      return;
    }
    const column = named ?? this.#free().find((one) => this.#isPack(one));
    if (column === undefined) return;
    const texts = this.#texts.get(column) ?? [];
    const counts = this.#table?.counts(column) ?? [];
    const rowsOf = (is: (text: string) => boolean) =>
      texts.reduce((sum, text, index) => sum + (is(text) ? (counts[index] ?? 0) : 0), 0);
    if (texts.length === 0 || rowsOf((text) => Number(text) === 1) >= 0.2 * rowsOf(() => true)) return;
    this.fields.delete('pack_count');
    this.rivals.set('pack_count', [column]);
  }

  #proofs(): readonly Proof[] {
    return this.#part === 'products' ? (this.#table?.proofs ?? []) : [];
  }

  #isOpen(field: string): boolean {
    return !this.fields.has(field) && !this.rivals.has(field) && !this.#decided.has(field);
  }

  #free(): readonly string[] {
    const used = new Set([...this.fields.values(), ...this.#excluded]);
    return this.#usable.filter((column) => !used.has(column));
  }

  #looksLike(look: Look | undefined, column: string): boolean {
    const texts = this.#texts.get(column) ?? [];
    if (texts.length === 0 || look === undefined) return true;
    return look(texts, this.#table?.filled(column) ?? 0, this.#table?.counts(column) ?? []);
  }

  #valued(look: Look): readonly string[] {
    return this.#free().filter((one) => (this.#texts.get(one) ?? []).length > 0 && this.#looksLike(look, one));
  }

  #take(field: string, column: string, why: string): void {
    if (!this.#isOpen(field) || !this.#free().includes(column)) return;
    this.fields.set(field, column);
    this.reasons.set(column, why);
  }

  #exclude(column: string, why: string): void {
    if ([...this.#decided.values()].includes(column)) return;
    this.#excluded.add(column);
    this.reasons.set(column, why);
  }

  #isWeakPrice(column: string): boolean {
    const { count = 0 } = this.#table ?? {};
    return isOtherAmount(column) || (this.#table?.filled(column) ?? 0) < count / 2;
  }

  /** Takes the only column that looks like a field, or leaves several to a person. */
  #settle(field: string, candidates: readonly string[]): void {
    if (!this.#isOpen(field)) return;
    const filled = (column: string) => this.#table?.filled(column) ?? 0;
    const most = Math.max(...candidates.map(filled));
    const [column, ...others] = candidates.filter((one) => filled(one) >= 0.7 * most);
    // A column that half of the rows lack, or that is named as something else, is only perhaps the field.
    const isWeak = field === 'price_minor' && column !== undefined && others.length === 0 && this.#isWeakPrice(column);
    if (isWeak) {
      this.rivals.set(field, [column]);
      return;
    }
    if (column !== undefined && others.length === 0) this.#take(field, column, 'its values alone');
    if (column !== undefined && others.length > 0) this.rivals.set(field, [column, ...others]);
  }
}

/** The columns that are named as fields of a part, with those that a person must choose from. */
function namedFields(part: Part, columns: readonly string[]): (readonly [field: string, column: string])[] {
  const { fields, rivals } = guessedByName(part, columns, null);
  return [...fields, ...[...rivals].flatMap(([field, some]) => some.map((column) => [field, column] as const))];
}

/** What a person answers if no column has a field. */
export const noColumn = '';

/** The part that a table with these columns most likely has, or null. */
export function guessPart(columns: readonly string[], table: Values | null = null): Part | null {
  const order = ['inventory', 'stores', 'products'] as const;
  return order.find((part) => missingFields(part, columns, table).length === 0) ?? null;
}

/** The fields that a table of a part needs: one of each group. */
const needed: Readonly<Record<Part, readonly (readonly string[])[]>> = {
  products: [['sku'], ['source_name', 'price_minor']],
  stores: [['address.line1', 'address.city']],
  inventory: [['sku'], ['store'], ['quantity']],
};

/** The fields of a part that a table with these columns lacks. */
export function missingFields(part: Part, columns: readonly string[], table: Values | null): string[] {
  // Street and number look like names of products, so that values alone make no table one of stores.
  const guessing = guessedByName(part, columns, table);
  if (part !== 'stores') guessing.byValues();
  const { fields: found, rivals } = guessing;
  const isWide = part === 'inventory' && columns.filter((name) => wideStore.test(name)).length > 1;
  const lacking = needed[part].filter((fields) => !fields.some((field) => found.has(field) || rivals.has(field)));
  return lacking.map((fields) => fields.join(' or ')).filter((field) => !isWide || field === 'sku');
}
