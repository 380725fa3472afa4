import type { PathKind } from '../../contract/paths.ts';
import type { SearchIndex } from '../../contract/search.ts';
import type { Addresses, Thing } from './addresses.ts';

type Json = { readonly [key: string]: unknown };

const addressKeys = new Set(['next', 'self', 'url', 'path']);

const idKeys: ReadonlyMap<string, Thing> = new Map([
  ['product_id', 'product'],
  ['store_id', 'store'],
  ['family_id', 'family'],
  ['brand_id', 'brand'],
]);

/** Keys of objects, or of arrays of objects, whose `id` is that of a thing. */
const objectKeys: ReadonlyMap<string, Thing> = new Map([
  ['product', 'product'],
  ['store', 'store'],
  ['family', 'family'],
  ['members', 'product'],
  ['families', 'family'],
]);

/** Lists whose rows are things themselves. */
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
 * Requires that everything a document points to exists. Addresses are known by their keys wherever they stand, so that
 * a new document needs no new rule.
 */
export function checkReferences(document: unknown, kind: PathKind, path: string, addresses: Addresses): void {
  const pointsTo = new References(addresses, path);
  // The description of the service talks about ids; it holds none.
  pointsTo.visit(document, kind !== 'openapi');
  if (kind === 'service_index') pointsTo.addresses(Object.values((document as { data: { links: Json } }).data.links));
  const thing = rowThings[kind];
  if (thing) pointsTo.things(thing, (document as { data: unknown }).data);
  if (kind === 'search_index') {
    for (const { hit } of (document as SearchIndex).entries) pointsTo.thing(hitThings[hit.kind], hit.id);
  }
}

/** What one document points to. A target that is missing is reported once, in however many rows it stands. */
class References {
  readonly #addresses: Addresses;
  readonly #holder: string;
  readonly #seen = new Set<unknown>();

  constructor(addresses: Addresses, holder: string) {
    this.#addresses = addresses;
    this.#holder = holder;
  }

  visit(value: unknown, withIds: boolean): void {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') this.visit(item, withIds);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      const inner = (value as Json)[key];
      if (typeof inner === 'string') {
        if (addressKeys.has(key)) this.addresses([inner]);
        const thing = withIds && idKeys.get(key);
        if (thing) this.thing(thing, inner);
      } else if (typeof inner === 'object' && inner !== null) {
        const thing = withIds && objectKeys.get(key);
        if (thing) this.things(thing, inner);
        this.visit(inner, withIds);
      }
    }
  }

  addresses(values: readonly unknown[]): void {
    for (const value of values) {
      if (typeof value !== 'string' || this.#addresses.hasAddress(value) || !this.#isNew(value)) continue;
      this.#addresses.reportAddress(value, this.#holder);
    }
  }

  /** An object with an id, or an array of them. */
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
    if (this.#seen.has(target)) return false;
    this.#seen.add(target);
    return true;
  }
}
