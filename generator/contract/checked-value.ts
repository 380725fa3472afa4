import * as z from 'zod';
import { Failure } from '../failure.ts';
import { firstIssues } from './known-value.ts';

/** A schema is compiled when it was used so often: compiling takes as long as about so many checks without it. */
const worthCompiling = 100;

type Used = { count: number; compiled: z.ZodType | null };

const used = new WeakMap<z.ZodType, Used>();

/**
 * The first places where a value does not match its schema; none when it matches. A schema that is used often is compiled to code by zod,
 * which is several times as fast; a value that the code does not accept is judged by the schema itself.
 */
export function issuesOf(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  if (compiledOf(schema)?.validate(value)) return [];
  return firstIssues(schema, value);
}

/**
 * Throws a Failure that names the document, the field and the fault if the value does not match. Calls `where` only
 * then.
 */
export function checkValue(schema: z.ZodType, where: () => string, value: unknown): void {
  const [issue] = issuesOf(schema, value);
  if (!issue) return;
  throw new Failure(`${where()}: ${issue.path.join('.') || 'the document'}: ${issue.message}`);
}

/** Null for a schema that is not compiled yet. */
function compiledOf(schema: z.ZodType): z.ZodType | null {
  const uses = usesOf(schema);
  if (uses.compiled !== null) return uses.compiled;
  uses.count += 1;
  if (uses.count === worthCompiling) uses.compiled = z.compile(schema);
  return uses.compiled;
}

function usesOf(schema: z.ZodType): Used {
  let uses = used.get(schema);
  if (uses === undefined) {
    uses = { count: 0, compiled: null };
    used.set(schema, uses);
  }
  return uses;
}
