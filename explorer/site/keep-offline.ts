import type { Site } from '../../client/open-site.ts';
import { publicationCache, siteCaches } from './kept-documents.ts';
import { hasStores } from './site-profile.ts';

/** Larger catalogs have a large search index, which is only kept once a search has read it. */
const mostIndexedProducts = 10_000;

const root = () => new URL('.', document.baseURI);

/**
 * Registers the worker and makes it keep what the explorer needs offline and does not have yet. Then removes older
 * publications. In data-saving mode only what the reader sees is kept. `wasSeen`: whether there was a worker when the
 * explorer started, which has seen what it read. `skus`: the products of the reader's own trip.
 */
export async function keepOffline(
  site: Site,
  products: number,
  wasSeen: boolean,
  skus: readonly string[],
): Promise<void> {
  const { serviceWorker } = navigator;
  // No cache may answer for the host, or readers would keep a worker that the site has removed.
  const registration = await serviceWorker.register(new URL('sw.js', root()), { updateViaCache: 'none' });
  // A browser that blocks workers may not say so.
  if (!registration) return;
  if (serviceWorker.controller === null)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (!connection?.saveData) await keepDocuments(site, products, wasSeen, skus);
  await removeOthers(site.publication.revision);
}

async function keepDocuments(site: Site, products: number, wasSeen: boolean, skus: readonly string[]): Promise<void> {
  // This tells the worker which publication the explorer opened, and what it has already read.
  if (!wasSeen) await read(site.addressOf('metadata'), 'default');
  const kept = await keptUrls(site.publication.revision);
  const wanted = [...(wasSeen ? [] : documentsSoFar()), ...indexes(site, products)].filter((url) => !kept.has(url));
  for (const url of new Set(wanted)) await read(url, 'no-cache');
  const missing = skus.filter((sku) => !kept.has(site.addressOf('product_by_sku', { sku })));
  for (const sku of hasStores() ? missing : []) await keepProduct(site, sku);
  const hasMore = hasStores() && !kept.has(site.addressOf('stores'));
  if (hasMore) await site.stores().take(Number.POSITIVE_INFINITY);
  if (wanted.length === 0) return;
  // This proves the publication on hosts that do not name it in their answers.
  const pointer = await fetch(new URL('current.json', root()), { cache: 'no-cache' });
  if (!pointer.ok) await read(site.addressOf('metadata'), 'no-cache');
}

/** What searches, lists and comparisons are made from. */
function indexes(site: Site, products: number): string[] {
  return [
    site.addressOf('browse'),
    site.addressOf('categories'),
    site.addressOf('activity'),
    ...(products <= mostIndexedProducts ? [site.addressOf('search_index')] : []),
    ...(hasStores() ? [site.addressOf('comparison_stores')] : []),
  ];
}

/** Keeps a product of the reader's own trip, if it is still published. */
async function keepProduct(site: Site, sku: string): Promise<void> {
  const product = await site.product.bySku(sku).catch(() => null);
  if (product !== null) await site.product.availability(product.data.id).catch(() => null);
}

/** The URLs of documents that were read before the worker was active. */
function documentsSoFar(): string[] {
  const start = new URL('v1', root()).href;
  const isExport = (url: string) => url.startsWith(`${start}/exports/`);
  return performance
    .getEntriesByType('resource')
    .filter((entry) => (entry as PerformanceResourceTiming).responseStatus === 200)
    .map(({ name }) => name)
    .filter((url) => url.startsWith(start) && !url.includes('?') && !isExport(url));
}

async function keptUrls(revision: string): Promise<Set<string>> {
  const name = publicationCache(root(), revision);
  if (!(await caches.has(name))) return new Set();
  const requests = await (await caches.open(name)).keys();
  return new Set(requests.map(({ url }) => url));
}

async function read(url: string, cache: RequestCache): Promise<void> {
  await (await fetch(url, { cache })).arrayBuffer();
}

/** Removes other publications once this one is kept. */
async function removeOthers(own: string): Promise<void> {
  const all = await siteCaches(root());
  if (!all.some(({ revision }) => revision === own)) return;
  for (const { name, revision } of all) if (revision !== null && revision !== own) await caches.delete(name);
}
