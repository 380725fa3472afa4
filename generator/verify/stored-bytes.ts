import { hash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, type ZlibOptions } from 'node:zlib';
import { addresses } from '../contract/addresses.ts';
import type { Metadata } from '../contract/documents/metadata.ts';
import type { Pointer, Route, Variant } from '../contract/formats/site.ts';
import { type MirrorHolding, mirrorFile } from '../contract/formats/site-records.ts';
import { checkoutFolder, checkoutPath, pathOf, pointerFile, staysForReaders } from '../contract/paths.ts';
import { Failure } from '../failure.ts';
import { type ObjectLedger, type SiteFiles, UnreadableFile } from '../site/checked-files.ts';
import { parseJson, schemaProblems } from '../site/checked-json.ts';
import { CheckedTable } from '../site/checked-table.ts';
import { type FaultList, shown } from '../site/fault.ts';
import { holdingOf, parseMirrorRecord, selectRoutes } from '../site/mirror-holding.ts';
import { checkCheckout, checkSiteLink } from './checkout.ts';
import { type CheckContext, checkAnswer, type SiteUnderCheck } from './documents.ts';
import { checkPointed } from './publications.ts';

/** The result of a decompressor with `info`: its output, and the number of input bytes it used. */
type Decompressed = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

const decompress = { gzip: gunzipSync, br: brotliDecompressSync } as const;

/** Checks that the variants of routes match their routes, and that they decompress to the bytes of the answer. */
export class VariantCheck {
  readonly #ledger: ObjectLedger;
  readonly #faults: FaultList;
  /** Pairs of variant and answer that were found sound. Several addresses of one document share its variants. */
  readonly #sound = new Set<string>();

  constructor(ledger: ObjectLedger, faults: FaultList) {
    this.#ledger = ledger;
    this.#faults = faults;
  }

  check(route: Route): void {
    const { path, variants } = route;
    if (!variants) return;
    if (route.encoding !== null) {
      this.#faults.add('route_variant', path, 'no variants of what is compressed already', encodingsOf(variants));
    }
    for (const [index, variant] of variants.entries()) {
      const smaller = variants[index - 1];
      if (smaller && smaller.size > variant.size) {
        this.#faults.add('route_variant', path, 'variants smallest first', encodingsOf(variants));
      }
      if (variants.findIndex(({ encoding }) => encoding === variant.encoding) < index) {
        this.#faults.add('route_variant', path, 'a variant of each encoding', encodingsOf(variants));
      }
      this.#checkObject(route, variant);
    }
  }

  #checkObject({ path, sha256 }: Route, variant: Variant): void {
    const { encoding, size, etag } = variant;
    const object = this.#ledger.check(variant.sha256, `the ${encoding} variant of ${path}`);
    if (object === null) return;
    if (size !== object.size) {
      this.#faults.add('route_size', path, `${encoding} of ${object.size} bytes, as its object has`, String(size));
    }
    const expected = `"${object.md5}"`;
    if (etag !== expected) {
      this.#faults.add('route_etag', path, `${encoding} with ETag ${expected}, the MD5 of its bytes`, etag);
    }
    const pair = `${encoding} ${variant.sha256} ${sha256}`;
    if (this.#sound.has(pair)) return;
    const problem = this.#contentProblem(variant, path, sha256);
    if (problem === null) this.#sound.add(pair);
    else this.#faults.add('route_variant', path, `the answer in ${encoding}, SHA-256 ${sha256}`, problem);
  }

  /** The problem of the content; null when it is sound. The hash of the answer is enough, so its bytes are not read. */
  #contentProblem({ encoding, sha256 }: Variant, path: string, expected: string): string | null {
    const bytes = this.#ledger.read(sha256, path);
    if (bytes === null) return null;
    try {
      const options: ZlibOptions & { info: true } = { info: true };
      const { buffer, engine } = decompress[encoding](bytes, options) as unknown as Decompressed;
      if (engine.bytesWritten !== bytes.length) return `${bytes.length - engine.bytesWritten} bytes after its end`;
      const actual = hash('sha256', buffer);
      return actual === expected ? null : `${buffer.length} bytes with SHA-256 ${actual}`;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      return error.message;
    }
  }
}

function encodingsOf(variants: readonly Variant[]): string {
  return shown(variants.map(({ encoding, size }) => `${encoding} ${size}`));
}

type Kept = Pointer['publications'][number];

/**
 * Checks a superseded publication that is kept for readers under way: its routes and the bytes that they name. Its
 * documents could be checked when they were current, and their hashes show that they have not changed since.
 */
export function checkKept(context: CheckContext, publication: Kept, table: CheckedTable): void {
  const { revision, sequence } = publication;
  checkBytes(context, [...table.routes.values()], ` of revision ${revision}`, (done, of) =>
    context.progress(`checking publication ${sequence}`, done, of),
  );
  checkOwnIdentity(context, publication, table);
}

/** Checks the objects of routes, and their variants. `owner` follows a path in messages. */
function checkBytes(
  context: CheckContext,
  routes: readonly Route[],
  owner = '',
  progress: (done: number, of: number) => void = () => {},
): void {
  const variants = new VariantCheck(context.ledger, context.faults);
  for (const [done, route] of routes.entries()) {
    if (done % 100 === 0) progress(done, routes.length);
    checkAnswer(context, route, `${route.path}${owner}`);
    variants.check(route);
  }
}

/**
 * Checks that a reader who began with a kept publication can go on in the current one (contract.md 11): each address of
 * the kept one must have an answer. When the current publication carries a route only for that reader, its bytes must
 * be the same.
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
function checkOwnIdentity({ ledger, faults }: CheckContext, publication: Kept, table: CheckedTable): void {
  const route = table.routes.get(pathOf('metadata'));
  const bytes = route && ledger.read(route.sha256, route.path);
  const parsed = bytes && parseJson(bytes);
  if (!parsed || 'problem' in parsed || schemaProblems(addresses.metadata.schema, parsed.value).length > 0) return;
  checkPointed(faults, (parsed.value as { data: Metadata }).data.publication, publication);
}

/** The record of a partial mirror about what it holds; null for a whole mirror and for a site that is no mirror. */
export type PartialHolding = MirrorHolding & { readonly only: readonly string[] };

export function readPartialHolding({ files, faults }: CheckContext): PartialHolding | null {
  try {
    const record = parseMirrorRecord(files.read(mirrorFile).bytes);
    const holding = holdingOf(record, files.read(pointerFile).bytes);
    return holding?.only ? { ...holding, only: holding.only } : null;
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    if (!(error instanceof Failure || error instanceof UnreadableFile)) throw error;
    faults.add('mirror_unreadable', mirrorFile, 'what a mirror says of itself', error.message);
    return null;
  }
}

/**
 * Checks what a partial mirror holds: the whole route table, and the objects, variants and files of the selected
 * routes. Does not follow addresses in documents, because their answers may be elsewhere. Returns the number of these routes.
 */
export function checkPartial(site: SiteUnderCheck, { only }: PartialHolding): number {
  const { faults, files, pointer, table } = site;
  const routes = [...table.routes.values()];
  const held = selectRoutes(routes, only);
  checkBytes(site, held);
  // A mirror that held more before may have more files of this publication. They need not be there, but those that are
  // must be right.
  const folder = checkoutFolder(pointer.revision);
  const more = routes.filter((route) => isThere(files, folder, route));
  const present = new Map([...held, ...more].map((route) => [route.path, route]));
  checkCheckout(site, pointer.revision, new CheckedTable(present, 0, new Set(table.isComplete ? [] : [0])));
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
