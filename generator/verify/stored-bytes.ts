import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, type ZlibOptions } from 'node:zlib';
import { checkoutFolder, checkoutPath, formatPath, pointerFile } from '../../contract/paths.ts';
import { staysForReaders } from '../../contract/routes.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import { documents } from '../../contract/schemas/documents.ts';
import type { Metadata } from '../../contract/schemas/metadata.ts';
import {
  type MirrorHolding,
  mirrorFile,
  type Pointer,
  type Route,
  type Variant,
} from '../../contract/schemas/site-files.ts';
import { Failure } from '../files/failure.ts';
import { type ObjectLedger, type SiteFiles, type SoundObject, UnreadableFile } from '../site/checked-files.ts';
import { type CheckedTable, checkedTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import { findHolding, parseMirrorRecord, selectRoutes } from '../site/mirror-holding.ts';
import { parseJsonBytes, schemaFaults } from '../tables/checked-json.ts';
import { checkCheckout, checkSiteLink } from './checkout.ts';
import type { CheckContext } from './documents.ts';
import type { Known } from './known.ts';
import { checkPointed } from './publications.ts';

/** `known`: variants that an earlier verification unpacked. */
type BytesContext = CheckContext & { readonly known?: Known | undefined };

/**
 * Checks the bytes that routes name: hash, size and ETag of answers and their variants, and that variants decompress to
 * the bytes of the answer. `owner` follows a path in messages.
 */
export function checkBytes(context: BytesContext, stage: string, routes: readonly Route[], owner = ''): void {
  const { ledger, faults, progress, known } = context;
  // Several addresses of one document share its variants.
  const sound = new Set<string>();
  for (const [done, route] of routes.entries()) {
    if (done % 100 === 0) progress(stage, done, routes.length);
    const { path, variants = [] } = route;
    const object = ledger.check(route.sha256, `${path}${owner}`);
    if (object) checkValidators(faults, path, route, object);
    checkOrder(faults, route, variants);
    for (const variant of variants) {
      const { encoding } = variant;
      const compressed = ledger.check(variant.sha256, `the ${encoding} variant of ${path}${owner}`);
      if (!compressed) continue;
      checkValidators(faults, path, variant, compressed, `${encoding} with `);
      const pair = `${encoding} ${variant.sha256} ${route.sha256}`;
      if (sound.has(pair) || known?.isVariant(variant.sha256, route.sha256)) continue;
      const fault = variantFault(ledger, variant, path, route.sha256);
      if (fault === null) sound.add(pair);
      else faults.add('route_variant', path, `the answer in ${encoding}, SHA-256 ${route.sha256}`, fault);
    }
  }
}

/** Checks the size and ETag of a route or variant against its object. */
function checkValidators(
  faults: FaultList,
  path: string,
  { size, etag }: Pick<Variant, 'size' | 'etag'>,
  object: SoundObject,
  what = '',
): void {
  if (size !== object.size) {
    faults.add('route_size', path, `${what}size ${object.size}, as its object has`, String(size));
  }
  const expected = `"${object.md5}"`;
  if (etag !== expected) faults.add('route_etag', path, `${what}ETag ${expected}, the MD5 of its bytes`, etag);
}

/** Checks that only an uncompressed answer has variants, smallest first, and one of each encoding. */
function checkOrder(faults: FaultList, { path, encoding }: Route, variants: readonly Variant[]): void {
  const got = variants.map((variant) => `${variant.encoding} ${variant.size}`);
  const add = (expected: string) => faults.add('route_variant', path, expected, shown(got));
  if (encoding !== null && variants.length > 0) add('no variants of a compressed answer');
  if (variants.some(({ size }, i) => i > 0 && (variants[i - 1]?.size ?? 0) > size)) add('variants smallest first');
  if (new Set(variants.map((variant) => variant.encoding)).size < variants.length) add('one variant of each encoding');
}

const decompress = { gzip: gunzipSync, br: brotliDecompressSync } as const;

/** The result of a decompressor with `info`: its output, and the number of input bytes it used. */
type Decompressed = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

/** The fault of the content; null when it is sound. The hash of the answer is enough, so its bytes are not read. */
function variantFault(ledger: ObjectLedger, variant: Variant, path: string, answer: string): string | null {
  const bytes = ledger.read(variant.sha256, path);
  if (bytes === null) return null;
  try {
    const options: ZlibOptions & { info: true } = { info: true };
    const { buffer, engine } = decompress[variant.encoding](bytes, options) as unknown as Decompressed;
    if (engine.bytesWritten !== bytes.length) return `${bytes.length - engine.bytesWritten} bytes after its end`;
    const actual = hash('sha256', buffer);
    return actual === answer ? null : `${buffer.length} bytes with SHA-256 ${actual}`;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return error.message;
  }
}

type Kept = Pointer['publications'][number];

/**
 * Checks an earlier publication that is kept for readers under way: its routes and the bytes that they name. Its
 * documents could be checked when they were current, and their hashes show that they have not changed since.
 */
export function checkKept(context: BytesContext, publication: Kept, table: CheckedTable): void {
  const { revision, sequence } = publication;
  const stage = `checking publication ${sequence}`;
  checkBytes(context, stage, [...table.routes.values()], ` of revision ${revision}`);
  checkIdentity(context, publication, table);
}

/**
 * Checks that a reader who began with a kept publication can continue in the current one (contract.md 11): each address
 * of the kept one must have an answer. When the current publication carries a route only for that reader, its bytes
 * must be the same.
 */
export function checkReadersUnderWay(
  faults: FaultList,
  { revision, sequence }: Kept,
  kept: CheckedTable,
  current: CheckedTable,
): void {
  for (const { path, sha256, last_sequence } of kept.routes.values()) {
    if (last_sequence !== undefined || !staysForReaders(path)) continue;
    const route = current.find(path);
    if (route === 'unknown') continue;
    if (route === 'absent') {
      faults.add('route_missing', path, `an answer, as revision ${revision} is kept and has one`, 'no route');
    } else if (route.last_sequence === sequence && route.sha256 !== sha256) {
      faults.add('document_misplaced', path, `the bytes that it has in revision ${revision}`, 'other bytes');
    }
  }
}

/** Checks that routes which the current publication only carries belong to a kept publication. */
export function checkCarried(faults: FaultList, { publications }: Pointer, current: CheckedTable): void {
  const kept = new Set(publications.flatMap(({ routes, sequence }) => (routes === null ? [] : [sequence])));
  for (const { path, last_sequence } of current.routes.values()) {
    if (last_sequence === undefined || kept.has(last_sequence)) continue;
    faults.add(
      'route_unknown',
      path,
      'an address of the current publication or of a kept one',
      `last_sequence ${last_sequence}`,
    );
  }
}

/**
 * Compares the pointer's entry of a kept publication with that publication's own metadata. Documents of the current
 * publication may no longer name it.
 */
function checkIdentity({ ledger, faults }: CheckContext, publication: Kept, table: CheckedTable): void {
  const route = table.routes.get(formatPath('metadata'));
  const bytes = route && ledger.read(route.sha256, route.path);
  const parsed = bytes && parseJsonBytes(bytes);
  if (!parsed || 'fault' in parsed || schemaFaults(documents.metadata, parsed.value).length > 0) return;
  checkPointed(faults, (parsed.value as { data: Metadata }).data.publication, publication);
}

/** The record of a partial mirror about what it holds; null for a whole mirror and for a site that is not a mirror. */
export type PartialHolding = MirrorHolding & { readonly only: readonly string[] };

export function readPartialHolding({ files, faults }: CheckContext): PartialHolding | null {
  try {
    const record = parseMirrorRecord(files.read(mirrorFile).bytes);
    const holding = findHolding(record, files.read(pointerFile).bytes);
    return holding?.only ? { ...holding, only: holding.only } : null;
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    if (!(error instanceof Failure || error instanceof UnreadableFile)) throw error;
    faults.add('mirror_unreadable', mirrorFile, 'the record of a mirror', error.message);
    return null;
  }
}

/**
 * Checks what a partial mirror holds: the whole route table, and the objects, variants and files of the selected
 * routes. Does not follow addresses in documents, because their answers may be elsewhere. Returns the number of these
 * routes.
 */
export function checkPartial(
  context: CheckContext,
  pointer: Pointer,
  table: CheckedTable,
  { only }: PartialHolding,
): number {
  const { faults, files } = context;
  const routes = [...table.routes.values()];
  const held = selectRoutes(routes, only);
  checkBytes(context, 'checking objects', held);
  // A mirror that held more before may have more files of this publication. They need not be there, but those that are
  // must be right.
  const folder = checkoutFolder(pointer.revision);
  const more = routes.filter((route) => isThere(files, folder, route));
  const present = new Map([...held, ...more].map((route) => [route.path, route]));
  checkCheckout(context, pointer.revision, checkedTable(present, 0, new Set(table.isComplete ? [] : [0])));
  checkSiteLink(files, pointer.revision, faults);
  return held.length;
}

function isThere(files: SiteFiles, folder: string, { path }: Route): boolean {
  try {
    return files.stat(`${folder}/${checkoutPath(path)}`).isFile();
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}
