import * as z from 'zod';
import { jsonStart, printable, shortened } from '../text.ts';

/** `field` is the path of the wrong part, such as `rows[3][1]` or `brands[2].slug`; null for the whole value. */
export type ValueFault = { readonly field: string | null; readonly expected: string; readonly got: string };

/** Compiling a schema takes as long as about this many checks without it. */
const worthCompiling = 100;

/** Counts the uses of each schema, and keeps its compiled code. */
const uses = new WeakMap<z.ZodType, { count: number; compiled: z.ZodType | null }>();

/** Like zod's `safeParse`, but compiles a schema that is used often. */
export function parsedValue<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  return (compiledOf(schema) ?? schema).safeParse(value);
}

/** The first faults of a value; empty if it matches its schema. */
export function firstFaults(schema: z.ZodType, value: unknown): ValueFault[] {
  return compiledOf(schema)?.validate(value) ? [] : explainIssues(firstIssues(schema, value), value);
}

/**
 * Counts a use of a schema. One that is used often is compiled to code by zod, which is several times as fast; a value
 * that the code does not accept is judged by the schema itself. Null for a schema that is not compiled yet.
 */
function compiledOf<Schema extends z.ZodType>(schema: Schema): Schema | null {
  const use = uses.get(schema) ?? { count: 0, compiled: null };
  uses.set(schema, use);
  use.count += 1;
  if (use.count === worthCompiling) use.compiled = z.compile(schema);
  // A compiled schema is a clone of the schema.
  return use.compiled as Schema | null;
}

type KnownValue<Value> = { readonly value: Value } | { readonly fault: ValueFault };

/**
 * Drops unknown fields. Documents and the files of a site may gain fields (contract.md 10), so a reader ignores those
 * that it does not know. Writers and `verify` use {@link firstFaults}, which refuses them.
 */
export function knownValue<Value>(schema: z.ZodType<Value>, value: unknown): KnownValue<Value> {
  let known = value;
  for (;;) {
    const issues = firstIssues(schema, known);
    // Returns the value itself, which keeps the order of its keys. No schema of a document changes values.
    if (issues.length === 0) return { value: known as Value };
    // Only if all faults found so far are unknown fields does the search continue to the end.
    const isOpen = issues.every((issue) => unknownFields(issue) !== null);
    const all = isOpen ? (schema.safeParse(known).error?.issues ?? []) : issues;
    const found = all.map((issue) => ({ issue, unknown: unknownFields(issue) }));
    const [fault] = explainIssues(
      found.flatMap(({ issue, unknown }) => (unknown === null ? [issue] : [])),
      known,
    );
    if (fault) return { fault };
    if (known === value) known = structuredClone(value);
    for (const { unknown } of found) for (const fields of unknown ?? []) removeFields(known, fields);
  }
}

/** Stops at the first element or field that does not match. The issues of a list of a million would take gigabytes. */
const atFirstFault: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

function firstIssues(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  return schema.safeParse(value, atFirstFault).error?.issues ?? [];
}

type Fields = { readonly path: readonly PropertyKey[]; readonly keys: readonly string[] };

/** The unknown fields that an issue is about; null if it is about anything else. */
function unknownFields(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly Fields[] | null {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return [{ path, keys: issue.keys }];
  if (issue.code !== 'invalid_union') return null;
  for (const alternative of issue.errors) {
    const fields = alternative.map((inner) => unknownFields(inner, path));
    if (fields.length > 0 && !fields.includes(null)) return fields.flatMap((some) => some ?? []);
  }
  return null;
}

function removeFields(value: unknown, { path, keys }: Fields): void {
  const holder = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  for (const key of keys) delete (holder as Record<string, unknown>)[key];
}

export const mostFaultsOfValue = 100;

/**
 * The faults that zod found in a value, one for each field. `knownKey` says what is expected in place of an unknown
 * key. A union counts as the alternative that the value most likely means.
 */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  knownKey = 'a known key',
): ValueFault[] {
  const faults = new Map<string | null, ValueFault>();
  for (const issue of issues.flatMap((one) => innermost(one))) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [null];
    for (const key of keys) {
      const path = key === null ? issue.path : [...issue.path, key];
      const field = pathText(path);
      if (faults.has(field)) continue;
      if (faults.size === mostFaultsOfValue) return [...faults.values()];
      const expected = expectedText(issue, knownKey);
      faults.set(field, { field, expected, got: key === null ? gotText(issue, value) : shown(key) });
    }
  }
  return [...faults.values()];
}

/** A fault as one text: `sku: expected a SKU of six digits, got 12`. */
export function faultText({ field, expected, got }: ValueFault): string {
  return `${field === null ? '' : `${field}: `}expected ${expected}, got ${got}`;
}

const shownCharacters = 80;

/** A value as JSON on one line, safe for a terminal, cut at 80 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return cut(typeof value === 'number' ? String(value) : jsonStart(value, shownCharacters));
}

/** Makes a text safe for a terminal, and cuts it at 80 characters. */
export function cut(text: string): string {
  // A copy, because a slice of a long text would keep all of it in memory.
  return printable(shortened(text, shownCharacters)).split('').join('');
}

/** If the issue is that of a union, the issues of the alternative that matches the value's type and has the fewest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [best] = issue.errors.filter(isOfType).sort((a, b) => a.length - b.length);
  if (best === undefined || best.length === 0) return [issue];
  return best.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfType(alternative: readonly z.core.$ZodIssue[]): boolean {
  return !alternative.some(
    ({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'),
  );
}

function pathText(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

/**
 * What came instead of the expected value. The issue of a rule across fields may say it, because the value of a single
 * field does not show it.
 */
function gotText(issue: z.core.$ZodIssue, value: unknown): string {
  const stated = issue.code === 'custom' ? issue.params?.got : undefined;
  if (typeof stated === 'string') return stated;
  return shown(issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], value));
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Our messages begin in lower case and say what is expected. zod's begin with a capital and are replaced. */
function expectedText(issue: z.core.$ZodIssue, knownKey: string): string {
  if (!/^[A-Z]/.test(issue.message)) return issue.message.replace(/^expected /, '');
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return valuesText(issue.values);
    case 'invalid_union': {
      const alternatives = issue.errors.flatMap(([first]) => (first ? [expectedText(first, knownKey)] : []));
      return [...new Set(alternatives)].join(' or ') || valuesText(('options' in issue && issue.options) || []);
    }
    case 'invalid_format':
      return `text ${issue.format === 'regex' ? `that matches ${issue.pattern}` : `in the format ${issue.format}`}`;
    case 'too_small':
      return sizeText(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return sizeText(issue.origin, 'at most', issue.maximum);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return knownKey;
    default:
      return 'a valid value';
  }
}

function sizeText(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'array') return `${bound} ${limit} entries`;
  return origin === 'string' ? `text of ${bound} ${limit} characters` : `a number of ${bound} ${limit}`;
}

function valuesText(values: readonly z.core.util.Primitive[]): string {
  if (values.length === 0) return 'a valid value';
  return values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.map(String).join(', ')}`;
}
