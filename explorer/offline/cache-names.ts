/*
 * What the page and its worker keep on the device, by the names of the caches. Other sites may be below the same host.
 */

/** The page and its files, of a version of the worker. `root`: the URL of the site, with a slash at its end. */
export const pageCache = (root: URL, version: string) => `${cachePrefix(root)}page ${version}`;

/** Documents of a publication. */
export const publicationCache = (root: URL, revision: string) => `${cachePrefix(root)}publication ${revision}`;

const cachePrefix = ({ pathname }: URL) => `shelfpress ${pathname} `;

/** The caches of a site, oldest first. `revision`: of those with documents. */
export async function siteCaches(root: URL): Promise<{ readonly name: string; readonly revision: string | null }[]> {
  const [all, publication] = [cachePrefix(root), publicationCache(root, '')];
  return (await caches.keys())
    .filter((name) => name.startsWith(all))
    .map((name) => ({ name, revision: name.startsWith(publication) ? name.slice(publication.length) : null }));
}
