import type { CodeKind, Profile } from '../../../contract/profile.ts';
import type { Faults } from '../../files/faults.ts';
import type { Conversion, FileRule, Recipe, Rule } from '../recipe/recipe.ts';
import type { Table } from '../tables/table.ts';
import { type Cell, cellKind, cellText, codeText, collapsed, quoted, type Row, trimmed } from '../tables/table.ts';
import { dateCell } from '../tables/workbook-rows.ts';
import {
  type Converted,
  code,
  dateTime,
  decimal,
  expectedTime,
  integer,
  isVolumeUnit,
  multiplied,
  percent,
  phone,
  price,
  proof,
  titleCase,
  volume,
  withDecimalPoint,
  workbookDateTime,
} from './conversions.ts';
import { isMisreadUtf8, meansNothing, withoutEntities } from './doubtful-texts.ts';
import { categoryId, nameCode } from './name-ids.ts';
import { compilePattern, timely } from './patterns.ts';

/** `column` is null for a constant. */
export type OnFault = (column: string | null, expected: string, got: string) => void;

/** The value of a faulty field whose fault was reported. */
export const faulty: unique symbol = Symbol('faulty');

/** How to read the texts of a file. `publishedAt`: null if unknown; few times are later. */
export type TextStyle = Pick<FileRule, 'decimal' | 'nothing' | 'entities' | 'encoding'> & {
  readonly profile: Profile;
  readonly codeKind: CodeKind | null;
  readonly publishedAt: string | null;
  /** The names that codes were made from in this import, by code. */
  readonly nameCodes: Map<string, string>;
  /** Doubts about values that are kept. */
  readonly notices: Faults;
};

export type FieldReader = ReturnType<typeof fieldReader>;

