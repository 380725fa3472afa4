import type { SearchIndex } from '../contract/documents/search.ts';
import type { Route } from '../contract/formats/site.ts';
import { type PathKind, parsePath, pathOf, templates } from '../contract/paths.ts';
import { type CheckedTable, roleOf } from '../site/checked-table.ts';
import { type FaultList, shown } from '../site/fault.ts';
import type { SiteUnderCheck } from './documents.ts';

/** The kinds of things that ids name, and the address of the document of each. */
const documentOf = {
  product: (id: string) => pathOf('product', { product_id: id }),
  store: (id: string) => pathOf('store', { store_id: id }),
  family: (id: string) => pathOf('family', { family_id: id }),
  brand: (id: string) => pathOf('brand', { brand_id: id }),
} as const;

export type Thing = keyof typeof documentOf;

/** Tells whether the addresses in documents have an answer, and whether the ids in documents have a document. */
export class Addresses {
  readonly #table: CheckedTable;
  readonly #faults: FaultList;
  /** The part of the site's addresses before `/v1`; empty where they are paths. */
  readonly base: string;

  constructor(table: CheckedTable, faults: FaultList, base: string) {
    this.#table = table;
    this.#faults = faults;
    this.base = base;
  }

  /** The path of an address, without the site's base URL. */
  pathOf(address: string): string {
    return this.isOwn(address) ? address.slice(this.base.length) : address;
  }

  /** Whether an address has the base of the site. `build` prints either paths or URLs below one base. */
  isOwn(address: string): boolean {
    return address.startsWith(this.base);
  }

  /** Whether an address is the site's own and has an answer. True when a damaged route table cannot tell. */
  hasAddress(address: string): boolean {
    if (!this.isOwn(address)) return false;
    const path = this.pathOf(address);
    if (this.#table.find(path) !== 'absent') return true;
    // A shim computes search and comparison; they have no route.
    const kind = parsePath(path)?.kind;
    return kind !== undefined && roleOf(kind) === 'computed';
  }

  hasThing(thing: Thing, id: string): boolean {
    return this.#table.find(documentOf[thing](id)) !== 'absent';
  }

  requireDocument(thing: Thing, id: string, address: string, holder: string): void {
    const expected = this.base + documentOf[thing](id);
    if (address !== expected) this.#faults.add('address_unresolved', holder, `the address ${expected}`, shown(address));
  }

  reportAddress(address: string, holder: string): void {
    this.#faults.add('address_unresolved', holder, 'addresses that have an answer', shown(address));
  }

  reportThing(thing: Thing, id: string, holder: string): void {
    this.#faults.add(
      'address_unresolved',
      holder,
      `a document of each ${thing} it names`,
      `no ${documentOf[thing](id)}`,
    );
  }
}

/** The part of a site's addresses before `/v1`, taken from the links of its service index; empty without one. */
export function baseOf(serviceIndex: unknown): string {
  const { links } = (serviceIndex as { data?: { links?: Record<string, unknown> } } | null)?.data ?? {};
  for (const [kind, address] of Object.entries(links ?? {})) {
    const template = kind in templates ? templates[kind as PathKind] : null;
    if (template && typeof address === 'string' && address.endsWith(template))
      return address.slice(0, -template.length);
  }
  return '';
}

/** What the page for people names: files in its attributes, and modules in the scripts, which are in the same folder. */
const pageReferences = {
  page: /(?:src|href|content)="explorer\/([^"]+)"/g,
  script: /["']\.\/([0-9a-z]+\.js)["']/g,
};

/** Checks that each file exists that the page for people, or a script of it, names. */
export function checkPageForPeople({ table, ledger, faults }: SiteUnderCheck, { path, sha256 }: Route): void {
  const isPage = path === pathOf('explorer');
  const pattern = isPage ? pageReferences.page : path.endsWith('.js') ? pageReferences.script : null;
  const text = pattern && ledger.read(sha256, path)?.toString();
  for (const [, name] of (text && pattern && text.matchAll(pattern)) || []) {
    const expected = `a file of the page for people, as ${path} names it`;
    if (table.find(`/explorer/${name}`) === 'absent') {
      faults.add('route_missing', `/explorer/${name}`, expected, 'no route');
    }
  }
}

type Json = { readonly [key: string]: unknown };

const addressKeys = new Set(['next', 'self', 'url', 'path']);

