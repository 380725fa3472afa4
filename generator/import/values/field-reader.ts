import { quoted } from '../faults.ts';
import type { Conversion, FileRule, Recipe, Rule } from '../recipe/recipe.ts';
import type { Table } from '../tables/table.ts';
import { type Cell, collapsed, kindOf, type Row, textOf, trimmed } from '../tables/table.ts';
import { dateCell } from '../tables/workbook-rows.ts';
import {
  type Converted,
  categoryOf,
  code,
  dateTime,
  decimal,
  expectedTime,
  integer,
  phone,
  price,
  titleCase,
  volume,
  withDecimalPoint,
  workbookDateTime,
} from './conversions.ts';

/** Called with the column, or null for a constant, what was expected there, and what came. */
export type OnFault = (column: string | null, expected: string, got: string) => void;

/** What a faulty field gives. The fault was reported. */
export const faulty: unique symbol = Symbol('faulty');

/** What the texts of a file mean, and when the snapshot is published, which its times hardly follow. Null if not known. */
export type TextStyle = Pick<FileRule, 'decimal'> & {
  readonly currency: string;
  readonly publishedAt: string | null;
};

/** Makes the value of one field from a row, as its rule says. */
export class FieldReader {
  readonly #rule: Rule;
  readonly #as: Conversion;
  readonly #lookup: Lookup | null;
  readonly #extract: RegExp | null;
  readonly #remove: RegExp | null;
  readonly #nulls: ReadonlySet<string>;
  readonly #style: TextStyle;
  /** Reading a time takes a hundred times as long as reading a number, and most rows have the same. */
  readonly #times = new Map<string, Converted>();

  constructor(rule: Rule, as: Conversion, lookup: Lookup | null, style: TextStyle) {
    this.#rule = rule;
    this.#style = style;
    this.#as = rule.as ?? as;
    this.#lookup = lookup;
    this.#extract = rule.extract === undefined ? null : new RegExp(rule.extract, 'u');
    this.#remove = rule.remove === undefined ? null : new RegExp(rule.remove, 'gu');
    this.#nulls = new Set(rule.null_when ?? []);
  }

  /** The columns that the rule names. */
  get columns(): readonly string[] {
    const { column, join } = this.#rule;
    return column === undefined ? (join?.columns ?? []) : [column];
  }

  /** The value of the row; null where there is none. */
  read(row: Row, table: Table, onFault: OnFault): unknown {
    const { value, column, join } = this.#rule;
    if (column !== undefined) return this.valueOf(cellAt(row, table, column), column, onFault);
    if (join === undefined) return typeof value === 'string' ? this.valueOf(value, null, onFault) : (value ?? null);
    const cells = join.columns.map((name) => cellAt(row, table, name));
    const error = cells.findIndex((cell) => kindOf(cell) === 'error');
    if (error !== -1) return this.valueOf(cells[error], join.columns[error] ?? null, onFault);
    const texts = cells.map((cell) => trimmed(textOf(cell))).filter((text) => text !== '');
    return this.valueOf(texts.join(join.with ?? ' '), join.columns.join(' + '), onFault);
  }

  valueOf(cell: Cell | undefined, column: string | null, onFault: OnFault): unknown {
    const raw = textOf(cell);
    const fail = (expected: string): typeof faulty => {
      onFault(column, expected, kindOf(cell) === 'date' ? `the date ${raw}` : quoted(raw));
      return faulty;
    };
    if (kindOf(cell) === 'error') return fail('a value');
    const given = this.#spaced(raw);
    const present = given === '' || this.#nulls.has(given) ? this.#rule.if_empty : given;
    return present === undefined ? null : this.#finish(present, cell, fail);
  }

