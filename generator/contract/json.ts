import type * as z from 'zod';

/** A value of which a reader knows every field, or the first fault in it. */
export type KnownValue<Value> = { readonly value: Value } | { readonly issue: z.core.$ZodIssue };

/**
 * A value as a reader takes it, without the fields that its schema does not have. Documents and the files of a site may
 * gain fields (contract.md 10), so a reader ignores what it does not know. Who writes or verifies checks with the strict
 * schema itself.
 */
export function knownValue<Value>(schema: z.ZodType<Value>, value: unknown): KnownValue<Value> {
  let known = value;
  for (;;) {
    const issues = firstIssues(schema, known);
    // The value itself keeps the order of its keys: no schema of a document changes values.
    if (issues.length === 0) return { value: known as Value };
    // Only unknown fields are looked for to the end.
    const isOpen = issues.every((issue) => unknownFields(issue) !== null);
    const all = isOpen ? (schema.safeParse(known).error?.issues ?? []) : issues;
    const found = all.map((issue) => ({ issue, unknown: unknownFields(issue) }));
    const fault = found.find(({ unknown }) => unknown === null);
    if (fault) return { issue: fault.issue };
    if (known === value) known = structuredClone(value);
    for (const { unknown } of found) for (const fields of unknown ?? []) removeFields(known, fields);
  }
}

/** Stops at the first element or field that does not match. A list of a million faults would take gigabytes of them. */
const atFirstFault: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** The first places where a value does not match its schema; none when it matches. */
export function firstIssues(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  return schema.safeParse(value, atFirstFault).error?.issues ?? [];
}

type Fields = { readonly path: readonly PropertyKey[]; readonly keys: readonly string[] };

/** The unknown fields that an issue is about; null when it is about anything else. */
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

/** The JSON of an object without its braces, to put between the members of another. */
export function jsonMembers(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Parses a text as JSON. Returns null for text that is not JSON, which the caller's schema then refuses. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A container that is being written: what closes it, and what of it is still to come. */
type Open = { readonly close: string; readonly members: Iterator<readonly [prefix: string, value: unknown]> };

/**
 * The beginning of a value's JSON text: all of it where that is not much longer than `length`, else at least so many
 * characters. It neither walks nor copies more than that, however large or deep the value is.
 */
export function jsonStart(value: unknown, length: number): string {
  const written: string[] = [];
  const open: Open[] = [];
  let total = 0;
  const write = (text: string) => {
    written.push(text);
    total += text.length;
  };
  const begin = (inner: unknown) => {
    if (typeof inner === 'string') write(JSON.stringify(inner.slice(0, length - total + 1)));
    else if (typeof inner !== 'object' || inner === null) write(JSON.stringify(inner));
    else {
      const isArray = Array.isArray(inner);
      write(isArray ? '[' : '{');
      open.push({ close: isArray ? ']' : '}', members: isArray ? itemsOf(inner) : fieldsOf(inner, length) });
    }
  };
  begin(value);
  for (let last = open.at(-1); last !== undefined && total <= length; last = open.at(-1)) {
    const next = last.members.next();
    if (next.done) {
      write(last.close);
      open.pop();
    } else {
      const [prefix, member] = next.value;
      write(prefix);
      begin(member);
    }
  }
  return written.join('');
}

function* itemsOf(items: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const [index, item] of items.entries()) yield [index === 0 ? '' : ',', item];
}

function* fieldsOf(value: object, length: number): Generator<readonly [string, unknown]> {
  let separator = '';
  for (const [field, member] of Object.entries(value)) {
    yield [`${separator}${JSON.stringify(field.slice(0, length + 1))}:`, member];
    separator = ',';
  }
}

/** Levels of nested arrays and objects in JSON. Documents have a dozen. */
export const jsonLevels = 64;

const [quote, backslash, openBracket, openBrace, closeBracket, closeBrace] = [...'"\\[{]}'].map((character) =>
  character.charCodeAt(0),
);

/** Of what is no JSON it may say either. */
export function isShallow(bytes: Uint8Array): boolean {
  let levels = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBracket || byte === openBrace) {
      levels += 1;
      if (levels > jsonLevels) return false;
    } else if (byte === closeBracket || byte === closeBrace) levels -= 1;
  }
  return true;
}

/** Whether a value of JSON is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
