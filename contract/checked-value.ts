import * as z from 'zod';

/** A schema is compiled when it was used so often: compiling takes as long as about so many checks without it. */
const worthCompiling = 100;

/** How often each schema was used, and its code once it is compiled. */
const uses = new WeakMap<z.ZodType, { count: number; compiled: z.ZodType | null }>();

/**
 * The first places where a value does not match its schema; none when it matches. A schema that is used often is compiled to code by zod,
 * which is several times as fast; a value that the code does not accept is judged by the schema itself.
 */
export function issuesOf(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  if (compiledOf(schema)?.validate(value)) return [];
  return firstIssues(schema, value);
}

/** Null for a schema that is not compiled yet. */
function compiledOf(schema: z.ZodType): z.ZodType | null {
  const use = uses.get(schema) ?? { count: 0, compiled: null };
  uses.set(schema, use);
  use.count += 1;
  if (use.count === worthCompiling) use.compiled = z.compile(schema);
  return use.compiled;
}

/** A value of which a reader knows every field, or the first fault in it. */
type KnownValue<Value> = { readonly value: Value } | { readonly issue: z.core.$ZodIssue };

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
function firstIssues(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
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