  #finish(given: string, cell: Cell | undefined, fail: (expected: string) => typeof faulty): unknown {
    const { extract, otherwise, replace = [] } = this.#rule;
    let text: string | null | undefined = given;
    if (this.#extract !== null) {
      const match = this.#extract.exec(text);
      text = match?.slice(1).find((group) => group !== undefined) ?? match?.[0];
      if (text === undefined && otherwise === undefined) return fail(`text that matches ${extract}`);
    }
    if (text !== undefined) {
      if (this.#remove !== null) text = this.#spaced(text.replace(this.#remove, ''));
      if (replace.length > 0)
        text = this.#spaced(replace.reduce((replaced, [from, to]) => replaced.replaceAll(from, () => to), text));
      if (this.#lookup !== null) {
        text = this.#lookup.find(text);
        if (text === undefined && otherwise === undefined) return fail(this.#lookup.expected);
      }
    }
    if (text === undefined) text = otherwise ?? null;
    if (text === null || text === '') return null;
    const converted = this.#convert(cased(text, this.#rule.case), cell);
    return 'value' in converted ? converted.value : fail(converted.expected);
  }

  #spaced(text: string): string {
    if (this.#rule.spaces === 'keep') return text;
    return this.#rule.spaces === 'collapse' ? collapsed(text) : trimmed(text);
  }

  #convert(text: string, cell: Cell | undefined): Converted {
    const { pad, zone, format, when_repeated } = this.#rule;
    if (this.#as === 'text') return { value: pad === undefined ? text : text.padStart(pad, '0') };
    // Patterns may take long for long texts.
    if (text.length > mostCharacters) return { expected: `text of at most ${mostCharacters} characters` };
    if (this.#as === 'date-time' && format === dayNumber && kindOf(cell) !== 'date') {
      const day = /^\d{1,7}(?:\.\d{1,15})?$/.test(text) ? dateCell(Number(text), false) : '';
      return kindOf(day) === 'date'
        ? this.#convert(textOf(day), day)
        : { expected: 'the number of a day, as spreadsheets count' };
    }
    const isDate = kindOf(cell) === 'date';
    if (this.#as === 'date-time') {
      const key = isDate ? `date ${text}` : text;
      const read = this.#times.get(key);
      if (read !== undefined) return read;
      const style = { zone: zone ?? null, format: format ?? null, whenRepeated: when_repeated ?? null };
      const time = (isDate ? workbookDateTime : dateTime)(text, style);
      const expected = 'value' in time ? expectedTime(String(time.value), this.#style.publishedAt) : null;
      const result = expected === null ? time : { expected };
      if (this.#times.size === mostTimes) this.#times.clear();
      this.#times.set(key, result);
      return result;
    }
    // A spreadsheet that took a code such as 3-12 for a date has lost it.
    const shown = shownAs[kindOf(cell)];
    if (shown !== undefined) return { expected: `${nouns[this.#as]}, not ${shown}` };
    if (this.#as === 'code') return code(text, pad ?? null);
    if (this.#as === 'phone') return phone(text);
    if (this.#as === 'category') return categoryOf(text);
    // Numbers of workbooks and JSON have no separators. Coordinates are not as large as thousands.
    const separator = kindOf(cell) === 'number' ? '.' : this.#style.decimal;
    if (separator === undefined && this.#as !== 'number' && /^\D*[1-9]\d{0,2}\.\d{3}(?!\d)/.test(text))
      return {
        expected: `${nouns[this.#as]} without three digits after a point, unless "decimal" says what it separates`,
      };
    const converted = this.#numeric(separator === ',' ? withDecimalPoint(text) : text, this.#as);
    if ('value' in converted || separator !== undefined || !/\d,\d{1,2}(?!\d)/.test(text)) return converted;
    return { expected: `${converted.expected}, or "decimal": "," in the recipe` };
  }

  #numeric(text: string, as: 'integer' | 'number' | 'price' | 'volume'): Converted {
    if (as === 'price') return price(text, this.#style.currency);
    return as === 'volume' ? volume(text, this.#rule.unit ?? 'ml') : { integer, number: decimal }[as](text);
  }
}

const nouns: Readonly<Record<Exclude<Conversion, 'text' | 'date-time'>, string>> = {
  code: 'a code',
  integer: 'a whole number',
  number: 'a number',
  price: 'a price',
  volume: 'a size',
  phone: 'a telephone number',
  category: 'a name',
};

const shownAs: Readonly<Record<string, string>> = {
  date: 'a date',
  percentage: 'a percentage',
  currency: 'an amount in another currency',
};

const mostCharacters = 1000;

const mostTimes = 4096;

/** The format of times that a spreadsheet wrote as numbers: 46053 for 2026-01-31. */
export const dayNumber = 'spreadsheet';

export function cellAt(row: Row, { columns }: Table, name: string): Cell | undefined {
  const index = columns.indexOf(name);
  return index === undefined ? undefined : row.cells[index];
}

function cased(text: string, to: Rule['case']): string {
  if (to === 'title') return titleCase(text);
  return to === 'upper' ? text.toUpperCase() : to === 'lower' ? text.toLowerCase() : text;
}

type Entries = Readonly<Record<string, string | null>>;

export type Lookup = ReturnType<typeof lookupOf>;

/** A table of values that remembers which of its entries were used. */
function lookupOf(name: string, entries: Entries) {
  const values: ReadonlyMap<string, string | null> = new Map(Object.entries(entries));
  const keys = [...values.keys()];
  const used = new Set<string>();
  return {
    name,
    /** What is expected of a key. */
    expected: `one of ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`,
    /** The value of an entry, or undefined if there is none. */
    find(key: string): string | null | undefined {
      if (values.has(key)) used.add(key);
      return values.get(key);
    },
    unused: () => keys.filter((key) => !used.has(key)),
  };
}

export type Lookups = ReturnType<typeof lookupsOf>;

/** The lookups of a recipe: those of its `lookups` by name, and those that a rule has of its own. */
export function lookupsOf({ lookups = {} }: Recipe) {
  const named = new Map(Object.entries(lookups).map(([name, entries]) => [name, lookupOf(`lookups.${name}`, entries)]));
  const all = [...named.values()];
  return {
    all: all as readonly Lookup[],
    /** The lookup of a rule at `place` in the recipe. Undefined if the recipe names one that it does not have. */
    of(place: string, lookup: string | Entries | undefined): Lookup | null | undefined {
      if (lookup === undefined) return null;
      if (typeof lookup === 'string') return named.get(lookup);
      const own = lookupOf(`${place}.lookup`, lookup);
      all.push(own);
      return own;
    },
  };
}
