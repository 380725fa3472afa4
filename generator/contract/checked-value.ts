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

const frames = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema of documents whose rows were checked apart, so that their list of a key, in the document or in its `data`, is
 * empty. The schema of the rows would be by far the largest part of what is compiled.
 */
export function withoutRows(schema: z.ZodType, key: string): z.ZodType {
  const known = frames.get(schema);
  if (known) return known;
  const frame = frameOf(schema, key);
  frames.set(schema, frame);
  return frame;
}

function frameOf(schema: z.ZodType, key: string): z.ZodType {
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => withoutRows(option as z.ZodType, key)));
  if (!(schema instanceof z.ZodObject)) throw new Error(`no object with a list ${key}`);
  const { shape } = schema;
  return schema.extend(key in shape ? { [key]: z.array(z.never()) } : { data: withoutRows(shape.data, key) });
}
