import type { SearchIndex } from '../contract/documents/search.ts';
import type { PathKind } from '../contract/paths.ts';
import type { Addresses, Thing } from './addresses.ts';

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
const rowThings: Readonly<Partial<Record<PathKind, Thing>>> = {
  products: 'product',
  products_page: 'product',
  families: 'family',
  families_page: 'family',
  brands: 'brand',
  brands_page: 'brand',
  stores: 'store',
  stores_page: 'store',
};

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
  const thing = rowThings[kind];
  if (thing) references.things(thing, (document as { data: unknown }).data);
  if (kind === 'search_index') {
    for (const { hit } of (document as SearchIndex).entries) references.hit(hitThings[hit.kind], hit);
  }
}

/** The references of one document. A missing target is reported once, even if many rows have it. */
class References {
  readonly #addresses: Addresses;
  readonly #holder: string;
  /** False for the description of the service, which describes ids but contains none. */
  readonly #hasIds: boolean;
  /** False for a data package, which names the files beside it instead of addresses. */
  readonly #hasAddresses: boolean;
  readonly #missing = new Set<string>();

  constructor(kind: PathKind, holder: string, addresses: Addresses) {
    this.#addresses = addresses;
    this.#holder = holder;
    this.#hasIds = kind !== 'openapi';
    this.#hasAddresses = kind !== 'export_package';
  }

  visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') this.visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
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
