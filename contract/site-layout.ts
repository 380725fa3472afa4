/*
 * How the files of a site are named. This needs no table of addresses, so the client can use it without the schemas.
 */

/** The prefix of every route; `{base_url}` ends with it. */
export const prefix = '/v1';

export const pointerFile = 'current.json';
export const signatureFile = 'current.json.sig';

/** The signature of a witness, beside the pointer. `key`: the fingerprint of the witness's key. */
export function witnessFile(key: string): string {
  return `${pointerFile}.${key}.sig`;
}

/** The name of a catalog of APIs (RFC 9727). */
const apiCatalogFile = 'api-catalog';

/** The usual name of a file with SHA-256 checksums. */
const checksumsFile = 'SHA256SUMS';

/**
 * Suffixes that a variant's file adds to the name of the plain file. nginx (`gzip_static`, `brotli_static`) and other
 * hosts look for these names.
 */
const variantSuffixes = { gzip: '.gz', br: '.br' } as const;

/** The explorer, as an address and as a file. File servers look for this name. */
const explorerPath = '/';
export const explorerFile = 'index.html';

/** The explorer's worker. A worker sees only requests below its own folder, so it is beside the explorer. */
const workerPath = '/sw.js';

/** Leads programs to the service, and search engines to its page. */
const discoveryPaths: readonly string[] = ['/.well-known/api-catalog', '/sitemap.xml'];

/** Whether an address belongs to the explorer. */
export function isOfExplorer(path: string): boolean {
  return path === explorerPath || path === workerPath || path.startsWith('/explorer/');
}

/**
 * Whether an address is outside the versioned contract (contract.md 11): for people, or for what leads to the service.
 */
export function isOutsideContract(path: string): boolean {
  return isOfExplorer(path) || discoveryPaths.includes(path);
}

/** Whether the file of an address has the same name as the address. Other files have `.json` added. */
export function isFileName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') || name === checksumsFile || name === apiCatalogFile;
}

/**
 * The path of a route's file in a checkout. `/` becomes `index.html`, `/v1` becomes `v1/index.json`, and `/v1/x`
 * becomes `v1/x.json`. Names with an extension stay as they are, and so do `SHA256SUMS` and `api-catalog`. A variant
 * is beside the plain file, such as `v1/x.json.gz`.
 */
export function checkoutPath(path: string, variant?: keyof typeof variantSuffixes): string {
  const suffix = variant ? variantSuffixes[variant] : '';
  if (path === explorerPath) return explorerFile + suffix;
  if (path === prefix) return `v1/index.json${suffix}`;
  return isFileName(path) ? path.slice(1) + suffix : `${path.slice(1)}.json${suffix}`;
}

/** The path of an object in a site. Its name is just its hash; the routes that name it say what it is. */
export function objectPath(sha256: string): string {
  return `objects/${sha256.slice(0, 2)}/${sha256}`;
}
