import type { AddressKind } from '../../contract/addresses.ts';
import { formatPath, templates } from '../../contract/paths.ts';
import { shown } from '../../contract/schemas/checked-value.ts';
import type { SearchIndex } from '../../contract/schemas/search.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { addressRole, type CheckedTable } from '../site/checked-table.ts';
import type { FaultList } from '../site/fault.ts';
import type { SiteUnderCheck } from './documents.ts';

/** The kinds of things that ids name, and the address of the document of each. */
const documentPaths = {
  product: (id: string) => formatPath('product', { product_id: id }),
  store: (id: string) => formatPath('store', { store_id: id }),
  family: (id: string) => formatPath('family', { family_id: id }),
  brand: (id: string) => formatPath('brand', { brand_id: id }),
} as const;

type Thing = keyof typeof documentPaths;

/** Tells whether addresses in documents have an answer. */
export type Addresses = ReturnType<typeof siteAddresses>;

/**
 * `base`: the part of the site's addresses before `/v1`; empty where they are paths. `build` writes all addresses below
 * one base.
 */
export function siteAddresses(table: CheckedTable, base: string) {
  const isOfSite = (address: string) => address.startsWith(base);
  /** The path of an address, without the site's base URL. */
  const pathIn = (address: string) => (isOfSite(address) ? address.slice(base.length) : address);
  /** Whether an address is one of the site and has an answer. True when a damaged route table cannot tell. */
  const has = (address: string) => {
    const path = pathIn(address);
    if (!isOfSite(address) || table.find(path) !== 'absent') return isOfSite(address);
    // A shim computes search and comparison; they have no route.
    return addressRole(path) === 'computed';
  };
  /** The ids whose documents were found. Most are named thousands of times. */
  const found = {
    product: new Set<string>(),
    store: new Set<string>(),
    family: new Set<string>(),
    brand: new Set<string>(),
  };
  const hasDocument = (thing: Thing, id: string) => {
    if (found[thing].has(id)) return true;
    const isThere = has(base + documentPaths[thing](id));
    if (isThere) found[thing].add(id);
    return isThere;
  };
  return { base, isOfSite, pathIn, has, hasDocument };
}

/** The part of a site's addresses before `/v1`, taken from the links of its service index; empty without one. */
export function findBase(serviceIndex: unknown): string {
  const { links } = (serviceIndex as { data?: { links?: Record<string, unknown> } } | null)?.data ?? {};
  for (const [kind, address] of Object.entries(links ?? {})) {
    const template = kind in templates ? templates[kind as AddressKind] : null;
    if (template && typeof address === 'string' && address.endsWith(template))
      return address.slice(0, -template.length);
  }
  return '';
}

/** What the explorer names: files in the attributes of its page, and modules in its scripts, which share a folder. */
const pageReferences = { page: /(?:src|href|content)="explorer\/([^"]+)"/g, script: /["']\.\/([0-9a-z]+\.js)["']/g };

/** Checks that every file exists that the explorer's page or one of its scripts names. */
export function checkExplorer({ table, ledger, faults }: SiteUnderCheck, { path, sha256 }: Route): void {
  const isPage = path === formatPath('explorer');
  const pattern = isPage ? pageReferences.page : path.endsWith('.js') ? pageReferences.script : null;
  const text = pattern && ledger.read(sha256, path)?.toString();
  const worker = formatPath('explorer_worker');
  if (isPage && text?.includes('<meta name="shelfpress-worker"') && table.find(worker) === 'absent')
    faults.add('route_missing', worker, `the worker of the explorer, which ${path} names`, 'no route');
  for (const [, name] of (text && pattern && text.matchAll(pattern)) || []) {
    const expected = `a file of the explorer, which ${path} names`;
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
 * Keys of a document whose values are not checked: examples are answers of another site, and the operator's statements
 * about the data link elsewhere.
 */
const ignoredKeys: Readonly<Partial<Record<AddressKind, ReadonlySet<string>>>> = {
  openapi: new Set(['example', 'contact', 'license', 'x-data-license']),
  metadata: new Set(['about']),
};

/**
 * Reports addresses and ids in a document that do not exist, each once. Finds them by their keys anywhere in the
 * document, so that a new document needs no new rule.
 */
export function checkReferences(
  document: unknown,
  kind: AddressKind,
  path: string,
  { addresses, faults }: { readonly addresses: Addresses; readonly faults: FaultList },
): void {
  const missing = new Set<string>();
  const report = (target: string, expected: string, got: string) => {
    if (missing.has(target)) return;
    missing.add(target);
    faults.add('address_unresolved', path, expected, got);
  };
  const checkAddress = (address: string) => {
    if (!addresses.has(address)) report(address, 'addresses that have an answer', shown(address));
  };
  const checkThing = (thing: Thing, id: string) => {
    if (addresses.hasDocument(thing, id)) return;
    report(id, `a document of each ${thing} it names`, `no ${documentPaths[thing](id)}`);
  };
  /** Checks the id of an object, or of each object in an array. */
  const checkThings = (thing: Thing, value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      const id = (one as Json | null)?.id;
      if (typeof id === 'string') checkThing(thing, id);
    }
  };
  // The description of the service describes ids but contains none. A data package names the files beside it.
  const [hasIds, hasAddresses] = [
    kind !== 'openapi',
    !['export_package', 'latest_package', 'tables_package'].includes(kind),
  ];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      if (ignoredKeys[kind]?.has(key)) continue;
      const inner = (value as Json)[key];
      if (typeof inner === 'string') {
        if (hasAddresses && addressKeys.has(key)) checkAddress(inner);
        const thing = hasIds && idKeys.get(key);
        if (thing) checkThing(thing, inner);
      } else if (typeof inner === 'object' && inner !== null) {
        const thing = hasIds && objectKeys.get(key);
        if (thing) checkThings(thing, inner);
        visit(inner);
      }
    }
  };
  visit(document);
  if (kind === 'service_index') {
    const { links } = (document as { data: { links: Record<string, string> } }).data;
    for (const address of Object.values(links)) checkAddress(address);
  }
  const thing = rowThings.get(kind.replace(/_page$/, ''));
  if (thing) checkThings(thing, (document as { data: unknown }).data);
  if (kind !== 'search_index') return;
  for (const { hit } of (document as SearchIndex).entries) {
    checkThing(hitThings[hit.kind], hit.id);
    const expected = addresses.base + documentPaths[hitThings[hit.kind]](hit.id);
    if (hit.path !== expected) faults.add('address_unresolved', path, `the address ${expected}`, shown(hit.path));
  }
}