/** Reads a field of a row by its rule. `usual`: the conversion if the rule names none. */
export function fieldReader(rule: Rule, usual: Conversion, lookup: Lookup | null, style: TextStyle) {
  const { column: single, join, otherwise, replace = [], pad, as: conversion = usual } = rule;
  const { profile, codeKind } = style;
  const own = codeKind === null ? null : { kind: codeKind, profile };
  const extract = rule.extract === undefined ? null : compilePattern(rule.extract);
  const remove = rule.remove === undefined ? null : compilePattern(rule.remove);
  const nulls = new Set(rule.null_when);
  /** People see the zeros of a code. Conversions of amounts need the number. */
  const textOf = isText(conversion) ? codeText : cellText;
  /** Caches times by text: reading one takes a hundred times as long as a number, and most rows share it. */
  const times = new Map<string, Converted>();

  function readCell(
    cell: Cell | undefined,
    column: string | null,
    onFault: OnFault,
    onNotice: OnFault | null = null,
  ): unknown {
    const raw = textOf(cell);
    const got = () => (cellKind(cell) === 'date' ? `the date ${raw}` : quoted(raw));
    const fail = (expected: string): typeof faulty => {
      onFault(column, expected, got());
      return faulty;
    };
    if (cellKind(cell) === 'error') return fail('a value');
    const notice = (expected: string) => onNotice?.(column, expected, got());
    const given = spaced(style.entities === 'decode' ? withoutEntities(raw) : raw);
    if (column !== null && !nulls.has(given)) noteDoubts(given, notice);
    const present = given === '' || nulls.has(given) || isNothing(given) ? rule.if_empty : given;
    return present === undefined ? null : timely(fail, () => finish(present, cell, fail, notice));
  }

  function isNothing(given: string): boolean {
    const { nothing } = style;
    return nothing === 'empty'
      ? meansNothing(given)
      : nothing !== undefined && nothing !== 'text' && nothing.includes(given);
  }

  /** Notices texts that are published as they are, though they probably mean something else. */
  function noteDoubts(given: string, notice: (expected: string) => void): void {
    // The conversion reports a faulty code itself.
    if (!isText(conversion) || conversion === 'code') return;
    if (style.nothing === undefined && meansNothing(given))
      notice('a value; "nothing": "empty" for the file reads such words as none, "text" as they are');
    if (style.entities === undefined && withoutEntities(given) !== given)
      notice('text without HTML; "entities": "decode" for the file reads the characters that it means');
    if (style.encoding === 'windows-1252' && isMisreadUtf8(given))
      notice('text in windows-1252; "encoding": "mixed" reads lines in UTF-8 as such');
  }

  function finish(
    given: string,
    cell: Cell | undefined,
    fail: (expected: string) => typeof faulty,
    notice: (expected: string) => void,
  ): unknown {
    let text: string | null | undefined = given;
    if (extract !== null) {
      text = extract.first(text);
      if (text === undefined && otherwise === undefined) return fail(`text that matches ${rule.extract}`);
    }
    if (text !== undefined) {
      if (remove !== null) text = spaced(remove.without(text));
      if (replace.length > 0) {
        text = replacedIn(text, replace);
        if (text === null) return fail(`text of at most ${mostReplaced} characters after "replace"`);
        text = spaced(text);
      }
      if (lookup !== null) {
        text = lookup.find(text);
        if (text === undefined && otherwise === undefined) return fail(lookup.expected);
      }
    }
    if (text === undefined) text = otherwise ?? null;
    if (text === null || text === '') return null;
    const converted = convert(cased(text, rule.case), cell);
    if ('expected' in converted) return fail(converted.expected);
    if (converted.noticed !== undefined) notice(converted.noticed);
    return converted.value;
  }

  function spaced(text: string): string {
    if (rule.spaces === 'keep') return text;
    return rule.spaces === 'collapse' ? collapsed(text) : trimmed(text);
  }

  function convert(text: string, cell: Cell | undefined): Converted {
    const { zone, format, when_repeated } = rule;
    if (conversion === 'text') return { value: pad === undefined ? text : text.padStart(pad, '0') };
    // Patterns can take long for long texts.
    if (text.length > mostCharacters) return { expected: `text of at most ${mostCharacters} characters` };
    if (conversion === 'date-time' && format === dayNumber && cellKind(cell) !== 'date') {
      const day = /^\d{1,7}(?:\.\d{1,15})?$/.test(text)
        ? dateCell(Number(text), typeof cell === 'object' && cell.isSince1904 === true)
        : '';
      return cellKind(day) === 'date'
        ? convert(cellText(day), day)
        : { expected: 'the number of a day, as spreadsheets count' };
    }
    const isDate = cellKind(cell) === 'date';
    if (conversion === 'date-time') {
      const key = isDate ? `date ${text}` : text;
      const known = times.get(key);
      if (known !== undefined) return known;
      const timeStyle = { zone: zone ?? null, format: format ?? null, whenRepeated: when_repeated ?? null };
      const time = (isDate ? workbookDateTime : dateTime)(text, timeStyle);
      const expected = 'value' in time ? expectedTime(String(time.value), style.publishedAt) : null;
      const result = expected === null ? time : { expected };
      if (times.size === mostTimes) times.clear();
      times.set(key, result);
      return result;
    }
    // Spreadsheets turn a code such as 3-12 into a date; the code is lost.
    const shown = shownAs[cellKind(cell)];
    if (conversion === 'percent' && cellKind(cell) === 'percentage') return percent(multiplied(text, 100) ?? text);
    if (shown !== undefined) return { expected: `${nouns[conversion]}, not ${shown}` };
    if (conversion === 'code') return code(text, pad ?? null, own);
    if (conversion === 'phone') return phone(text, profile.country);
    if (conversion === 'category') return categoryId(text);
    if (conversion === 'name-code') return nameCode(text, style.nameCodes);
    // Numbers in workbooks and JSON have no separators. Coordinates never reach thousands.
    const separator = cellKind(cell) === 'number' ? '.' : (rule.decimal ?? style.decimal);
    if (separator === undefined && !isDecimal(conversion) && /^\D*[1-9]\d{0,2}\.\d{3}(?!\d)/.test(text))
      return {
        expected: `${nouns[conversion]} without three digits after a point, unless "decimal" says what it separates`,
      };
    const pointed = separator === ',' ? withDecimalPoint(text) : text;
    const scaled = rule.times === undefined ? pointed : multiplied(pointed, rule.times);
    if (scaled === null) return { expected: `${nouns[conversion]} without a unit, because the recipe has "times"` };
    const unit = typeof cell === 'object' && conversion === 'volume' ? cell.unit : undefined;
    return numeric(unit !== undefined && isVolumeUnit(unit) ? `${scaled} ${unit}` : scaled, conversion);
  }

  function numeric(text: string, kind: 'integer' | 'number' | 'percent' | 'proof' | 'price' | 'volume'): Converted {
    if (kind === 'price') return price(text, profile.currency);
    return kind === 'volume'
      ? volume(text, rule.unit ?? 'ml')
      : { integer, number: decimal, percent, proof }[kind](text);
  }

  /** The value of the field in a row; null if there is none. */
  function read(row: Row, table: Table, onFault: OnFault): unknown {
    const { value } = rule;
    const onNotice = style.notices.in(table, row);
    if (single !== undefined) return readCell(cellAt(row, table, single), single, onFault, onNotice);
    if (join === undefined)
      return typeof value === 'string' ? readCell(value, null, onFault, onNotice) : (value ?? null);
    const cells = join.columns.map((name) => cellAt(row, table, name));
    const error = cells.findIndex((cell) => cellKind(cell) === 'error');
    if (error !== -1) return readCell(cells[error], join.columns[error] ?? null, onFault);
    const texts = cells.map((cell) => trimmed(textOf(cell))).filter((text) => text !== '');
    return readCell(texts.join(join.with ?? ' '), join.columns.join(' + '), onFault, onNotice);
  }

  const columns: readonly string[] = single === undefined ? (join?.columns ?? []) : [single];
  return { columns, read, readCell, rule };
}

