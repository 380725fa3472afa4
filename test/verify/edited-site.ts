import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { checkoutFolder, checkoutPath, objectPath, pointerFile } from '../../contract/paths.ts';
import type { ObjectReference, Pointer, Route, RouteTableRoot, Variant } from '../../contract/schemas/site-files.ts';
import { type Verification, verifySite } from '../../generator/assembly/verify-site.ts';
import { readProof } from '../../generator/verify/proof.ts';
import { isNight } from '../support/check-mode.ts';

type Table = { root: RouteTableRoot; shards: Route[][] };
// biome-ignore lint/suspicious/noExplicitAny: an edit may turn a document into anything.
type Json = any;

/** Where a test keeps the proof of the publication before that of a site, if it has one. */
export function proofBeside(site: string): string {
  return `${site}-proof.json`;
}

/**
 * A copy of a site in which tests plant faults. It is beside the site, and new for each test. `edit...` and
 * `replace` rewrite the whole chain of hashes up to the pointer, and the checkout, so that only the planted fault is
 * wrong.
 */
export class EditedSite {
  readonly folder: string;
  readonly #proof: string;

  /**
   * `isKnown`: whether the faults are those of two verifications, a full one and one with the proof of the publication
   * before, which checks only what is new. They must agree.
   */
  constructor(original: string, { isKnown = isNight } = {}) {
    this.#proof = isKnown ? proofBeside(original) : '';
    this.folder = `${original}-edited`;
    rmSync(this.folder, { recursive: true, force: true });
    // Files are hard links to the original's. Nothing here writes into a file.
    execFileSync('cp', ['-al', original, this.folder]);
  }

  /** Every fault as `code path`. */
  async faults(): Promise<string[]> {
    return (await this.#verified()).map(({ code, path }) => `${code} ${path}`);
  }

  /** Every fault as `code path: expected`, where one document has several. */
  async explainedFaults(): Promise<string[]> {
    return (await this.#verified()).map(({ code, path, expected }) => `${code} ${path}: ${expected}`);
  }

  async #verified(): Promise<Verification['faults']> {
    const { faults } = await verifySite(this.folder);
    if (!existsSync(this.#proof)) return faults;
    const proof = readProof(this.#proof, Number.POSITIVE_INFINITY, Date.now());
    expect(proof.whyFull).toBeNull();
    expect((await verifySite(this.folder, { proof })).faults).toEqual(faults);
    return faults;
  }

  get pointer(): Pointer {
    return this.json(pointerFile);
  }

  get table(): Table {
    const root: RouteTableRoot = this.json(objectPath(this.pointer.routes.sha256));
    return { root, shards: root.shards.map(({ sha256 }) => this.json(objectPath(sha256)).routes) };
  }

  route(path: string): Route {
    const route = this.table.shards.flat().find((candidate) => candidate.path === path);
    if (!route) throw new Error(`the example site has no route ${path}`);
    return route;
  }

  paths(pattern: RegExp): string[] {
    const paths = this.table.shards.flat().map(({ path }) => path);
    return paths.filter((path) => pattern.test(path)).sort();
  }

  objectOf(path: string): string {
    return objectPath(this.route(path).sha256);
  }

  checkoutOf(path: string, variant?: Variant['encoding']): string {
    return `${checkoutFolder(this.pointer.revision)}/${checkoutPath(path, variant)}`;
  }

  locate(file: string): string {
    return join(this.folder, file);
  }

  bytes(file: string): Buffer {
    return readFileSync(this.locate(file));
  }

  json(file: string): Json {
    return JSON.parse(this.bytes(file).toString());
  }

  document(path: string): Json {
    return this.json(this.objectOf(path));
  }

  /** Changes the bytes of a file under all its names in this copy, as a failing disk does. */
  damage(file: string, edit: (bytes: Buffer) => Buffer): void {
    const { ino } = statSync(this.locate(file));
    const bytes = edit(this.bytes(file));
    const names = readdirSync(this.folder, { recursive: true, encoding: 'utf8' });
    const others = names.filter((name) => name !== file && lstatSync(this.locate(name)).ino === ino);
    this.write(file, bytes);
    for (const name of others) {
      this.remove(name);
      linkSync(this.locate(file), this.locate(name));
    }
  }

  flipByte(file: string): void {
    this.damage(file, (bytes) => {
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      return bytes;
    });
  }

  /** Replaces the file at one name. Its other names keep their bytes. */
  write(file: string, content: string | Buffer): void {
    mkdirSync(dirname(this.locate(file)), { recursive: true });
    rmSync(this.locate(file), { force: true });
    writeFileSync(this.locate(file), content);
  }

  remove(file: string): void {
    rmSync(this.locate(file), { recursive: true });
  }

  editPointer(edit: (pointer: Pointer) => void): void {
    const pointer = this.pointer;
    edit(pointer);
    this.write(pointerFile, `${JSON.stringify(pointer, null, 2)}\n`);
  }

  editTable(edit: (table: Table) => void): void {
    const { root, shards } = this.table;
    edit({ root, shards });
    root.shards = shards.map((routes) => this.#writeJson({ routes }));
    const reference = this.#writeJson(root);
    this.editPointer((pointer) => {
      pointer.routes = reference;
      for (const listed of pointer.publications) if (listed.revision === pointer.revision) listed.routes = reference;
    });
  }

  editRoute(path: string, edit: (route: Route) => void): void {
    this.editTable(({ shards }) => {
      for (const route of shards.flat()) if (route.path === path) edit(route);
    });
  }

  removeRoute(path: string): void {
    this.#dropVariants(this.route(path));
    this.remove(this.checkoutOf(path));
    this.editTable(({ root, shards }) => {
      root.route_count -= 1;
      for (const [i, routes] of shards.entries()) shards[i] = routes.filter((route) => route.path !== path);
    });
  }

  /** Replaces the bytes at an address, and at every other address with the same object. Their variants are removed. */
  replace(path: string, bytes: Buffer): void {
    const before = this.route(path).sha256;
    const { sha256, size } = this.#writeObject(bytes);
    this.editTable(({ shards }) => {
      for (const route of shards.flat()) {
        if (route.sha256 !== before) continue;
        this.#dropVariants(route);
        Object.assign(route, { sha256, size, etag: `"${hash('md5', bytes)}"` });
        const file = this.locate(this.checkoutOf(route.path));
        rmSync(file);
        linkSync(this.locate(objectPath(sha256)), file);
      }
    });
  }

  editDocument(path: string, edit: (document: Json) => void): void {
    const document = this.document(path);
    edit(document);
    this.replace(path, Buffer.from(`${JSON.stringify(document)}\n`));
  }

  #dropVariants(route: Route): void {
    for (const { encoding } of route.variants ?? []) this.remove(this.checkoutOf(route.path, encoding));
    delete route.variants;
  }

  #writeJson(value: unknown): ObjectReference {
    return this.#writeObject(Buffer.from(`${JSON.stringify(value)}\n`));
  }

  #writeObject(bytes: Buffer): ObjectReference {
    const sha256 = hash('sha256', bytes);
    this.write(objectPath(sha256), bytes);
    return { sha256, size: bytes.length };
  }
}
