/*
 * The names of the caches that the explorer and its service worker keep on the device. The host may have other sites.
 */

/**
 * The cache of the explorer's document and files, for a version of the worker. `root`: the URL of the site, with a
 * trailing slash.
 */
export const explorerCache = (root: URL, version: string) => `${cachePrefix(root)}page ${version}`;

/** The cache of documents of a publication. */
export const publicationCache = (root: URL, revision: string) => `${cachePrefix(root)}publication ${revision}`;

const cachePrefix = ({ pathname }: URL) => `shelfpress ${pathname} `;

/** The caches of a site, oldest first. `revision`: only for caches of documents. */
export async function siteCaches(root: URL): Promise<{ readonly name: string; readonly revision: string | null }[]> {
  const [all, publication] = [cachePrefix(root), publicationCache(root, '')];
  return (await caches.keys())
    .filter((name) => name.startsWith(all))
    .map((name) => ({ name, revision: name.startsWith(publication) ? name.slice(publication.length) : null }));
}