function isText(conversion: Conversion): boolean {
  return ['text', 'code', 'phone', 'category', 'name-code'].includes(conversion);
}

/** Whether a number of this conversion may have three digits after a point. */
function isDecimal(conversion: Conversion): boolean {
  return conversion === 'number' || conversion === 'percent' || conversion === 'proof';
}

const nouns: Readonly<Record<Exclude<Conversion, 'text' | 'date-time'>, string>> = {
  code: 'a code',
  integer: 'a whole number',
  number: 'a number',
  percent: 'a number of percent',
  proof: 'a number of proof',
  price: 'a price',
  volume: 'a size',
  phone: 'a telephone number',
  category: 'a name',
  'name-code': 'a name',
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

export function cellAt(row: Row, { columns, joined }: Table, name: string): Cell | undefined {
  const other = joined?.get(name);
  if (other !== undefined) return other(row);
  const index = columns.indexOf(name);
  return index === undefined ? undefined : row.cells[index];
}

/** No text of a snapshot is nearly as long. */
const mostReplaced = 100_000;

/** The text with replacements; null if they would make a text that is far too long. */
function replacedIn(text: string, pairs: readonly (readonly [from: string, to: string])[]): string | null {
  let replaced = text;
  for (const [from, to] of pairs) {
    const pieces = replaced.split(from);
    const length = replaced.length + (pieces.length - 1) * (to.length - from.length);
    if (length > Math.max(mostReplaced, text.length)) return null;
    replaced = pieces.join(to);
  }
  return replaced;
}

function cased(text: string, to: Rule['case']): string {
  if (to === 'title') return titleCase(text);
  return to === 'upper' ? text.toUpperCase() : to === 'lower' ? text.toLowerCase() : text;
}

type Entries = Readonly<Record<string, string | null>>;

export type Lookup = ReturnType<typeof makeLookup>;

function makeLookup(name: string, entries: Entries) {
  const values: ReadonlyMap<string, string | null> = new Map(Object.entries(entries));
  const keys = [...values.keys()];
  const used = new Set<string>();
  return {
    name,
    expected: `one of ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`,
    /** The entry for a key; undefined if there is none. */
    find(key: string): string | null | undefined {
      if (values.has(key)) used.add(key);
      return values.get(key);
    },
    unused: () => keys.filter((key) => !used.has(key)),
  };
}

export type Lookups = ReturnType<typeof recipeLookups>;

/** Shared lookups of a recipe by name, and those inside rules. */
export function recipeLookups({ lookups = {} }: Recipe) {
  const named = new Map(
    Object.entries(lookups).map(([name, entries]) => [name, makeLookup(`lookups.${name}`, entries)]),
  );
  const all = [...named.values()];
  return {
    all: all as readonly Lookup[],
    /**
     * The lookup of the rule at `place`; null if the rule has none, and undefined if it names one that the recipe does
     * not have.
     */
    of(place: string, lookup: string | Entries | undefined): Lookup | null | undefined {
      if (lookup === undefined) return null;
      if (typeof lookup === 'string') return named.get(lookup);
      const own = makeLookup(`${place}.lookup`, lookup);
      all.push(own);
      return own;
    },
  };
}
