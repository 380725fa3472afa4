import { hash } from 'node:crypto';
import type * as z from 'zod';
import { checkValue, withoutRows } from '../contract/checked-value.ts';
import type { Warning } from '../contract/documents/envelope.ts';
import { type ExportHeader, exportHeader } from '../contract/formats/export.ts';
import { pageSize } from '../contract/formats/page-index.ts';
import { type Addresser, pathOf } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import type { Document } from '../resources/document.ts';
import { PiecewiseGzip } from './compression.ts';

/**
 * Checks a document against the schema of its address. Throws a Failure that names path and field. `rows` were checked
 * when they were made, so the rest is checked without them.
 */
export function checkDocument({ path, value, rows }: Document, schema: z.ZodType | null): void {
  if (!schema) throw new Error(`no JSON resource at ${path}`);
  checkValue(rows ? withoutRows(schema, rows.key) : schema, () => path, value);
}

/**
 * The bytes of a document. `rows` are already JSON. The next document is encoded into the same memory: a document is stored
 * at once, and a copy of each would make much garbage.
 */
export function encodeDocument({ value, rows }: Document): Uint8Array {
  const json = JSON.stringify(value);
  return bytesOf(rows ? `${spliced(json, rows)}\n` : `${json}\n`);
}

/** Where texts become bytes. It grows to the size of the largest document. */
let scratch = new Uint8Array(1 << 18);
const encoder = new TextEncoder();

/** UTF-8. Twice as fast as `Buffer.from`, which first counts the bytes. */
function bytesOf(text: string): Uint8Array {
  const most = text.length * 3;
  if (most > scratch.length) scratch = new Uint8Array(most);
  const { written } = encoder.encodeInto(text, scratch);
  return scratch.subarray(0, written);
}

/**
 * Puts the rows into the empty list of their key. Every quote within a JSON string is escaped, so the quoted key
 * matches nothing but a key. V8 joins added texts once, when they become bytes.
 */
function spliced(json: string, { key, json: rows }: NonNullable<Document['rows']>): string {
  const list = `"${key}":[`;
  const at = json.indexOf(`${list}]`);
  if (at < 0) throw new Error(`no empty list ${key} to put rows into`);
  const inside = at + list.length;
  let text = json.slice(0, inside);
  let separator = '';
  for (const row of rows) {
    text += separator + row;
    separator = ',';
  }
  return text + json.slice(inside);
}

/** A list by name: its kind of address, and its rows. */
export type NameList = {
  readonly kind: 'products' | 'families' | 'brands' | 'stores';
  readonly rows: readonly object[];
  readonly warnings: readonly Warning[];
};

/**
 * Splits a list into pages of 100 rows. The address of a page contains a digest of its content, which includes the link
 * to the next page. So a changed row changes the addresses of its page and of those before it. A client that follows an
 * older chain stays on it and never gets a row twice.
 */
export function* nameListDocuments(list: NameList, address: Addresser): Generator<Document> {
  const count = Math.max(1, Math.ceil(list.rows.length / pageSize));
  let next: string | null = null;
  for (let page = count - 1; page >= 0; page -= 1) {
    const data = list.rows.slice(page * pageSize, (page + 1) * pageSize);
    const meta = {
      page: { has_more: next !== null, next_cursor: null, cursor_expires_at: null },
      warnings: list.warnings,
    };
    const digest = hash('sha256', JSON.stringify([data, meta, next])).slice(0, 16);
    const path: string = page === 0 ? pathOf(list.kind) : pathOf(`${list.kind}_page`, { digest });
    yield {
      path,
      cache: page === 0 ? 'revalidate' : 'immutable',
      since: null,
      value: { data, meta, links: { self: address(path), next } },
    };
    next = address(path);
  }
}

/**
 * An export file: gzip NDJSON of a header and of records that are already checked JSON. The bytes depend only on the
 * header and the records, not on the machine or the version of Node. Throws a Failure when the number of records
 * differs from that in the header.
 */
export function encodeExport(path: string, header: ExportHeader, lines: Iterable<string>): Uint8Array {
  const { record_count } = header.header;
  const gzip = new PiecewiseGzip();
  checkValue(exportHeader, () => path, header);
  gzip.write(`${JSON.stringify(header)}\n`);
  let count = 0;
  for (const line of lines) {
    count += 1;
    gzip.write(`${line}\n`);
  }
  if (count !== record_count) {
    throw new Failure(`${path}: expected ${record_count} records as counted when published, got ${count}`);
  }
  return gzip.end();
}
