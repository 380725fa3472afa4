/* This module names the files of a site without using the table of addresses, so that the client needs no schemas. */

/** Every route begins with it, and `{base_url}` ends with it. */
export const prefix = '/v1';

export const pointerFile = 'current.json';
export const signatureFile = 'current.json.sig';

/** The signature file of a witness, beside the pointer. `key`: the fingerprint of the witness's key. */
export function witnessFile(key: string): string {
  return `${pointerFile}.${key}.sig`;
}

/** A catalog of APIs (RFC 9727). */
const apiCatalogFile = 'api-catalog';

/** The usual name for SHA-256 checksums. */
const checksumsFile = 'SHA256SUMS';

/** Added to the name of the plain file. nginx (`gzip_static`, `brotli_static`) and other hosts look for these names. */
const variantSuffixes = { gzip: '.gz', br: '.br' } as const;

/** The address of the explorer. Its file is `index.html`, the name that file servers look for. */
const explorerPath = '/';
export const explorerFile = 'index.html';

/** A worker sees only requests below its own folder, so it is beside the explorer. */
const workerPath = '/sw.js';

/** Files that lead programs to the service, and search engines to its page. */
const discoveryPaths: readonly string[] = ['/.well-known/api-catalog', '/sitemap.xml'];

export function isOfExplorer(path: string): boolean {
  return path === explorerPath || path === workerPath || path.startsWith('/explorer/');
}

/** Outside the versioned contract (contract.md 11): pages for people, and discovery files. */
export function isOutsideContract(path: string): boolean {
  return isOfExplorer(path) || discoveryPaths.includes(path);
}

/** Whether the address is itself a file name. Files of other addresses have `.json` added. */
export function isFileName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') || name === checksumsFile || name === apiCatalogFile;
}

/**
 * The path of a route's file in a checkout. `/` becomes `index.html`, `/v1` becomes `v1/index.json`, and `/v1/x`
 * becomes `v1/x.json`. Names with an extension stay as they are, and so do `SHA256SUMS` and `api-catalog`. A variant is
 * beside the plain file, such as `v1/x.json.gz`.
 */
export function checkoutPath(path: string, variant?: keyof typeof variantSuffixes): string {
  const suffix = variant ? variantSuffixes[variant] : '';
  if (path === explorerPath) return explorerFile + suffix;
  if (path === prefix) return `v1/index.json${suffix}`;
  return isFileName(path) ? path.slice(1) + suffix : `${path.slice(1)}.json${suffix}`;
}

/** The name of an object is just its hash; the routes that name the object say what it is. */
export function objectPath(sha256: string): string {
  return `objects/${sha256.slice(0, 2)}/${sha256}`;
}
