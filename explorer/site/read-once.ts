import type { Site } from '../../client/open-site.ts';

/** Reads something from a site once for all views. A failed read is repeated the next time it is needed. */
export function readOnce<Value>(read: (site: Site) => Promise<Value>): (site: Site) => Promise<Value> {
  const known = new WeakMap<Site, Promise<Value>>();
  return (site) => {
    const begun = known.get(site);
    if (begun !== undefined) return begun;
    const reading = read(site);
    known.set(site, reading);
    reading.catch(() => known.delete(site));
    return reading;
  };
}
