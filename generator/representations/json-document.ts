import type * as z from 'zod';
import { checkValue } from '../contract/check.ts';
import { isFileKind } from '../contract/file-resource.ts';
import { parsePath } from '../contract/paths.ts';
import { resources } from '../contract/resources.ts';
import type { Document } from '../resources/document.ts';

/**
 * The bytes of a document, checked against the schema of its address. Throws a Failure that names path and field.
 * Rows that are JSON already were checked where they were made; the rest is checked with none of them in it.
 */
export function encodeDocument({ path, value, rows }: Document): Uint8Array {
  checkValue(schemaOf(path), () => path, value);
  const json = JSON.stringify(value);
  return Buffer.from(rows ? `${spliced(json, rows)}\n` : `${json}\n`);
}

/** Within a JSON string every quote is escaped, so a key with its quotes is found where it is a key. */
function spliced(json: string, { key, json: rows }: NonNullable<Document['rows']>): string {
  const list = `"${key}":[`;
  const at = json.indexOf(`${list}]`);
  if (at < 0) throw new Error(`no empty list ${key} to put rows into`);
  const inside = at + list.length;
  return `${json.slice(0, inside)}${rows.join(',')}${json.slice(inside)}`;
}

function schemaOf(path: string): z.ZodType {
  const kind = parsePath(path)?.kind;
  if (kind === undefined || isFileKind(kind)) throw new Error(`no JSON resource at ${path}`);
  return resources[kind].schema;
}
