import * as z from 'zod';
import { Failure } from '../failure.ts';

/** A schema is compiled when it was used so often: compiling takes as long as some hundred checks. */
const worthCompiling = 500;

type Used = { count: number; compiled: z.ZodType | null };

const used = new WeakMap<z.ZodType, Used>();

/**
 * Throws a Failure that names the document, the field and the fault if the value does not match. Calls `where` only
 * then. A schema that is used often is compiled to code by zod, which is several times as fast; a value that the code
 * does not accept is judged by the schema itself.
 */
export function checkValue(schema: z.ZodType, where: () => string, value: unknown): void {
  if (compiledOf(schema)?.validate(value)) return;
  const result = schema.safeParse(value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the document';
  throw new Failure(`${where()}: ${field}: ${issue?.message ?? 'does not match its schema'}`);
}

/** Compiles a schema that will be used often, before its first use. */
export function compileCheck(schema: z.ZodType): void {
  usesOf(schema).compiled ??= z.compile(schema);
}

/** Null for a schema that is not compiled yet. */
function compiledOf(schema: z.ZodType): z.ZodType | null {
  const own = usesOf(schema);
  if (own.compiled !== null) return own.compiled;
  own.count += 1;
  if (own.count === worthCompiling) own.compiled = z.compile(schema);
  return own.compiled;
}

function usesOf(schema: z.ZodType): Used {
  let own = used.get(schema);
  if (own === undefined) {
    own = { count: 0, compiled: null };
    used.set(schema, own);
  }
  return own;
}