const idKeys: ReadonlyMap<string, Thing> = new Map([
  ['product_id', 'product'],
  ['store_id', 'store'],
  ['family_id', 'family'],
  ['brand_id', 'brand'],
]);

/** Keys of objects, or of arrays of objects, whose `id` names a thing. */
const objectKeys: ReadonlyMap<string, Thing> = new Map([
  ['product', 'product'],
  ['store', 'store'],
  ['family', 'family'],
  ['members', 'product'],
  ['families', 'family'],
]);

/** Lists whose rows have the `id` of a thing. */
const rowThings: ReadonlyMap<string, Thing> = new Map([
  ['products', 'product'],
  ['families', 'family'],
  ['brands', 'brand'],
  ['stores', 'store'],
]);

const hitThings = { product: 'product', product_family: 'family', brand: 'brand', store: 'store' } as const;

/**
 * Reports addresses and ids in a document that do not exist. Finds them by their keys anywhere in the document, so that
 * a new document needs no new rule.
 */
export function checkReferences(document: unknown, kind: PathKind, path: string, addresses: Addresses): void {
  const references = new References(kind, path, addresses);
  references.visit(document);
  if (kind === 'service_index') {
    const { links } = (document as { data: { links: Record<string, string> } }).data;
    for (const address of Object.values(links)) references.address(address);
  }
  const thing = rowThings.get(kind.replace(/_page$/, ''));
  if (thing) references.things(thing, (document as { data: unknown }).data);
  if (kind === 'search_index') {
    for (const { hit } of (document as SearchIndex).entries) references.hit(hitThings[hit.kind], hit);
  }
}

/**
 * Keys of a document whose values are not looked at: examples are answers of another site, and what the operator states of
 * the data leads elsewhere.
 */
const ignoredKeys: Readonly<Partial<Record<PathKind, ReadonlySet<string>>>> = {
  openapi: new Set(['example', 'contact', 'x-data-license']),
  metadata: new Set(['about']),
};

/** The references of one document. A missing target is reported once, even if many rows have it. */
class References {
  readonly #addresses: Addresses;
  readonly #holder: string;
  /** False for the description of the service, which describes ids but contains none. */
  readonly #hasIds: boolean;
  /** False for a data package, which names the files beside it instead of addresses. */
  readonly #hasAddresses: boolean;
  /** Keys whose values are not looked at. */
  readonly #ignored: ReadonlySet<string>;
  readonly #missing = new Set<string>();

  constructor(kind: PathKind, holder: string, addresses: Addresses) {
    this.#addresses = addresses;
    this.#holder = holder;
    this.#hasIds = kind !== 'openapi';
    this.#hasAddresses = kind !== 'export_package';
    this.#ignored = ignoredKeys[kind] ?? new Set();
  }

  visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') this.visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      if (this.#ignored.has(key)) continue;
      const inner = (value as Json)[key];
      if (typeof inner === 'string') {
        if (this.#hasAddresses && addressKeys.has(key)) this.address(inner);
        const thing = this.#hasIds && idKeys.get(key);
        if (thing) this.thing(thing, inner);
      } else if (typeof inner === 'object' && inner !== null) {
        const thing = this.#hasIds && objectKeys.get(key);
        if (thing) this.things(thing, inner);
        this.visit(inner);
      }
    }
  }

  address(address: string): void {
    if (this.#addresses.hasAddress(address) || !this.#isNew(address)) return;
    this.#addresses.reportAddress(address, this.#holder);
  }

  /** Checks that a search hit leads to the document of the thing that it names. */
  hit(thing: Thing, { id, path }: { id: string; path: string }): void {
    this.thing(thing, id);
    this.#addresses.requireDocument(thing, id, path, this.#holder);
  }

  /** Checks the id of an object, or of each object in an array. */
  things(thing: Thing, value: unknown): void {
    for (const one of Array.isArray(value) ? value : [value]) {
      const id = (one as Json | null)?.id;
      if (typeof id === 'string') this.thing(thing, id);
    }
  }

  thing(thing: Thing, id: string): void {
    if (this.#addresses.hasThing(thing, id) || !this.#isNew(id)) return;
    this.#addresses.reportThing(thing, id, this.#holder);
  }

  #isNew(target: string): boolean {
    if (this.#missing.has(target)) return false;
    this.#missing.add(target);
    return true;
  }
}
