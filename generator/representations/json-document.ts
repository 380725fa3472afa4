import type * as z from 'zod';
import { type PathKind, parsePath } from '../contract/paths.ts';
import { resources } from '../contract/resources.ts';
import { Failure } from '../failure.ts';

/** The bytes of a document, checked against the schema of its address. Throws a Failure that names path and field. */
export function encodeDocument(path: string, value: unknown): Uint8Array {
  checkValue(schemaOf(path), path, value);
  return encodeText(JSON.stringify(value));
}

/**
 * The bytes of a list whose rows are JSON already and were checked where they were made. The rest of the document is
 * checked with no rows in it.
 */
export function encodeList(path: string, rows: readonly string[], rest: { meta: object; links: object }): Uint8Array {
  checkValue(schemaOf(path), path, { data: [], ...rest });
  return encodeText(`{"data":[${rows.join(',')}],${JSON.stringify(rest).slice(1)}`);
}

function encodeText(json: string): Uint8Array {
  return Buffer.from(`${json}\n`);
}

function schemaOf(path: string): z.ZodType {
  const kind = parsePath(path)?.kind;
  if (kind === undefined || kind === 'export') throw new Error(`no JSON resource at ${path}`);
  return resources[kind satisfies Exclude<PathKind, 'export'>].schema;
}

/** Throws a Failure that names the document, the field and what is wrong with it. */
export function checkValue(schema: z.ZodType, where: string, value: unknown): void {
  const result = schema.safeParse(value);
  if (result.success) return;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the document';
  throw new Failure(`${where}: ${field}: ${issue?.message ?? 'does not match its schema'}`);
}
