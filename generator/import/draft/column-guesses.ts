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

/* Guesses which column is which field. Each row of the tables below is a field with a test of its values. */

/**
 * Tests the values of a column. `texts` are the distinct values, `filled` is how many rows have one, and `counts` how
 * many rows have each.
 */
type Look = (texts: readonly string[], filled: number, counts: readonly number[]) => boolean;

function isFew(texts: readonly string[], filled: number): boolean {
  return filled < 20 || texts.length <= filled / 2;
}

/** A column whose values fail the test is not suggested, whatever its name. */
const looks: Readonly<Record<string, Look>> = {
  sku: (texts) => areCodes(texts) || texts.every((text) => /\d/.test(text) && text.length <= 40),
  // Bottles have few sizes. Numbers that differ in nearly every row are something else.
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

/** Fields that values of a table of products reveal, if they also show a size or a price. */
const shownBesides: Readonly<Record<string, Look>> = {
  sku: (texts, filled) => areUniqueCodes(texts, filled),
  source_name: (texts, filled) => areNames(texts) && texts.length >= 0.7 * filled,
};

type Values = Pick<
  DraftTable,
  'values' | 'counts' | 'count' | 'filled' | 'decimalOf' | 'decided' | 'proofs' | 'reasons'
>;

/**
 * `fields`: the column of each field. `rivals`: the columns that a person chooses from, by field. `reasons`: the reason
 * for each guess, by column.
 */
export type Guesses = {
  readonly fields: ReadonlyMap<string, string>;
  readonly rivals: ReadonlyMap<string, readonly string[]>;
  readonly reasons: ReadonlyMap<string, string>;
  /** Columns whose names suggest a field that their values contradict. */
  readonly misnamed: ReadonlyMap<string, string>;
};

export function guessFields(part: Part, columns: readonly string[], table: Values | null = null) {
  return guessColumns(part, columns, table).fields;
}

/**
 * Guesses the fields of a part, first by proofs, then by names if the values agree, and last by values alone. Suggests
 * each column once. Without values, only names count.
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
    // A column with lists in its records has no values.
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
   * If prices of a bottle and of a pack are both there, customers pay only one of them. If they pay the price of a
   * bottle, the number of bottles counts a case, and no product is a pack.
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

  /** Stock on hand and available stock differ. A person decides which one is published. */
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
      // A remaining column may be a city once the name is known.
      if (field === 'address.city' && this.rivals.has('name')) continue;
      const candidates = this.#valued(look);
      // A number of bottles means something only beside the size of one. It looks like many other numbers.
      if (field === 'pack_count' && (candidates.length > 1 || !this.fields.has('size_ml'))) continue;
      // One of two columns of amounts may be a cost, unless only one has the sign of a currency.
      const marked = candidates.filter((one) => field === 'price_minor' && currencyIn('', this.#texts.get(one) ?? []));
      this.#settle(field, marked.length === 1 ? marked : candidates);
    }
    const isPriced = ['size_ml', 'price_minor'].some((field) => this.fields.has(field) || this.rivals.has(field));
    if (this.#part !== 'products' || !isPriced) return;
    this.#besides();
    // Repeated words may be categories, countries or makers. Only a person can tell.
    const groups = this.#valued(areGroups);
    if (this.#isOpen('category_id') && groups.length > 0) this.rivals.set('category_id', groups);
  }

  /** Asks a person which numbers are prices and sizes. */
  leaveNumbers(): void {
    if (this.#part !== 'products') return;
    const numbers = this.#valued((texts) => texts.length > 2 && arePrices(texts) && !areYears(texts));
    const sizes = numbers.filter((one) => this.#valued(isFew).includes(one));
    for (const [field, columns] of Object.entries({ price_minor: numbers, size_ml: sizes }))
      if (this.#isOpen(field) && columns.length > 0) this.rivals.set(field, columns);
    if (this.rivals.has('price_minor') && this.fields.has('sku')) this.#besides();
  }

  #besides(): void {
    for (const [field, look] of Object.entries(shownBesides)) this.#settle(field, this.#valued(look));
  }

  /** A file may also have stores and quantities, whose columns are not facts of products. */
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
   * If some products have one bottle, the others are packs. If all have six or more, or words such as `CS6` count them,
   * they may be cases that are priced by the bottle; a person decides.
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

  /** Takes the column if only one looks like a field; otherwise a person chooses. */
  #settle(field: string, candidates: readonly string[]): void {
    if (!this.#isOpen(field)) return;
    const filled = (column: string) => this.#table?.filled(column) ?? 0;
    const most = Math.max(...candidates.map(filled));
    const [column, ...others] = candidates.filter((one) => filled(one) >= 0.7 * most);
    // The guess is weak if half of the rows lack a value or the name suggests something else.
    const isWeak = field === 'price_minor' && column !== undefined && others.length === 0 && this.#isWeakPrice(column);
    if (isWeak) {
      this.rivals.set(field, [column]);
      return;
    }
    if (column !== undefined && others.length === 0) this.#take(field, column, 'its values alone');
    if (column !== undefined && others.length > 0) this.rivals.set(field, [column, ...others]);
  }
}

function namedFields(part: Part, columns: readonly string[]): (readonly [field: string, column: string])[] {
  const { fields, rivals } = guessedByName(part, columns, null);
  return [...fields, ...[...rivals].flatMap(([field, some]) => some.map((column) => [field, column] as const))];
}

export const noColumn = '';

export function guessPart(columns: readonly string[], table: Values | null = null): Part | null {
  const order = ['inventory', 'stores', 'products'] as const;
  return order.find((part) => missingFields(part, columns, table).length === 0) ?? null;
}

/** The fields that a table of each part needs: at least one of each group. */
const needed: Readonly<Record<Part, readonly (readonly string[])[]>> = {
  products: [['sku'], ['source_name', 'price_minor']],
  stores: [['address.line1', 'address.city']],
  inventory: [['sku'], ['store'], ['quantity']],
};

export function missingFields(part: Part, columns: readonly string[], table: Values | null): string[] {
  // Street and number look like names of products, so values alone do not make a table of stores.
  const guessing = guessedByName(part, columns, table);
  if (part !== 'stores') guessing.byValues();
  const { fields: found, rivals } = guessing;
  const isWide = part === 'inventory' && columns.filter((name) => wideStore.test(name)).length > 1;
  const lacking = needed[part].filter((fields) => !fields.some((field) => found.has(field) || rivals.has(field)));
  return lacking.map((fields) => fields.join(' or ')).filter((field) => !isWide || field === 'sku');
}
