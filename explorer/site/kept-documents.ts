/** Limits for a publication: the number of documents, and unpacked bytes per document and in total. */
const most = { documents: 400, document: 8 * 1024 * 1024, all: 48 * 1024 * 1024 } as const;

/** The header field that names an answer's publication. Copies have it whatever their host sends. */
export const revisionField = 'X-Publication-Revision';

/** The header fields that are kept. The coding and length do not apply, because bytes are stored unpacked. */
const keptFields = ['Content-Type', 'Cache-Control', 'ETag', 'Last-Modified', revisionField];

/** A copy of an answer whose body was read. */
export function copyAnswer(
  { headers }: Response,
  bytes: ArrayBuffer,
  more: Readonly<Record<string, string>> = {},
): Response {
  const fields = keptFields.map((name) => [name, headers.get(name)] as const);
  const kept = fields.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
  return new Response(bytes, { headers: { ...Object.fromEntries(kept), ...more } });
}

type Sizes = Map<string, number>;

/** Documents on the device, with a cache for each publication. */
export class KeptDocuments {
  readonly #root: URL;
  /** The size of each document by URL, oldest first, as far as this worker needed it. */
  readonly #sizes = new Map<string, Promise<Sizes>>();

  #hasEnded = false;

  constructor(root: URL) {
    this.#root = root;
  }

  /** Stops keeping documents. */
  end(): void {
    this.#hasEnded = true;
  }

  /** The revisions with kept documents, oldest first. */
  async revisions(): Promise<string[]> {
    return (await siteCaches(this.#root)).flatMap(({ revision }) => revision ?? []);
  }

  find(revision: string, url: string): Promise<Response | undefined> {
    return caches.match(url, { cacheName: publicationCache(this.#root, revision) });
  }

  /**
   * Keeps a document, and drops the oldest ones if there is no room. `answer`: the answer that it came with. Only the
   * metadata start a publication: another document may arrive after its publication was removed, and must not bring it
   * back.
   */
  async keep(revision: string, url: string, answer: Response, bytes: ArrayBuffer, isLabelled = true): Promise<void> {
    if (bytes.byteLength > most.document) return;
    const name = publicationCache(this.#root, revision);
    if (this.#hasEnded || !(isMetadata(url) || (await caches.has(name)))) return;
    const cache = await caches.open(name);
    const sizes = await this.#documentSizes(revision, cache);
    const label = { ...(isLabelled && { [revisionField]: revision }), [sizeField]: String(bytes.byteLength) };
    await cache.put(url, copyAnswer(answer, bytes, label));
    sizes.delete(url);
    sizes.set(url, bytes.byteLength);
    for (const old of leaving(sizes)) {
      sizes.delete(old);
      await cache.delete(old);
    }
  }

  #documentSizes(revision: string, cache: Cache): Promise<Sizes> {
    const known = this.#sizes.get(revision) ?? readSizes(cache);
    this.#sizes.set(revision, known);
    return known;
  }
}

const sizeField = 'Content-Length';

async function readSizes(cache: Cache): Promise<Sizes> {
  const sizes: Sizes = new Map();
  for (const request of await cache.keys()) {
    sizes.set(request.url, Number((await cache.match(request))?.headers.get(sizeField)));
  }
  return sizes;
}

/**
 * The documents to drop, for lack of room. Metadata stay, because nothing of a publication can be opened without them.
 */
function leaving(sizes: Sizes): string[] {
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let count = sizes.size;
  const gone: string[] = [];
  for (const [url, size] of sizes) {
    if (count <= most.documents && bytes <= most.all) break;
    if (isMetadata(url)) continue;
    gone.push(url);
    [count, bytes] = [count - 1, bytes - size];
  }
  return gone;
}

export function isMetadata(url: string): boolean {
  return /\/v1\/metadata(\.json)?$/.test(url);
}

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
