import { type PathKind, parsePath, pathOf, templates } from '../contract/paths.ts';
import { problemCode } from '../contract/problem.ts';
import { roleOf } from '../site/checked-route.ts';
import type { RouteTable } from '../site/checked-table.ts';
import { type FaultList, shown } from '../site/fault.ts';

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
  readonly #table: RouteTable;
  readonly #faults: FaultList;
  readonly #base: string;
  readonly #known: Readonly<Record<Thing, Set<string>>> = {
    product: new Set(),
    store: new Set(),
    family: new Set(),
    brand: new Set(),
  };

  /** `base`: the part of the site's addresses before `/v1`. */
  constructor(table: RouteTable, faults: FaultList, base: string) {
    this.#table = table;
    this.#faults = faults;
    this.#base = base;
    for (const path of table.routes.keys()) {
      const parsed = parsePath(path);
      if (!parsed || !(parsed.kind in this.#known)) continue;
      const thing = parsed.kind as Thing;
      const id = parsed.parameters[`${thing}_id`];
      if (id !== undefined) this.#known[thing].add(id);
    }
  }

  /** The path of an address, without the site's base URL. */
  pathOf(address: string): string {
    return this.isOwn(address) ? address.slice(this.#base.length) : address;
  }

  /** Whether an address has the base of the site. `build` prints either paths or URLs below one base. */
  isOwn(address: string): boolean {
    return address.startsWith(this.#base);
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
    return this.#known[thing].has(id) || this.#table.find(documentOf[thing](id)) !== 'absent';
  }

  requireDocument(thing: Thing, id: string, address: string, holder: string): void {
    const expected = this.#base + documentOf[thing](id);
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

/** Checks that every address exists that the contract promises for any data (contract.md 2). */
export function checkCompleteness(table: RouteTable, faults: FaultList): void {
  const requirePath = (path: string, reason: string) => {
    if (table.find(path) === 'absent') faults.add('route_missing', path, reason, 'no route');
  };
  for (const [kind, template] of Object.entries(templates)) {
    const isFixed = !template.includes('{') && roleOf(kind as PathKind) !== 'computed';
    if (isFixed) requirePath(template, 'an address that every site has');
  }
  for (const problem of problemCode.options) {
    requirePath(pathOf('problem', { problem }), 'an address that every site has');
  }
  for (const path of table.routes.keys()) {
    for (const companion of companionsOf(path)) requirePath(companion, `an answer, as ${path} has one`);
  }
}

/** The addresses that must exist when `path` does: those that accompany a product, a family, a store or an export. */
function companionsOf(path: string): string[] {
  const { kind, parameters } = parsePath(path) ?? {};
  const { product_id, family_id, store_id, sku, revision } = parameters ?? {};
  if (kind === 'product' && product_id) {
    return [
      pathOf('product_availability', { product_id }),
      pathOf('product_changes', { product_id }),
      pathOf('product_changes_index', { product_id }),
      pathOf('comparison_product', { product_id }),
    ];
  }
  if (kind === 'export' && revision) {
    return [pathOf('export_checksums', { revision }), pathOf('export_package', { revision })];
  }
  if (kind === 'comparison_product' && product_id) return [pathOf('product', { product_id })];
  if (kind === 'product_by_sku' && sku) return [pathOf('comparison_product_by_sku', { sku })];
  if (kind === 'comparison_product_by_sku' && sku) return [pathOf('product_by_sku', { sku })];
  if (kind === 'family' && family_id) {
    return [pathOf('family_changes', { family_id }), pathOf('family_changes_index', { family_id })];
  }
  return kind === 'store' && store_id ? [pathOf('store_availability', { store_id })] : [];
}
